// A question that goes to the agent's own reviewer first: https://github.com/openai/codex/issues/23465
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";

/** Codex asks for `npm test` in a turn with this reviewer. */
async function asked(reviewer: string | undefined) {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  running.writeRules({
    channels: { desk: { type: "webhook", url: `${receiver.origin}/desk` } },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["desk"] }],
  });
  const transcript = join(layout.root, "rollout.jsonl");
  const write = (type: string, payload: object, at: number): void =>
    appendFileSync(transcript, `${JSON.stringify({ timestamp: new Date(at).toISOString(), type, payload })}\n`);
  const at = running.clock.now();
  write("turn_context", { turn_id: "t0", approvals_reviewer: reviewer === "user" ? "auto_review" : "user" }, at - 9000);
  write("turn_context", { turn_id: "t1", approvals_reviewer: reviewer }, at - 8000);
  const call = { type: "function_call", name: "exec_command", arguments: '{"cmd":"npm test"}', call_id: "c1" };
  write("response_item", call, at - 1000);
  const payload = {
    hook_event_name: "PermissionRequest",
    session_id: "s1",
    turn_id: "t1",
    cwd: "/home/u/shop-web",
    transcript_path: transcript,
    model: "pretended",
    permission_mode: "default",
    tool_name: "Bash",
    tool_input: { command: "npm test" },
  };
  writeIncoming(layout, JSON.stringify(payload), { agentId: "codex", nowMs: at });
  const session = (): SessionRecord => readSession(layout, "codex", "s1");
  const isTold = (): boolean => receiver.requests.length > 0;
  const waiting = (): number => listDeliveries(layout, "outbox").length;
  return { ...running, write, session, isTold, waiting };
}

describe("a question that the agent's own reviewer decides about first", () => {
  it("is told to no one while the reviewer has time, and dropped if the call ends", async () => {
    const { run, until, clock, write, session, isTold, waiting, journal } = await asked("auto_review");
    void run();
    await until("the held message", () => waiting() === 1);
    expect(session().state.kind).toBe("working");
    write("response_item", { type: "function_call_output", call_id: "c1", output: "ok" }, clock.now() + 3000);
    clock.turn(3500);
    await until("the end", () => (clock.turn(500), waiting() === 0));
    expect(isTold()).toBe(false);
    expect(journal("attention")).toMatchObject([{ verdict: "drop", by: "answered" }]);
  });

  it("is told when the reviewer's time is over", async () => {
    const { run, until, clock, session, isTold, waiting, journal } = await asked("guardian_subagent");
    void run();
    await until("the held message", () => waiting() === 1);
    await until("the message", () => (clock.turn(1000), isTold()));
    await until("the state", () => (clock.turn(1000), session().state.kind === "needsYou"));
    expect(journal("event").map(({ event }) => (event as { name: string }).name)).toEqual([
      "PermissionRequest",
      "ReviewOver",
    ]);
  });
});

it.each([["user"], [undefined]])("a question is told at once if its reviewer is %s", async (reviewer) => {
  const { run, until, isTold, session } = await asked(reviewer);
  void run();
  await until("the message", isTold);
  expect(session().state.kind).toBe("needsYou");
});
