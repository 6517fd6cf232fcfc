// Events of other machines: signed, counted once, and only what is counted is kept.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Webhook } from "standardwebhooks";
import type { AgentEvent } from "../../../../../src/model/event.ts";
import { everyRow } from "../../../../support/rows.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";
import { webhookBody, type WebhookFormat } from "../../../../../src/channels/automation/webhook/message.ts";

const now = "2026-11-20T12:00:00.000Z";
let server: TestServer;
beforeEach(async () => {
  server = await startTestServer({ now });
});
afterEach(() => server.remove());

const call: AgentEvent = {
  id: "evt_1",
  name: "PostToolUse",
  agent: "claude-code",
  session: "s1",
  cwd: "/srv/secret-project",
  project: "secret-project",
  host: "laptop",
  at: now,
  level: "info",
  usage: { tool: "Bash", level: "auto-low", commits: 1 },
};

interface Sent {
  event?: AgentEvent;
  user?: keyof TestServer["keys"];
  name?: string;
  secret?: string;
  format?: WebhookFormat;
  atMs?: number;
  tamper?: (body: string) => string;
}

/** As the `webhook` channel makes the body; another library signs it. */
async function send({
  event = call,
  user = "Member",
  name,
  secret,
  format = "standard",
  atMs,
  tamper,
}: Sent = {}): Promise<number> {
  const key = server.keys[user];
  const message = { title: "t", body: "b", level: event.level, fields: [] };
  const { headers, body } = webhookBody({ event, message, deliveryId: "msg_1", payload: undefined }, format, false);
  const time = new Date(atMs ?? server.clock.now());
  const signature = new Webhook(secret ?? key.signingSecret).sign("msg_1", time, body);
  const response = await fetch(`${server.url}/api/extensions/events/${name ?? encodeURIComponent(key.name)}`, {
    method: "POST",
    body: tamper?.(body) ?? body,
    headers: {
      ...headers,
      "webhook-id": "msg_1",
      "webhook-timestamp": String(Math.floor(time.getTime() / 1000)),
      "webhook-signature": `v1a,other ${signature}`,
    },
  });
  return response.status;
}

async function toolsOf(date: string): Promise<{ tool_calls: number; hooks_invocations: number }> {
  server.clock.set(Date.parse("2026-11-22T09:00:00Z"));
  const { data } = await server.client("Owner").getTools({ startDate: date, endDate: date });
  return data[0] as Awaited<ReturnType<typeof toolsOf>>;
}

test.each<WebhookFormat>(["standard", "cloudevents", "cloudevents-binary"])(
  "an event counts once, as %s",
  async (format) => {
    expect(await send({ format })).toBe(204);
    expect(await send({ format })).toBe(204);
    expect(await send({ format, event: { ...call, id: "evt_2" } })).toBe(204);
    expect(await toolsOf("2026-11-20")).toMatchObject({ tool_calls: 2, hooks_invocations: 2 });
    const users = await server.client("Owner").getUsersPage({ startDate: "2026-11-20", endDate: "2026-11-20" });
    expect(users.data).toMatchObject([{ user_id: "member@example.org", git_commits: 2, delegation_level: "auto-low" }]);
  },
);

test("of an event, names and counts are kept, and nothing else", async () => {
  await send({ event: { ...call, message: "the password is swordfish", title: "swordfish" } });
  for (const file of ["usage.db", "usage.db-wal"]) {
    const text = readFileSync(join(server.dataDir, file)).toString("latin1");
    expect(text).not.toMatch(/swordfish|secret-project|laptop/);
  }
});

const judged: [name: string, sent: Sent, status: number][] = [
  ["another user's secret", { secret: `whsec_${Buffer.alloc(32, 1).toString("base64")}` }, 401],
  ["an unknown user", { name: "nobody" }, 401],
  ["a changed body", { tamper: (body) => body.replace("Bash", "Edit") }, 401],
  ["a signature from 6 minutes ago", { atMs: Date.parse(now) - 6 * 60_000 }, 401],
  ["a signature from 4 minutes ago", { atMs: Date.parse(now) - 4 * 60_000 }, 204],
  ["a guest", { user: "Guest" }, 403],
  ["an event from 31 days ago", { event: { ...call, at: "2026-10-20T12:00:00Z" } }, 400],
  ["an event from 29 days ago", { event: { ...call, at: "2026-10-22T12:00:00Z" } }, 204],
  ["an event from tomorrow", { event: { ...call, at: "2026-11-21T12:00:00Z" } }, 400],
  ["an event without a time", { event: { ...call, at: "soon" } }, 400],
  ["an event with a long id", { event: { ...call, id: "x".repeat(201) } }, 400],
  ["an event with a long name", { event: { ...call, agentEvent: "x".repeat(201) } }, 400],
];
test("an event is taken in or refused by its signature, its time and its size", async () => {
  await everyRow(judged, async ([, sent, status]) => {
    expect(await send(sent)).toBe(status);
  });
});

test("a request without a signature is refused", async () => {
  const path = "/api/extensions/events/member@example.org";
  expect((await server.request(path, "Owner", { method: "POST", body: "{}" })).status).toBe(401);
});

test("a prompt and an answer count as messages; a verification and what hookbell tells of the platform do not", async () => {
  for (const [index, event] of [
    { name: "UserPromptSubmit" },
    { name: "Stop", agentEvent: "AfterAgent" },
    { name: "Stop", session: `hookbell-verify-${"0".repeat(24)}` },
    { name: "Stop", session: `hookbell-verify-aloud-${"0".repeat(24)}` },
    { name: "ComputerInstall", agent: "platform", session: "platform" },
    { name: "HookbellNotice", agent: "hookbell", session: "hookbell" },
  ].entries()) {
    expect(await send({ event: { ...call, usage: {}, id: `evt_${index}`, ...event } })).toBe(204);
  }
  server.clock.set(Date.parse("2026-11-21T09:00:00Z"));
  const range = { startDate: "2026-11-20", endDate: "2026-11-20" };
  const { data } = await server.client("Owner").getActivity(range);
  expect(data).toMatchObject([{ messages: 2, user_messages: 1, sessions: 1 }]);
  const tools = await server.client("Owner").getTools(range);
  expect(tools.data[0]?.hooks_by_event.map(({ event }) => event)).toEqual(["AfterAgent", "UserPromptSubmit"]);
});

test("names that every object has are counted like any others", async () => {
  const names = ["constructor", "toString", "__proto__"];
  const [tool = ""] = names;
  expect(await send({ event: { ...call, usage: { tool, created: names, edited: names } } })).toBe(204);
  server.clock.set(Date.parse("2026-11-22T09:00:00Z"));
  const range = { startDate: "2026-11-20", endDate: "2026-11-20" };
  const { data } = await server.client("Owner").getProductivity(range);
  expect(data[0]?.by_extension).toEqual(names.toSorted().map((extension) => ({ extension, count: 2 })));
  expect(data[0]?.by_language).toEqual([{ language: "Other", count: 6 }]);
});
