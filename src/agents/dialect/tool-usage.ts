// What a tool call says about usage: its MCP server, files, commits. Names and counts only.
import { basename, extname } from "node:path";
import type { Usage } from "../../model/usage.ts";
import type { Payload } from "./agent.ts";
import { objectOf, textOf } from "../../model/json.ts";

const maxName = 200;
const maxFiles = 1000;

const creatingTools = /^(?:create|write|write_file|create_file|write_to_file)$/i;
const editingTools =
  /^(?:edit|multiedit|notebookedit|edit_file|replace|replace_in_file|str_replace|str_replace_editor)$/i;
const patchTools = /^apply_?patch$/i;
const shellTools =
  /^(?:bash|shell|shell_command|local_shell|exec_command|execute|run_shell_command|execute_command|run_commands?|terminal)$/i;

/** The usage that counts whether or not the call succeeds. */
export function usageOfCall(name: string, input: unknown): Usage {
  const fields = objectOf(input);
  const server = /^mcp__(.+?)__/.exec(name)?.[1] ?? /^(.+?)___/.exec(name)?.[1];
  const skill = /^(?:skill|activate_skill)$/i.test(name)
    ? (textOf(fields.skill) ?? textOf(fields.name) ?? textOf(fields.command))
    : undefined;
  const slash = name === "SlashCommand" ? slashCommandOf(fields.command) : undefined;
  return {
    tool: cleanName(name),
    ...(server === undefined ? {} : { server: cleanName(server) }),
    ...(skill === undefined ? {} : { skill: cleanName(skill) }),
    ...(slash === undefined ? {} : { slashCommand: slash }),
  };
}

/** The call has succeeded. `isEdit`: a tool that writes whole files met an existing one. */
export function usageOfResult(name: string, input: unknown, isEdit = false): Usage {
  if (patchTools.test(name)) return patchedFiles(patchOf(input) ?? "");
  const fields = objectOf(input);
  const path =
    textOf(fields.file_path) ?? textOf(fields.filePath) ?? textOf(fields.path) ?? textOf(fields.notebook_path);
  if (path !== undefined && creatingTools.test(name)) return { [isEdit ? "edited" : "created"]: [extensionOf(path)] };
  if (path !== undefined && editingTools.test(name)) return { edited: [extensionOf(path)] };
  if (!shellTools.test(name)) return {};
  const command = commandOf(fields);
  return command === undefined ? {} : { ...gitUsage(command), ...patchedFiles(command) };
}

/** The text of its result tells whether a call failed. */
export function hasFailed(result: unknown): boolean {
  const text = typeof result === "string" ? result : (textOf(objectOf(result).llmContent) ?? "");
  return /(?:exited with code|exit code:?) *[1-9]\d*/i.test(text.slice(-2000));
}

/** `/review the last change` is `review`; a path such as `/srv/shop` is none. */
export function slashCommandOf(prompt: unknown): string | undefined {
  const name = /^\/([\w:.-]{1,100})(?=\s|$)/.exec(textOf(prompt)?.trimStart() ?? "")?.[1];
  return name === undefined ? undefined : cleanName(name);
}

/** The name on one short line. */
export function cleanName(name: string): string {
  return name
    .toWellFormed()
    .replace(/[\u0000-\u001f\u007f]+/g, " ")
    .trim()
    .slice(0, maxName);
}

/** The file's extension; empty if it is an unusual one. */
function extensionOf(path: string): string {
  const extension = extname(path.replace(/\\/g, "/")).toLowerCase();
  return /^\.[\w+#-]{1,16}$/.test(extension) ? extension : "";
}

function commandOf(fields: Payload): string | undefined {
  const command = fields.command ?? fields.cmd ?? fields.commands ?? fields.script;
  if (!Array.isArray(command)) return textOf(command);
  const words = command.filter((word) => typeof word === "string");
  // `["bash", "-lc", "…"]`, as some agents write it.
  return words.length === 3 && /^-\w*c$/.test(words[1] ?? "") ? words[2] : words.join("\n");
}

function gitUsage(command: string): Usage {
  const { commits, pullRequests } = countGitCommands(command);
  return { ...(commits === 0 ? {} : { commits }), ...(pullRequests === 0 ? {} : { pullRequests }) };
}

function patchOf(input: unknown): string | undefined {
  const fields = objectOf(input);
  return (
    textOf(input) ?? textOf(fields.input) ?? textOf(fields.patch) ?? textOf(fields.patchText) ?? textOf(fields.command)
  );
}

/** Codex's form of a patch: https://developers.openai.com/codex */
function patchedFiles(patch: string): Usage {
  if (!patch.includes("*** Begin Patch")) return {};
  const of = (kind: string): string[] =>
    [...patch.matchAll(new RegExp(`^\\*\\*\\* ${kind} File: (.+)$`, "gm"))]
      .slice(0, maxFiles)
      .map(([, path = ""]) => extensionOf(path.trim()));
  const [created, edited] = [of("Add"), of("Update")];
  return { ...(created.length === 0 ? {} : { created }), ...(edited.length === 0 ? {} : { edited }) };
}

interface GitCounts {
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
