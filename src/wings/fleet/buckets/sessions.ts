// What the sessions of each machine do, for the boards of the person's others: each says it of its own, and again when it changes.
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../../../model/json.ts";
import { wasQuestion } from "../../../model/event.ts";
import { isVerification, ownAgents } from "../../../model/own-events.ts";
import { headAndTail } from "../../../model/text.ts";
import type { Layout } from "../../../outbox/layout.ts";
import { listSessions, sessionWrites, type SessionRecord } from "../../../outbox/sessions.ts";
import { isRecent } from "../../../sessions/describe.ts";
import { sessionFields } from "../../../sessions/session-schema.ts";
import { turnOf, type OpenEvent, type State } from "../../../sessions/state.ts";
import type { Observation } from "../../../sessions/reduce.ts";
import { sha256 } from "../../../system/crypto.ts";
import { readJson } from "../../../system/files/read.ts";
import { writeWholeSoon } from "../../../system/files/write.ts";
import type { GoneEntry, Nats, NatsEntry } from "../../../system/network/nats.ts";
import { withoutCredentials } from "../stream/body.ts";
import { buckets, limits, entryKey, type Member } from "../names.ts";
import { fleetFolder } from "../stream/unpublished.ts";

const { project, lastSeenAt, state, stops, helperOf, helpers, open, closed } = sessionFields;
const text = z.string().optional();
/** An entry has these members of a session's record, and nothing that only its own machine can use. */
const said = { project, lastSeenAt, state, stops, helperOf, helpers, open, closed };
const place = { host: text, folder: text, branch: text, worktree: text, name: text, prompt: text, lastPrompt: text };

/** Times are by the clock of the machine that says it; `at` is when it did. */
const saidSchema = z.lazy(() =>
  z.object({ version: z.literal(1), at: z.number(), agent: z.string(), session: z.string(), ...said, ...place }),
);
type Said = z.infer<typeof saidSchema>;

export interface SeenSession {
  session: Pick<SessionRecord, "agent" | "session">;
  observation: Observation;
  why: string;
}

export interface FleetSessions {
  /** A new connection: the broker may not have what an earlier one was told. */
  begin(): void;
  note(entry: NatsEntry): void;
  noteGone(gone: GoneEntry): void;
  /** What other machines have said since the last call. */
  seen(): SeenSession[];
  /** Whether something has changed that is not said yet. */
  isBusy(): boolean;
  /** Says what has changed. */
  look(): Promise<void>;
}

export interface SessionTools {
  layout: Layout;
  nats: Pick<Nats, "put" | "remove" | "isUp">;
  member: Member;
  now(): number;
  clockAheadMs(): number | undefined;
  /** The id, on this machine, of the question that the event of another one asks. */
  questionOf(eventId: string): string | undefined;
  wake(): void;
}

/** Time alone ends sessions, and other processes may change some. */
const lookAtLeastEveryMs = 60_000;
/** More than a person has; a machine that says more is not heard. */
const maxWaiting = 1000;
const maxEntryLength = 2 * limits.maxSessionBytes;
/** The members of an entry that are times; other numbers are counts. */
const times = new Set(["lastSeenAt", "since", "until", "startedAt", "at"]);
const ids = new Set(["session", "helperOf", "id", "question", "input"]);

const keySchema = z.array(z.string());

export function createSessions(tools: SessionTools): FleetSessions {
  const { layout, nats, member, now } = tools;
  const file = join(fleetFolder(layout), "sessions.json");
  /** What the broker has, by key; of an earlier connection, only the key is known. */
  const told = new Map<string, string | undefined>((readJson(file, keySchema) ?? []).map((key) => [key, undefined]));
  const changed = new Map<string, number>();
  const texts = new WeakMap<SessionRecord, string>();
  const waiting = new Map<string, { createdMs: number; value: string | undefined }>();
  let seenWrites: number | undefined;
  let lookedAt = -Infinity;

  const textOf = (record: SessionRecord): string => {
    const known = texts.get(record) ?? describe(record);
    texts.set(record, known);
    return known;
  };
  const keep = (key: string, value: string | undefined): void => {
    const isNew = told.has(key) !== (value !== undefined);
    if (value === undefined) told.delete(key);
    else told.set(key, value);
    changed.delete(key);
    if (isNew) writeWholeSoon(file, JSON.stringify([...told.keys()]));
  };
  const wait = (key: string, createdMs: number, value: string | undefined): void => {
    if (key.startsWith(entryKey(member, ""))) return;
    if (waiting.size >= maxWaiting && !waiting.has(key)) return;
    waiting.set(key, { createdMs, value });
    tools.wake();
  };
  const hasNews = (): boolean => sessionWrites(layout) !== seenWrites || now() - lookedAt >= lookAtLeastEveryMs;
  return {
    begin() {
      for (const key of told.keys()) told.set(key, undefined);
      lookedAt = -Infinity;
    },
    note: ({ key, createdMs, value }) => wait(key, createdMs, value),
    noteGone: ({ key, createdMs }) => wait(key, createdMs, undefined),
    seen() {
      const aheadMs = tools.clockAheadMs();
      if (waiting.size === 0 || aheadMs === undefined) return [];
      const byKey = new Map(listSessions(layout).flatMap((each) => keysThere(each, member).map((key) => [key, each])));
      const news = [...waiting].flatMap(([key, { createdMs, value }]): SeenSession[] => {
        const at = createdMs + aheadMs;
        if (value === undefined) return goneIn(byKey.get(key), at);
        const machine = key.split(".")[1] ?? "";
        if (value.length > maxEntryLength) return [];
        const read = saidSchema.safeParse(parseJson(value)).data;
        return read === undefined || ownAgents.has(read.agent) ? [] : [hear(read, machine, at, tools.questionOf)];
      });
      waiting.clear();
      return news;
    },
    isBusy: () => changed.size > 0,
    async look() {
      if (!nats.isUp() || (changed.size === 0 && !hasNews())) return;
      seenWrites = sessionWrites(layout);
      lookedAt = now();
      const current = listSessions(layout, now())
        .filter((each) => isSaid(each, now()))
        .sort((a, b) => b.lastSeenAt - a.lastSeenAt)
        .slice(0, limits.maxSessions);
      const byKey = new Map(current.map((each) => [ownKey(each, member), each]));
      for (const [key, record] of byKey) {
        if (told.get(key) === textOf(record)) changed.delete(key);
        else changed.set(key, changed.get(key) ?? now());
      }
      for (const key of told.keys()) if (!byKey.has(key)) changed.set(key, changed.get(key) ?? now());
      for (const [key, since] of changed) {
        const record = byKey.get(key);
        if (record === undefined) {
          await nats.remove(buckets.sessions.name, key);
          keep(key, undefined);
        } else if (now() - since >= limits.sessionPauseMs) {
          const value = textOf(record);
          await nats.put(buckets.sessions.name, key, JSON.stringify({ at: now(), ...(parseJson(value) as object) }));
          keep(key, value);
        }
      }
    },
  };
}

/** Its own machine says of a session how it is, until it has ended or been silent for long. */
function isSaid(session: SessionRecord, nowMs: number): boolean {
  return session.isOfFleet !== true && !isVerification(session.session) && isRecent(session, nowMs);
}

function ownKey({ agent, session }: Pick<SessionRecord, "agent" | "session">, member: Member): string {
  return entryKey(member, sha256(`${agent}\n${session}`).slice(0, 32));
}

/** The key of another machine's session; none for those of this one. */
function keysThere({ agent, session, host, isOfFleet }: SessionRecord, member: Member): string[] {
  const [machine] = host?.split("/") ?? [];
  if (isOfFleet !== true || machine === undefined) return [];
  return [ownKey({ agent, session: session.slice(machine.length + 1) }, { ...member, host: machine })];
}

/** For each attempt, how many open events are said, and the characters of each. */
const attempts = [
  { events: 16, characters: 4000 },
  { events: 8, characters: 500 },
  { events: 2, characters: 200 },
];

function describe(record: SessionRecord): string {
  const { open: asked = [], closed: ended = [], ...rest } = pick(record);
  let value = "";
  for (const { events, characters } of attempts) {
    const shortened = asked.slice(-events).map((each) => openThere(each, characters));
    const facts = { version: 1, ...rest, open: shortened, closed: ended.slice(-events) };
    value = JSON.stringify(withoutCredentials(facts, ids).value);
    if (Buffer.byteLength(value) <= limits.maxSessionBytes) break;
  }
  return value;
}

function pick(record: SessionRecord): Omit<Said, "version" | "at"> {
  const { agent, session, ...rest } = record;
  const kept = Object.keys({ ...said, ...place });
  const facts = Object.fromEntries(Object.entries(rest).filter(([name]) => kept.includes(name)));
  return { agent, session, ...facts } as Omit<Said, "version" | "at">;
}

/** The files and channels of one machine mean nothing on another. */
function openThere(
  { transcript: _, position: __, channels: ___, words, ...each }: OpenEvent,
  characters: number,
): OpenEvent {
  return { ...each, ...(words === undefined ? {} : { words: headAndTail(words, characters) }) };
}

/** Another machine's session as this one keeps it: with its host's name in front, as for its events, and in this clock's time. */
function hear(
  entry: Said,
  machine: string,
  at: number,
  questionOf: (eventId: string) => string | undefined,
): SeenSession {
  const { version: _, at: __, agent, host: from, session, ...facts } = shifted(entry, at - entry.at);
  // The first part is the broker's word, the second that machine's.
  const [host, prefix] = from === undefined ? [machine, `${machine}:`] : [`${machine}/${from}`, `${machine}/`];
  const there = (text: string | undefined): string | undefined =>
    text === undefined || text === "" || text === "unknown" ? text : `${prefix}${text}`;
  const heard = {
    ...facts,
    host,
    isOfFleet: true,
    folder: there(facts.folder),
    helperOf: there(facts.helperOf),
    helpers: facts.helpers?.map((each) => ({ ...each, session: `${prefix}${each.session}` })),
    open: facts.open?.map((each) => ({ ...each, position: questionOf(each.id) })),
  };
  const { source } = heard.state;
  return {
    session: { agent, session: `${prefix}${session}` },
    observation: { kind: "told", at, source, session: heard },
    why: "its machine says so",
  };
}

function goneIn(record: SessionRecord | undefined, at: number): SeenSession[] {
  if (record === undefined || record.state.kind === "gone") return [];
  const { agent, session, lastSeenAt: seenAt, open: asked = [] } = record;
  const reason = "It has ended on its machine.";
  const gone: State = { kind: "gone", since: at, reason, source: "hook", turn: turnOf(record) };
  const ended = { lastSeenAt: seenAt, state: gone, open: asked.filter((each) => !wasQuestion(each)) };
  return [
    { session: { agent, session }, observation: { kind: "told", at, source: "hook", session: ended }, why: reason },
  ];
}

function shifted<Value>(value: Value, ms: number, key = ""): Value {
  if (typeof value === "number") return (times.has(key) ? Math.round(value + ms) : value) as Value;
  if (Array.isArray(value)) return value.map((each: unknown) => shifted(each, ms)) as Value;
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, each]) => [name, shifted<unknown>(each, ms, name)]);
  return Object.fromEntries(members) as Value;
}
