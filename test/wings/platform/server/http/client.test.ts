// The typed client against the server, over HTTP: every status of every operation, and the ends of pages.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserError } from "../../../../../src/model/errors.ts";
import { Secret } from "../../../../../src/model/privacy/secret.ts";
import { createPlatformClient, type PlatformClient } from "../../../../../src/wings/platform/client/client.ts";
import { computerErrorSchema } from "../../../../../src/wings/platform/contract/computers.ts";
import { analyticsErrorSchema } from "../../../../../src/wings/platform/contract/analytics.ts";
import type { ReadinessReport } from "../../../../../src/wings/platform/contract/readiness.ts";
import { addComputer } from "../../../../../src/wings/platform/server/computers.ts";
import { openDatabase } from "../../../../../src/wings/platform/server/store/database.ts";
import type { UsageObservation } from "../../../../../src/wings/platform/server/analytics/observation.ts";
import { ingest } from "../../../../../src/wings/platform/server/store/ingest.ts";
import { storeReport } from "../../../../../src/wings/platform/server/store/reports.ts";
import { systemRandom } from "../../../../../src/system/clock.ts";
import { createSendHttp } from "../../../../../src/system/network/send.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

const dayMs = 86_400_000;
const yesterday = { startDate: "2026-11-19", endDate: "2026-11-19" };
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterEach(() => server.remove());

/** Retries at once, and may think that it is another day. */
function clientWith(key: string, aheadMs = 0): PlatformClient {
  const { clock } = server;
  const after = (_ms: number, callback: () => void): (() => void) => {
    const timer = setImmediate(callback);
    return () => clearImmediate(timer);
  };
  const impatient = { ...clock, now: () => clock.now() + aheadMs, after };
  const access = { baseUrl: server.url, appUrl: undefined, apiKey: new Secret(key) };
  return createPlatformClient(access, { http: createSendHttp({}), clock: impatient, random: systemRandom });
}

const operations: Readonly<Record<string, (client: PlatformClient, range: typeof yesterday) => Promise<unknown>>> = {
  tokens: (client, range) => client.getTokens(range),
  "tokens by model": (client, range) => client.getTokens({ ...range, groupBy: "model" }),
  tools: (client, range) => client.getTools(range),
  activity: (client, range) => client.getActivity(range),
  productivity: (client, range) => client.getProductivity(range),
  users: (client, range) => client.getUsersPage(range),
  readiness: (client) => client.getReadinessPage({ limit: 1 }),
  "install-deps": (client) => client.retryInstallDeps("c1"),
};
const names = Object.keys(operations);
const isAnalytics = (name: string): boolean => name !== "readiness" && name !== "install-deps";

/** 0 for success, else the status that the client reports. */
async function statusOf(name: string, client: PlatformClient, range = yesterday): Promise<unknown> {
  try {
    await operations[name]?.(client, range);
    return 0;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { status, ...body } = error.details ?? {};
    expect(body, name).toMatchObject({ title: expect.any(String) as string });
    return status;
  }
}

test.each(names)("%s is answered, and refused with the status that says why", async (name) => {
  const argv: [string, ...string[]] = [process.execPath, "-e", "setInterval(() => {}, 1e6)"];
  const owner = clientWith(server.keys.Owner.key);
  if (name === "install-deps") expect(await statusOf(name, owner)).toBe(404);
  const computer = { id: "c1", name: "c1", hostname: "box", argv, cwd: server.folder, createdAt: 1 };
  await addComputer(server.dataDir, computer, server.clock);
  expect(await statusOf(name, owner)).toBe(0);
  if (name === "install-deps") expect(await statusOf(name, owner)).toBe(409);
  expect(await statusOf(name, clientWith("hbk_unknown"))).toBe(401);
  const forbidden = { analytics: 403, readiness: 0, "install-deps": 403 }[isAnalytics(name) ? "analytics" : name];
  expect(await statusOf(name, clientWith(server.keys.Guest.key))).toBe(forbidden);
  // For the client it is tomorrow, so it sends what the server refuses.
  const today = { startDate: "2026-11-20", endDate: "2026-11-20" };
  if (isAnalytics(name)) expect(await statusOf(name, clientWith(server.keys.Owner.key, dayMs), today)).toBe(400);
  writeFileSync(join(server.dataDir, "keys.json"), "broken");
  expect(await statusOf(name, owner)).toBe(500);
});

test("an unknown report to start after is 400", async () => {
  const startAfter = "00000000-0000-4000-8000-000000000001";
  await expect(server.client("Guest").getReadinessPage({ startAfter })).rejects.toThrow(/400.*startAfter/);
});

test("a mistake of the server tells its id and nothing else, in the body of each area", async () => {
  writeFileSync(join(server.dataDir, "keys.json"), "broken");
  const bodyOf = async (path: string, method = "GET"): Promise<unknown> =>
    (await server.request(path, "Owner", { method })).json();
  const analytics = analyticsErrorSchema.strict().parse(await bodyOf("/api/v1/analytics/tools"));
  const computer = computerErrorSchema.parse(await bodyOf("/api/v0/computers/c1/install-deps", "POST"));
  for (const { status, title, detail } of [analytics, computer]) {
    expect([status, title]).toEqual([500, "Internal Server Error"]);
    expect(detail).not.toMatch(/keys\.json/);
  }
  expect(server.notes.join("\n")).toContain(analytics.requestId);
  expect(server.notes.join("\n")).toContain(String(computer.metadata?.requestId));
});

describe("the end of a list", () => {
  async function store(fill: (database: Awaited<ReturnType<typeof openDatabase>>) => void): Promise<void> {
    await server.stop();
    const database = await openDatabase(join(server.dataDir, "usage.db"), 0);
    fill(database);
    database.close();
    await server.restart();
  }

  test.each([
    [1, 1],
    [99, 1],
    [100, 1],
    [101, 2],
    [200, 2],
    [201, 3],
  ])("%i users come in %i pages of 100", async (count, pages) => {
    const atMs = Date.parse("2026-11-19T12:00:00Z");
    const seen = (user: string): UsageObservation => ({
      id: user,
      atMs,
      source: "hook",
      agent: "codex",
      session: user,
      user,
      counts: { prompt: 1 },
    });
    await store((database) =>
      ingest(
        database,
        Array.from({ length: count }, (_, n) => seen(`u${1000 + n}`)),
        [],
      ),
    );
    const sizes: number[] = [];
    for await (const { data } of server.client("Owner").listUsers(yesterday)) sizes.push(data.length);
    expect(sizes).toEqual(Array.from({ length: pages }, (_, page) => Math.min(100, count - page * 100)));
  });

  test.each([0, 1, 49, 50, 51, 100, 101])("%i reports come once each, the newest first", async (count) => {
    const report = (n: number): ReadinessReport => ({
      reportId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
      createdAt: 1_790_000_000_000 + n,
      repoUrl: "https://github.com/acme/shop",
      apps: {},
      report: {},
    });
    await store((database) => {
      for (let n = 0; n < count; n += 1) storeReport(database, report(n));
    });
    const found: number[] = [];
    for await (const page of server.client("Guest").listReadinessReports({ maxReports: 1000 }))
      found.push(...page.map(({ createdAt }) => createdAt - 1_790_000_000_000));
    expect(found).toEqual(Array.from({ length: count }, (_, n) => count - 1 - n));
  });
});
