// Writes files whole or not at all, and makes them survive a power failure.
import { appendFileSync, closeSync, fsync, fsyncSync, futimesSync, openSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { asidePrefix, renameWithRetry, tryToRemove, uniqueName, wasThere } from "./files.ts";

export const privateFileMode = 0o600;

/** The file is durable when it returns; throws the system's error. */
export function writeWhole(path: string, content: string | Uint8Array, mode: number = privateFileMode): void {
  replaceWhole(path, content, mode, true);
  syncDir(dirname(path));
}

/** A power failure may lose the file. */
export function writeWholeSoon(path: string, content: string | Uint8Array, mode: number = privateFileMode): void {
  replaceWhole(path, content, mode, false);
}

/** The same with a modification time in milliseconds since the epoch. */
export function writeWholeAt(path: string, content: string, mtimeMs: number): void {
  replaceWhole(path, content, privateFileMode, false, mtimeMs);
}

function replaceWhole(
  path: string,
  content: string | Uint8Array,
  mode: number,
  isSynced: boolean,
  mtimeMs?: number,
): void {
  const aside = join(dirname(path), `${asidePrefix}${uniqueName(Date.now())}`);
  try {
    const descriptor = openSync(aside, "wx", mode);
    try {
      writeFileSync(descriptor, content);
      if (mtimeMs !== undefined) futimesSync(descriptor, mtimeMs / 1000, mtimeMs / 1000);
      if (isSynced) fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameWithRetry(aside, path);
  } catch (error) {
    tryToRemove(aside);
    throw naming(error, path);
  }
}

/** All files sync at once, so that most disks wait once; this process goes on meanwhile. */
export async function syncFiles(dir: string, names: readonly string[]): Promise<void> {
  const all = await Promise.allSettled(names.map((name) => syncSoon(join(dir, name), "r+")));
  const broken = all.find((each) => each.status === "rejected");
  if (broken !== undefined) throw broken.reason;
  if (process.platform !== "win32") await syncSoon(dir, "r");
}

async function syncSoon(path: string, flags: string): Promise<void> {
  const descriptor = openSync(path, flags);
  try {
    await new Promise<void>((resolve, reject) => {
      fsync(descriptor, (error) => (error === null ? resolve() : reject(error)));
    });
  } finally {
    closeSync(descriptor);
  }
}

/** Windows cannot sync a folder. */
export function syncDir(path: string): void {
  if (process.platform !== "win32") syncPath(path, "r");
}

/** Waits until the disk has what was appended. */
export function syncFile(path: string): void {
  syncPath(path, "r+");
}

function syncPath(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

export function naming(error: unknown, path: string): unknown {
  return error instanceof Error && !("path" in error) ? Object.assign(error, { path }) : error;
}

/** False when there is no such file. */
export function touch(path: string, mtimeMs: number): boolean {
  return wasThere(() => utimesSync(path, mtimeMs / 1000, mtimeMs / 1000));
}

/** The line is one write, so lines never interleave. */
export function appendLine(path: string, line: string): void {
  appendFileSync(path, `${line}\n`, { mode: privateFileMode });
}
