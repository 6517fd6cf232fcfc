import { spawnSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  accessSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  statSync,
  type Stats,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../model/errors.ts";
import { readBytesIfThere, removeIfThere } from "./files.ts";
import { isLink } from "./is-link.ts";

/** Another program's settings file, with what must stay as it is when the content changes. */
export interface SettingsFile {
  /** The path the other program opens. */
  path: string;
  /** The file behind all symbolic links; the same when there are none. */
  realPath: string;
  bytes: Buffer | undefined;
  mode: number;
  uid: number;
  gid: number;
  /** Names of the same file beside this one, which a rename would part from it. */
  otherHardLinks: number;
  /** Why it can be read and not be written. */
  notWritable?: { unusable: Unusable; detail: string } | undefined;
}

/** Why a file may not or cannot be edited; the first four say that it cannot even be read. */
export type Unusable =
  | "notAFile"
  | "danglingLink"
  | "tooLarge"
  | "unreadable"
  | "readOnlyFile"
  | "readOnlyFolder"
  | "notOwned";

const settingsDefaultMode = 0o600;

const copyTimeoutMs = 10_000;

/** Looks at a settings file; a missing one is fine, its folder may be missing, too. */
export function openSettingsFile(
  path: string,
  maxBytes: number,
): SettingsFile | { unusable: Unusable; detail: string } {
  try {
    const realPath = existingPath(path);
    if (realPath === undefined) return { unusable: "danglingLink", detail: linkTarget(path) };
    const folderProblem = checkFolder(dirname(realPath));
    if (folderProblem?.unusable === "notAFile") return folderProblem;
    const stats = statOrUndefined(realPath);
    if (stats === undefined) {
      const missing = { bytes: undefined, mode: settingsDefaultMode, uid: -1, gid: -1, otherHardLinks: 0 };
      return { path, realPath, ...missing, notWritable: folderProblem };
    }
    if (!stats.isFile()) return { unusable: "notAFile", detail: "" };
    if (stats.size > maxBytes) return { unusable: "tooLarge", detail: `${stats.size} bytes` };
    const bytes = readFileSync(realPath);
    const { uid, gid } = stats;
    const notWritable = checkFile(stats) ?? folderProblem;
    return { path, realPath, bytes, mode: stats.mode & 0o7777, uid, gid, otherHardLinks: stats.nlink - 1, notWritable };
  } catch (error) {
    return { unusable: "unreadable", detail: codeOf(error) ?? "" };
  }
}

/**
 * Puts new content in place of what was read: aside, synced, renamed. False when the file is no longer what was read;
 * then nothing was written. The folder must exist. Throws the system's error (`ENOSPC`, `EROFS`, `EACCES`).
 */
export function replaceSettingsFile(file: SettingsFile, content: Uint8Array): boolean {
  const aside = join(
    dirname(file.realPath),
    `.${basename(file.realPath).slice(0, 80)}.hookbell-${randomBytes(6).toString("hex")}`,
  );
  try {
    const hasCopy = file.bytes !== undefined && copyWithRights(file.realPath, aside);
    const descriptor = openSync(aside, hasCopy ? "r+" : "wx", settingsDefaultMode);
    try {
      ftruncateSync(descriptor);
      writeFileSync(descriptor, content);
      keepOwner(descriptor, file);
      if (process.platform !== "win32") fchmodSync(descriptor, file.mode);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    if (!isUnchanged(file)) return false;
    if (file.bytes === undefined) return makeExclusively(aside, file.realPath);
    renameSync(aside, file.realPath);
    return true;
  } finally {
    removeIfThere(aside);
  }
}

/** Takes the file away unless it is no longer what was read; false then. */
export function removeSettingsFile(file: SettingsFile): boolean {
  if (!isUnchanged(file)) return false;
  unlinkSync(file.realPath);
  return true;
}

export function hashOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

function isUnchanged(file: SettingsFile): boolean {
  const now = readBytesIfThere(file.realPath);
  return file.bytes === undefined || now === undefined ? file.bytes === now : file.bytes.equals(now);
}

/** Gives the aside file its name unless somebody else made that file in the meantime. */
function makeExclusively(aside: string, path: string): boolean {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without hard links.
    renameSync(aside, path);
  }
  return true;
}

/**
 * Copies the file with its access control list, which Node can neither see nor set: `cp -p` keeps it with GNU's and Apple's
 * tools. False, and nothing there, where it cannot.
 */
function copyWithRights(path: string, aside: string): boolean {
  if (process.platform === "win32") return false;
  const { status } = spawnSync("cp", ["-p", path, aside], { stdio: "ignore", timeout: copyTimeoutMs });
  if (status === 0) return true;
  removeIfThere(aside);
  return false;
}

function keepOwner(descriptor: number, { uid, gid }: SettingsFile): void {
  if (uid === -1 || process.getuid === undefined || (uid === process.getuid() && gid === process.getgid?.())) return;
  try {
    fchownSync(descriptor, uid, gid);
  } catch {
    // A group we are no member of: the file keeps its owner, which is us.
  }
}

/** The path behind links; undefined for a link to nothing. */
function existingPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    if (isLink(path)) return undefined;
    // Links in the path to a file that is yet to be made count, too.
    try {
      return join(realpathSync(dirname(path)), basename(path));
    } catch {
      return path;
    }
  }
}

function linkTarget(path: string): string {
  try {
    return resolve(dirname(path), readlinkSync(path));
  } catch {
    return "";
  }
}

function checkFile({ uid, mode }: Stats): { unusable: Unusable; detail: string } | undefined {
  const ownUid = process.getuid?.();
  if (ownUid !== undefined && ownUid !== 0 && uid !== ownUid) return { unusable: "notOwned", detail: `user ${uid}` };
  // The superuser could write it all the same, but somebody took the permission away on purpose.
  return (mode & 0o222) === 0 ? { unusable: "readOnlyFile", detail: "" } : undefined;
}

function checkFolder(folder: string): { unusable: Unusable; detail: string } | undefined {
  const stats = statOrUndefined(folder);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return { unusable: "notAFile", detail: folder };
  if ((stats.mode & 0o222) === 0) return { unusable: "readOnlyFolder", detail: folder };
  try {
    accessSync(folder, constants.W_OK);
    return undefined;
  } catch {
    return { unusable: "readOnlyFolder", detail: folder };
  }
}

function statOrUndefined(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}
