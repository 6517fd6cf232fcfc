// The hook for the end of a turn that Escape or an error ended: Droid and Gemini CLI run it as after any other turn.
import { appendFileSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { everyRow } from "../../support/rows.ts";

const second = 1000;

/** Lines as Droid 0.225.2 and Gemini CLI 0.61.0 write them. */
const agents = {
  droid: {
    begins: "UserPromptSubmit",
    ends: "Stop",
    says: { type: "message", message: { role: "assistant", content: [{ type: "text", text: "Done." }] } },
    escape: {
      type: "message",
      message: {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "c1", is_error: true, content: "Tool execution cancelled by user" },
        ],
      },
    },
    error: {
      type: "message",
      message: {
        role: "user",
        visibility: "user_only",
        content: [{ type: "text", text: "BYOK Error: 401 wrong key" }],
      },
    },
    words: "BYOK Error: 401 wrong key",
    after: { type: "message", message: { role: "user", visibility: "user_only", content: [], hookEventName: "Stop" } },
  },
  "gemini-cli": {
    begins: "BeforeAgent",
    ends: "AfterAgent",
    says: { type: "gemini", content: "Done." },
    escape: { type: "info", content: "Request cancelled." },
    error: { type: "error", content: "[API Error: wrong key (Status: UNAUTHENTICATED)]" },
    words: "[API Error: wrong key (Status: UNAUTHENTICATED)]",
    after: { type: "info", content: "This request failed. Press F12 for diagnostics." },
  },
} as const;
type Name = keyof typeof agents;

/** A turn with these lines ends a second ago; the time of a line counts from the turn's beginning. */
async function ended(agent: Name, ...lines: readonly [afterMs: number, line: object][]) {
  const { begins, ends } = agents[agent];
  const { clock, dispatcher, writeRules, run, until, journal } = prepareDispatcher();
  const { layout } = dispatcher;
  writeRules({
    channels: { desk: { type: "webhook", url: "http://127.0.0.1:9/x" } },
    rules: ["Stop", "StopFailure"].map((event) => ({ name: `on ${event}`, when: { event }, notify: ["desk"] })),
  });
  const transcript = join(layout.root, "s1.jsonl");
  const begunAt = clock.now();
  for (const [afterMs, line] of lines) {
    const timestamp = new Date(begunAt + afterMs).toISOString();
    appendFileSync(transcript, `${JSON.stringify({ timestamp, ...line })}\n`);
  }
  const hear = (event: string, afterMs: number): void => {
    const payload = { hook_event_name: event, session_id: "s1", cwd: "/home/u/shop-web", transcript_path: transcript };
    const text = JSON.stringify({ ...payload, prompt: "fix it", prompt_response: "[no response text]" });
    const nowMs = begunAt + afterMs;
    const file = writeIncoming(layout, text, { agentId: agent, nowMs });
    utimesSync(join(layout.incoming, file), nowMs / 1000, nowMs / 1000);
  };
  hear(begins, 0);
  hear(ends, 5 * second);
  clock.turn(6 * second);
  void run();
  await until("both events", () => journal("event").length === 2 && journal("decision").length > 0);
  const { event, ignored } = journal("event").at(-1) as unknown as { event: { id: string }; ignored?: string };
  const decision = journal("decision").find((each) => each.event === event.id);
  return {
    state: readSession(layout, agent, "s1").state.kind,
    event,
    ignored,
    told: ((decision?.deliveries ?? []) as { rule: string }[]).map(({ rule }) => rule),
  };
}

describe.each(Object.keys(agents) as Name[])("%s", (agent) => {
  const { says, escape, error, words, after, ends } = agents[agent];

  it("is told to have failed after an error, and nothing else", async () => {
    const turn = await ended(agent, [4 * second, error], [4 * second, after]);
    expect(turn).toMatchObject({
      state: "failed",
      told: ["on StopFailure"],
      event: { name: "StopFailure", agentEvent: ends, level: "error", reason: "authentication_failed", message: words },
    });
  });

  it("is interrupted after Escape, and no one is told", async () => {
    const turn = await ended(agent, [4 * second, escape]);
    expect(turn).toMatchObject({ state: "interrupted", told: [], ignored: /stopped the turn/ });
  });

  it("is done after a turn that ended in any way", () =>
    everyRow(
      [
        ["which it answered after an error", [3 * second, error]],
        ["which it answered after a refusal", [3 * second, escape]],
        ["before which there was an error", [-second, error]],
        ["before which there was Escape", [-second, escape]],
      ] satisfies [string, [number, object]][],
      async ([_, line]) => {
        expect(await ended(agent, line, [4 * second, says])).toMatchObject({ state: "done", told: ["on Stop"] });
      },
    ));

  it("is done, although the next turn has failed meanwhile", async () => {
    expect(await ended(agent, [4 * second, says], [6 * second, error])).toMatchObject({
      state: "done",
      told: ["on Stop"],
    });
  });
});
