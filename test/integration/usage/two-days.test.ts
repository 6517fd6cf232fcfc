// Two days of an agent's work: through the hooks that `init --usage` installs and its transcript, into the server's answers.
import { readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { arriveTogether } from "../../support/project/arrive-together.ts";
import { temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startServerHere } from "../../support/usage/server-process.ts";
import { writeTranscripts } from "../../support/usage/transcript-home.ts";

const dayMs = 86_400_000;
const startedAt = Date.now();
const dateOf = (daysAgo: number): string => new Date(startedAt - daysAgo * dayMs).toISOString().slice(0, 10);
const payloads = fileURLToPath(new URL("../../agents/known/claude-code/payloads/", import.meta.url));

/** A payload that Claude Code was seen to write, in this session. */
function payload(name: string, session_id: string, more: object = {}): string {
  const seen = JSON.parse(readFileSync(join(payloads, `${name}.json`), "utf8")) as object;
  return JSON.stringify({ ...seen, session_id, ...more });
}

/** Runs the hook for each, as if it had been called at noon of that day, and lets the dispatcher take them in. */
async function hookOn(project: Project, daysAgo: number, inputs: readonly string[]): Promise<void> {
  const hooks = inputs.map((input, index) => async () => {
    const args = ["--agent", "claude-code"];
    // One hook runs as the agent runs it, and the others as commands within the test.
    const ended = index === 0 ? project.hook(input, args) : project.command(["hook", ...args], input);
    expect(await ended).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
  await arriveTogether(project, hooks, Date.parse(`${dateOf(daysAgo)}T12:00:00Z`));
}

test("two days of payloads and a transcript become counts in every answer of the server, and no text of them does", async () => {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [{ name: "all", notify: [] }] });
  expect((await project.command(["init", "--agent", "claude-code", "--usage", "--yes"])).code).toBe(0);
  const settings = JSON.parse(readFileSync(join(project.home, ".claude/settings.json"), "utf8")) as { hooks: object };
  expect(Object.keys(settings.hooks)).toEqual(
    expect.arrayContaining(["PostToolUse", "PostToolUseFailure", "UserPromptSubmit"]),
  );

  const secret = "a secret that stays here";
  const commit = { tool_input: { command: `git commit -m '${secret}'` } };
  const write = {
    tool_name: "Write",
    tool_input: { file_path: "/p/a.ts", content: secret },
    tool_response: { type: "create" },
  };
  await hookOn(project, 2, [
    payload("UserPromptSubmit", "s1", { prompt: secret }),
    payload("PostToolUse-Bash", "s1", commit),
    payload("PostToolUseFailure-Bash", "s1", { ...commit, error: secret }),
    payload("PostToolUse-Bash", "s1", { ...write, permission_mode: "acceptEdits" }),
    payload("Stop", "s1", { last_assistant_message: "done" }),
  ]);
  await hookOn(project, 1, [
    payload("UserPromptSubmit", "s2", { prompt: "/review it" }),
    payload("PostToolUse-Bash", "s2", { tool_name: "mcp__github__get_pr", tool_input: {} }),
    payload("Stop", "s2"),
    payload("SessionEnd-other", "s2"),
  ]);
  // Of a call, nothing but names and counts goes on record.
  const calls = project
    .journal()
    .filter((entry) => entry.kind === "event" && JSON.stringify(entry).includes("PostToolUse"));
  expect(calls).toHaveLength(4);
  expect(JSON.stringify(calls)).not.toContain("secret");
  expect(readdirSync(project.layout.incoming)).toEqual([]);

  writeTranscripts(project.home, {
    ".claude/projects/p/s2.jsonl": [
      {
        type: "assistant",
        timestamp: `${dateOf(1)}T12:00:00.000Z`,
        sessionId: "s2",
        requestId: "r1",
        entrypoint: "sdk-cli",
        message: {
          id: "m1",
          role: "assistant",
          model: "claude-opus-5",
          content: [{ type: "text", text: secret }],
          usage: { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 },
        },
      },
    ],
  });
  const { stdout } = await project.command(["keys", "add", "ann@example.org", "--role", "owner", "--json"]);
  const { key } = JSON.parse(stdout) as { key: string };
  const server = await startServerHere(project, ["--backfill"]);
  const ask = async (path: string): Promise<unknown> => {
    const url = `${server.url}/api/v1/analytics/${path}?startDate=${dateOf(2)}&endDate=${dateOf(1)}`;
    const response = await fetch(url, { headers: { authorization: `Bearer ${key}` } });
    return await response.json();
  };
  const meta = { org_id: "local", start_date: dateOf(2), end_date: dateOf(1) };
  const days = [{ date: dateOf(2) }, { date: dateOf(1) }];
  await expect
    .poll(() => ask("tokens"), { interval: 200 })
    .toMatchObject({
      data: [
        { ...days[0], input_tokens: 0 },
        { ...days[1], billable_tokens: 50, input_tokens: 10 },
      ],
      meta,
    });
  const isCounted = expect.arrayContaining([expect.objectContaining({ tool: "Write" })]) as unknown;
  await expect.poll(() => ask("tools")).toMatchObject({ data: [{ by_tool: isCounted }, {}] });
  expect(await ask("tools")).toMatchObject({
    data: [
      {
        ...days[0],
        tool_calls: 3,
        by_tool: [
          { tool: "Bash", invocations: 2 },
          { tool: "Write", invocations: 1 },
        ],
        autonomy_ratio_avg: 3,
        tool_autonomy_level_ratio: { auto_low: 0.3333, manual: 0.6667 },
        hooks_invocations: 5,
      },
      {
        ...days[1],
        tool_calls: 1,
        mcp_by_server: [{ server: "github", invocations: 1 }],
        slash_commands_by_name: [{ name: "review", count: 1 }],
      },
    ],
  });
  expect(await ask("activity")).toMatchObject({
    data: [
      { ...days[0], sessions: 1, user_messages: 1, messages: 2, daily_active_users_by_client: { "terminal-ui": 1 } },
      {
        ...days[1],
        sessions: 1,
        user_messages: 1,
        messages: 2,
        daily_active_users_by_client: { "non-interactive-cli": 1 },
      },
    ],
  });
  expect(await ask("productivity")).toMatchObject({
    data: [
      { ...days[0], files_created: 1, git_commits: 1, by_language: [{ language: "TypeScript", count: 1 }] },
      { ...days[1], files_created: 0, git_commits: 0 },
    ],
  });
  expect(await ask("users")).toMatchObject({
    data: [
      { user_id: "me", user_email: null, ...days[0], delegation_level: "manual", languages: ["TypeScript"] },
      { user_id: "me", ...days[1], primary_model: "claude-opus-5", mcp_calls: 1 },
    ],
    meta: { ...meta, has_more: false },
  });
  // The command line asks the same server.
  Object.assign(project.env, { HOOKBELL_PLATFORM_URL: server.url, HOOKBELL_PLATFORM_KEY: key });
  const table = await project.command(["usage", "tools", "--from", dateOf(2), "--to", dateOf(1), "--format", "json"]);
  expect(table).toMatchObject({ code: 0 });
  expect(JSON.parse(table.stdout)).toEqual(await ask("tools"));
  const stored = ["usage.db", "usage.db-wal"].map((name) =>
    readFileSync(join(project.layout.root, "server", name), "latin1"),
  );
  expect(stored.join("")).not.toContain("secret");
  expect(await server.end()).toBe(0);
  rmSync(join(project.layout.root, "server"), { recursive: true });
});
