import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync, type Stats } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { isLink } from "./inspect-path.ts";

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

/** Of a file that is not there yet: its owner's alone. */
export const settingsDefaultMode = 0o600;

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
