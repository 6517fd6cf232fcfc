// Readiness reports: stored by a request or from a folder, listed newest first.
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { roles, type ApiRole } from "../../../../../src/wings/platform/contract/endpoints.ts";
import type { ReadinessReport } from "../../../../../src/wings/platform/contract/readiness.ts";
import { reportLimit } from "../../../../../src/wings/platform/server/http/guard.ts";
import { everyRow } from "../../../../support/rows.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterEach(() => server.remove());

function report(n: number, repoUrl = "https://github.com/acme/shop.git"): ReadinessReport {
  return {
    reportId: `00000000-0000-4000-8000-00000000000${n}`,
    createdAt: 1_790_000_000_000 + n,
    repoUrl,
    apps: { "apps/web": { description: "the shop" } },
    report: { tests: { numerator: 1, denominator: 2, rationale: "one of two has tests" } },
    commitHash: "abc",
    modelUsed: { id: "opus", reasoningEffort: "high" },
  };
}

async function post(body: unknown, role: ApiRole | undefined = "Member"): Promise<number> {
  const init = { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) };
  return (await server.request("/api/extensions/readiness-reports", role, init)).status;
}

async function get(search: string, role: ApiRole = "Guest"): Promise<[number, number[]]> {
  const response = await server.request(`/api/organization/maturity-level-reports${search}`, role);
  if (response.status !== 200) return [response.status, []];
  const { reports } = (await response.json()) as { reports: ReadinessReport[] };
  return [200, reports.map(({ reportId }) => Number(reportId.at(-1)))];
}

test("reports come back as they were stored, newest first, and once", async () => {
  for (const n of [2, 1, 3]) expect(await post(report(n))).toBe(201);
  expect(await post({ ...report(2), branch: "later" })).toBe(200);
  const reports = [];
  for await (const page of server.client("Guest").listReadinessReports({ maxReports: 100 })) reports.push(...page);
  expect(reports).toEqual([report(3), report(2), report(1)]);
});

test("pages follow each other, also of one repository", async () => {
  for (const n of [1, 2, 3, 4, 5]) await post(report(n, n === 3 ? "git@github.com:acme/other" : undefined));
  const after = (n: number): string => `&startAfter=${report(n).reportId}`;
  expect(await get("?limit=2")).toEqual([200, [5, 4]]);
  expect(await get(`?limit=2${after(4)}`)).toEqual([200, [3, 2]]);
  expect(await get(`?limit=2${after(2)}`)).toEqual([200, [1]]);
  expect(await get(`?limit=2${after(1)}`)).toEqual([200, []]);
  expect(await get("?repoId=github.com/ACME/shop")).toEqual([200, [5, 4, 2, 1]]);
  expect(await get(`?repoId=https://github.com/acme/shop&limit=1${after(4)}`)).toEqual([200, [2]]);
  expect(await get("?repoId=https://x:y@github.com/acme/other.git/")).toEqual([200, [3]]);
  expect(await get("?repoId=github.com/acme/none")).toEqual([200, []]);
});

const wrongSearches = [
  "?limit=0",
  "?limit=-1",
  "?limit=x",
  "?limit=1.5",
  "?limit=0x10",
  "?limit=1e2",
  "?limit=",
  "?limit=1&limit=2",
  "?repoId=a&repoId=b",
  "?startAfter=x",
  `?startAfter=${report(9).reportId}`,
  "?repoId=",
  `?repoId=${"x".repeat(1001)}`,
];
test("a search that is none is refused", async () => {
  await everyRow(wrongSearches, async (search) => {
    expect((await get(search))[0]).toBe(400);
  });
});

test("every role reads; all but guests store", async () => {
  await everyRow(roles, async (role) => {
    expect((await get("", role))[0]).toBe(200);
    expect(await post(report(1 + roles.indexOf(role)), role)).toBe(role === "Guest" ? 403 : 201);
  });
});

const wrongReports: [name: string, body: unknown][] = [
  ["no JSON", "{"],
  ["no object", "[]"],
  ["no id", { ...report(1), reportId: "1" }],
  [
    "a criterion that more pass than there are",
    { ...report(1), report: { a: { numerator: 2, denominator: 1, rationale: "" } } },
  ],
  ["a repository's address of 80,000 slashes", report(1, "/".repeat(80_000))],
  ["a time in seconds", { ...report(1), createdAt: 1_790_000_000 }],
  ["a level of effort that no one knows", { ...report(1), modelUsed: { id: "opus", reasoningEffort: "huge" } }],
  ["a time before 1970", { ...report(1), createdAt: -1 }],
  ["a time more than an hour ahead", { ...report(1), createdAt: Date.parse("2026-11-20T10:00:01Z") }],
  ["a time in ages", { ...report(1), createdAt: 1e300 }],
  ["a member with a long name", { ...report(1), ["x".repeat(10_001)]: 1 }],
];
test("a report that is none is refused", async () => {
  await everyRow(wrongReports, async ([, body]) => {
    expect(await post(body)).toBe(400);
  });
});

test("what is refused is said in plain words", async () => {
  const detailOf = async (path: string, init?: RequestInit): Promise<string> =>
    ((await (await server.request(path, "Member", init)).json()) as { detail: string }).detail;
  const posted = (body: unknown): Promise<string> =>
    detailOf("/api/extensions/readiness-reports", { method: "POST", body: JSON.stringify(body) });
  expect(await posted({ ...report(1), createdAt: 1_790_000_000 })).toBe(
    "createdAt: expected milliseconds since 1970, got 1790000000, which looks like seconds",
  );
  const { createdAt: _, ...rest } = report(1);
  expect(await posted(rest)).toBe("createdAt: expected a number, got nothing");
  expect(await posted({ ...report(1), reportId: "1" })).toBe("reportId: expected a UUID");
  expect(await posted([])).toBe("the body: expected an object, got an empty array");
  expect(await posted({ ...report(1), modelUsed: { id: "opus", reasoningEffort: "huge" } })).toMatch(
    /^modelUsed\.reasoningEffort: expected one of "low", .*"none"/,
  );
  expect(await detailOf("/api/organization/maturity-level-reports?limit=0")).toBe(
    "limit: expected a whole number from 1 on",
  );
  expect(await detailOf("/api/organization/maturity-level-reports?startAfter=x")).toBe("startAfter: expected a UUID");
});

test("a report with a level of effort that Droid writes is stored, and comes back", async () => {
  const droids = { ...report(1), modelUsed: { id: "opus", reasoningEffort: "none" } };
  expect(await post(droids)).toBe(201);
  const response = await server.request("/api/organization/maturity-level-reports", "Guest");
  expect(await response.json()).toEqual({ reports: [droids] });
});

test("a clock may be an hour ahead", async () => {
  expect(await post({ ...report(1), createdAt: Date.parse("2026-11-20T10:00:00Z") })).toBe(201);
});

test("a key stores a number of new reports a day; what is stored, and other keys, are not concerned", async () => {
  const numbered = (n: number): object => ({
    ...report(1),
    reportId: `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`,
  });
  for (let n = 1; n <= reportLimit.burst; n += 1) expect(await post(numbered(n))).toBe(201);
  const refused = await server.request("/api/extensions/readiness-reports", "Member", {
    method: "POST",
    body: JSON.stringify(numbered(1000)),
  });
  const waitSeconds = Number(refused.headers.get("retry-after"));
  expect(refused.status).toBe(429);
  expect(await refused.json()).toMatchObject({
    detail: `too many new reports of this key; try again in ${waitSeconds} s`,
  });
  expect(await post(numbered(1))).toBe(200);
  expect(await post(numbered(1000), "Owner")).toBe(201);
  server.clock.turn(waitSeconds * 1000);
  expect(await post(numbered(1001))).toBe(201);
});

test("a report has at most 256 KiB", async () => {
  const apps = Object.fromEntries(Array.from({ length: 30 }, (_, n) => [String(n), { description: "x".repeat(9000) }]));
  expect(await post({ ...report(1), apps })).toBe(413);
});

test("a pipe, a folder and a link to itself in readiness/ stop nothing else from being counted (posix)", async () => {
  const folder = join(server.dataDir, "readiness");
  mkdirSync(join(folder, "a.json"), { recursive: true });
  execFileSync("mkfifo", [join(folder, "b.json")]);
  symlinkSync("c.json", join(folder, "c.json"));
  writeFileSync(join(folder, "d.json"), JSON.stringify(report(1)));
  const getLater = (): Promise<unknown> => {
    server.clock.turn(10_000);
    return get("");
  };
  await expect.poll(getLater).toEqual([200, [1]]);
  for (const name of ["a", "b", "c"]) {
    expect(server.notes.filter((note) => note.includes(`${name}.json: not a readiness report`))).toHaveLength(1);
  }
});

test("files in the folder readiness/ are taken in, and a broken one is reported", async () => {
  const folder = join(server.dataDir, "readiness");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.json"), JSON.stringify(report(1)));
  writeFileSync(join(folder, "b.json"), "{}");
  const getLater = (): Promise<unknown> => {
    server.clock.turn(10_000);
    return get("");
  };
  await expect.poll(getLater).toEqual([200, [1]]);
  await expect.poll(() => server.notes.join("\n")).toContain("b.json: not a readiness report");
});
