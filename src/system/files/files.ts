// Folders and files as names: make, name, list, look at, rename, remove.
import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  type Dirent,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  type Stats,
  statSync,
  unlink,
  unlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";

export const privateDirMode = 0o700;

/** Names of what is being written. */
export const asidePrefix = ".tmp-";

export function ensurePrivateDir(path: string): void {
  // The umask weakens mkdir's mode.
  if (makeDir(path)) chmodSync(path, privateDirMode);
}

/** Node's own `recursive` never ends below /proc, where a folder is missing although its parent is there. */
function makeDir(path: string, isLastTry = false): boolean {
  try {
    mkdirSync(path, privateDirMode);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST" && statIfThere(path)?.isFolder === true) return false;
    const parent = dirname(path);
    // Windows says of a file in a folder's place that nothing is there.
    if (codeOf(error) === "ENOENT" && statIfThere(parent)?.isFolder === false) {
      throw Object.assign(new Error(`${parent} is not a folder`), { code: "ENOTDIR", path, syscall: "mkdir" });
    }
    if (codeOf(error) !== "ENOENT" || parent === path || isLastTry) throw error;
    // Another process may have made it since.
    if (statIfThere(parent) === undefined) makeDir(parent);
    return makeDir(path, true);
  }
}

/** Whether only this user can write to the folder, so that programs in it may run; false when there is none. */
export function isOurs(folder: string): boolean {
  try {
    const { uid, mode } = statSync(folder);
    return process.getuid === undefined || (uid === process.getuid() && (mode & 0o022) === 0);
  } catch {
    return false;
  }
}

/** The target must not exist; false when there is no such file. */
export function copyIfThere(from: string, to: string): boolean {
  return wasThere(() => copyFileSync(from, to, constants.COPYFILE_EXCL));
}

/** True when it was there. */
export function removeIfThere(path: string): boolean {
  return wasThere(() => unlinkSync(path));
}

/** This process goes on meanwhile. Resolves also when the file stays. */
export async function removeSoon(path: string): Promise<void> {
  await new Promise<void>((resolve) => unlink(path, () => resolve()));
}

/** An error of the removal would say less than the error before it. */
export function tryToRemove(path: string): void {
  try {
    removeIfThere(path);
  } catch {}
}

/**
 * True when it was there. Of a link, only the link itself is removed. It tries again, up to 0.3 s, where another process writes
 * a file into a folder that is being removed.
 */
export function removeTree(path: string): boolean {
  return wasThere(() => rmSync(path, { recursive: true, maxRetries: 5, retryDelay: 20 }));
}

/** False when the source was gone. */
export function renameIfThere(from: string, to: string): boolean {
  return wasThere(() => renameWithRetry(from, to));
}

/** Sorted, without what is being written; empty when there is no folder. */
export function listNames(dir: string): string[] {
  return listAll(dir)
    .filter((name) => !name.startsWith(asidePrefix))
    .sort();
}

/** All names; empty when there is no folder. Throws where it may not be listed. */
export function listEveryName(dir: string): string[] {
  return listAll(dir);
}

/** The names of the folders in it, and of links to folders; empty where it may not be listed. */
export function listEveryFolder(dir: string): string[] {
  try {
    return readdirSync(dir, { withFileTypes: true })
      .filter(
        (each) => each.isDirectory() || (each.isSymbolicLink() && tryToStat(join(dir, each.name))?.isFolder === true),
      )
      .map(({ name }) => name);
  } catch {
    return [];
  }
}

export function listAside(dir: string): string[] {
  return listAll(dir).filter((name) => name.startsWith(asidePrefix));
}

function listAll(dir: string): string[] {
  try {
    return statSync(dir, { throwIfNoEntry: false }) === undefined ? [] : readdirSync(dir);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

export interface FileStats {
  /** Milliseconds since the epoch. */
  mtimeMs: number;
  bytes: number;
  mode: number;
  isFile: boolean;
  isFolder: boolean;
}

export function statIfThere(path: string): FileStats | undefined {
  try {
    const stats = statOrLink(path);
    if (stats === undefined) return undefined;
    const { mtimeMs, size: bytes } = stats;
    return { mtimeMs, bytes, mode: stats.mode & 0o777, isFile: stats.isFile(), isFolder: stats.isDirectory() };
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** The same of a path that someone else has named: undefined also where it cannot be looked at. */
export function tryToStat(path: string): FileStats | undefined {
  try {
    return statIfThere(path);
  } catch {
    return undefined;
  }
}

/** Tells without reading whether a file is as it was at the last look. Permissions and names are a part of what it tells. */
export interface FileStamp {
  text: string;
  mtimeMs: number;
  /** The time of the last change of any kind, which no program sets. */
  ctimeMs: number;
  bytes: number;
}

/** Undefined also where it cannot be looked at. The time of the last change of any kind is in it, since programs set the other one. */
export function stampOf(path: string): FileStamp | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (stats === undefined) return undefined;
    const { dev, ino, size, mtimeMs, ctimeMs } = stats;
    return { text: [dev, ino, size, mtimeMs, ctimeMs].join(" "), mtimeMs, ctimeMs, bytes: size };
  } catch {
    return undefined;
  }
}

/** Links in a circle can at least be moved away. */
function statOrLink(path: string): Stats | undefined {
  try {
    // An exception takes longer than the look itself, and most of these files are not there.
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if (codeOf(error) === "ELOOP") return lstatSync(path);
    throw error;
  }
}

/** False when there was no such file. */
export function wasThere(what: () => void): boolean {
  try {
    what();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  const code = codeOf(error);
  return code === "ENOENT" || code === "ENOTDIR";
}

/** A virus scanner holds a new file for a moment. */
const passing: ReadonlySet<string | undefined> = new Set(["EPERM", "EACCES", "EBUSY"]);
/** A second in all; a hook has no more. */
const pausesMs = [10, 20, 40, 80, 160, 320, 320];

export interface RenameEffects {
  rename(from: string, to: string): void;
  pause(ms: number): void;
  platform: NodeJS.Platform;
}

const system: RenameEffects = {
  rename: renameSync,
  pause: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
  platform: process.platform,
};

export function renameWithRetry(from: string, to: string, { rename, pause, platform } = system): void {
  for (const ms of platform === "win32" ? pausesMs : []) {
    try {
      return rename(from, to);
    } catch (error) {
      if (!passing.has(codeOf(error))) throw error;
      pause(ms);
    }
  }
  rename(from, to);
}

/** Makes names sort by time. */
export function timeInName(ms: number): string {
  return String(Math.max(0, Math.trunc(ms))).padStart(13, "0");
}

/** Across processes. Avoids node:crypto, which takes 4 ms to load. */
export function uniqueName(nowMs: number): string {
  return `${timeInName(nowMs)}-${process.hrtime.bigint().toString(36).padStart(13, "0")}-${process.pid}`;
}

/** tmpfs on Linux. A rename on a disk's file system may wait until the file is written. */
export const memoryFolder = "/dev/shm";
const roomyBytes = 1024 * 1024 * 1024;

function roomyMemoryFolder(): string | undefined {
  try {
    const { bsize, bavail } = statfsSync(memoryFolder);
    accessSync(memoryFolder, constants.W_OK);
    return bsize * bavail >= roomyBytes ? memoryFolder : undefined;
  } catch {
    return undefined;
  }
}

/** `preferMemory`: for many small files; unless `TMPDIR` says where temporary files are to be. */
export async function inTemporaryFolder<T>(
  run: (folder: string) => Promise<T>,
  { preferMemory = false } = {},
): Promise<T> {
  const inMemory = preferMemory && process.env.TMPDIR === undefined ? roomyMemoryFolder() : undefined;
  const folder = mkdtempSync(join(inMemory ?? tmpdir(), "hookbell-"));
  try {
    return await run(folder);
  } finally {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    } catch {
      // On Windows, a program that still runs in it keeps it. What was found out in it counts more than the folder.
    }
  }
}

const maxDepth = 12;

/** Yields relative paths, sorted; leaves out links and what cannot be read. */
export function* walkFiles(root: string, below = "", depth = 0): Generator<string> {
  for (const entry of entriesOf(join(root, below))) {
    const path = below === "" ? entry.name : `${below}/${entry.name}`;
    if (entry.isFile()) yield path;
    else if (entry.isDirectory() && depth < maxDepth) yield* walkFiles(root, path, depth + 1);
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch {
    return [];
  }
}
