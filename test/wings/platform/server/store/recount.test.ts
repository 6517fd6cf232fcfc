// Whatever comes in whatever order, a recount, another order, and a count of each event alone give the same rows.
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import {
  markAllStale,
  readRows,
  readUsersPage,
  renderStaleDays,
} from "../../../../../src/wings/platform/server/store/days.ts";
import type { Database } from "../../../../../src/wings/platform/server/store/database.ts";
import type { UsageObservation } from "../../../../../src/wings/platform/server/analytics/observation.ts";
import { ingest } from "../../../../../src/wings/platform/server/store/ingest.ts";
import { openStore, type TestStore } from "../../../../support/usage/open-store.ts";

const firstDay = 20_000;
const lastDay = firstDay + 3;
const dayMs = 86_400_000;
const stores: TestStore[] = [];
afterAll(() => {
  for (const store of stores) store.remove();
});

async function emptyDatabase(): Promise<Database> {
  const store = await openStore();
  stores.push(store);
  return store.database;
}

const counts = fc.constantFrom<UsageObservation["counts"]>(
  { prompt: 1 },
  { answer: 1, "request:opus": 1, "input:opus": 7, "output:opus": 3 },
  { "tool:Bash": 1, "level:manual": 1, commit: 1 },
  { "tool:mcp__git__log": 1, "server:git": 1, "level:auto-high": 1 },
  { "created:.ts": 2, "edited:.py": 1 },
);
const observation = fc
  .tuple(fc.nat(30), fc.nat(3), fc.nat(2), fc.nat(2), fc.nat(dayMs - 1), fc.boolean(), counts)
  .map(([id, day, session, user, ms, isHook, each]): UsageObservation => {
    const source = isHook ? "hook" : "transcript";
    // The same thing is always the same.
    const key = `${source} ${id} ${day} ${session} ${user} ${JSON.stringify(each)}`;
    const place = { agent: "codex", session: `s${session}`, user: `u${user}` };
    return { id: key, atMs: (firstDay + day) * dayMs + ms, source, ...place, counts: each };
  });

function rows(database: Database): unknown {
  renderStaleDays(database, lastDay + 1);
  const reports = [
    "tokens",
    "tokens:model",
    "tools",
    "tools:tool_name",
    "activity",
    "activity:client",
    "productivity",
  ] as const;
  return {
    reports: reports.map((report) =>
      Array.from(readRows(database, report, { firstDay, lastDay }), (row) => Buffer.from(row).toString()),
    ),
    users: [...readUsersPage(database, { firstDay, lastDay }, { limit: 100 }).rows].map((row) =>
      Buffer.from(row).toString(),
    ),
  };
}

test("a recount gives what was counted", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(observation, { maxLength: 60 }), fc.nat(59), async (events, cut) => {
      const database = await emptyDatabase();
      ingest(database, events.slice(0, cut), []);
      rows(database);
      // Late events, and some that are known.
      ingest(database, events.slice(cut), []);
      ingest(database, events.slice(0, 5), []);
      const counted = rows(database);
      markAllStale(database);
      expect(rows(database)).toEqual(counted);
      const other = await emptyDatabase();
      for (const event of events.toReversed()) ingest(other, [event], []);
      expect(rows(other)).toEqual(counted);
    }),
    { numRuns: 40 },
  );
});
