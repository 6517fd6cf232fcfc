// A program without a person ends in the moment in which its turn fails: the transcript says so before the session's end is told.
import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { processPayload } from "../../../src/pipeline/pipeline.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

async function prepare(agentId: string) {
  const running = prepareDispatcher();
  const transcript = join(temporaryFolder(), "t.jsonl");
  running.writeRules({
    channels: { desk: { type: "ntfy", topic: "t", server: "http://127.0.0.1:9" } },
    rules: [{ name: "all", when: { event: ["StopFailure", "SessionEnd"] }, notify: ["desk"], title: "{event}" }],
  });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  const take = async (payload: object): Promise<string[]> => {
    clock.turn(1000);
    const text = JSON.stringify({ cwd: "/srv/shop", session_id: "s1", transcript_path: transcript, ...payload });
    const file = writeIncoming(dispatcher.layout, text, { agentId, nowMs: clock.now() });
    utimesSync(join(dispatcher.layout.incoming, file), clock.now() / 1000, clock.now() / 1000);
    const incoming = readIncoming(dispatcher.layout, file, maxPayloadBytes);
    if (incoming === undefined) throw new Error("it is gone");
    const enqueued = await processPayload(dispatcher, incoming, () => true);
    return (enqueued?.deliveries ?? []).map(({ delivery }) => delivery.message.title);
  };
  const write = (...lines: object[]): void => {
    const timestamp = new Date(clock.now() + 500).toISOString();
    writeFileSync(transcript, lines.map((line) => `${JSON.stringify({ timestamp, ...line })}\n`).join(""));
  };
  const events = () => running.journal("event").map(({ event }) => event as AgentEvent);
  return { take, write, events };
}

const prompt = { hook_event_name: "UserPromptSubmit", prompt: "go on" };
const end = { hook_event_name: "SessionEnd", reason: "other" };
const error = { message: "unexpected status 401 Unauthorized", codex_error_info: "unauthorized" };
const codexFailed = [
  { type: "session_meta", payload: { source: "exec" } },
  { type: "event_msg", payload: { type: "task_complete", error } },
];
const claudeFailed = {
  type: "assistant",
  entrypoint: "sdk-cli",
  isApiErrorMessage: true,
  error: "authentication_failed",
  message: { role: "assistant", content: [{ type: "text", text: "Please run /login" }] },
};

it.each([
  ["codex", codexFailed, { reason: "unauthorized", message: "unexpected status 401 Unauthorized" }],
  ["claude-code", [claudeFailed], { reason: "authentication_failed", message: "Please run /login" }],
] as const)("%s: a failed login is told before the end of the session", async (agent, lines, failure) => {
  const { take, write, events } = await prepare(agent);
  await take(prompt);
  write(...lines);
  expect(await take(end)).toEqual(["StopFailure", "SessionEnd"]);
  expect(events().slice(-2)).toMatchObject([
    { name: "StopFailure", headless: true, ...failure },
    { name: "SessionEnd" },
  ]);
});

it.each([
  ["its hook has told of it", [{ hook_event_name: "StopFailure", error: "authentication_failed" }]],
  ["the turn has ended well since", [{ hook_event_name: "Stop" }]],
])("a failure is not told again where %s", async (_why, between) => {
  const { take, write } = await prepare("claude-code");
  await take(prompt);
  write(claudeFailed);
  for (const payload of between) await take(payload);
  expect(await take(end)).toEqual(["SessionEnd"]);
});

it("a failure of an earlier turn is none of this one", async () => {
  const { take, write } = await prepare("codex");
  write(...codexFailed);
  await take(prompt);
  expect(await take(end)).toEqual(["SessionEnd"]);
});
