import { splitCommand } from "./split-command.ts";

/**
 * Whose a hook command is. `own`: ours, of this or any older installation. `mixed`: calls us among other things, so it
 * was written by hand and is left alone. `foreign`: has nothing to do with us.
 */
export type CommandOwner = "own" | "mixed" | "foreign";

// Recognised by the command alone: agents drop keys that they do not know when they rewrite their settings.
const ownScript = /(?:^|\/)hookbell(?:@[^/]*)?\/(?:.*\/)?hook\.cjs$|(?:^|\/)hookbell-hook\.sh$/;
const ownProgram = /(?:^|\/)hookbell(?:\.cmd|\.ps1|\.exe)?$/;
const mention = /hookbell|hook\.cjs/;

/** `hookPath` is where this installation's `hook.cjs` lies, `knownPaths` where earlier ones are known to have lain. */
export function ownerOf(
  command: string,
  args: readonly string[],
  hookPath: string,
  knownPaths: readonly string[] = [],
): CommandOwner {
  const paths = new Set([hookPath, ...knownPaths].filter((path) => path !== "").map(withSlashes));
  const isOwnScript = (word: string): boolean => ownScript.test(word) || paths.has(word);
  // With `args` the command is a program's path, not a line for a shell.
  const words = (args.length > 0 ? [command, ...args] : splitCommand(command))?.map(withSlashes);
  if (words === undefined) {
    return mention.test(command) && calls(withSlashes(command), paths) ? "mixed" : "foreign";
  }
  const [program = "", first = "", second = ""] = words;
  if (isOwnScript(program) || isOwnScript(first)) return "own";
  if (ownProgram.test(program) && (first === "hook" || first === "")) return "own";
  // `npx hookbell hook`, as documentation of such tools tends to suggest.
  if (/(?:^|\/)(?:npx|bunx)(?:\.cmd)?$/.test(program) && ownProgram.test(first) && second === "hook") return "own";
  const isEmbedded = words.some(
    (word, index) => isOwnScript(word) || (ownProgram.test(word) && words[index + 1] === "hook"),
  );
  return isEmbedded ? "mixed" : "foreign";
}

/** Whether a text, such as a person's own script, calls hookbell somewhere. */
export function callsHookbell(text: string): boolean {
  return calls(withSlashes(text), new Set());
}

function calls(command: string, paths: ReadonlySet<string>): boolean {
  return (
    /hookbell\/(?:\S*\/)?hook\.cjs|\/hookbell-hook\.sh\b|(?:^|[\s/;|&(])hookbell["']?\s+hook\b/.test(command) ||
    [...paths].some((path) => command.includes(path))
  );
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}
