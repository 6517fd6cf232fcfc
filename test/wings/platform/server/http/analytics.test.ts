// The platform's typed client against the server, over HTTP: every field of the analytics.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { countsOfTokens } from "../../../../../src/wings/platform/server/analytics/counts.ts";
import type { UsageObservation } from "../../../../../src/wings/platform/server/analytics/observation.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

const today = "2026-11-20";
const noonOf = (date: string): number => Date.parse(`${date}T12:00:00Z`);

function seen(id: string, user: string, date: string, counts: UsageObservation["counts"], more = {}): UsageObservation {
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

let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now: `${today}T09:00:00Z`, observations });
});
afterEach(() => server.remove());

describe("every endpoint, through the typed client", () => {
  test("tokens are counted by day, model and tier", async () => {
    const { data, meta } = await server.client("Owner").getTokens(range);
    expect(meta).toMatchObject({ org_id: "local", start_date: "2026-11-18", end_date: "2026-11-19" });
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

  test("tool calls are counted by tool, server, skill and level", async () => {
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

  test("activity counts users, sessions and messages by client", async () => {
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

  test("productivity counts files by language, commits and pull requests", async () => {
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

  test("users come page after page, each with their own figures", async () => {
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
