// Plans the removal of the line `notify = [...]`, which earlier releases of hookbell wrote for Codex before 0.124.
import { isDeepStrictEqual } from "node:util";
import { callsHookbell, type CommandOwner } from "../command/owner.ts";
import { type AgentPlan, emptyPlan, type NotifySource, textOfBytes } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { tomlValues } from "../settings/toml.ts";

/** The line as init wrote it: JSON's escapes are also TOML's. */
const ownLine = /^notify = \[.*\][ \t]*(?:\r?\n|$)/m;

/** Leaves a `notify` alone that calls another program. */
export function planNotifyRemoval(source: NotifySource, ownerOf: OwnerOfHook, isMadeByUs = false): AgentPlan {
  if (source.bytes === undefined) return emptyPlan;
  const before = textOfBytes(source.bytes);
  // Parsing TOML is slow, and most files have no such line.
  const values = /\bnotify\b/.test(before) && /hookbell|hook\.cjs/.test(before) ? tomlValues(before) : undefined;
  if (!Array.isArray(values?.notify)) return emptyPlan;
  const owner = ownerOfNotify(values.notify, ownerOf);
  if (owner === "foreign") return emptyPlan;
  const after = before.replace(ownLine, "");
  const { notify: _, ...others } = values;
  if (owner === "mixed" || !isDeepStrictEqual(tomlValues(after), others)) {
    const warning = `${source.path}: "notify" calls hookbell, but hookbell did not write that line; remove it yourself`;
    return { ...emptyPlan, warnings: [warning] };
  }
  return { ...emptyPlan, changes: [{ source, before, after: isMadeByUs && after.trim() === "" ? undefined : after }] };
}

const posixScript = /^printf %s "\$1" \| (.+)$/;
const nodeScript =
  'require("child_process").spawnSync(process.execPath,process.argv.slice(1,-1),{input:process.argv.at(-1),windowsHide:true})';

function ownerOfNotify(words: readonly unknown[], ownerOf: OwnerOfHook): CommandOwner {
  const texts = words.filter((word) => typeof word === "string");
  const [program = "", flag, script = "", ...rest] = texts;
  const piped = posixScript.exec(script)?.[1];
  if (flag === "-c" && piped !== undefined && ownerOf(piped, []) === "own") return "own";
  if (flag === "-e" && script === nodeScript && ownerOf(program, rest) === "own") return "own";
  return callsHookbell(texts.join(" ")) ? "mixed" : "foreign";
}
