// Another program's settings file, and what must stay when it changes.
import { accessSync, constants, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { isLink } from "./inspect-path.ts";
import { readStartIfThere } from "./read.ts";

export interface SettingsFile {
  /** The path by which the other program opens it. */
  path: string;
  /** Behind all symbolic links. */
  realPath: string;
  bytes: Buffer | undefined;
  mode: number;
  uid: number;
  gid: number;
  /** Hard links, which a rename would part from it. */
  otherHardLinks: number;
  notWritable?: { unusable: Unusable; detail: string } | undefined;
}

/** The first four mean that it cannot even be read. */
export type Unusable =
  | "notAFile"
  | "danglingLink"
  | "tooLarge"
  | "unreadable"
  | "madeByNix"
  | "readOnlyFile"
  | "readOnlyFolder"
  | "notOwned";

export const settingsDefaultMode = 0o600;

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
    const bytes = readStartIfThere(realPath, maxBytes + 1) ?? Buffer.alloc(0);
    // A file below /proc says that it is empty.
    if (bytes.length > maxBytes) return { unusable: "tooLarge", detail: `over ${maxBytes} bytes` };
    const { uid, gid } = stats;
    const notWritable = whyNotWritable(realPath, stats) ?? folderProblem;
    return { path, realPath, bytes, mode: stats.mode & 0o7777, uid, gid, otherHardLinks: stats.nlink - 1, notWritable };
  } catch (error) {
    return { unusable: "unreadable", detail: codeOf(error) ?? "" };
  }
}

/** Undefined for a link to nothing. */
function existingPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    if (isLink(path)) return undefined;
    // Follow links on the way to a file that does not exist yet.
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

const nixStore = "/nix/store/";

/** `realPath` is behind all links: Home Manager links settings into Nix's store, whose files belong to root and are read-only. */
export function whyNotWritable(
  realPath: string,
  { uid, mode }: Pick<Stats, "uid" | "mode">,
): { unusable: Unusable; detail: string } | undefined {
  if (realPath.startsWith(nixStore)) return { unusable: "madeByNix", detail: "" };
  const ownUid = process.getuid?.();
  if (ownUid !== undefined && ownUid !== 0 && uid !== ownUid) return { unusable: "notOwned", detail: `user ${uid}` };
  // This holds for a superuser as well: someone took the permission away on purpose.
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
