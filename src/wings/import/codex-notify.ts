// Codex's own `notify`, a line of config.toml that names a program to run after each turn: other notifiers put theirs there.
// https://developers.openai.com/codex/config-advanced
import { join } from "node:path";
import { type AST, getStaticTOMLValue } from "toml-eslint-parser";
import { textOfBytes } from "../../install/settings/file-change.ts";
import { parseToml } from "../../install/settings/toml.ts";
import { replaceWithBackup } from "../../system/files/settings-backup.ts";
import { openSettingsFile, type SettingsFile } from "../../system/files/settings-file.ts";
import { readHook, type FoundPeerHook } from "./hooks.ts";
import type { Peer, PeerPlace } from "./peer.ts";

export interface CodexNotify {
  file: SettingsFile;
  tool: string;
  /** The line as a hook. */
  found: FoundPeerHook;
  before: string;
  /** The text as it is once the line is gone. */
  after: string;
}

const maxBytes = 4 * 1024 * 1024;

/** Undefined if no such line runs one of these programs, or if the file cannot be read. */
export function findCodexNotify(peers: readonly Peer[], { home, env }: PeerPlace): CodexNotify | undefined {
  const file = openSettingsFile(join(env.CODEX_HOME ?? join(home, ".codex"), "config.toml"), maxBytes);
  if ("unusable" in file || file.bytes === undefined) return undefined;
  const before = textOfBytes(file.bytes);
  const node = notifyIn(before);
  if (node === undefined) return undefined;
  const words = getStaticTOMLValue(node.value);
  const [command = "", ...args] = Array.isArray(words) ? words.map(String) : [];
  const hook = { path: file.path, event: "notify", members: {} };
  const [called] = peers.flatMap((peer) => {
    const found = readHook(peer, "codex", command, args, hook);
    return found?.hook === undefined
      ? []
      : [{ tool: peer.name, found: { ...found, hook: { ...found.hook, means: ["Stop"] } } }];
  });
  if (called === undefined) return undefined;
  const [from, to] = node.range;
  const lineStart = before.lastIndexOf("\n", from - 1) + 1;
  const lineEnd = before.indexOf("\n", to);
  const after = before.slice(0, lineStart) + (lineEnd === -1 ? "" : before.slice(lineEnd + 1));
  return { file, ...called, before, after };
}

function notifyIn(text: string): AST.TOMLKeyValue | undefined {
  const parsed = parseToml(text);
  // Codex refuses most of these files, too.
  if ("problem" in parsed) return undefined;
  const [top] = parsed.program.body;
  return top.body.find(
    (node): node is AST.TOMLKeyValue =>
      node.type === "TOMLKeyValue" && getStaticTOMLValue(node.key).join(".") === "notify",
  );
}

/** The path of the backup, or undefined if nothing was written: the file has changed, or only another name of it may be replaced. */
export function removeCodexNotify(
  { file, after }: CodexNotify,
  place: { nowMs: number; stateDir: string },
): string | undefined {
  if (file.bytes === undefined || file.notWritable !== undefined || file.otherHardLinks > 0) return undefined;
  return replaceWithBackup(file, after, place)?.backup;
}
