// Changes another program's settings file, keeping its mode, owner and access control list.
import { spawnSync } from "node:child_process";
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  ftruncateSync,
  linkSync,
  openSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { randomId } from "../crypto.ts";
import { removeIfThere, renameWithRetry } from "./files.ts";
import { readBytesIfThere } from "./read.ts";
import { settingsDefaultMode, type SettingsFile } from "./settings-file.ts";

const copyTimeoutMs = 10_000;

/** False, and nothing written, when the file has changed since it was read. */
export function replaceSettingsFile(file: SettingsFile, content: Uint8Array): boolean {
  const aside = join(
    dirname(file.realPath),
    `.${basename(file.realPath).slice(0, 80)}.hookbell-${randomId().slice(0, 12)}`,
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
    renameWithRetry(aside, file.realPath);
    return true;
  } finally {
    removeIfThere(aside);
  }
}

/** False when it has changed since it was read. */
export function removeSettingsFile(file: SettingsFile): boolean {
  if (!isUnchanged(file)) return false;
  unlinkSync(file.realPath);
  return true;
}

function isUnchanged(file: SettingsFile): boolean {
  const now = readBytesIfThere(file.realPath);
  return file.bytes === undefined || now === undefined ? file.bytes === now : file.bytes.equals(now);
}

/** False if another process made that file in the meantime. */
function makeExclusively(aside: string, path: string): boolean {
  try {
    linkSync(aside, path);
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // This file system has no hard links.
    renameWithRetry(aside, path);
  }
  return true;
}

/** Node cannot see access control lists; GNU's and Apple's `cp -p` keeps them. */
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
    // This user is not in the file's group.
  }
}
