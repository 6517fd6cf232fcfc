// The words of `notify`: a program that gets the payload as its last argument and pipes it to the hook.
import { shellWord } from "../../model/shell-word.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import { callsHookbell, type CommandOwner } from "../command/owner.ts";

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
