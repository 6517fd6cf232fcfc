// Adds observations to the raw counts, each once, together with how far its source has been read.
import { addCounts, difference, sumOf, type Counts } from "../analytics/counts.ts";
import { sources, type UsageObservation, type UsageSource } from "../analytics/observation.ts";
import { sha256 } from "../../../../system/crypto.ts";
import type { Database } from "./database.ts";

/** How far a source has been read; any JSON. */
interface Cursor {
  name: string;
  value: unknown;
}

/** A day of one session has no more names than this; further ones count under `other`. */
const maxKeys = 500;
/** Events come from other machines: of more sessions of a user on a day, what they did counts as one session. */
export const maxSessions = 2000;
const beyond = { agent: "other", session: "other" };
/** Texts of an event are untrusted; agents' own are far shorter. */
const maxTextLength = 200;

const dayMs = 86_400_000;

export function dayOf(atMs: number): number {
  return Math.floor(atMs / dayMs);
}

export function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

interface SessionRow {
  id: number;
  firstDay: number;
  client: string | null;
  /** This batch made the session, so no row of a day knows it yet. */
  isNew: boolean;
  /** The days that this batch has asked about: whether the session comes too late to be counted by itself. */
  fullDays: Map<number, boolean>;
}

/** All of the batch and its cursors, or nothing. Returns how many observations were new. */
export function ingest(
  database: Database,
  observations: readonly UsageObservation[],
  cursors: readonly Cursor[],
): number {
  return database.transaction(() => {
    const sessions = new Map<string, SessionRow>();
    const changes = new Map<string, Change>();
    let added = 0;
    for (const observation of observations) {
      const change = changeOf(database, sessions, observation);
      if (change === undefined) continue;
      added += 1;
      const key = `${change.day} ${change.session} ${change.source}`;
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { ...change, counts: { ...change.counts } });
      else addCounts(known.counts, change.counts);
    }
    for (const change of changes.values()) applyChange(database, change);
    for (const { name, value } of cursors) {
      database.run("INSERT OR REPLACE INTO cursors VALUES (?, ?)", name, JSON.stringify(value));
    }
    return added;
  });
}

export function readCursor(database: Database, name: string): unknown {
  const value = database.get("SELECT value FROM cursors WHERE name = ?", name)?.value;
  return typeof value === "string" ? JSON.parse(value) : undefined;
}

/** The cursor that says that the past of the transcripts has been dealt with: when, or 0 after it was counted. */
export const transcriptsSince = "transcripts-since";

/** When counting began, in ISO 8601; undefined if all that the transcripts have was counted. */
export function countedSince(database: Database): string | undefined {
  const sinceMs = Number(readCursor(database, transcriptsSince) ?? 0);
  return sinceMs === 0 ? undefined : new Date(sinceMs).toISOString();
}

/** Forgets ids of hook events from before a day, which are refused now. */
export function forgetSeenBefore(database: Database, day: number): void {
  database.run("DELETE FROM seen WHERE day < ? AND session IS NULL", day);
}

interface Change {
  day: number;
  session: number;
  source: UsageSource;
  counts: Counts;
}

/** What an observation adds to which day; undefined when it has been counted already. */
function changeOf(
  database: Database,
  sessions: Map<string, SessionRow>,
  observation: UsageObservation,
): Change | undefined {
  const { counts, source, isGrowing = false } = observation;
  const day = dayOf(observation.atMs);
  const id = digestOf(observation);
  // An earlier release has counted it under the former id.
  const formerId = observation.formerId === undefined ? id : digestOf({ ...observation, id: observation.formerId });
  // Parts of one answer may lie on both sides of midnight.
  const sql = "SELECT day, id, session, counts FROM seen WHERE day IN (?, ?, ?) AND id IN (?, ?)";
  const seen = database.get(sql, day, day - 1, day + 1, id, formerId);
  if (seen === undefined) {
    const own = sessionOf(database, sessions, observation);
    const isBeyond = source === "hook" && isDayFull(database, day, own);
    const session = (isBeyond ? sessionOf(database, sessions, { ...observation, ...beyond }) : own).id;
    const text = isGrowing ? JSON.stringify(counts) : null;
    database.run("INSERT INTO seen VALUES (?, ?, ?, ?)", day, id, source === "transcript" ? session : null, text);
    return { day, session, source, counts };
  }
  if (!isGrowing || typeof seen.counts !== "string") return undefined;
  const previous = JSON.parse(seen.counts) as Counts;
  if (sumOf(counts) <= sumOf(previous)) return undefined;
  const known = { day: Number(seen.day), session: Number(seen.session) };
  database.run(
    "UPDATE seen SET counts = ? WHERE day = ? AND id = ?",
    JSON.stringify(counts),
    known.day,
    Number(seen.id),
  );
  return { ...known, source, counts: difference(counts, previous) };
}

/** Whether the session's user has done enough on the day in other sessions. */
function isDayFull(database: Database, day: number, { id, fullDays }: SessionRow): boolean {
  const sql = `SELECT 1 AS found FROM sessions s JOIN day_sessions d ON d.day = ? AND d.user = s.user
     WHERE s.id = ? AND d.count >= ?
       AND NOT EXISTS (SELECT 1 FROM session_days WHERE day = d.day AND session = s.id AND source = ?)`;
  const isFull = fullDays.get(day) ?? database.get(sql, day, id, maxSessions, sources.hook) !== undefined;
  fullDays.set(day, isFull);
  return isFull;
}

/** 53 bits; unique among the things of three days. */
function digestOf({ source, agent, id }: UsageObservation): number {
  const digest = Buffer.from(sha256(`${source}\n${agent}\n${id}`), "hex");
  return digest.readUIntBE(0, 6) * 32 + ((digest[6] ?? 0) >> 3);
}

function applyChange(database: Database, { day, session, source, counts }: Change): void {
  const place = [day, session, sources[source]] as const;
  const known = database.get(
    "SELECT counts FROM session_days WHERE day = ? AND session = ? AND source = ?",
    ...place,
  )?.counts;
  if (known === undefined && source === "hook") {
    const sql = `INSERT INTO day_sessions SELECT ?, user, 1 FROM sessions WHERE id = ?
       ON CONFLICT (day, user) DO UPDATE SET count = count + 1`;
    database.run(sql, day, session);
  }
  const total = typeof known === "string" ? (JSON.parse(known) as Counts) : {};
  addCounts(total, counts, maxKeys);
  database.run("INSERT OR REPLACE INTO session_days VALUES (?, ?, ?, ?)", ...place, JSON.stringify(total));
  database.run("INSERT OR IGNORE INTO stale_days VALUES (?)", day);
}

function sessionOf(database: Database, sessions: Map<string, SessionRow>, observation: UsageObservation): SessionRow {
  const cut = (text: string): string => text.toWellFormed().slice(0, maxTextLength);
  const [user, agent, session] = [cut(observation.user), cut(observation.agent), cut(observation.session)];
  const key = JSON.stringify([user, agent, session]);
  const day = dayOf(observation.atMs);
  const row =
    sessions.get(key) ?? readSession(database, user, agent, session) ?? addSession(database, user, agent, session, day);
  sessions.set(key, row);
  if (day < row.firstDay) {
    // The session no longer starts on the day that was its first.
    database.run("INSERT OR IGNORE INTO stale_days VALUES (?)", row.firstDay);
    database.run("UPDATE sessions SET first_day = ? WHERE id = ?", day, row.id);
    row.firstDay = day;
  }
  const { client } = observation;
  if (client !== undefined && client !== row.client) {
    database.run("UPDATE sessions SET client = ? WHERE id = ?", client, row.id);
    const days = "SELECT day FROM session_days WHERE day >= ? AND session = ?";
    if (!row.isNew) database.run(`INSERT OR IGNORE INTO stale_days ${days}`, row.firstDay, row.id);
    row.client = client;
  }
  return row;
}

function readSession(database: Database, user: string, agent: string, session: string): SessionRow | undefined {
  const row = database.get(
    `SELECT s.id, s.first_day, s.client FROM sessions s JOIN users u ON u.id = s.user
      WHERE u.name = ? AND s.agent = ? AND s.session = ?`,
    user,
    agent,
    session,
  );
  return (
    row && {
      id: Number(row.id),
      firstDay: Number(row.first_day),
      client: row.client as string | null,
      isNew: false,
      fullDays: new Map(),
    }
  );
}

function addSession(database: Database, user: string, agent: string, session: string, day: number): SessionRow {
  database.run("INSERT OR IGNORE INTO users (name) VALUES (?)", user);
  database.run(
    "INSERT INTO sessions (user, agent, session, first_day) SELECT id, ?, ?, ? FROM users WHERE name = ?",
    agent,
    session,
    day,
    user,
  );
  const id = Number(database.get("SELECT last_insert_rowid() AS id")?.id);
  return { id, firstDay: day, client: null, isNew: true, fullDays: new Map() };
}
