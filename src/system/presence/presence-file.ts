// A file that is there exactly while this process says that the user is at the computer.
import { lstatSync, readlinkSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { codeOf } from "../../model/errors.ts";
import { readStartIfThere } from "../files/read.ts";
import { renameWithRetry, uniqueName } from "../files/files.ts";
import { ownPid } from "../process/identity.ts";

const ownText = "hookbell keeps this file while you are at the computer; process ";

/** "other" means a file that is not hookbell's. */
function makerOf(path: string): number | "other" | undefined {
  try {
    const stats = lstatSync(path);
    const text = stats.isSymbolicLink() ? readlinkSync(path) : (readStartIfThere(path, 200)?.toString("utf8") ?? "");
    const pid = /^\/proc\/(\d+)\/stat$/.exec(text)?.[1] ?? (text.startsWith(ownText) ? text.slice(ownText.length) : "");
    return pid === "" ? "other" : Number(pid);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

export function putPresenceFile(path: string, platform: NodeJS.Platform, pid: number = ownPid): void {
  const maker = makerOf(path);
  if (maker === "other" || maker === pid) return;
  const aside = `${path}.${uniqueName(Date.now())}`;
  // A killed process leaves the link leading nowhere.
  if (platform === "linux") symlinkSync(`/proc/${pid}/stat`, aside);
  else writeFileSync(aside, `${ownText}${pid}`, { flag: "wx", mode: 0o600 });
  renameWithRetry(aside, path);
}

export function removePresenceFile(path: string, onlyOf?: number): void {
  const maker = makerOf(path);
  if (maker === undefined || maker === "other" || (onlyOf !== undefined && maker !== onlyOf)) return;
  unlinkSync(path);
}

export function isForeign(path: string): boolean {
  return makerOf(path) === "other";
}
