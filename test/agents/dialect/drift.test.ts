// What changes in the payloads of agents is noted, and never misread.
import { describe, expect, it } from "vitest";
import type { PayloadFacts } from "../../../src/agents/dialect/agent.ts";
import { agents } from "../../../src/agents/index.ts";
import { readPayload, type PayloadReading } from "../../../src/agents/read-payload.ts";
import { asks } from "../../../src/pipeline/understand/event-of.ts";
import { capturedPayloads, documentedPayloads } from "../../support/agents/agent-payloads.ts";
import { everyRow } from "../../support/rows.ts";

const payloads = [...capturedPayloads, ...documentedPayloads];
const odd: readonly unknown[] = [undefined, null, "", "text", 0, -1.5, true, [], [1, "a", null], {}, { a: { b: [] } }];

function read(payload: unknown, agentId: string, eventName?: string): PayloadReading {
  return readPayload(JSON.stringify(payload), { agentId, eventName, env: {} });
}

describe("a field of another type than known", () => {
  it.each<[string, string, object, string, object]>([
    ["droid", "elapsed_time", { elapsed_time: "9 s" }, "Stop", { message: undefined }],
    ["claude-code", "permission_suggestions", { permission_suggestions: "none" }, "PermissionRequest", {}],
    ["codex", "last_assistant_message", { last_assistant_message: { text: "Done" } }, "Stop", { message: undefined }],
    ["qwen-code", "title", { title: 7, message: "May I?" }, "Notification", { title: undefined, message: "May I?" }],
  ])("of %s, %s, is left out and noted", (agentId, field, more, eventName, facts) => {
    const base = { session_id: "s", cwd: "/p", hook_event_name: eventName };
    const reading = read({ ...base, ...more }, agentId);
    expect(reading).toMatchObject({ status: "valid", eventName, drift: [{ field }] });
    expect(reading.status === "valid" ? reading.facts : undefined).toMatchObject(facts);
  });

  it("says what was expected and what came", () => {
    const reading = read({ session_id: "s", cwd: "/p", hook_event_name: "Stop", elapsed_time: [1] }, "droid");
    expect(reading).toMatchObject({ drift: [{ field: "elapsed_time", expected: "number", got: "array" }] });
  });
});

describe("what agents may change without being misread", () => {
  it.each([
    [
      "cursor",
      { hookEventName: "stop", conversationId: "t", workspaceRoots: ["/p"], status: "completed", text: "Done." },
    ],
    ["goose", { event: "Stop", sessionId: "t", workingDir: "/p", lastAssistantMessage: "Done." }],
    [
      "windsurf",
      {
        agentActionName: "x",
        agent_action_name: "post_cascade_response",
        trajectoryId: "t",
        cwd: "/p",
        tool_info: { response: "Done." },
      },
    ],
    ["gemini-cli", { hookEventName: "AfterAgent", sessionId: "t", cwd: "/p", promptResponse: "Done." }],
    ["qwen-code", { hookEventName: "Stop", sessionId: "t", cwd: "/p", lastAssistantMessage: "Done." }],
    [
      "opencode",
      { agent: "opencode", type: "session.idle", properties: { sessionID: "t" }, directory: "/p", message: "Done." },
    ],
  ])("%s: %j", (agentId, payload) => {
    expect(read(payload, agentId)).toMatchObject({
      status: "valid",
      eventName: "Stop",
      facts: { session: "t", cwd: "/p", message: "Done." },
      drift: [],
    });
  });

  it("an event that an agent may have one day is accepted", () =>
    everyRow(
      agents.map(({ id }) => id),
      (agentId) => {
        const payload = { session_id: "s", task_id: "s", conversation_id: "s", cwd: "/p" };
        expect(read(payload, agentId, "MoonPhase")).toMatchObject({ status: "valid", eventName: "MoonPhase" });
        expect(read(payload, agentId, "constructor")).toMatchObject({ status: "valid", eventName: "constructor" });
      },
    ));
});

describe("what is refused", () => {
  it("a payload without an event, of every agent", () =>
    everyRow(
      agents.map(({ id }) => id),
      (agentId) => {
        const reading = read({ session_id: "s", cwd: "/p" }, agentId);
        expect(reading).toMatchObject({ status: "invalid", problems: [{ field: "hook_event_name", got: "nothing" }] });
      },
    ));

  it.each(["codex", "gemini-cli", "qwen-code", "cursor", "windsurf", "cline", "goose"])(
    "of %s: a payload without a session, or with a number for one",
    (agentId) => {
      for (const session of [undefined, 7]) {
        const ids = { session_id: session, conversation_id: session, task_id: session };
        const reading = read({ hook_event_name: "Stop", cwd: "/p", ...ids }, agentId);
        expect(reading).toMatchObject({ status: "invalid", problems: [{ field: "session_id" }] });
      }
    },
  );

  it.each([
    ["kiro", "cwd"],
    ["copilot-cli", "session_id"],
  ])("of %s: a payload without a folder, by which its session is known: %s", (agentId, field) => {
    expect(read({ hook_event_name: "stop" }, agentId)).toMatchObject({ status: "invalid", problems: [{ field }] });
  });
});

describe("the session of an agent that names none", () => {
  it("is the same for one folder, and another for another", () => {
    const sessionIn = (cwd: string, agentId = "kiro"): unknown => {
      const reading = read({ hook_event_name: "stop", cwd }, agentId);
      return reading.status === "valid" ? reading.facts.session : undefined;
    };
    expect(sessionIn("/home/u/shop")).toMatch(/^cwd-[0-9a-f]{8}$/);
    expect(sessionIn("/home/u/shop")).toBe(sessionIn("/home/u/shop"));
    expect(sessionIn("/home/u/shop")).toBe(sessionIn("/home/u/shop", "copilot-cli"));
    expect(sessionIn("/home/u/shop")).not.toBe(sessionIn("/home/u/shop2"));
  });
});

describe("a payload in which anything may have become anything", () => {
  const isSound = ({ durationMs, runningHelpers, isAnswer, wakes, ...texts }: PayloadFacts): boolean =>
    Object.values(texts).every((each) => each === undefined || typeof each === "string") &&
    [durationMs, runningHelpers].every((each) => each === undefined || typeof each === "number") &&
    [isAnswer, wakes].every((each) => each === undefined || each);

  it("of every agent is read or refused, with texts where texts belong", () =>
    everyRow(
      agents.map(({ id }) => id).filter((id) => id !== "generic"),
      (agentId) => {
        let readings = 0;
        const wrong: unknown[] = [];
        for (const { agentId: owner, file, text } of payloads) {
          if (owner !== agentId) continue;
          const payload = JSON.parse(text) as Record<string, unknown>;
          for (const key of [
            ...Object.keys(payload),
            "__proto__",
            "error",
            "turn",
            "notification",
            "background_tasks",
          ]) {
            for (const value of odd) {
              const reading = read({ ...payload, [key]: value }, agentId);
              if (reading.status === "valid") readings += 1;
              if (reading.status === "valid" ? !isSound(reading.facts) : reading.problems.length === 0) {
                wrong.push([file, key, value]);
              }
            }
          }
        }
        expect(wrong).toEqual([]);
        expect(readings).toBeGreaterThan(0);
      },
    ));
});

describe("a question of which one field has become anything", () => {
  const asksIn = (reading: PayloadReading): boolean => reading.status === "valid" && asks(reading);
  const questions = payloads.filter(({ agentId, text }) => asksIn(readPayload(text, { agentId, env: {} })));

  it("is still told as one, or refused as what may be one, of which each is told", () => {
    const lost: unknown[] = [];
    let variants = 0;
    for (const { agentId, file, text } of questions) {
      const payload = JSON.parse(text) as Record<string, unknown>;
      // All of the event is in opencode's one field, which hookbell's own plug-in writes.
      for (const key of Object.keys(payload).filter((each) => each !== "event")) {
        for (const value of odd) {
          variants += 1;
          // Copilot CLI's hooks name the event in their command.
          const named = agentId === "copilot-cli" ? file.split("-")[1] : undefined;
          const reading = read({ ...payload, [key]: value }, agentId, named);
          const isTold = reading.status === "valid" ? asks(reading) : reading.mayAsk;
          // That is the name of another event, and the journal has it.
          const isOtherEvent = reading.status === "valid" && reading.eventName === value;
          if (!isTold && !isOtherEvent) lost.push(`${agentId}/${file} ${key} ${JSON.stringify(value)}`);
        }
      }
    }
    expect(lost).toEqual([]);
    expect(variants).toBeGreaterThan(0);
  });
});
