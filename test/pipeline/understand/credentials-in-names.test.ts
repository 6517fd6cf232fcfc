// A folder or a branch whose name has a credential: nothing that is kept or told has it, and what needs the real name still works.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addMute } from "../../../src/outbox/attention.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listSessions, readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { ingestObservation } from "../../../src/pipeline/observe/observation.ts";
import { prepareDispatcher, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const token = ["gh", "p_aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYaB3d"].join("");
const shown = "[redacted: GitHub token]";

function repository(name: string, file?: object): string {
  const root = join(temporaryFolder(), `${name}-${token}`);
  mkdirSync(join(root, ".git"), { recursive: true });
  mkdirSync(join(root, "src"));
  writeFileSync(join(root, ".git", "HEAD"), `ref: refs/heads/fix/${token}\n`);
  if (file !== undefined) writeFileSync(join(root, ".hookbell.jsonc"), JSON.stringify(file));
  return root;
}

async function take(running: RunningDispatcher, event: string, session: string, cwd: string, more = {}): Promise<void> {
  const { layout } = running.dispatcher;
  const payload = { hook_event_name: event, session_id: session, cwd, ...more };
  const events = running.journal("event").length;
  writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: running.clock.now() });
  await running.until("the event", () => running.journal("event").length > events && listIncoming(layout).length === 0);
  running.clock.turn(100);
}

const question = { notification_type: "permission_prompt", message: "May I?" };

function recordsOf({ dispatcher: { layout } }: RunningDispatcher): string {
  return readdirSync(layout.sessions)
    .map((name) => readFileSync(join(layout.sessions, name), "utf8"))
    .join("\n");
}

/** Its one channel gets everything over HTTP. */
function listening(rule: object = {}, channel: object = {}): { running: RunningDispatcher; bodies: string[] } {
  const running = prepareDispatcher();
  const bodies: string[] = [];
  running.dispatcher.tools.http = ({ body = "" }) => {
    bodies.push(body);
    return Promise.resolve({ status: 200, headers: {}, body: '{"ok":true,"result":{"message_id":1,"chat":{"id":1}}}' });
  };
  const told = {
    type: "telegram",
    token: `1:${"x".repeat(30)}`,
    chat: "1",
    apiUrl: "https://vendor.example",
    content: "full",
  };
  running.writeRules({ channels: { it: { ...told, ...channel } }, rules: [{ name: "asks", notify: ["it"], ...rule }] });
  void running.run();
  return { running, bodies };
}

describe("a credential in the name of a folder and a branch", () => {
  it("is in no list of sessions that wait, and in no record of a session", async () => {
    const { running, bodies } = listening({ when: { event: "Notification" } });
    for (const session of ["a", "b", "c"]) {
      const transcript_path = join("/home/u/.claude/projects", `-x-${token.replace("_", "-")}`, "t.jsonl");
      await take(running, "Notification", session, repository(session), { ...question, transcript_path });
    }
    await running.until("the list", () => {
      running.clock.turn(1000);
      return bodies.some((body) => body.includes("3 sessions wait for you"));
    });
    expect(bodies.join("\n")).toContain(shown);
    expect(recordsOf(running)).toContain(`fix/${shown}`);
    expect(`${bodies.join("\n")}${recordsOf(running)}`).not.toContain(token.slice(4));
  });

  it("counts for rules, and its repository's file is found, also for what no payload tells", async () => {
    const { running, bodies } = listening({ when: { cwd: `*${token}*` } });
    const cwd = repository("shop", { label: "ours" });
    await take(running, "Notification", "a", cwd, question);
    await running.until("the message", () => bodies.length === 1);
    expect(bodies[0]).toContain("Label: ours");
    expect(bodies[0]).toContain("shop-");
    await take(running, "UserPromptSubmit", "a", join(cwd, "src"));
    const record = readSession(running.dispatcher.layout, "claude-code", "a");
    // The session stays in the project in which it began.
    expect(record).toMatchObject({
      project: `shop-${shown}`,
      folder: expect.stringMatching(/shop-\[redacted: [^/]*$/) as string,
    });
    const at = running.clock.now();
    const failed = { kind: "failed", source: "transcript", at, what: "server_error" } as const;
    const { deliveries } = ingestObservation(running.dispatcher, { agent: "claude-code", session: "a" }, failed);
    expect(deliveries.map(({ delivery }) => delivery.message.title)).toEqual([expect.stringContaining("shop-")]);
    expect(deliveries[0]?.delivery.message.fields).toContainEqual({ label: "Label", value: "ours" });
    expect(JSON.stringify(deliveries)).not.toContain(token);
  });

  it("does not keep its project from being muted", async () => {
    const { running } = listening({ when: { event: "Notification" } });
    const cwd = repository("shop");
    addMute(running.dispatcher.layout, { scope: "project", name: `shop-${token}` }, running.clock.now());
    await take(running, "Notification", "a", cwd, question);
    expect(running.journal("decision")[0]?.deliveries).toMatchObject([
      { by: "mute", held: expect.stringContaining(`muted: project shop-${shown}`) as string },
    ]);
    expect(readFileSync(join(running.dispatcher.layout.root, "mutes.json"), "utf8")).not.toContain(token);
  });

  it("is shown by a channel that says so, with the agent's own words", async () => {
    const { running, bodies } = listening({ when: { event: "Notification" } }, { scrub: false });
    await take(running, "Notification", "a", repository("shop"), question);
    await running.until("the message", () => bodies.length === 1);
    expect(bodies[0]).toContain(token);
  });
});

it("a session whose id has a credential stays one session, by a digest of it", async () => {
  const { running } = listening({ when: { event: "Notification" } });
  await take(running, "SessionStart", `s-${token}`, "/srv/shop");
  await take(running, "Notification", `s-${token}`, "/srv/shop", question);
  const sessions = listSessions(running.dispatcher.layout);
  expect(sessions.map(({ session }) => session)).toEqual([expect.stringMatching(/^[\da-f]{32}$/)]);
  expect(sessions[0]?.open).toHaveLength(1);
});

it("a record of version 1.0.0-rc.1 is read without the credentials in it, and the next write removes them", () => {
  const { layout } = prepareDispatcher().dispatcher;
  const turn = { helpers: 0, requests: [{ text: `run curl -H ${token}?`, at: 1 }] };
  const old = recordOf({
    agent: "claude-code",
    session: "old",
    project: token,
    folder: `/srv/${token}/shop`,
    branch: `fix/${token}`,
    worktree: token,
    transcript: "/home/u/.claude/projects/-srv-x/t.jsonl",
    state: { kind: "working", since: 1, reason: "It works.", source: "hook", turn },
    open: [{ id: "evt_1", at: 1, name: "PermissionRequest", call: { tool: `mcp__${token}`, input: "0" } }],
  });
  writeSession(layout, old);
  const [name = ""] = readdirSync(layout.sessions);
  writeFileSync(join(layout.sessions, name), JSON.stringify(old));
  const read = readSession(layout, "claude-code", "old");
  expect(JSON.stringify([read, listSessions(layout)])).not.toContain(token);
  expect(read).toMatchObject({ folder: `/srv/${shown}/shop`, open: [{ call: { tool: `mcp__${shown}` } }] });
  expect(read.transcript).toMatch(/^\[hidden path /);
  writeSession(layout, read);
  expect(readFileSync(join(layout.sessions, name), "utf8")).not.toContain(token);
});
