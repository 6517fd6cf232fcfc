// Plans the one program that an older release of an agent calls, `notify = [...]` in a TOML file.
import { isDeepStrictEqual } from "node:util";
import { exitCodes } from "../../model/errors.ts";
import { shellWord } from "../../model/shell-word.ts";
import { callsHookbell, type CommandOwner } from "../command/owner.ts";
import { type AgentPlan, emptyPlan, joinPlans, type NotifySource, textOfBytes } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { appendTomlMember, readToml, removeTomlMember, type TomlDocument } from "../settings/toml.ts";
import type { InstallRequest } from "./request.ts";

const member = "notify";

/** Never beside hooks. */
export function planNotify(sources: readonly NotifySource[], request: InstallRequest): AgentPlan {
  return joinPlans(
    sources.map((source) => {
      if (request.isOlder) return wireNotify(source, request);
      const plan = planNotifyRemoval(source, request.ownerOf);
      const isForeign = plan.changes.length === 0 && plan.warnings.length === 0 && hasNotify(source);
      const note = `${source.path}: "${member}" calls a program of yours; it stays, because hookbell uses hooks`;
      return isForeign ? { ...plan, warnings: [note] } : plan;
    }),
  );
}

export function isAboutNotify(warning: string): boolean {
  return warning.includes(`: "${member}" calls `);
}

function wireNotify(source: NotifySource, { argvFor, platform, isWanted, ownerOf }: InstallRequest): AgentPlan {
  const { path, bytes } = source;
  const before = bytes === undefined ? undefined : textOfBytes(bytes);
  const reading = readToml(path, before ?? "");
  if ("problems" in reading) return { ...emptyPlan, problems: reading.problems };
  const words = notifyWords(argvFor(undefined), platform);
  const { document } = reading;
  const found = document.values[member];
  const events = ["Stop"];
  if (isDeepStrictEqual(found, words)) return { ...emptyPlan, events };
  const owner = Array.isArray(found) ? ownerOfNotify(found, ownerOf) : "foreign";
  if (found !== undefined && owner !== "own") {
    if (owner === "mixed") return emptyPlan;
    const hint = `update Codex, which then has hooks, or call hookbell from that program: ${argvFor(undefined).join(" ")} reads the JSON from standard input`;
    const message = `"${member}" calls another program, and this release of Codex calls only one`;
    return { ...emptyPlan, problems: [{ path, message, hint, exitCode: exitCodes.failed }] };
  }
  if (found === undefined && !isWanted("Stop")) return emptyPlan;
  const without = found === undefined ? document : reread(document, removeTomlMember(document, member));
  const after = reread(document, appendTomlMember(without, member, words));
  assertKept(document, after);
  const missing = found === undefined ? events : [];
  return { ...emptyPlan, events, missing, changes: [{ source, before, after: after.byteOrderMark + after.text }] };
}

/** Another program stays. */
export function planNotifyRemoval(source: NotifySource, ownerOf: OwnerOfHook, isMadeByUs = false): AgentPlan {
  if (source.bytes === undefined) return emptyPlan;
  const before = textOfBytes(source.bytes);
  // Most files have none, and parsing TOML is slow.
  if (!before.includes(member)) return emptyPlan;
  const reading = readToml(source.path, before);
  if ("problems" in reading) {
    return /hookbell|hook\.cjs/.test(before) ? { ...emptyPlan, problems: reading.problems } : emptyPlan;
  }
  const { document } = reading;
  const found = document.values[member];
  const owner = Array.isArray(found) ? ownerOfNotify(found, ownerOf) : "foreign";
  if (owner !== "own") {
    const warning =
      owner === "mixed"
        ? [`${source.path}: "${member}" calls hookbell among other things; it stays, so remove that call yourself`]
        : [];
    return { ...emptyPlan, warnings: warning };
  }
  const after = reread(document, removeTomlMember(document, member));
  assertKept(document, after);
  const isGone = isMadeByUs && after.text.trim() === "";
  return { ...emptyPlan, changes: [{ source, before, after: isGone ? undefined : after.byteOrderMark + after.text }] };
}

function hasNotify({ path, bytes }: NotifySource): boolean {
  const text = bytes === undefined ? "" : textOfBytes(bytes);
  const reading = text.includes(member) ? readToml(path, text) : undefined;
  return reading !== undefined && "document" in reading && reading.document.values[member] !== undefined;
}

function reread(document: TomlDocument, text: string): TomlDocument {
  const reading = readToml(document.path, document.byteOrderMark + text);
  if ("problems" in reading) throw new Error(`the edit of ${document.path} would not be readable`);
  return reading.document;
}

/** Throws when an edit changed anything but the one member. */
function assertKept(before: TomlDocument, after: TomlDocument): void {
  const others = ({ values: { [member]: _, ...rest } }: TomlDocument): unknown => rest;
  if (!isDeepStrictEqual(others(before), others(after))) {
    throw new Error(`the edit of ${before.path} would change more than "${member}"`);
  }
}

const posixScript = /^printf %s "\$1" \| (.+)$/;
const nodeScript =
  'require("child_process").spawnSync(process.execPath,process.argv.slice(1,-1),{input:process.argv.at(-1),windowsHide:true})';

export function notifyWords(argv: readonly string[], platform: NodeJS.Platform): string[] {
  if (platform !== "win32") return ["/bin/sh", "-c", `printf %s "$1" | ${argv.map(shellWord).join(" ")}`, "hookbell"];
  const [node = "", ...words] = argv;
  return [node, "-e", nodeScript, ...words];
}

/** Whose the words of a `notify` are. */
export function ownerOfNotify(words: readonly unknown[], ownerOf: OwnerOfHook): CommandOwner {
  const texts = words.filter((word) => typeof word === "string");
  const [program = "", flag, script = "", ...rest] = texts;
  const piped = posixScript.exec(script)?.[1];
  if (flag === "-c" && piped !== undefined && ownerOf(piped, []) === "own") return "own";
  if (flag === "-e" && script === nodeScript && ownerOf(program, rest) === "own") return "own";
  return callsHookbell(texts.join(" ")) ? "mixed" : "foreign";
}
