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

/** Times are in milliseconds since the epoch. */
const entrySchema = z.object({
  slot: z.string(),
  core: z.string().optional(),
  firstSeen: z.number(),
  /** By the day: when it was there last. */
  lastSeen: z.number(),
  /** It is known: it was there when hookbell was set up, or you have accepted it. */
  accepted: z.number().optional(),
  /** How it differs from what was in its place. */
  change: z.enum(["command", "script"]).optional(),
  /** You were notified of it, by this event. */
  told: z.object({ at: z.number(), event: z.string() }).optional(),
  /** You have looked at it since. */
  seen: z.number().optional(),
  /** You have removed it: if it comes back, you are notified again. */
  removed: z.number().optional(),
  /** What you have removed: its agent, place and command, without credentials. */
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
  const present = new Set(launches.map(({ id }) => id));
  // What a person has removed has nothing to do with what comes to its place.
  const vacated = Object.entries(entries).flatMap(([id, entry]) =>
    present.has(id) || entry.removed !== undefined ? [] : [entry],
  );
  const added = new Map<string, Entry>();
  const touched = new Map<string, Entry>();
  const news: NewLaunch[] = [];
  for (const launch of launches) {
    const { id, slot, core } = launch;
    const known = entries[id];
    if (known === undefined && !added.has(id)) {
      const before = vacated.filter((entry) => entry.slot === slot);
      const change = before.some((entry) => entry.core === core) ? "script" : before.length > 0 ? "command" : undefined;
      const entry = { slot, core, firstSeen: nowMs, lastSeen: nowMs };
      added.set(id, change === undefined ? entry : { ...entry, change });
      news.push({ launch, change: change ?? "new", at: nowMs, isBack: false });
    } else if (known !== undefined && known.told === undefined && known.accepted === undefined) {
      // It is back, or the process ended before it could tell.
      const { change = "new", removed, firstSeen } = known;
      news.push({ launch, change, at: removed ?? firstSeen, isBack: removed !== undefined });
    } else if (known !== undefined && nowMs - known.lastSeen >= dayMs) {
      touched.set(id, { ...known, lastSeen: nowMs });
    }
  }
  const isExpired = ({ lastSeen }: Entry): boolean => nowMs - lastSeen >= keptMs;
  if (added.size === 0 && touched.size === 0 && !Object.values(entries).some(isExpired)) return { news };
  const change = (current: Baseline): Baseline => {
    const kept = Object.entries(current.entries).filter(([, entry]) => !isExpired(entry));
    const found = new Map([...touched, ...added]);
    const merged = kept.map(([id, entry]): [string, Entry] => [
      id,
      { ...found.get(id), ...entry, lastSeen: found.get(id)?.lastSeen ?? entry.lastSeen },
    ]);
    return { ...current, entries: { ...Object.fromEntries(found), ...Object.fromEntries(merged) } };
  };
  return { news, change };
}

/** Makes these launches known. */
export function accepting(baseline: Baseline, launches: readonly Launch[], nowMs: number): Baseline {
  const accepted = launches.map(({ id, slot, core }): [string, Entry] => {
    const entry = baseline.entries[id] ?? { slot, core, firstSeen: nowMs, lastSeen: nowMs };
    return [id, { ...entry, accepted: entry.accepted ?? nowMs }];
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
  const { slot, core, firstSeen } = entry;
  return { ...rest, entries: { ...entries, [id]: { slot, core, firstSeen, lastSeen: nowMs, removed: nowMs, was } } };
}

export function emptyBaseline(nowMs: number): Baseline {
  return { since: nowMs, entries: {}, isForged: false };
}
