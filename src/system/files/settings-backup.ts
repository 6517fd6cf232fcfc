import { rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "./files.ts";
import { readBytesIfThere } from "./read.ts";
import { writeWhole } from "./write.ts";

/** How many backups of one file are kept. */
const maxBackups = 5;

const marker = ".hookbell-backup-";

/** Writes the bytes beside the file, private, with the time in the name; the path of the backup. */
export function backUp(path: string, bytes: Uint8Array, nowMs: number): string {
  for (let ms = nowMs; ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(":", "-");
    const backup = `${path}${marker}${time}`;
    if (statIfThere(backup) !== undefined) continue;
    writeWhole(backup, bytes);
    return backup;
  }
}

/** Takes the oldest backups of the file away, except this one: uninstall gives it back. */
export function pruneBackups(path: string, pinned: string | undefined): void {
  for (const backup of backupsOf(path).slice(0, -maxBackups)) {
    if (backup !== pinned) removeIfThere(backup);
  }
}

/** Backups of the file, the oldest first. */
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

/** Makes the folder where it is missing; true when it did. */
export function makeFolder(path: string): boolean {
  return makeFolders(path).length > 0;
}

/** Makes the agent's folder, and those above it, where they are missing; what it made, the innermost first. */
export function makeFolders(path: string): string[] {
  const missing: string[] = [];
  for (let folder = path; statIfThere(folder) === undefined && dirname(folder) !== folder; folder = dirname(folder)) {
    missing.push(folder);
  }
  // From the outside in, so that each of them is made private.
  for (const folder of missing.toReversed()) ensurePrivateDir(folder);
  return missing;
}

/** Takes the folder away when nothing is in it. */
export function removeEmptyFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Somebody keeps something there by now.
  }
}
