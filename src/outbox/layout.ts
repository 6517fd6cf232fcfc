// The folders of the state, in which states are folders and transitions are renames; and the errors that say that the disk takes nothing.
import { dirname, join } from "node:path";
import { codeOf, describeWriteError } from "../model/errors.ts";
import { asidePrefix, ensurePrivateDir, removeIfThere, tryToStat } from "../system/files/files.ts";
import { writeWhole } from "../system/files/write.ts";

const folders = ["incoming", "rejected", "outbox", "dead", "journal", "sessions", "endpoints"] as const;

/** A shell script that prints what the sessions do, for bars and prompts; the dispatcher keeps it. */
export const statusLineName = "status-line";

/** Paths of the state folder, its folders, and the lease. */
export interface Layout extends Record<"root" | "lease" | (typeof folders)[number], string> {
  /** What this process knows of the state without reading it again. Each part is the same as long as the layout is. */
  readonly memory: Memory;
}

/** The part that `make` makes, when it is first asked for. */
type Memory = <Part>(make: () => Part) => Part;

export function layoutOf(stateDir: string): Layout {
  const at = (name: string): string => join(stateDir, name);
  const paths = Object.fromEntries(folders.map((name) => [name, at(name)])) as Record<(typeof folders)[number], string>;
  return { root: stateDir, lease: at("lease"), ...paths, memory: createMemory() };
}

function createMemory(): Memory {
  const parts = new Map<() => unknown, unknown>();
  return <Part>(make: () => Part): Part => {
    if (!parts.has(make)) parts.set(make, make());
    return parts.get(make) as Part;
  };
}

export function ensureLayout(layout: Layout): void {
  for (const folder of foldersOf(layout)) ensurePrivateDir(folder);
}

/** Enough for the lease. */
export function ensureRoot({ root }: Layout): void {
  ensurePrivateDir(root);
}

export function foldersOf(layout: Layout): string[] {
  return [layout.root, ...folders.map((name) => layout[name])];
}

/**
 * The first of these folders that takes no file, and why: the disk may be full, or a pipe or a link into /proc may be in
 * its place. An empty file fits even on a full disk, so `bytes` are written.
 */
export function findUnusableFolder(
  paths: readonly string[],
  bytes: number,
): { path: string; why: string; error: unknown } | undefined {
  for (const path of paths) {
    const probe = join(path, `${asidePrefix}probe-${process.pid}`);
    try {
      ensurePrivateDir(path);
      writeWhole(probe, "x".repeat(bytes));
      removeIfThere(probe);
    } catch (error) {
      return { path, why: describeWriteError(error), error };
    }
  }
  return undefined;
}

/** Makes the folders only where the write fails. */
export function withLayout<T>(layout: Layout, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    ensureLayout(layout);
    return write();
  }
}

/** These are troubles of the disk, not of one file; they pass. */
const troubles: ReadonlySet<string | undefined> = new Set([
  "ENOSPC",
  "EDQUOT",
  "EROFS",
  "EIO",
  "EMFILE",
  "ENFILE",
  "ENOMEM",
  "ESTALE",
]);

export function isStorageTrouble(error: unknown): boolean {
  return troubles.has(codeOf(error));
}

/** For what can be done without; undefined while the disk is in trouble. Throws any other error. */
export function unlessStorageTrouble<T>(what: () => T): T | undefined {
  try {
    return what();
  } catch (error) {
    if (!isStorageTrouble(error)) throw error;
    return undefined;
  }
}

/** What is wrong with the disk or with a folder of the state; undefined if this error has another cause. */
export function describeStorageTrouble(layout: Layout, error: unknown): string | undefined {
  if (isStorageTrouble(error)) return describeWriteError(error);
  if (codeOf(error) === undefined) return undefined;
  const unusable = findUnusableFolder(foldersOf(layout), 1);
  if (unusable !== undefined) return `${unusable.path} cannot be written: ${unusable.why}`;
  // The missing folder is there again now, or it is one that is not needed for every event.
  const { path } = error as { path?: unknown };
  const isOfFolder = typeof path === "string" && path.startsWith(layout.root) && lacksFolder(error, path);
  return isOfFolder ? `${path}: ${describeWriteError(error)}` : undefined;
}

/** Whether there is no folder where one should be. A single file that links to itself is its own trouble, and stops no other. */
function lacksFolder(error: unknown, path: string): boolean {
  const code = codeOf(error);
  if (code === "ENOENT") return true;
  if (code !== "ENOTDIR" && code !== "ELOOP") return false;
  const { syscall } = error as { syscall?: unknown };
  const isOfFile = syscall === "open" || syscall === "read";
  return !isOfFile || tryToStat(dirname(path))?.isFolder !== true;
}

export const storageRetryMs = 5000;
