// What is known of each session: its turn, its last events, what it shows.
import { basename, join } from "node:path";
import * as z from "zod";
import type { SeenEvent } from "../policies/duplicates.ts";
import { keepOriginal, maskText, originalOf } from "../model/privacy/originals.ts";
import { agentTerminalSchema } from "../model/places/agent-terminal.ts";
import { blankSession, sessionFields } from "../sessions/session-schema.ts";
import type { Session } from "../sessions/state.ts";
import { listNames, statIfThere, tryToRemove } from "../system/files/files.ts";
import { readJson } from "../system/files/read.ts";
import { writeWholeSoon } from "../system/files/write.ts";
import type { Layout } from "./layout.ts";
import { sha256 } from "../system/crypto.ts";

/** Times are milliseconds since the epoch. */
const seenEventSchema: z.ZodType<SeenEvent> = z.lazy(() =>
  z.object({
    id: z.string(),
    at: z.number(),
    name: z.string(),
    key: z.string(),
    ways: z.record(z.string(), z.string()),
    channels: z.array(z.string()),
    payload: z.string().optional(),
  }),
);

const sessionRecordSchema = z.lazy(() =>
  z.object({
    agent: z.string(),
    session: z.string(),
    ...sessionFields,
    /** The machine where it runs, if that is another one; `isOfFleet`: by the fleet, not by ssh. */
    host: z.string().optional(),
    isOfFleet: z.boolean().optional(),
    /** The folder where the session began. */
    folder: z.string().optional(),
    branch: z.string().optional(),
    worktree: z.string().optional(),
    /** The agent's name for it, and how its first and its last prompt began. */
    name: z.string().optional(),
    prompt: z.string().optional(),
    lastPrompt: z.string().optional(),
    /** Digests of the prompts that the agent will enter by itself. */
    scheduled: z.array(z.string()).optional(),
    transcript: z.string().optional(),
    /** The agent's own process, where the agent names it. `start` is in the system's own unit, and empty on Windows. */
    process: z.object({ pid: z.number(), start: z.string() }).optional(),
    /** Processes that were recorded here before the last ones, and that ran when the record was written. */
    earlierProcesses: z.array(z.object({ pid: z.number(), start: z.string() })).optional(),
    /** The terminal is kept only while the rules need it. */
    terminal: agentTerminalSchema.optional(),
    /** Oldest first, to detect duplicates. */
    recent: z.array(seenEventSchema).optional(),
    /** What each channel's last delivery asked to remember. */
    remembered: z.record(z.string(), z.record(z.string(), z.string())),
    /** Its texts hold no credential. Version 1.0.0-rc.1 wrote some that did. */
    isMasked: z.boolean().optional(),
  }),
) satisfies z.ZodType<Session>;
export type SessionRecord = z.infer<typeof sessionRecordSchema>;

function pathOf(layout: Layout, agent: string, session: string): string {
  const digest = sha256(`${agent}\n${session}`).slice(0, 32);
  return join(layout.sessions, `${digest}.json`);
}

/** A torn record is a blank one. */
export function readSession(layout: Layout, agent: string, session: string): SessionRecord {
  return readRecord(pathOf(layout, agent, session)) ?? { ...blankSession, agent, session, remembered: {} };
}

function readRecord(path: string): SessionRecord | undefined {
  const record = readJson(path, sessionRecordSchema);
  return record === undefined || record.isMasked === true ? record : maskSession(record);
}

const hidden = /^\[hidden path [\da-f]+\]$/;

/** A path that no one is shown, such as a transcript's: agents write a folder's name into it in a way of their own, which is not recognised. */
function hidePath(path: string): string {
  return hidden.test(path) ? path : keepOriginal(`[hidden path ${sha256(path).slice(0, 16)}]`, path);
}

/** Undefined where another process has hidden it. */
export function hiddenPath(path: string | undefined): string | undefined {
  const original = path === undefined ? undefined : originalOf(path);
  return original === undefined || hidden.test(original) ? undefined : original;
}

/** An id stays one: events of one session are told apart from those of others. */
export function maskId(id: string): string {
  return maskText(id) === id ? id : sha256(id).slice(0, 32);
}

/** They are ids, digests and places, which lead to the wrong one or nowhere if they are changed. */
const unmasked: ReadonlySet<string> = new Set([
  "agent",
  "session",
  "terminal",
  "process",
  "earlierProcesses",
  "remembered",
  "scheduled",
  "input",
  "key",
]);

/** The record as it may be kept and shown. Where the folder's name has a credential, the transcript's path may have it, too. */
export function maskSession(record: SessionRecord): SessionRecord {
  const isFolderMasked = maskText(record.folder ?? "").includes("[redacted: ");
  const mask = (value: unknown, name: string): unknown => {
    if (unmasked.has(name)) return value;
    if (typeof value === "string" && name === "transcript") {
      return isFolderMasked || maskText(value) !== value ? hidePath(value) : value;
    }
    if (typeof value === "string") return maskText(value);
    if (Array.isArray(value)) return value.map((each) => mask(each, name));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [maskText(key), mask(each, key)]));
  };
  return { ...(mask(record, "") as SessionRecord), isMasked: true };
}

interface Listing {
  listedAt: number;
  byName: Map<string, { stamp: string; record: SessionRecord | undefined }>;
}

interface KnownSessions {
  /** Undefined until they are listed. */
  listing?: Listing;
  /** How often this process has written a record. */
  writes: number;
}

const knownSessions = (): KnownSessions => ({ writes: 0 });

/** Other processes rarely write a record while a dispatcher runs, and looking at a file takes up to 0.1 ms. */
const lookAgainMs = 1000;
const lookAgainMsPerFile = 5;

/**
 * What this process writes counts at once. What others write counts a second later, or a little later if there are many
 * records. Without `nowMs`, all is looked at.
 */
export function listSessions(layout: Layout, nowMs = Infinity): SessionRecord[] {
  return [...eachSession(layout, nowMs)];
}

/** The same, for who needs only the first few: a copy of thousands for each event takes longer than the rest of it. */
export function* eachSession(layout: Layout, nowMs = Infinity): Generator<SessionRecord> {
  const known = layout.memory(knownSessions);
  const before = known.listing;
  const freshMs = Math.max(lookAgainMs, (before?.byName.size ?? 0) * lookAgainMsPerFile);
  const isFresh = before !== undefined && Math.abs(nowMs - before.listedAt) < freshMs;
  const now = isFresh ? before : { listedAt: nowMs, byName: lookAtAll(layout, before?.byName) };
  known.listing = now;
  for (const { record } of now.byName.values()) if (record !== undefined) yield record;
}

/** Reads only files that have changed. */
function lookAtAll(layout: Layout, before: Listing["byName"] | undefined): Listing["byName"] {
  return new Map(
    listNames(layout.sessions).map((name) => {
      const path = join(layout.sessions, name);
      const stats = statIfThere(path);
      const stamp = `${stats?.mtimeMs} ${stats?.bytes}`;
      const same = before?.get(name);
      return [name, same?.stamp === stamp ? same : { stamp, record: readRecord(path) }];
    }),
  );
}

/** How often this process has written a record. */
export function sessionWrites(layout: Layout): number {
  return layout.memory(knownSessions).writes;
}

export function writeSession(layout: Layout, given: SessionRecord): void {
  const record = maskSession(given);
  const known = layout.memory(knownSessions);
  known.writes += 1;
  const path = pathOf(layout, record.agent, record.session);
  const byName = known.listing?.byName;
  // If the write fails, the next look reads what is on the disk.
  byName?.delete(basename(path));
  writeWholeSoon(path, JSON.stringify(record));
  // No file has this stamp: two writes in a tick of the disk's clock may have one size.
  byName?.set(basename(path), { stamp: "", record });
}

export function removeSession(layout: Layout, agent: string, session: string): void {
  const path = pathOf(layout, agent, session);
  layout.memory(knownSessions).listing?.byName.delete(basename(path));
  tryToRemove(path);
}
