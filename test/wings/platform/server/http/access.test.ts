// Who may ask for analytics, for which days and how often, and how each refusal looks.
import { afterEach, beforeEach, expect, test } from "vitest";
import { analyticsErrorSchema } from "../../../../../src/wings/platform/contract/analytics.ts";
import { roles } from "../../../../../src/wings/platform/contract/endpoints.ts";
import { keyLimit, strangerLimit } from "../../../../../src/http-server/guard.ts";
import { removeKey } from "../../../../../src/wings/platform/server/keys.ts";
import { everyRow } from "../../../../support/rows.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

const today = "2026-11-20";
const query = "startDate=2026-11-18&endDate=2026-11-19";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: `${today}T09:00:00Z` });
});
afterEach(() => server.remove());

const paths = ["tokens", "tools", "activity", "productivity", "users"];

async function ask(path: string, role: (typeof roles)[number] | undefined, search = query): Promise<[number, string]> {
  const response = await server.request(`/api/v1/analytics/${path}?${search}`, role);
  if (response.status === 200) return [200, ""];
  const body = analyticsErrorSchema.strict().parse(await response.json());
  expect(body.status).toBe(response.status);
  expect(response.headers.get("x-request-id")).toBe(body.requestId);
  return [response.status, body.detail];
}

test("owners and managers are answered, and no other role", async () => {
  const pairs = paths.flatMap((path) => roles.map((role) => ({ name: `${path} as ${role}`, path, role })));
  await everyRow(pairs, async ({ path, role }) => {
    expect((await ask(path, role))[0]).toBe(role === "Owner" || role === "Manager" ? 200 : 403);
  });
});

test("nothing is answered without a key, or with a wrong one", async () => {
  await everyRow(paths, async (path) => {
    // A stranger may not ask so often at once.
    server.clock.turn(1000 * strangerLimit.burst);
    expect((await ask(path, undefined))[0]).toBe(401);
    for (const authorization of [
      "Bearer hbk_wrong",
      "Basic YTpi",
      "Bearer",
      `bearer  ${server.keys.Owner.key} x`,
      "Bearer ünknown",
    ]) {
      const response = await server.request(`/api/v1/analytics/${path}?${query}`, undefined, {
        headers: { authorization: Buffer.from(authorization).toString("latin1") },
      });
      expect(response.status, authorization).toBe(401);
      expect(response.headers.get("www-authenticate")).toBe("Bearer");
    }
  });
});

test("a long key, such as a token of another service, is compared like any other", async () => {
  const headers = { authorization: `Bearer ${"eyJhbGciOiJIUzI1NiJ9.".padEnd(332, "x")}` };
  const response = await server.request(`/api/v1/analytics/tokens?${query}`, undefined, { headers });
  expect([response.status, await response.json()]).toMatchObject([401, { detail: "the key is not known" }]);
});

const searches: [search: string, status: number, detail?: RegExp][] = [
  ["startDate=2026-01-14&endDate=2026-11-19", 200],
  ["startDate=2026-01-13&endDate=2026-11-19", 400, /^startDate: 2026-01-13 is before 2026-01-14/],
  ["startDate=2026-11-19&endDate=2026-11-20", 400, /^endDate: 2026-11-20 is today/],
  ["startDate=2026-11-19&endDate=2026-11-21", 400, /^endDate: 2026-11-21 is in the future/],
  ["startDate=2026-11-19&endDate=2026-11-18", 400, /^startDate: 2026-11-19 is after/],
  ["startDate=2026-11-31&endDate=2026-11-19", 400, /^startDate: there is no such day as 2026-11-31$/],
  ["startDate=19-11-2026&endDate=20261119", 400, /startDate: .*; endDate: /],
  ["endDate=2026-11-19", 400, /^startDate: is required/],
  ["startDate=2026-11-19", 400, /^endDate: is required/],
  [`${query}&group_by=nothing`, 400, /^group_by: /],
  [`${query}&group_by=`, 400, /^group_by: /],
  [`${query}&unknown=1`, 200],
  [`${query}&endDate=2026-11-18`, 400, /^endDate: is given twice$/],
];
test("days are answered or refused with what is wrong with them", async () => {
  await everyRow(searches, async ([search, status, detail = /^$/]) => {
    for (const path of paths) {
      const [got, why] = await ask(path, "Owner", search);
      expect(got, path).toBe(status);
      expect(why).toMatch(detail);
    }
  });
});

test("each endpoint has its own group_by, and no other's", async () => {
  const groups = { tokens: "model", tools: "tool_name", activity: "client", productivity: undefined, users: undefined };
  for (const [path, own] of Object.entries(groups)) {
    for (const group of ["model", "tool_name", "client"]) {
      expect((await ask(path, "Owner", `${query}&group_by=${group}`))[0], `${path} ${group}`).toBe(
        group === own ? 200 : 400,
      );
    }
  }
});

const limits: [limit: string, status: number][] = [
  ["1", 200],
  ["100", 200],
  ["0", 400],
  ["101", 400],
  ["-1", 400],
  ["1.5", 400],
  ["ten", 400],
  ["", 400],
  ["0x10", 400],
  ["1e1", 400],
  ["%205", 400],
  ["5&limit=6", 400],
];
test("a page has 1 to 100 users", async () => {
  await everyRow(limits, async ([limit, status]) => {
    expect((await ask("users", "Owner", `${query}&limit=${limit}`))[0]).toBe(status);
  });
});

test("today becomes yesterday at midnight UTC", async () => {
  const search = `startDate=${today}&endDate=${today}`;
  server.clock.set(Date.parse(`${today}T23:59:59.999Z`));
  expect((await ask("tools", "Owner", search))[0]).toBe(400);
  server.clock.set(Date.parse("2026-11-21T00:00:00.000Z"));
  expect((await ask("tools", "Owner", search))[0]).toBe(200);
});

test("today is answered to those who ask for its figures so far, and tomorrow is not", async () => {
  const search = `startDate=${today}&endDate=${today}`;
  for (const path of paths) {
    expect((await ask(path, "Owner", `${search}&so_far=false`))[0], path).toBe(400);
    const response = await server.request(`/api/v1/analytics/${path}?${search}&so_far=true`, "Owner");
    expect(await response.json(), path).toMatchObject({ meta: { end_date: today, so_far: today } });
    const yesterday = await server.request(`/api/v1/analytics/${path}?${query}&so_far=true`, "Owner");
    expect(Object.keys(((await yesterday.json()) as { meta: object }).meta)).not.toContain("so_far");
  }
  expect((await ask("tokens", "Owner", `startDate=${today}&endDate=2026-11-21&so_far=true`))[0]).toBe(400);
});

test("a removed key is refused at once", async () => {
  expect((await ask("tools", "Owner"))[0]).toBe(200);
  await removeKey(server.dataDir, server.keys.Owner.name, server.clock);
  expect((await ask("tools", "Owner"))[0]).toBe(401);
  expect((await ask("tools", "Manager"))[0]).toBe(200);
});

test("a key has so many requests at once, and more with time; another one is not concerned", async () => {
  const statuses = [];
  for (let index = 0; index <= keyLimit.burst; index += 1) statuses.push((await ask("activity", "Owner"))[0]);
  expect(statuses.filter((status) => status === 200)).toHaveLength(keyLimit.burst);
  const refused = await server.request(`/api/v1/analytics/activity?${query}`, "Owner");
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
  expect((await ask("activity", "Manager"))[0]).toBe(200);
  server.clock.turn(1000);
  expect((await ask("activity", "Owner"))[0]).toBe(200);
});

test("an address that guesses keys is slowed down", async () => {
  const statuses = [];
  for (let index = 0; index <= strangerLimit.burst; index += 1) statuses.push((await ask("activity", undefined))[0]);
  expect(new Set(statuses.slice(0, -1))).toEqual(new Set([401]));
  expect(statuses.at(-1)).toBe(429);
  expect((await ask("activity", "Owner"))[0]).toBe(200);
});

test("an unknown path is 404, a wrong method 405, and no other site may read an answer", async () => {
  expect((await server.request("/api/v1/analytics/else", "Owner")).status).toBe(404);
  const wrongMethod = await server.request(`/api/v1/analytics/tokens?${query}`, "Owner", { method: "DELETE" });
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET"]);
  const answer = await server.request(`/api/v1/analytics/tokens?${query}`, "Owner", {
    headers: { origin: "https://evil.example" },
  });
  expect([...answer.headers.keys()].filter((name) => /cookie|access-control/.test(name))).toEqual([]);
});
