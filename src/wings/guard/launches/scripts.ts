// The files of the user's own that a command names. A program that is known may begin to do something else, so they are watched as well.
import { dirname, join, normalize } from "node:path";
import { splitCommand } from "../../../install/command/owner.ts";
import { maxSettingsBytes } from "../../../install/target/read-settings.ts";
import { pathBelow } from "../../../model/places/folder.ts";
import { sha256 } from "../../../system/crypto.ts";
import { tryToStat } from "../../../system/files/files.ts";
import { readStartIfThere } from "../../../system/files/read.ts";
import type { LaunchInFile, Script } from "./launch.ts";

const maxCommandLength = 20_000;
const maxWords = 50;
const maxScripts = 4;

/** An absolute path, if the word can be one. */
function resolveWord(
  word: string,
  { home, folder, root }: { home: string; folder: string; root: string },
): string | undefined {
  const path = word
    .replace(/^file:\/\//, "")
    .replace(/^~(?=[\\/])|\$\{?HOME\}?/, () => home)
    .replace(/\$\{?(?:CLAUDE|FACTORY|DROID|GEMINI|QWEN|CODEBUDDY|CURSOR)_PROJECT_DIR\}?/, () => folder)
    .replace(/\$\{?(?:CLAUDE_PLUGIN_ROOT|DROID_PLUGIN_ROOT|PLUGIN_ROOT|extensionPath)\}?/, () => root);
  if (/[$*\n]/.test(path) || path.length > 1000) return undefined;
  if (/^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)) return normalize(path);
  // A program of the PATH is no file of the folder.
  return /[\\/]|\.\w{1,4}$/.test(path) && !path.startsWith("-") && !path.includes("://")
    ? join(folder, path)
    : undefined;
}

/** `plugIn` is the folder of the plug-in that has the command. */
export function scriptsOf(
  { kind, command, at }: LaunchInFile,
  { path, project, plugIn, home }: { path: string; project?: string; plugIn?: string | undefined; home: string },
): string[] {
  // A file that the agent loads itself has a digest of its own, unless it is one that settings name.
  if (kind === "code" && at.length === 0) return [];

  // The expression that splits a command into words is no match for megabytes.
  const start = command.slice(0, maxCommandLength);
  const words = splitCommand(start) ?? start.split(/[\s"'();&|<>]+/);
  const folder = kind === "code" ? dirname(path) : (project ?? dirname(path));
  const found = words.slice(0, maxWords).flatMap((word, index) => {
    const named = resolveWord(word, { home, folder, root: plugIn ?? dirname(path) });
    // Data that a program writes is no script of its.
    const isScript = index === 0 || /\.(?:[cm]?[jt]s|sh|bash|zsh|fish|py|rb|pl|php|lua|ps1|cmd|bat)$/i.test(word);
    const isOwn = named !== undefined && [home, folder].some((above) => pathBelow(above, named) !== undefined);
    return isScript && isOwn && !/[\\/]node_modules[\\/]/.test(named) ? [named] : [];
  });
  return [...new Set(found)].slice(0, maxScripts);
}

export function digestOf(path: string): Script | undefined {
  try {
    const bytes = readStartIfThere(path, maxSettingsBytes);
    if (bytes === undefined) return undefined;
    // A larger one counts by its start and its size.
    const size = bytes.length < maxSettingsBytes ? "" : `${tryToStat(path)?.bytes}`;
    return { path, digest: `${sha256(bytes)}${size}` };
  } catch {
    return undefined;
  }
}
