// Whose a launch is: hookbell's own, a known tool's by its shape, or not known. It is a help to the reader, and no opinion.
import { join } from "node:path";
import { splitCommand } from "../../../install/command/owner.ts";
import { hookScriptName } from "../../../install/hook-script.ts";
import type { InstallRecord } from "../../../own-files/install-record.ts";
import { listOf, parseJson } from "../../../model/json.ts";
import { windowsKey } from "../../../model/places/folder.ts";
import { sha256 } from "../../../system/crypto.ts";
import { ownPackageFolder } from "../../../system/package.ts";
import { readBytesIfThere } from "../../../system/files/read.ts";
import type { Launch } from "./launch.ts";

/** Programs that many people have as hooks, by the words of their commands. */
const tools: readonly (readonly [name: string, shape: RegExp])[] = [
  ["peon-ping", /\bpeon(?:-ping)?(?:\.sh|\b)/],
  ["Code-Notify", /\bcode-?notify\b/i],
  ["anotifier", /\banotifier\b/],
  ["CCNotify", /\bccnotify\b/i],
  ["claude-notifications", /\bclaude-notifications?\b/],
  ["ccstatusline", /\bccstatusline\b/],
  ["claude-powerline", /\bclaude-powerline\b/],
  ["ccusage", /\bccusage\b/],
  ["Herdr", /\bherdr\b/],
  ["claudectl", /\bclaudectl\b/],
  ["Entire", /\bentire\s+hooks?\b/],
  ["RTK", /\brtk\s+(?:hook|rewrite)\b/],
  ["git-ai", /\bgit-ai\b/],
  ["GitButler", /\bbut\s+(?:claude|cursor)\b/],
  ["Wakatime", /\bwakatime\b/],
  ["Playwright MCP", /@playwright\/mcp\b/],
  ["a server of the Model Context Protocol's project", /@modelcontextprotocol\/server-[\w-]+/],
];

export interface Own {
  stateDir: string;
  home: string;
  record: Pick<InstallRecord, "hookPaths" | "files" | "nodePaths">;
}

export type LaunchOwner = "hookbell" | { tool: string } | undefined;

/** Strict: a command that only looks like hookbell's is not its own. */
export function whoseIs(launch: Launch, own: Own): LaunchOwner {
  if (isOwn(launch, own)) return "hookbell";
  const found = tools.find(([, shape]) => shape.test(launch.command));
  return found === undefined ? undefined : { tool: found[0] };
}

function isOwn({ kind, command, path, around }: Launch, { stateDir, home, record }: Own): boolean {
  if (kind === "code") {
    const written = record.files.find((file) => file.path === path)?.writtenHash;
    return written !== undefined && around !== undefined && digestOfFile(path) === written;
  }
  // A variable such as NODE_OPTIONS makes another program of it.
  if (around !== undefined && !isShellAlone(around)) return false;
  const words = splitCommand(command)?.map((word) => keyOf(word.replace(/^\$\{?HOME\}?(?=[\\/])/, () => home)));
  if (words === undefined) return false;
  const scripts = new Set(
    [hookScriptName("linux"), hookScriptName("win32"), "hookbell-hook.cjs"].map((name) => keyOf(join(stateDir, name))),
  );
  const programs = new Set([join(ownPackageFolder(), "dist", "hook.cjs"), ...record.hookPaths].map(keyOf));
  // Past what starts cmd.exe, PowerShell or Node.
  const called = words.findIndex((word) => scripts.has(word) || programs.has(word));
  if (called === -1) return false;
  const before = words.slice(0, called).join(" ");
  return starters.some((starter) => starter.test(before)) || isOwnNode(before, record);
}

/** What starts the script on Windows, and nothing on other systems. */
const starters = [/^$/, /^&$/, /^call$/, /^[a-z]:\/windows\/system32\/cmd\.exe(?: \/[a-z])+(?: call)?$/i];

/** The Node that `init` has written, or any absolute one where the record does not name it. */
function isOwnNode(before: string, { nodePaths }: Own["record"]): boolean {
  const path = before.replace(/^& /, "");
  if (nodePaths !== undefined) return nodePaths.map(keyOf).includes(path);
  return /^(?:\/|[a-z]:\/)(?:[^ ]*\/)?node(?:\.exe)?$/i.test(path);
}

function isShellAlone(around: string): boolean {
  return listOf(parseJson(around)).every((each) => listOf(each)[0] === "shell");
}

function keyOf(path: string): string {
  return process.platform === "win32" ? windowsKey(path) : path;
}

/** Undefined where it cannot be read. */
export function digestOfFile(path: string): string | undefined {
  try {
    const bytes = readBytesIfThere(path);
    return bytes === undefined ? undefined : sha256(bytes);
  } catch {
    return undefined;
  }
}
