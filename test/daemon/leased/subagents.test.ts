// Codex's subagents that work on after the end of the turn: their own transcripts tell when they are done.
import { appendFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { readSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

async function prepared() {
  const running = prepareDispatcher();
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const { layout } = running.dispatcher;
  running.writeRules({
    channels: { desk: { type: "ntfy", server: receiver.origin, topic: "t" } },
    rules: [{ name: "done", when: { event: ["Stop", "SubagentStart"] }, notify: ["desk"] }],
  });
  const transcriptOf = (name: string): string => join(layout.root, `rollout-${name}.jsonl`);
  const hear = (event: string, facts: object = {}, of = "main"): void => {
    const payload = { hook_event_name: event, session_id: "s1", cwd: "/home/u/shop", model: "m" };
    const transcript_path = transcriptOf(of);
    writeIncoming(layout, JSON.stringify({ ...payload, turn_id: `t-${of}`, transcript_path, ...facts }), {
      agentId: "codex",
      nowMs: running.clock.now(),
    });
  };
  const write = (of: string, type: string): void => {
    // Payloads have the time of their files.
    const timestamp = new Date().toISOString();
    appendFileSync(transcriptOf(of), `${JSON.stringify({ timestamp, type: "event_msg", payload: { type } })}\n`);
  };
  const state = (): SessionRecord["state"] => readSession(layout, "codex", "s1").state;
  const turnUntil = async (what: string, check: () => boolean): Promise<void> =>
    await running.until(what, () => {
      running.clock.turn(100);
      return check();
    });
  const begin = async (...subagents: string[]): Promise<void> => {
    hear("UserPromptSubmit", { prompt: "fix the cart" });
    write("main", "task_started");
    void running.run();
    await turnUntil("the turn", () => state().kind === "working");
    for (const agent_id of subagents) {
      write(agent_id, "task_started");
      hear("UserPromptSubmit", { agent_id, agent_type: "default", prompt: "look" }, agent_id);
    }
    const known = (): number => readSession(layout, "codex", "s1").helpers?.length ?? 0;
    await turnUntil("the subagents", () => known() === subagents.length);
  };
  const stop = (): void => hear("Stop", { last_assistant_message: "Main done." });
  return { ...running, hear, write, state, turnUntil, begin, stop, transcriptOf, receiver };
}

it("a turn whose subagents work on is done when the last one is", async () => {
  const { write, state, turnUntil, begin, stop, receiver } = await prepared();
  await begin("a", "b");
  stop();
  await turnUntil("the end of the turn", () => state().kind === "waitsForHelpers");
  expect(state()).toMatchObject({ helpers: 2 });
  write("a", "task_complete");
  await turnUntil("the first one's end", () => (state() as { helpers?: number }).helpers === 1);
  expect(receiver.requests).toHaveLength(0);
  write("b", "turn_aborted");
  await turnUntil("the second one's end", () => state().kind === "done");
  expect(state()).toMatchObject({ source: "transcript", reason: "Its last subagent has ended." });
  await turnUntil("the message", () => receiver.requests.length === 1);
  expect(receiver.requests[0]?.body).toContain("Main done.");
});

it("a turn that has waited for its subagents is done at its end", async () => {
  const { write, state, turnUntil, begin, stop, receiver } = await prepared();
  await begin("a");
  write("a", "task_complete");
  stop();
  await turnUntil("the end of the turn", () => state().kind === "done");
  await turnUntil("the message", () => receiver.requests.length === 1);
  expect(state()).toMatchObject({ source: "hook", reason: "Its turn ended." });
});

it("a subagent that is given another task works again", async () => {
  const { hear, write, state, turnUntil, begin, stop } = await prepared();
  await begin("a");
  write("a", "task_complete");
  await sleep(20);
  hear("UserPromptSubmit", { agent_id: "a", agent_type: "default", prompt: "more" }, "a");
  stop();
  await turnUntil("the end of the turn", () => state().kind === "waitsForHelpers");
  await sleep(20);
  write("a", "task_complete");
  await turnUntil("its end", () => state().kind === "done");
  expect(state().source).toBe("transcript");
});

it("a subagent whose transcript is gone is not waited for", async () => {
  const { state, turnUntil, begin, stop, transcriptOf } = await prepared();
  await begin("a");
  stop();
  await turnUntil("the end of the turn", () => state().kind === "waitsForHelpers");
  rmSync(transcriptOf("a"));
  await turnUntil("its end", () => state().kind === "done");
  expect(state().source).toBe("transcript");
});

it("with hooks for subagents as well, each counts once", async () => {
  const { hear, state, turnUntil, begin, stop, dispatcher } = await prepared();
  await begin("a");
  hear("SubagentStart", { agent_id: "a", agent_type: "default" }, "a");
  hear("SubagentStart", { agent_id: "b", agent_type: "default" }, "b");
  const running = (): string[] =>
    (readSession(dispatcher.layout, "codex", "s1").helpers ?? []).map(({ session }) => session);
  await turnUntil("both", () => running().length === 2);
  hear("SubagentStop", { agent_id: "a", agent_type: "default" });
  await turnUntil("the first one's end", () => running().length === 1);
  expect(running()).toEqual(["b"]);
  hear("SubagentStop", { agent_id: "b", agent_type: "default" });
  await turnUntil("the second one's end", () => running().length === 0);
  stop();
  await turnUntil("the end of the turn", () => state().kind === "done");
});
