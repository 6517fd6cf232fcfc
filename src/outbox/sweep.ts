import { join } from "node:path";
import { listAside, listNames, removeIfThere, statIfThere } from "../system/files/files.ts";
import type { Layout } from "./layout.ts";
import { quarantine } from "./rejected.ts";
import { listShellAside } from "./incoming.ts";

/** What has not changed for so long, nobody is writing any more. */
const abandonedMs = 60 * 60 * 1000;

/** Removes what killed processes were writing, and sets aside what others have put among our files. */
export function sweep(layout: Layout, nowMs: number): void {
  const { root, incoming, rejected, outbox, dead, sessions, endpoints } = layout;
  // In both directions: the clock may have been turned back.
  const isAbandoned = (path: string): boolean => {
    const stats = statIfThere(path);
    return stats !== undefined && Math.abs(nowMs - stats.mtimeMs) > abandonedMs;
  };
  for (const dir of [root, incoming, rejected, outbox, dead, sessions, endpoints]) {
    // What a hook of the shell left is a payload still.
    const kept = dir === incoming ? listShellAside(layout) : [];
    const left = dir === root ? listNames(root).filter((name) => name.includes(".stale-")) : [];
    for (const name of [...listAside(dir), ...left]) {
      if (!kept.includes(name) && isAbandoned(join(dir, name))) removeIfThere(join(dir, name));
    }
  }
  for (const folder of ["incoming", "outbox", "dead"] as const) {
    for (const name of listNames(layout[folder])) {
      if (name.endsWith(".json") || !isAbandoned(join(layout[folder], name))) continue;
      quarantine(layout, folder, name, "its name does not end in .json", nowMs);
    }
  }
  for (const folder of ["journal", "endpoints"] as const) {
    for (const name of listNames(layout[folder])) {
      // Nothing else tells of these: the journal goes on in another file, and an endpoint that cannot be read is a blank one.
      if (statIfThere(join(layout[folder], name))?.isFile === false)
        quarantine(layout, folder, name, "it is no file", nowMs);
    }
  }
}
