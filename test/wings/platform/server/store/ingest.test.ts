import { setImmediate as turn } from "node:timers/promises";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countsOfTokens } from "../../../../../src/wings/platform/server/analytics/counts.ts";
import { openDatabase, type Database } from "../../../../../src/wings/platform/server/store/database.ts";
import {
  markAllStale,
  readRows,
  type Report,
  readUsersPage,
  renderInTurn,
  renderStaleDays,
} from "../../../../../src/wings/platform/server/store/days.ts";
import type { UsageObservation } from "../../../../../src/wings/platform/server/analytics/observation.ts";
import { dayOf, ingest, maxSessions, readCursor } from "../../../../../src/wings/platform/server/store/ingest.ts";
import { migrate } from "../../../../../src/wings/platform/server/store/schema.ts";

const noon = Date.parse("2026-11-20T12:00:00Z");
const day = dayOf(noon);
let folder: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-store-"));
  database = await openDatabase(join(folder, "usage.db"), noon);
  migrate(database);
});

afterEach(() => {
  database.close();
  rmSync(folder, { recursive: true });
});

function seen(id: string, more: Partial<UsageObservation> = {}): UsageObservation {
  const usual = {
    atMs: noon,
    source: "hook",
    agent: "codex",
    session: "s1",
    user: "ann",
    counts: { "tool:Bash": 1 },
  } as const;
  return { id, ...usual, ...more };
}

function rowOf(report: Report, of = day): Record<string, unknown> {
  renderStaleDays(database, day + 100);
  return JSON.parse(Buffer.concat([...readRows(database, report, { firstDay: of, lastDay: of })]).toString()) as Record<
    string,
    unknown
  >;
}

test("an event counts once, in one batch or in several, and after the file was opened again", async () => {
  expect(ingest(database, [seen("a"), seen("a"), seen("b")], [])).toBe(2);
  expect(ingest(database, [seen("b"), seen("c")], [])).toBe(1);
  database.close();
  database = await openDatabase(join(folder, "usage.db"), noon);
  migrate(database);
  expect(ingest(database, [seen("a"), seen("d")], [])).toBe(1);
  expect(rowOf("tools")).toMatchObject({ tool_calls: 4, by_tool: [{ tool: "Bash", invocations: 4 }] });
});

test("of an answer that is written in parts, the largest reading counts, on the day of its first", () => {
  const answer = (output: number, atMs: number): UsageObservation =>
    seen("m1:r1", {
      source: "transcript",
      atMs,
      isGrowing: true,
      counts: countsOfTokens({ model: "opus", input: 10, output, cacheRead: 0, cacheWrite: 0 }),
    });
  const midnight = (day + 1) * 86_400_000;
  ingest(database, [answer(1, midnight - 1)], []);
  ingest(database, [answer(50, midnight + 1), answer(7, midnight + 2)], []);
  expect(rowOf("tokens")).toMatchObject({ input_tokens: 10, output_tokens: 50 });
  expect(rowOf("tokens", day + 1)).toMatchObject({ input_tokens: 0, output_tokens: 0, by_user: [] });
});

test("hooks and transcript of one session count nothing twice: the fuller source counts", () => {
  const calls = (source: UsageObservation["source"], names: string[]): UsageObservation[] =>
    names.map((name, index) =>
      seen(`${source} ${index}`, { source, counts: { [`tool:${name}`]: 1, "level:manual": 1 } }),
    );
  ingest(database, [...calls("hook", ["Bash", "Bash"]), ...calls("transcript", ["exec", "exec", "patch"])], []);
  expect(rowOf("tools")).toMatchObject({ tool_calls: 3, by_tool: [{ tool: "exec" }, { tool: "patch" }] });
});

test("a session starts on its first day, which a later reading may move", () => {
  ingest(database, [seen("b", { atMs: noon })], []);
  expect(rowOf("activity")).toMatchObject({ sessions: 1 });
  ingest(database, [seen("a", { atMs: noon - 86_400_000 })], []);
  expect(rowOf("activity")).toMatchObject({ sessions: 0, daily_active_users: 1 });
  expect(rowOf("activity", day - 1)).toMatchObject({ sessions: 1 });
});

test("a batch that fails leaves neither counts nor cursors", () => {
  const bad = { ...seen("z"), atMs: Number.NaN };
  expect(() => ingest(database, [seen("a"), bad], [{ name: "journal", value: 5 }])).toThrow(/NOT NULL/);
  expect(readCursor(database, "journal")).toBeUndefined();
  expect(ingest(database, [seen("a")], [{ name: "journal", value: 5 }])).toBe(1);
  expect(readCursor(database, "journal")).toBe(5);
});

test("active users are counted over 1, 7 and 30 days", () => {
  for (const [user, daysAgo] of [
    ["ann", 0],
    ["ben", 6],
    ["ben", 3],
    ["cleo", 7],
    ["dan", 29],
    ["eve", 30],
  ] as const) {
    ingest(database, [seen(`${user} ${daysAgo}`, { user, session: user, atMs: noon - daysAgo * 86_400_000 })], []);
  }
  renderStaleDays(database, day + 1);
  expect([rowOf("activity")]).toMatchObject([
    { daily_active_users: 1, weekly_active_users: 2, monthly_active_users: 4 },
  ]);
});

test("users come in pages by name, each with all days of the range", () => {
  const names = ["ann", "ben", "cleo", "dan"];
  for (const user of names) {
    ingest(
      database,
      [0, 1].map((ago) => seen(`${user} ${ago}`, { user, session: user, atMs: noon - ago * 86_400_000 })),
      [],
    );
  }
  ingest(database, [seen("old", { user: "bob", atMs: noon - 9 * 86_400_000 })], []);
  renderStaleDays(database, day + 1);
  const range = { firstDay: day - 1, lastDay: day };
  const first = readUsersPage(database, range, { limit: 3 });
  expect(first.nextCursor).toBe("cleo");
  expect([...first.rows].map((row) => JSON.parse(Buffer.from(row).toString()) as object)).toMatchObject(
    ["ann", "ben", "cleo"].flatMap((user_id) => [
      { user_id, date: "2026-11-19" },
      { user_id, date: "2026-11-20" },
    ]),
  );
  const second = readUsersPage(database, range, { limit: 3, cursor: first.nextCursor });
  expect(second.nextCursor).toBeUndefined();
  expect([...second.rows]).toHaveLength(2);
});

test("a user's day has a bound of sessions; what is beyond it counts as one, and other users and days are not concerned", () => {
  const told = (id: string, more: Partial<UsageObservation> = {}): void => void ingest(database, [seen(id, more)], []);
  const many = Array.from({ length: maxSessions }, (_, n) => seen(`${n}`, { session: `s${n}` }));
  ingest(database, many, []);
  for (let n = maxSessions; n < maxSessions + 3; n += 1) told(`${n}`, { session: `s${n}` });
  // A session that is known goes on.
  told("again", { session: "s1" });
  told("ben", { user: "ben", session: "b" });
  told("later", { session: "s2001", atMs: noon + 86_400_000 });
  const counted = (of: number): number =>
    Number(database.get("SELECT count(*) AS count FROM session_days WHERE day = ?", of)?.count);
  expect([counted(day), counted(day + 1)]).toEqual([maxSessions + 2, 1]);
  expect(rowOf("tools")).toMatchObject({ tool_calls: maxSessions + 5 });
  const other = database.get(
    "SELECT counts FROM session_days d JOIN sessions s ON s.id = d.session WHERE day = ? AND s.session = 'other'",
    day,
  );
  expect(other?.counts).toBe('{"tool:Bash":3}');
});

test("others have their turn between the days that late events make stale", async () => {
  const days = 5;
  for (let ago = 0; ago < days; ago += 1) ingest(database, [seen(`${ago}`, { atMs: noon - ago * 86_400_000 })], []);
  const stale = (): number => Number(database.get("SELECT count(*) AS count FROM stale_days")?.count);
  const rendering = renderInTurn(database, { firstDay: day - days, lastDay: day });
  const left: number[] = [];
  while (stale() > 0) {
    left.push(stale());
    await turn();
  }
  await rendering;
  expect(left).toEqual([4, 3, 2, 1]);
});

test("a recount from the raw counts gives the same rows", () => {
  ingest(database, [seen("a"), seen("b", { user: "ben", counts: { prompt: 1, "created:.ts": 2, commit: 1 } })], []);
  const before = rowOf("productivity");
  markAllStale(database);
  expect(renderStaleDays(database, day + 1)).toBe(1);
  expect(rowOf("productivity")).toEqual(before);
});
