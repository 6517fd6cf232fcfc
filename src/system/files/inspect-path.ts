// What is at a path, where a failure to look is an answer too.
import { lstatSync, readdirSync, readlinkSync, realpathSync, type Stats } from "node:fs";
import { homedir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { codeOf } from "../../model/errors.ts";
import { shellWord } from "../../model/text.ts";
import { statIfThere } from "./files.ts";

/** False also where it cannot be looked at. */
export function isAbsent(path: string): boolean {
  try {
    return statIfThere(path) === undefined;
  } catch {
    return false;
  }
}

export function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Undefined if it does not exist. */
export function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

export function repositoryAbove(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!isAbsent(join(folder, ".git"))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}

/** A missing folder is fine. */
export function requireFolder(path: string): void {
  try {
    readdirSync(path);
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
}

export interface Distrust {
  path: string;
  why: string;
  fix: string;
}

/**
 * As ssh asks of its own files: no other user may change the file, or a folder or link on the way to it. Folders above the
 * home folder are the system's. Undefined also if there is no such file.
 */
export function findDistrust(path: string, ownId = process.getuid?.(), home = homedir()): Distrust | undefined {
  if (ownId === undefined || isAbsent(path)) return undefined;
  const homes = [home, realPathOf(home) ?? home];
  const way = onTheWay(resolve(path));
  for (const [index, { path: each, stats }] of way.entries()) {
    const { uid, gid, mode } = stats;
    if (homes.some((one) => one.startsWith(each === "/" ? "/" : `${each}/`))) continue;
    if (uid !== ownId && uid !== 0) {
      return { path: each, why: `belongs to user ${uid}, who can change it`, fix: `chown ${ownId} ${shellWord(each)}` };
    }
    if (stats.isSymbolicLink()) continue;
    // In a folder such as /tmp, only its owner can replace a file.
    if (index < way.length - 1 && (mode & stickyBit) !== 0) continue;
    // Many systems give each user a group of the same number.
    if ((mode & 0o002) === 0 && ((mode & 0o020) === 0 || gid === ownId)) continue;
    const shown = (mode & 0o777).toString(8);
    return { path: each, why: `can be changed by other users (mode ${shown})`, fix: `chmod go-w ${shellWord(each)}` };
  }
  return undefined;
}

const stickyBit = 0o1000;
/** The kernel follows no more either. */
const maxLinks = 40;

interface Passed {
  path: string;
  stats: Stats;
}

/** Each folder and link that the system passes on the way to the file, and the file, which comes last. Throws where one is missing. */
function onTheWay(path: string): Passed[] {
  const passed = new Map<string, Passed>();
  for (const each of walkTo(path, (at) => lstatSync(at))) {
    passed.delete(each.path);
    passed.set(each.path, each);
  }
  return [...passed.values()];
}

/** The same, as paths. Where one is missing, or may not be looked at, it is the last. `known` has what was seen of each: many ways have the same start. */
export function pathsOnTheWay(path: string, known: Map<string, Stats | undefined>): string[] {
  const lookAt = (at: string): Stats | undefined => {
    if (!known.has(at)) known.set(at, lstatSync(at, { throwIfNoEntry: false }));
    return known.get(at);
  };
  const paths: string[] = [];
  try {
    for (const each of walkTo(path, lookAt)) paths.push(each.path);
  } catch {
    // It may not be looked at, or has just become another.
  }
  return paths;
}

function* walkTo<Seen extends Stats | undefined>(
  path: string,
  lookAt: (path: string) => Seen,
): Generator<{ path: string; stats: Seen }> {
  const parts = namesIn(path);
  let links = 0;
  for (let at = "/"; ;) {
    const stats = lookAt(at);
    yield { path: at, stats };
    if (stats?.isSymbolicLink() === true && (links += 1) <= maxLinks) {
      parts.unshift(...namesIn(resolve(dirname(at), readlinkSync(at))));
      at = "/";
      continue;
    }
    const next = parts.shift();
    if (next === undefined || stats === undefined || stats.isSymbolicLink()) return;
    at = join(at, next);
  }
}

function namesIn(path: string): string[] {
  return path.split("/").filter((name) => name !== "");
}
