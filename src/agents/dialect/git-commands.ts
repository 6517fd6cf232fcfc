// Counts the commits and pull requests that a shell command makes, without running it.
import { basename } from "node:path";

export interface GitCounts {
  commits: number;
  pullRequests: number;
}

/** Programs that run the words behind them. */
const prefixes = new Set(["sudo", "env", "time", "nohup", "command", "exec", "nice"]);
const shells = new Set(["sh", "bash", "zsh", "dash", "fish"]);

/** The rest of a longer command is a file or a message. */
const maxCommandLength = 10_000;

/** `maxDepth`: of shells that call shells. */
export function countGitCommands(command: string, maxDepth = 3): GitCounts {
  const total: GitCounts = { commits: 0, pullRequests: 0 };
  for (const words of splitCommands(command.slice(0, maxCommandLength))) {
    const start = words.findIndex((word) => !/^\w+=/.test(word) && !prefixes.has(word));
    const [program = "", ...args] = start === -1 ? [] : words.slice(start);
    const name = basename(program);
    const inner = shells.has(name) ? args[args.findIndex((word) => /^-\w*c$/.test(word)) + 1] : undefined;
    if (inner !== undefined && maxDepth > 0 && args.some((word) => /^-\w*c$/.test(word))) {
      const nested = countGitCommands(inner, maxDepth - 1);
      total.commits += nested.commits;
      total.pullRequests += nested.pullRequests;
    } else if (name === "git" && isCommit(args)) total.commits += 1;
    else if (isNewPullRequest(name, args)) total.pullRequests += 1;
  }
  return total;
}

function isCommit(args: readonly string[]): boolean {
  let index = 0;
  while (args[index]?.startsWith("-") === true) index += args[index] === "-C" || args[index] === "-c" ? 2 : 1;
  return args[index] === "commit" && !isTrial(args);
}

const creators: Readonly<Record<string, RegExp>> = {
  gh: /^pr (?:create|new)\b/,
  glab: /^mr (?:create|new)\b/,
  hub: /^pull-request\b/,
};

function isNewPullRequest(name: string, args: readonly string[]): boolean {
  const pattern = Object.hasOwn(creators, name) ? creators[name] : undefined;
  return pattern !== undefined && pattern.test(args.join(" ")) && !isTrial(args);
}

function isTrial(args: readonly string[]): boolean {
  return args.some((word) => word === "--dry-run" || word === "--help" || word === "-h");
}

/** The commands as words without quotes, and without the texts of here documents. */
function splitCommands(text: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  const endCommand = (): void => {
    if (words.length > 0) commands.push(words);
    words = [];
  };
  const token =
    /\\\n|(?<=^|[\s;&|(])#[^\n]*|<<-?\s*(['"]?)(\w+)(?!\w)\1[^\n]*\n[\s\S]*?\n[ \t]*\2(?=\n|$)|((?:\\[\s\S]|"(?:\\[\s\S]|[^"\\])*"|'[^']*'|[^\s;&|()<>"'\\])+)|([;&|()\n])|[\s\S]/g;
  for (const [, , , word, separator] of text.matchAll(token)) {
    if (separator !== undefined) endCommand();
    else if (word !== undefined) words.push(unquote(word));
  }
  endCommand();
  return commands;
}

function unquote(word: string): string {
  return word.replace(/\\([\s\S])|"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g, (_, escaped, double, single) => {
    const inner: unknown = escaped ?? (typeof double === "string" ? double.replace(/\\(["\\$`])/g, "$1") : single);
    return String(inner);
  });
}
