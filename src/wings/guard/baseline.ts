// What is known of the programs that agents start: which of them you have accepted, and of which you were notified.
import * as z from "zod";
import { inOrder } from "../../model/json.ts";
import type { Layout } from "../../outbox/layout.ts";
import { sha256 } from "../../system/crypto.ts";
import { ensurePrivateDir, tryToStat } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import { baselinePath, watchedPath } from "./baseline-file.ts";
import type { Launch } from "./launches/launch.ts";
import { hiddenOf, shownLaunch } from "./shown.ts";

/** Times are in milliseconds since the epoch. */
const entrySchema = z.object({
  slot: z.string(),
  core: z.string().optional(),
  /** What it runs and when, without credentials, for people; and its agent and file. */
  shown: z.string().optional(),
  /** Digest of what `shown` leaves out. */
  hidden: z.string().optional(),
  agent: z.string().optional(),
  path: z.string().optional(),
  /** The folder whose file it is, of a project's. */
  project: z.string().optional(),
  firstSeen: z.number(),
  /** By the day: when it was there last. */
  lastSeen: z.number(),
  /** It is known: it was there when hookbell was set up, or you have accepted it. */
  accepted: z.number().optional(),
  /** How it differs from what you had accepted in its place. */
  change: z.enum(["command", "script"]).optional(),
  /** As `shown`, of what you had accepted in its place. */
  before: z.string().optional(),
  /** Since when its file is without it. */
  gone: z.number().optional(),
  /** You were notified of it, by this event. */
  told: z.object({ at: z.number(), event: z.string() }).optional(),
  /** You have looked at it since. */
  seen: z.number().optional(),
  /** You have removed it: if it comes back, you are notified again. */
  removed: z.number().optional(),
});
export type Entry = z.infer<typeof entrySchema>;

/** hookbell's own entries in a file of an agent's. */
const ownEntriesSchema = z.object({
  agent: z.string(),
  /** What starts them, as they were seen last. */
  names: z.array(z.string()),
  /** Digest of the file as a command of hookbell had written it last. */
  written: z.string(),
  /** Since when they are these. */
  at: z.number(),
  /** You were notified then that another program had taken others out. */
  lostAt: z.number().optional(),
});
export type OwnEntries = z.infer<typeof ownEntriesSchema>;

const baselineSchema = z.object({
  version: z.literal(1),
  /** When hookbell began to watch. */
  since: z.number(),
  entries: z.record(z.string(), entrySchema),
  /** Digest of what the rules file said, without order and comments. */
  rules: z.string().optional(),
  /** Each under its file's path. */
  own: z.record(z.string(), ownEntriesSchema).optional(),
  /** It covers all the rest: a program that edits the file without knowing hookbell does not change it. */
  digest: z.string(),
});
type Stored = z.infer<typeof baselineSchema>;

export type Baseline = Omit<Stored, "version" | "digest"> & {
  /** Another program has written the file. */
  isForged: boolean;
};

/** Undefined before the first `hookbell init`, and for a file that cannot be read. */
export function readBaseline(layout: Pick<Layout, "root">): Baseline | undefined {
  const stored = readJson(baselinePath(layout), baselineSchema);
  if (stored === undefined) return undefined;
  const { version: _, digest, ...rest } = stored;
  return { ...rest, isForged: digest !== digestOf(rest) };
}

/** One that another program has written stays so until the dispatcher has told of it. */
export function writeBaseline(layout: Pick<Layout, "root">, { isForged, ...baseline }: Baseline): void {
  const digest = isForged ? "" : digestOf(baseline);
  ensurePrivateDir(layout.root);
  writeWhole(baselinePath(layout), JSON.stringify({ version: 1, ...baseline, digest }));
  if (tryToStat(watchedPath(layout)) === undefined) writeWhole(watchedPath(layout), "");
}

function digestOf(baseline: Omit<Stored, "version" | "digest">): string {
  return sha256(JSON.stringify(["hookbell hooks", inOrder(baseline)]));
}

const dayMs = 86_400_000;
/** An agent that rewrites its settings, or a work tree that is removed, makes nothing unknown. */
const keptMs = 90 * dayMs;

/** Changes what the file says at this moment: a command and the dispatcher may both write it. */
export function updateBaseline(layout: Pick<Layout, "root">, change: (current: Baseline) => Baseline): void {
  const current = readBaseline(layout);
  if (current !== undefined) writeBaseline(layout, change(current));
}

export interface NewLaunch {
  launch: Launch;
  /** `script`: the command is the same, and a script of the user's that it names is not. */
  change: "new" | "command" | "script";
  /** What you had accepted in its place, without credentials, if that is known. */
  before?: string | undefined;
  /** A script that it names is another one now, whatever else has changed. */
  hasScriptChanged: boolean;
  /** When it was first seen, or went, in milliseconds since the epoch. */
  at: number;
  /** It was there before; `removed`: you had removed it by a command of hookbell's. */
  back?: "removed" | "gone" | undefined;
}

/** A program that writes a file may remove it first. */
const leastGoneMs = 2000;

/** What has come since the last look, and the change to write for it, if there is one. `isWithout`: the file was read, or is there no more. */
export function compareWith(
  baseline: Baseline,
  { launches, isWithout }: { launches: readonly Launch[]; isWithout: (path: string) => boolean },
  nowMs: number,
): { news: NewLaunch[]; change?: (current: Baseline) => Baseline } {
  const { entries } = baseline;
  const present = new Map(launches.toReversed().map((launch) => [launch.id, launch]));
  const all = launches.filter((launch) => present.get(launch.id) === launch);
  const arrived = bySlot(all.filter(({ id }) => entries[id] === undefined));
  const absent = Object.entries(entries).filter(([id]) => !present.has(id));
  const changed = new Map<string, Partial<Entry>>();
  for (const [id, { gone, path }] of absent) {
    if (gone === undefined && path !== undefined && isWithout(path)) changed.set(id, { gone: nowMs });
  }
  const added = new Map<string, Entry>();
  const withOtherScript = new Set<string>();
  for (const [slot, together] of arrived) {
    const inPlace = Object.values(entries).filter((entry) => entry.slot === slot);
    // What a person has removed has nothing to do with what comes to its place, and what is replaced already has no more.
    const before = absent.flatMap(([, entry]) =>
      entry.slot === slot && entry.removed === undefined && !isReplaced(entry, inPlace) ? [entry] : [],
    );
    for (const launch of together) {
      const entry = firstEntry(launch, nowMs);
      added.set(launch.id, { ...entry, ...changeFrom(before, entry) });
      if (before.some(({ core }) => core === launch.core)) withOtherScript.add(launch.id);
    }
  }
  const news: NewLaunch[] = [];
  for (const launch of all) {
    const { id } = launch;
    const entry = entries[id] ?? added.get(id) ?? firstEntry(launch, nowMs);
    const { change = "new", before, firstSeen, lastSeen, removed, gone, told, accepted } = entry;
    const isBack = gone !== undefined && nowMs - gone >= leastGoneMs;
    const back = removed === undefined ? (isBack ? "gone" : undefined) : "removed";
    const here = { ...whatIsShown(launch), lastSeen: nowMs, gone: undefined };
    // What was not told of is new, or the process ended before it could tell.
    const isTold = accepted !== undefined || (told !== undefined && !isBack);
    const hasScriptChanged = change === "script" || withOtherScript.has(id);
    if (!isTold) news.push({ launch, change, before, hasScriptChanged, at: gone ?? removed ?? firstSeen, back });
    const isStale = nowMs - lastSeen >= dayMs || gone !== undefined;
    if (isStale) changed.set(id, isTold ? here : { ...here, told: undefined, seen: undefined });
  }
  const isExpired = ({ lastSeen }: Entry): boolean => nowMs - lastSeen >= keptMs;
  if (added.size === 0 && changed.size === 0 && !Object.values(entries).some(isExpired)) return { news };
  const change = (current: Baseline): Baseline => {
    const kept = Object.entries(current.entries).filter(([, entry]) => !isExpired(entry));
    const merged = kept.map(([id, entry]): [string, Entry] => [id, { ...entry, ...changed.get(id) }]);
    return { ...current, entries: Object.fromEntries([...added, ...merged]) };
  };
  return { news, change };
}

/** Whether another one came when it went, or later. */
function isReplaced({ gone = Infinity }: Entry, inPlace: readonly Entry[]): boolean {
  return inPlace.some(({ firstSeen }) => firstSeen >= gone);
}

/** How a launch differs from what you had accepted in its place, though others may have been there since. */
function changeFrom(left: readonly Entry[], now: Entry): Pick<Entry, "change" | "before"> {
  const same = left.find(({ core }) => core === now.core);
  if (same !== undefined)
    return same.accepted === undefined ? { change: same.change, before: same.before } : { change: "script" };
  const known = left.filter(({ accepted, change }) => accepted !== undefined || change !== undefined);
  if (known.length === 0) return {};
  const textOf = ({ accepted, shown, hidden, before }: Entry): string | undefined => {
    if (accepted === undefined || shown === undefined) return before;
    return hidden === undefined || hidden === now.hidden ? shown : `${shown}${otherwiseHidden}`;
  };
  const texts = new Set(known.flatMap((entry) => textOf(entry) ?? []));
  return { change: "command", before: texts.size === 0 ? undefined : [...texts].slice(0, maxBefore).join(", or ") };
}

const otherwiseHidden = ", with something else where it is masked or cut";

/** Where several were replaced at once, so many are named as what was there before. */
const maxBefore = 3;

function bySlot(launches: readonly Launch[]): Map<string, Launch[]> {
  const found = new Map<string, Launch[]>();
  for (const launch of launches) found.set(launch.slot, [...(found.get(launch.slot) ?? []), launch]);
  return found;
}

function firstEntry(launch: Launch, nowMs: number): Entry {
  const { slot, core } = launch;
  return { slot, core, ...whatIsShown(launch), firstSeen: nowMs, lastSeen: nowMs };
}

function whatIsShown(launch: Launch): Pick<Entry, "shown" | "hidden" | "agent" | "path" | "project"> {
  const hidden = hiddenOf(launch);
  return {
    shown: shownLaunch(launch),
    ...(hidden === "" ? {} : { hidden: sha256(hidden).slice(0, 16) }),
    agent: launch.agent,
    path: launch.path,
    ...(launch.project === undefined ? {} : { project: launch.project }),
  };
}

/** Makes these launches known. */
export function accepting(baseline: Baseline, launches: readonly Launch[], nowMs: number): Baseline {
  const accepted = launches.map((launch): [string, Entry] => {
    const entry = baseline.entries[launch.id] ?? firstEntry(launch, nowMs);
    return [launch.id, { ...entry, accepted: entry.accepted ?? nowMs }];
  });
  return { ...baseline, entries: { ...baseline.entries, ...Object.fromEntries(accepted) } };
}

/** Makes this launch unknown, so that you are notified if it comes back. */
export function withRemoved({ entries, ...rest }: Baseline, id: string, nowMs: number): Baseline {
  const entry = entries[id];
  if (entry === undefined) return { ...rest, entries };
  const { accepted: _, told: __, seen: ___, ...known } = entry;
  return { ...rest, entries: { ...entries, [id]: { ...known, lastSeen: nowMs, removed: nowMs } } };
}

export function emptyBaseline(nowMs: number): Baseline {
  return { since: nowMs, entries: {}, isForged: false };
}
