// Backups of another program's settings file, and the folders that had to be made for it.
import { rmdirSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../crypto.ts";
import { ensurePrivateDir, listNames, removeIfThere, statIfThere } from "./files.ts";
import { repositoryAbove } from "./inspect-path.ts";
import { replaceSettingsFile } from "./replace-settings-file.ts";
import type { SettingsFile } from "./settings-file.ts";
import { writeWhole } from "./write.ts";

const maxBackups = 5;

const marker = ".hookbell-backup-";

/** In the state folder where it would be a new file in a repository, such as one of dotfiles. */
export function backUp(path: string, bytes: Uint8Array, nowMs: number, stateDir: string): string {
  const isTracked = repositoryAbove(path) !== undefined;
  const start = isTracked ? inState(path, stateDir) : path;
  if (isTracked) ensurePrivateDir(dirname(start));
  for (let ms = nowMs; ; ms += 1) {
    const time = new Date(ms).toISOString().replaceAll(":", "-");
    const backup = `${start}${marker}${time}`;
    if (statIfThere(backup) !== undefined) continue;
    writeWhole(backup, bytes);
    return backup;
  }
}

/** Files of one name in several folders differ by a digest. */
function inState(path: string, stateDir: string): string {
  return join(stateDir, "backups", `${basename(path)}-${sha256(path).slice(0, 12)}`);
}

/** `pinned` stays: uninstall gives it back. */
export function pruneBackups(path: string, pinned: string | undefined, stateDir: string): void {
  for (const backup of backupsOf(path, stateDir).slice(0, -maxBackups)) {
    if (backup !== pinned) removeIfThere(backup);
  }
}

/** Undefined, and nothing written, if the file has changed since it was read. A file that is new has no backup. */
export function replaceWithBackup(
  file: SettingsFile,
  text: string,
  { nowMs, stateDir }: { nowMs: number; stateDir: string },
): { backup: string | undefined } | undefined {
  const backup = file.bytes && backUp(file.path, file.bytes, nowMs, stateDir);
  if (!replaceSettingsFile(file, new TextEncoder().encode(text))) {
    if (backup !== undefined) removeIfThere(backup);
    return undefined;
  }
  pruneBackups(file.path, backup, stateDir);
  return { backup };
}

/** Oldest first. */
export function backupsOf(path: string, stateDir: string): string[] {
  const timeOf = (backup: string): string => backup.slice(backup.lastIndexOf(marker));
  return [path, inState(path, stateDir)]
    .flatMap((start) =>
      listNames(dirname(start))
        .filter((name) => name.startsWith(basename(start) + marker))
        .map((name) => join(dirname(start), name)),
    )
    .sort((a, b) => (timeOf(a) < timeOf(b) ? -1 : 1));
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
    // The folder holds something else by now.
  }
}
