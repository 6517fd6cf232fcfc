// Tells whose a hook command or a file is.
import type { OwnFile, OwnFileCall } from "../../agents/hook-setup.ts";
import { sha256 } from "../../system/crypto.ts";

/** `own`: hookbell's, of any installation. `mixed`: calls hookbell among other things, so it was written by hand. `foreign`: does not call it. */
export type CommandOwner = "own" | "mixed" | "foreign";

// hookbell recognises its hooks by the command alone, because agents drop unknown keys when they rewrite their
// settings.
const ownScript = /(?:^|\/)hookbell(?:@[^/]*)?\/(?:.*\/)?hook\.cjs$|(?:^|\/)hookbell-hook\.(?:sh|cmd|cjs)$/;
const ownProgram = /(?:^|\/)hookbell(?:\.cmd|\.ps1|\.exe)?$/;

/** `knownPaths` are the `hook.cjs` of earlier installations. */
export function ownerOf(
  command: string,
  args: readonly string[],
  hookPath: string,
  knownPaths: readonly string[] = [],
): CommandOwner {
  const paths = new Set([hookPath, ...knownPaths].filter((path) => path !== "").map(withSlashes));
  const isOwnScript = (word: string): boolean => ownScript.test(word) || paths.has(word);
  // With `args` the command is the path of a program, not a shell command.
  const words = (args.length > 0 ? [command, ...args] : splitCommand(command))?.map(withSlashes);
  if (words === undefined) {
    return mentionsHookbell(command) && calls(withSlashes(command), paths) ? "mixed" : "foreign";
  }
  const [program = "", first = "", second = ""] = calledWords(words);
  if (isOwnScript(program) || isOwnScript(first)) return "own";
  if (ownProgram.test(program) && (first === "hook" || first === "")) return "own";
  // `npx hookbell hook`
  if (/(?:^|\/)(?:npx|bunx)(?:\.cmd)?$/.test(program) && ownProgram.test(first) && second === "hook") return "own";
  const isEmbedded = words.some(
    (word, index) => isOwnScript(word) || (ownProgram.test(word) && words[index + 1] === "hook"),
  );
  return isEmbedded ? "mixed" : "foreign";
}

export function mentionsHookbell(text: string): boolean {
  return /hookbell|hook\.cjs/.test(text);
}

export function callsHookbell(text: string): boolean {
  return calls(withSlashes(text), new Set());
}

function calls(command: string, paths: ReadonlySet<string>): boolean {
  return (
    /hookbell\/(?:\S*\/)?hook\.cjs|\/hookbell-hook\.(?:sh|cmd|cjs)\b|(?:^|[\s/;|&(])hookbell["']?\s+hook\b/.test(
      command,
    ) || [...paths].some((path) => command.includes(path))
  );
}

/** Without what starts cmd.exe and has it call the rest. */
function calledWords(words: readonly string[]): readonly string[] {
  if (!/\/cmd\.exe$/i.test(words[0] ?? "")) return words[0] === "call" ? words.slice(1) : words;
  const from = words.findIndex((word, index) => index > 0 && !/^\/[a-z]$/i.test(word) && word !== "call");
  return from === -1 ? [] : words.slice(from);
}

function withSlashes(path: string): string {
  return path.replaceAll("\\", "/");
}

/** Undefined for pipes, lists, redirections and substitutions. Backslashes of Windows paths stay. */
export function splitCommand(command: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let index = 0;
  const end = command.trimEnd().length;
  const isWindowsPath = /(?:^|["'\s])[A-Za-z]:\\/.test(command);
  while (index < command.length) {
    const char = command.charAt(index);
    if (/\s/.test(char)) {
      if (/[\r\n]/.test(char) && index < end) return undefined;
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (char === "'") {
      const close = command.indexOf("'", index + 1);
      if (close === -1) return undefined;
      word = (word ?? "") + command.slice(index + 1, close);
      index = close;
    } else if (char === '"') {
      const quoted = /^"((?:[^"\\]|\\[\s\S])*)"/.exec(command.slice(index));
      if (quoted === null) return undefined;
      const inner = quoted[1] ?? "";
      // cmd.exe, whose lines alone begin with this sign, substitutes nothing.
      if (!command.startsWith('@"') && /`|\$\(/.test(inner)) return undefined;
      word = (word ?? "") + (isWindowsPath ? inner : inner.replace(/\\(["$`\\])/g, "$1"));
      index += quoted[0].length - 1;
    } else if (char === "\\" && !isWindowsPath) {
      word = (word ?? "") + command.charAt(index + 1);
      index += 1;
    } else if ("|;&<>()`".includes(char) && !(char === "&" && index === 0 && command.charAt(1) === " ")) {
      return undefined;
    } else if (char !== "&") {
      word = (word ?? "") + char;
    }
    index += 1;
  }
  if (word !== undefined) words.push(word);
  return words;
}

/** Each file of hookbell's own has such a line; it shows whether the user has changed the file. */
const markLine = /^(?:#|\/\/) hookbell ([0-9a-f]{16}): .*\n/m;

/** The marked line holds a digest of the rest. */
export function ownFileText(file: OwnFile, call: OwnFileCall): string {
  const text = file.text(call);
  if (file.comment === undefined) return text;
  const mark = `${file.comment} hookbell ${digestOf(text)}: made by hookbell init, removed by hookbell uninstall; once you change it, it stays\n`;
  const start = text.startsWith("#!") ? text.indexOf("\n") + 1 : 0;
  return text.slice(0, start) + mark + text.slice(start);
}

/** Whether hookbell wrote the file, even if it was changed since. */
export function isMarkedOwn(text: string): boolean {
  return markLine.test(text);
}

export function isUntouchedOwn(text: string): boolean {
  const mark = markLine.exec(text);
  return mark !== null && digestOf(text.replace(markLine, "")) === mark[1];
}

function digestOf(text: string): string {
  return sha256(text).slice(0, 16);
}
