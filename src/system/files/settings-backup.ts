// Backups beside another program's settings file, and the folders that had to be made for it.
import { rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "./files.ts";
import { readBytesIfThere } from "./read.ts";
import { writeWhole } from "./write.ts";

const maxBackups = 5;

const marker = ".hookbell-backup-";

/** Returns the backup's path. */
export function backUp(path: string, bytes: Uint8Array, nowMs: number): string {
  for (let ms = nowMs; ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(":", "-");
    const backup = `${path}${marker}${time}`;
    if (statIfThere(backup) !== undefined) continue;
    writeWhole(backup, bytes);
    return backup;
  }
}

/** `pinned` stays: uninstall gives it back. */
export function pruneBackups(path: string, pinned: string | undefined): void {
  for (const backup of backupsOf(path).slice(0, -maxBackups)) {
    if (backup !== pinned) removeIfThere(backup);
  }
}

/** Oldest first. */
export function backupsOf(path: string): string[] {
  const folder = dirname(path);
  return listNames(folder)
    .filter((name) => name.startsWith(basename(path) + marker))
    .map((name) => join(folder, name));
}

export function readBackup(path: string): Uint8Array | undefined {
  return readBytesIfThere(path);
}

export function removeBackup(path: string): void {
  removeIfThere(path);
}

/** True when it was missing. */
export function makeFolder(path: string): boolean {
  return makeFolders(path).length > 0;
}

/** Returns what was missing, the innermost first. */
export function makeFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = path; statIfThere(folder) === undefined && dirname(folder) !== folder; folder = dirname(folder)) {
    missing.push(folder);
  }
  // From the outside in, so that each is made private.
  for (const folder of missing.toReversed()) ensurePrivateDir(folder);
  return missing;
}

export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Something else is kept there by now.
  }
}
