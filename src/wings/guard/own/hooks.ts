// hookbell's own entries in agents' files: whether another program has taken some out since they were seen last.
import { recordPath } from "../../../own-files/install-record.ts";
import { tryToStat } from "../../../system/files/files.ts";
import type { OwnEntries } from "../baseline.ts";
import { startedBy } from "../shown.ts";
import type { LookedAt } from "../launches/find.ts";
import type { Launch } from "../launches/launch.ts";
import { digestOfFile, type Own, whoseIs } from "../launches/whose.ts";

export type OwnFiles = Readonly<Record<string, OwnEntries>>;

export interface LostHooks {
  path: string;
  /** As they were before. */
  before: OwnEntries;
  /** What is gone of them. */
  names: string[];
  isFileGone: boolean;
  /** What to keep in mind once it is told. */
  after: OwnEntries;
}

interface OwnLook {
  /** What to keep in mind of each file; the same object if that has not changed. */
  known: OwnFiles;
  lost: LostHooks[];
  /** Something is missing, and may come back. */
  isUnsure: boolean;
}

/** Who writes a file may remove it first. */
const leastGoneMs = 2000;

export class OwnHooks {
  /** Since when something of a file is missing, in milliseconds since the epoch. */
  #missingSince: ReadonlyMap<string, number> = new Map();

  look(known: OwnFiles, { files, own }: Machine, now: number): OwnLook {
    const since = new Map<string, number>();
    const next: Record<string, OwnEntries> = {};
    const lost: LostHooks[] = [];
    for (const [path, written] of writtenFiles(known, own)) {
      const before = known[path];
      const stats = tryToStat(path);
      const isThere = stats !== undefined;
      const looked = files.filter((file) => file.path === path);
      // An empty file is no half of one.
      const isTorn = looked.some((file) => file.isTorn) && stats?.bytes !== 0;
      const isUnknown = isTorn || (isThere && looked.length === 0);
      const present = isUnknown ? before : seenIn(isThere ? looked : [], { before, written, own }, now);
      if (present === undefined) continue;
      next[path] = present;
      const names = before?.names.filter((name) => !present.names.includes(name)) ?? [];
      // Who runs `hookbell init` knows what it changes.
      if (before === undefined || names.length === 0 || before.written !== written) continue;
      if (digestOfFile(path) === written) continue;
      next[path] = before;
      const missingSince = this.#missingSince.get(path) ?? now;
      since.set(path, missingSince);
      if (now - missingSince < leastGoneMs) continue;
      lost.push({ path, before, names, isFileGone: !isThere, after: { ...present, lostAt: now } });
    }
    this.#missingSince = since;
    const isSame =
      Object.keys(known).length === Object.keys(next).length &&
      Object.entries(next).every(([path, file]) => file === known[path]);
    return { known: isSame ? known : next, lost, isUnsure: since.size > lost.length };
  }
}

interface Machine {
  files: readonly LookedAt[];
  own: Own;
}

/** Paths and digests of what `init` wrote. Without a record, another program has removed it: `uninstall` only empties it. */
function writtenFiles(known: OwnFiles, { stateDir, record }: Own): [path: string, written: string][] {
  return tryToStat(recordPath(stateDir)) === undefined
    ? Object.entries(known).map(([path, { written }]) => [path, written])
    : record.files.map(({ path, writtenHash }) => [path, writtenHash]);
}

/** What starts hookbell in a file; the same object as before if that has not changed. */
function seenIn(
  looked: readonly LookedAt[],
  { before, written, own }: { before: OwnEntries | undefined; written: string; own: Own },
  now: number,
): OwnEntries | undefined {
  // A whole file of hookbell's that says something else is told of as a new program.
  const isWholeFile = ({ kind, at }: Launch): boolean => kind === "code" && at.length === 0;
  const named = looked.flatMap(({ launches }) =>
    launches.flatMap((launch) => {
      if (isWholeFile(launch)) return launch.name;
      return whoseIs(launch, own) === "hookbell" ? startedBy(launch) : [];
    }),
  );
  const names = [...new Set(named)].toSorted();
  const agent = before?.agent ?? looked[0]?.agent;
  if (agent === undefined || (before === undefined && names.length === 0)) return undefined;
  const isSame = before?.written === written && before.names.join("\n") === names.join("\n");
  return isSame ? before : { agent, names, written, at: now };
}
