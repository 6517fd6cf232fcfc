// A server that is killed again and again while it counts: nothing counts twice, and nothing is lost.
import { appendFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { startServerProcess } from "../../support/usage/server-process.ts";
import { writeTranscripts } from "../../support/usage/transcript-home.ts";

const dayMs = 86_400_000;
const yesterday = new Date(Date.now() - dayMs).toISOString().slice(0, 10);
const kills = 10;
const lines = 20_000;
const answers = 4000;

function eventOf(id: string): AgentEvent {
  const usual = {
    name: "PostToolUse",
    agent: "codex",
    cwd: "/srv",
    project: "srv",
    host: "box",
    level: "info",
  } as const;
  return {
    id,
    ...usual,
    session: `s${id.length}`,
    at: `${yesterday}T12:00:00.000Z`,
    usage: { tool: "Bash", commits: 1 },
  };
}

test("a server that is killed ten times while it counts loses nothing and counts nothing twice", async () => {
  const project = temporaryProject();
  const key = JSON.parse((await project.command(["keys", "add", "me", "--role", "owner", "--json"])).stdout) as {
    key: string;
    signingSecret: string;
  };
  mkdirSync(project.layout.journal, { recursive: true });
  const journal = join(project.layout.journal, `${yesterday}.jsonl`);
  const entry = (n: number): string => {
    const event = eventOf(`evt_journal_${n}`);
    return `${JSON.stringify({ at: event.at, kind: "event", event })}\n`;
  };
  appendFileSync(journal, Array.from({ length: lines }, (_, n) => entry(n)).join(""));
  const answer = (n: number): object => ({
    type: "assistant",
    timestamp: `${yesterday}T12:00:00.000Z`,
    sessionId: "t1",
    requestId: `r${n}`,
    message: {
      id: `m${n}`,
      role: "assistant",
      model: "opus",
      content: [],
      usage: { input_tokens: 1, output_tokens: 2 },
    },
  });
  writeTranscripts(project.home, {
    ".claude/projects/p/t1.jsonl": Array.from({ length: answers }, (_, n) => answer(n)),
  });

  let url = "";
  const over = new AbortController();
  const webhook = new Webhook(key.signingSecret);
  let sent = 0;
  /** As the dispatcher does it: again and again, until the server says that it has it. */
  const sending = (async () => {
    while (!over.signal.aborted) {
      const body = JSON.stringify({ type: "agent.x", data: { version: 1, event: eventOf(`evt_sent_${sent}`) } });
      const now = new Date();
      const response = await fetch(`${url}/api/extensions/events/me`, {
        method: "POST",
        body,
        headers: {
          "webhook-id": `msg_${sent}`,
          "webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
          "webhook-signature": webhook.sign(`msg_${sent}`, now, body),
        },
      }).catch(() => undefined);
      if (response?.status === 204) sent += 1;
      else await sleep(20);
    }
  })();

  for (let round = 0; round < kills; round += 1) {
    const server = await startServerProcess(project, ["--backfill"]);
    url = server.url;
    // At another moment each time: while it reads, writes, or answers.
    await sleep(50 + round * 200);
    await server.end("SIGKILL");
  }
  const server = await startServerProcess(project, ["--backfill"]);
  url = server.url;
  const ask = async (path: string): Promise<Record<string, number>> => {
    const search = `startDate=${yesterday}&endDate=${yesterday}`;
    const response = await fetch(`${url}/api/v1/analytics/${path}?${search}`, {
      headers: { authorization: `Bearer ${key.key}` },
    });
    const { data } = (await response.json()) as { data: Record<string, number>[] };
    return data[0] ?? {};
  };
  // What the last kill left without an answer is sent again before the count.
  const acknowledged = sent;
  await expect.poll(() => sent).toBeGreaterThan(acknowledged);
  over.abort();
  await sending;
  await expect.poll(async () => (await ask("tools")).tool_calls, { interval: 500 }).toBe(lines + sent);
  await expect.poll(async () => (await ask("tokens")).output_tokens, { interval: 500 }).toBe(answers * 2);
  expect(await ask("productivity")).toMatchObject({ git_commits: lines + sent });
  expect(sent).toBeGreaterThan(0);
  expect(await server.end("SIGTERM")).toBe(0);
});
