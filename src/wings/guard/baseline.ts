// What is known of the programs that agents start: which of them you have accepted, and of which you were notified.
import * as z from "zod";
import { inOrder } from "../../model/json.ts";
import type { Layout } from "../../outbox/layout.ts";
import { sha256 } from "../../system/crypto.ts";
import { tryToStat } from "../../system/files/files.ts";
import { readJson } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import { baselinePath, watchedPath } from "./baseline-file.ts";
import type { Launch } from "./launches/launch.ts";
import { shownLaunch } from "./shown.ts";

/** Times are in milliseconds since the epoch. */
const entrySchema = z.object({
  slot: z.string(),
  core: z.string().optional(),
  /** What it runs and when, without credentials, for people. */
  shown: z.string().optional(),
  firstSeen: z.number(),
  /** By the day: when it was there last. */
  lastSeen: z.number(),
  /** It is known: it was there when hookbell was set up, or you have accepted it. */
  accepted: z.number().optional(),
  /** How it differs from what was in its place. */
  change: z.enum(["command", "script"]).optional(),
  /** As `shown`, of what was in its place. */
  before: z.string().optional(),
  /** Something else has come into its place. */
  replaced: z.literal(true).optional(),
  /** You were notified of it, by this event. */
  told: z.object({ at: z.number(), event: z.string() }).optional(),
  /** You have looked at it since. */
  seen: z.number().optional(),
  /** You have removed it: if it comes back, you are notified again. */
  removed: z.number().optional(),
  /** What you have removed: its agent and file, and as `shown`. */
  was: z.string().optional(),
});
export type Entry = z.infer<typeof entrySchema>;

const baselineSchema = z.object({
  version: z.literal(1),
  /** When hookbell began to watch. */
  since: z.number(),
  entries: z.record(z.string(), entrySchema),
  /** Digest of what the rules file said, without order and comments. */
  rules: z.string().optional(),
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

export function writeBaseline(layout: Pick<Layout, "root">, { isForged: _, ...baseline }: Baseline): void {
  writeWhole(baselinePath(layout), JSON.stringify({ version: 1, ...baseline, digest: digestOf(baseline) }));
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
  /** What was in its place, without credentials, if that is known. */
  before?: string | undefined;
  /** When it was first seen, or removed, in milliseconds since the epoch. */
  at: number;
  /** You had removed it. */
  isBack: boolean;
}

/** What has come since the last look, and the change to write for it, if there is one. */
export function compareWith(
  baseline: Baseline,
  launches: readonly Launch[],
  nowMs: number,
): { news: NewLaunch[]; change?: (current: Baseline) => Baseline } {
  const { entries } = baseline;
  const present = new Map(launches.toReversed().map((launch) => [launch.id, launch]));
  const all = launches.filter((launch) => present.get(launch.id) === launch);
  const arrived = bySlot(all.filter(({ id }) => entries[id] === undefined));
  // What a person has removed has nothing to do with what comes to its place.
  const vacated = Object.entries(entries).filter(
    ([id, { slot, removed, replaced }]) =>
      arrived.has(slot) && !present.has(id) && removed === undefined && replaced === undefined,
  );
  const added = new Map<string, Entry>();
  for (const [slot, together] of arrived) {
    const gone = vacated.flatMap(([, entry]) => (entry.slot === slot ? [entry] : []));
    const before = shownOf(gone);
    for (const launch of together) {
      const isScript = gone.some(({ core }) => core === launch.core);
      const change = isScript ? "script" : gone.length > 0 ? "command" : undefined;
      const entry = firstEntry(launch, nowMs);
      const isSame = isScript || before === entry.shown;
      added.set(launch.id, { ...entry, change, before: isSame ? undefined : before });
    }
  }
  const news: NewLaunch[] = [];
  const changed = new Map<string, Partial<Entry>>(vacated.map(([id]) => [id, { replaced: true }]));
  for (const launch of all) {
    const { id } = launch;
    const {
      change = "new",
      before,
      firstSeen,
      lastSeen,
      removed,
      replaced,
      told,
      accepted,
    } = entries[id] ?? added.get(id) ?? firstEntry(launch, nowMs);
    if (told === undefined && accepted === undefined) {
      // It is new, or back, or the process ended before it could tell.
      news.push({ launch, change, before, at: removed ?? firstSeen, isBack: removed !== undefined });
    } else if (nowMs - lastSeen >= dayMs || replaced === true) {
      changed.set(id, { shown: shownLaunch(launch), lastSeen: nowMs, replaced: undefined });
    }
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

function bySlot(launches: readonly Launch[]): Map<string, Launch[]> {
  const found = new Map<string, Launch[]>();
  for (const launch of launches) found.set(launch.slot, [...(found.get(launch.slot) ?? []), launch]);
  return found;
}

function firstEntry(launch: Launch, nowMs: number): Entry {
  const { slot, core } = launch;
  return { slot, core, shown: shownLaunch(launch), firstSeen: nowMs, lastSeen: nowMs };
}

/** Undefined for none, and where it is not known of each. */
function shownOf(entries: readonly Entry[]): string | undefined {
  const all = entries.flatMap(({ shown }) => shown ?? []);
  if (all.length === 0 || all.length < entries.length) return undefined;
  return all.slice(0, maxBefore).join(", or ");
}

/** Where several were replaced at once, so many are named as what was there before. */
const maxBefore = 3;

/** Makes these launches known. */
export function accepting(baseline: Baseline, launches: readonly Launch[], nowMs: number): Baseline {
  const accepted = launches.map((launch): [string, Entry] => {
    const entry = baseline.entries[launch.id] ?? firstEntry(launch, nowMs);
    return [launch.id, { ...entry, accepted: entry.accepted ?? nowMs }];
  });
  return { ...baseline, entries: { ...baseline.entries, ...Object.fromEntries(accepted) } };
}

/** Makes this launch unknown, so that you are notified if it comes back. `was` is how it is shown to a person who asks for it. */
export function withRemoved(
  { entries, ...rest }: Baseline,
  { id, was }: { id: string; was: string },
  nowMs: number,
): Baseline {
  const entry = entries[id];
  if (entry === undefined) return { ...rest, entries };
  const { slot, core, shown, firstSeen } = entry;
  const removed = { slot, core, shown, firstSeen, lastSeen: nowMs, removed: nowMs, was };
  return { ...rest, entries: { ...entries, [id]: removed } };
}

export function emptyBaseline(nowMs: number): Baseline {
  return { since: nowMs, entries: {}, isForged: false };
}
