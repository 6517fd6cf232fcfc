// The platform's typed client against the server, over HTTP: analytics.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { analyticsErrorSchema } from "../../../src/platform/contract/analytics.ts";
import { roles } from "../../../src/platform/contract/endpoints.ts";
import { countsOfTokens } from "../../../src/server/analytics/counts.ts";
import { keyLimit, strangerLimit } from "../../../src/server/http/guard.ts";
import { removeKey } from "../../../src/server/keys.ts";
import type { Observation } from "../../../src/server/store/ingest.ts";
import { startTestServer, type TestServer } from "../../support/server/running-server.ts";

const today = "2026-11-20";
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`);

function seen(id: string, user: string, date: string, counts: Observation["counts"], more = {}): Observation {
  const usual = { atMs: noonOf(date), source: "transcript", agent: "claude-code", session: `${user} ${date}` } as const;
  return { id: `${user} ${date} ${id}`, user, ...usual, counts, ...more };
}

/** Two users on two days. */
const observations = [
  ...["2026-11-18", "2026-11-19"].flatMap((date) => [
    seen("p", "ann@example.org", date, { prompt: 2, answer: 3 }),
    seen("t", "ann@example.org", date, {
      "tool:Bash": 5,
      "tool:mcp__github__list": 1,
      "server:github": 1,
      "level:auto-high": 6,
      "skill:review": 1,
      "slash:deploy": 1,
      "created:.ts": 1,
      "edited:.py": 2,
      "edited:": 1,
      commit: 1,
      pullRequest: 1,
    }),
    seen(
      "m",
      "ann@example.org",
      date,
      countsOfTokens({ model: "opus", input: 100, output: 20, cacheRead: 1000, cacheWrite: 40 }),
    ),
  ]),
  seen("t", "ben", "2026-11-19", { "tool:Bash": 1, prompt: 1, "hook:Stop": 1 }, { client: "non-interactive-cli" }),
  seen("m", "ben", "2026-11-19", countsOfTokens({ model: "haiku", input: 7, output: 3, cacheRead: 0, cacheWrite: 0 })),
  seen("think", "ben", "2026-11-19", { "thinking:haiku": 1 }),
];
const range = { startDate: "2026-11-18", endDate: "2026-11-19" };
const query = "startDate=2026-11-18&endDate=2026-11-19";

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: `${today}T09:00:00Z`, observations });
});
afterEach(() => server.remove());

describe("every endpoint, through the typed client", () => {
  test("tokens", async () => {
    const { data, meta } = await server.client("Owner").getTokens(range);
    expect(meta).toEqual({ org_id: "local", start_date: "2026-11-18", end_date: "2026-11-19" });
    const opus = {
      model_id: "opus",
      model_tier: "standard",
      billable_tokens: 270,
      input_tokens: 100,
      output_tokens: 20,
    };
    const haiku = { model_id: "haiku", model_tier: "thinking", billable_tokens: 10, input_tokens: 7, output_tokens: 3 };
    const ann = { user_id: "ann@example.org", user_email: "ann@example.org", billable_tokens: 270, by_model: [opus] };
    expect(data).toEqual([
      {
        date: "2026-11-18",
        billable_tokens: 270,
        input_tokens: 100,
        output_tokens: 20,
        cache_read_tokens: 1000,
        cache_write_tokens: 40,
        by_model: [opus],
        by_user: [ann],
      },
      {
        date: "2026-11-19",
        billable_tokens: 280,
        input_tokens: 107,
        output_tokens: 23,
        cache_read_tokens: 1000,
        cache_write_tokens: 40,
        by_model: [opus, haiku],
        by_user: [ann, { user_id: "ben", user_email: "", billable_tokens: 10, by_model: [haiku] }],
      },
    ]);
    const grouped = await server.client("Manager").getTokens({ ...range, groupBy: "model" });
    const tokens = { billable_tokens: 270, input_tokens: 100, output_tokens: 20 };
    expect(grouped.data).toEqual([
      { date: "2026-11-18", group_key: "opus", ...tokens },
      { date: "2026-11-19", group_key: "opus", ...tokens },
      { date: "2026-11-19", group_key: "haiku", billable_tokens: 10, input_tokens: 7, output_tokens: 3 },
    ]);
  });

  test("tools", async () => {
    const { data } = await server.client("Owner").getTools(range);
    expect(data[1]).toEqual({
      date: "2026-11-19",
      tool_calls: 7,
      by_tool: [
        { tool: "Bash", invocations: 6 },
        { tool: "mcp__github__list", invocations: 1 },
      ],
      mcp_users_with_mcp: 1,
      mcp_by_server: [{ server: "github", invocations: 1 }],
      skills_invocations: 1,
      skills_by_name: [{ name: "review", count: 1 }],
      slash_commands_invocations: 1,
      slash_commands_by_name: [{ name: "deploy", count: 1 }],
      hooks_invocations: 1,
      hooks_by_event: [{ event: "Stop", matcher: "", command: "hookbell hook", count: 1 }],
      web_users: 0,
      autonomy_ratio_avg: 2.3333,
      autonomy_ratio_p50: 1,
      autonomy_ratio_p90: 3,
      tool_calls_per_session_avg: 3.5,
      user_turns_per_session_avg: 1.5,
      tool_autonomy_level_ratio: { auto_high: 1, auto_medium: 0, auto_low: 0, manual: 0 },
    });
    const grouped = await server.client("Owner").getTools({ ...range, groupBy: "tool_name" });
    expect(grouped.data).toContainEqual({ date: "2026-11-19", group_key: "Bash", tool_calls: 6 });
  });

  test("activity", async () => {
    const { data } = await server.client("Owner").getActivity(range);
    expect(data[1]).toEqual({
      date: "2026-11-19",
      daily_active_users: 2,
      weekly_active_users: 2,
      monthly_active_users: 2,
      daily_active_users_by_client: { "terminal-ui": 1, web: 0, "non-interactive-cli": 1 },
      sessions: 2,
      messages: 6,
      user_messages: 3,
    });
    const grouped = await server.client("Owner").getActivity({ ...range, groupBy: "client" });
    expect(grouped.data.map(({ date, group_key }) => `${date} ${group_key}`)).toEqual([
      "2026-11-18 terminal-ui",
      "2026-11-19 terminal-ui",
      "2026-11-19 non-interactive-cli",
    ]);
  });

  test("productivity", async () => {
    const { data } = await server.client("Owner").getProductivity(range);
    expect(data[0]).toEqual({
      date: "2026-11-18",
      files_created: 1,
      files_edited: 3,
      by_extension: [
        { extension: ".py", count: 2 },
        { extension: "", count: 1 },
        { extension: ".ts", count: 1 },
      ],
      by_language: [
        { language: "Python", count: 2 },
        { language: "Other", count: 1 },
        { language: "TypeScript", count: 1 },
      ],
      git_commits: 1,
      git_prs_created: 1,
    });
  });

  test("users, page after page", async () => {
    const pages = [];
    for await (const page of server.client("Owner").listUsers({ ...range, limit: 1 })) pages.push(page);
    expect(pages.map(({ meta }) => [meta.has_more, meta.next_cursor])).toEqual([
      [true, "ann@example.org"],
      [false, undefined],
    ]);
    expect(pages[1]?.data).toEqual([
      {
        user_id: "ben",
        user_email: null,
        date: "2026-11-19",
        tool_calls: 1,
        billable_tokens: 10,
        primary_model: "haiku",
        primary_model_tier: "thinking",
        files_created: 0,
        files_edited: 0,
        git_commits: 0,
        git_prs_created: 0,
        mcp_calls: 0,
        skill_calls: 0,
        slash_commands: 0,
        hooks: 1,
        sessions: 1,
        messages: 1,
        user_messages: 1,
        assistant_messages: 0,
        autonomy_ratio: 1,
        delegation_level: "manual",
        languages: [],
      },
    ]);
    expect(pages[0]?.data).toMatchObject([
      { date: "2026-11-18", delegation_level: "auto-high", languages: ["Python", "TypeScript"] },
      { date: "2026-11-19", user_email: "ann@example.org", primary_model: "opus", assistant_messages: 3 },
    ]);
  });
});

const paths = ["tokens", "tools", "activity", "productivity", "users"];

async function ask(path: string, role: (typeof roles)[number] | undefined, search = query): Promise<[number, string]> {
  const response = await server.request(`/api/v1/analytics/${path}?${search}`, role);
  if (response.status === 200) return [200, ""];
  const body = analyticsErrorSchema.strict().parse(await response.json());
  expect(body.status).toBe(response.status);
  expect(response.headers.get("x-request-id")).toBe(body.requestId);
  return [response.status, body.detail];
}

test.each(paths.flatMap((path) => roles.map((role) => [path, role] as const)))("%s as %s", async (path, role) => {
  expect((await ask(path, role))[0]).toBe(role === "Owner" || role === "Manager" ? 200 : 403);
});

test.each(paths)("%s without a key, or with a wrong one", async (path) => {
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

test.each<[string, number, RegExp?]>([
  ["startDate=2026-01-14&endDate=2026-11-19", 200],
  ["startDate=2026-01-13&endDate=2026-11-19", 400, /^startDate: 2026-01-13 is before 2026-01-14/],
  ["startDate=2026-11-19&endDate=2026-11-20", 400, /^endDate: 2026-11-20 is today/],
  ["startDate=2026-11-19&endDate=2026-11-21", 400, /^endDate: 2026-11-21 is in the future/],
  ["startDate=2026-11-19&endDate=2026-11-18", 400, /^startDate: 2026-11-19 is after/],
  ["startDate=2026-11-31&endDate=2026-11-19", 400, /^startDate: "2026-11-31" is not a date/],
  ["startDate=19-11-2026&endDate=20261119", 400, /startDate: .*; endDate: /],
  ["endDate=2026-11-19", 400, /^startDate: is required/],
  ["startDate=2026-11-19", 400, /^endDate: is required/],
  [`${query}&group_by=nothing`, 400, /^group_by: /],
  [`${query}&group_by=`, 400, /^group_by: /],
  [`${query}&unknown=1`, 200],
])("%s: %s", async (search, status, detail = /^$/) => {
  for (const path of paths) {
    const [got, why] = await ask(path, "Owner", search);
    expect(got, path).toBe(status);
    expect(why).toMatch(detail);
  }
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

test.each([
  ["1", 200],
  ["100", 200],
  ["0", 400],
  ["101", 400],
  ["-1", 400],
  ["1.5", 400],
  ["ten", 400],
  ["", 400],
])("users with limit=%s: %s", async (limit, status) => {
  expect((await ask("users", "Owner", `${query}&limit=${limit}`))[0]).toBe(status);
});

test("today becomes yesterday at midnight UTC", async () => {
  const search = `startDate=${today}&endDate=${today}`;
  server.clock.set(Date.parse(`${today}T23:59:59.999Z`));
  expect((await ask("tools", "Owner", search))[0]).toBe(400);
  server.clock.set(Date.parse("2026-11-21T00:00:00.000Z"));
  expect((await ask("tools", "Owner", search))[0]).toBe(200);
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

test("what is not there, and what cannot be done with what is", async () => {
  expect((await server.request("/api/v1/analytics/else", "Owner")).status).toBe(404);
  const wrongMethod = await server.request(`/api/v1/analytics/tokens?${query}`, "Owner", { method: "DELETE" });
  expect([wrongMethod.status, wrongMethod.headers.get("allow")]).toEqual([405, "GET"]);
  const answer = await server.request(`/api/v1/analytics/tokens?${query}`, "Owner", {
    headers: { origin: "https://evil.example" },
  });
  expect([...answer.headers.keys()].filter((name) => /cookie|access-control/.test(name))).toEqual([]);
});
