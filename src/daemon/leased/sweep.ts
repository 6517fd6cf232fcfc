// Removes leftovers of killed processes, what does not belong here, and what is too much.
import { join } from "node:path";
import { listAside, listNames, removeTree, statIfThere } from "../../system/files/files.ts";
import { compiledBounds, deadBounds, endpointBounds, keepWithin, sessionBounds, tooMany } from "../../outbox/bounds.ts";
import { listShellPayloads } from "../../outbox/incoming.ts";
import { boundJournal, writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { quarantine } from "../../outbox/rejected.ts";

/** After this time, no process writes to a temporary file any more. */
const abandonedMs = 60 * 60 * 1000;

function compiledIn({ root }: Layout): string {
  return join(root, "compile-cache");
}

export function sweep(layout: Layout, nowMs: number): void {
  removeAbandoned(layout, nowMs);
  quarantineStrange(layout, nowMs);
  boundFolders(layout, nowMs);
}

function isAbandoned(path: string, nowMs: number): boolean {
  const stats = statIfThere(path);
  return stats !== undefined && nowMs - stats.mtimeMs > abandonedMs;
}

function removeAbandoned(layout: Layout, nowMs: number): void {
  const { root, incoming, rejected, outbox, dead, sessions, endpoints } = layout;
  for (const dir of [root, incoming, rejected, outbox, dead, sessions, endpoints, compiledIn(layout)]) {
    // What a shell hook left is still a payload.
    const kept = dir === incoming ? listShellPayloads(layout) : [];
    const stale = dir === root ? listNames(root).filter((name) => name.includes(".stale-")) : [];
    for (const name of [...listAside(dir), ...stale]) {
      if (!kept.includes(name) && isAbandoned(join(dir, name), nowMs)) removeTree(join(dir, name));
    }
  }
}

function quarantineStrange(layout: Layout, nowMs: number): void {
  for (const folder of ["incoming", "outbox", "dead"] as const) {
    for (const name of listNames(layout[folder])) {
      if (name.endsWith(".json") || !isAbandoned(join(layout[folder], name), nowMs)) continue;
      quarantine(layout, folder, name, "its name does not end in .json", nowMs);
    }
  }
  for (const folder of ["journal", "endpoints"] as const) {
    for (const name of listNames(layout[folder])) {
      if (statIfThere(join(layout[folder], name))?.isFile === false)
        quarantine(layout, folder, name, "it is not a file", nowMs);
    }
  }
}

function boundFolders(layout: Layout, nowMs: number): void {
  keepWithin(compiledIn(layout), compiledBounds, "modified");
  const removed: [string, string[]][] = [
    ["journal files", boundJournal(layout)],
    ["dead letters", keepWithin(layout.dead, deadBounds)],
    ["sessions", keepWithin(layout.sessions, sessionBounds, "modified")],
    ["destinations", keepWithin(layout.endpoints, endpointBounds, "modified")],
  ];
  for (const [what, names] of removed) {
    if (names.length === 0) continue;
    writeJournal(layout, nowMs, { kind: "removed", what: `${names.length} ${what}`, why: tooMany });
  }
}
