// What a session's record says after its events: the running turn, what waits for the person, what they answered.
import { describe, expect, it } from "vitest";
import { answeredPolicy, retractReason } from "../../src/policies/answered.ts";
import { sessionAfter, sessionObserved } from "../../src/sessions/reduce.ts";
import type { Session } from "../../src/sessions/state.ts";
import { isQuestion, type AgentEvent } from "../../src/model/event.ts";
import { blankSession, broke, done, eventOf, messageOf, noon, question, second } from "./messages.ts";
import { everyRow } from "../support/rows.ts";

function later(name: string, facts: Partial<AgentEvent> = {}, afterMs = 41 * second): AgentEvent {
  return eventOf(name, { id: `evt_later_${name}`, ...facts }, noon + afterMs);
}

function sessionOf(...events: AgentEvent[]): Session {
  return events.reduce<Session>((session, event) => sessionAfter(session, event), blankSession);
}

const prompt = later("UserPromptSubmit");
const tool = later("PostToolUse");
const stop = later("Stop");
const end = later("SessionEnd", { reason: "other" });

describe("what closes what", () => {
  it("holds for these payloads", () =>
    everyRow<[what: string, first: AgentEvent, next: AgentEvent, isClosed: boolean]>(
      [
        ["a prompt answers a question", question, prompt, true],
        ["a tool that ran answers a permission", question, tool, true],
        ["a subagent's tool answers nothing", question, later("PostToolUse", { subagent: "explorer" }), false],
        ["a stop answers a question", question, stop, true],
        ["the end of the session answers a question", question, end, true],
        ["an answer that the agent reports", question, later("permission.replied", { isAnswer: true }), true],
        ["a subagent that ends answers nothing", question, later("SubagentStop"), false],
        ["a reminder answers nothing", question, later("Notification", { notificationType: "idle_prompt" }), false],
        ["another permission answers nothing", question, later("PermissionRequest"), false],
        ["a prompt closes a done turn", done, prompt, true],
        ["the next stop closes a done turn", done, stop, true],
        ["the end of the session does not", done, end, false],
        ["a prompt closes a failure", broke, prompt, true],
        ["the end of the session does not close a failure", broke, end, false],
        ["a stop does not close a failure", broke, stop, false],
        ["a tool does not close a failure", broke, tool, false],
      ],
      ([_what, first, next, isClosed]) => {
        const session = sessionOf(first, next);
        const closed = isClosed ? [{ id: first.id, afterMs: 41 * second }] : [];
        expect(session.closed).toEqual(closed);
        expect(session.open?.some(({ id }) => id === first.id)).toBe(!isClosed);
        const cancelled = answeredPolicy(messageOf(first, { escalatesAfterMs: 120 * second }), session);
        expect(cancelled?.action).toBe(isClosed ? "suppress" : undefined);
      },
    ));

  it("keeps what is open and what was closed within bounds", () => {
    const questions = Array.from({ length: 100 }, (_, index) => ({ ...question, id: `evt_${index}` }));
    const asked = sessionOf(...questions);
    expect(asked.open).toHaveLength(16);
    const answered = questions.reduce<Session>((state, each) => sessionAfter(sessionAfter(state, each), prompt), asked);
    expect(answered.closed).toHaveLength(64);
    expect(answered.closed?.at(-1)?.id).toBe("evt_99");
  });

  it("opens nothing twice when a payload is taken in again", () => {
    expect(sessionOf(question, question).open).toHaveLength(1);
  });

  it("measures no negative time after the clock was turned back", () => {
    const session = sessionOf(question, later("UserPromptSubmit", {}, -3600 * second));
    expect(session.closed).toEqual([{ id: question.id, afterMs: 0 }]);
  });
});

describe("answeredPolicy", () => {
  const answered = sessionOf(question, prompt);
  const wentOn = sessionOf(done, prompt);

  it("drops what is out of date, and lets go what is not", () =>
    everyRow(
      [
        [
          "a question that waited",
          messageOf(question, { deferred: { by: "quietHours", until: 0 } }),
          answered,
          "answered after 41s",
        ],
        [
          "a question that is throttled",
          messageOf(question, { deferred: { by: "throttle", until: 0 } }),
          answered,
          "answered after 41s",
        ],
        [
          "news in quiet hours",
          messageOf(done, { deferred: { by: "quietHours", until: 0 } }),
          wentOn,
          "the session went on after 41s",
        ],
        ["news in a group stays", messageOf(done, { deferred: { by: "group", until: 0 } }), wentOn, undefined],
        ["what has not waited stays", messageOf(question), answered, undefined],
        [
          "what is not answered stays",
          messageOf(broke, { deferred: { by: "quietHours", until: 0 } }),
          answered,
          undefined,
        ],
        [
          "an escalation whose person clicked a notification",
          messageOf(question, { escalatesAfterMs: 120 * second }),
          { ...blankSession, acted: { at: noon + 41 * second, how: "clicked" } },
          "clicked after 41s",
        ],
        [
          "an escalation of a later question stays",
          messageOf(question, { escalatesAfterMs: 120 * second }),
          { ...blankSession, acted: { at: noon - 1, how: "clicked" } },
          undefined,
        ],
        [
          "what waits for another reason stays after a click",
          messageOf(question, { deferred: { by: "quietHours", until: 0 } }),
          { ...blankSession, acted: { at: noon + 41 * second, how: "clicked" } },
          undefined,
        ],
        ["without a record it stays", messageOf(question, { escalatesAfterMs: 1 }), blankSession, undefined],
      ],
      ([_what, message, session, why]) => {
        expect(answeredPolicy(message, session)?.why).toBe(why);
      },
    ));
});

describe("retractReason", () => {
  it("says why a notification is out of date", () =>
    everyRow<[what: string, session: Session, event: AgentEvent, why: string | undefined]>(
      [
        ["an answered question", sessionOf(question), prompt, "answered at the terminal after 41s"],
        ["a permission, by the tool that ran", sessionOf(question), tool, "answered at the terminal after 41s"],
        ["a session that ended with a question", sessionOf(question), end, "the session ended after 41s"],
        ["a done turn, by the next prompt", sessionOf(done), prompt, "you wrote to the session"],
        ["anything, by a prompt", blankSession, prompt, "you wrote to the session"],
        ["nothing, by a tool", blankSession, tool, undefined],
        ["nothing, by a second question", sessionOf(question), later("PermissionRequest"), undefined],
        ["no failure, by the end of the session", sessionOf(broke), end, undefined],
      ],
      ([_what, session, event, why]) => {
        expect(retractReason(session, sessionAfter(session, event), event)?.why).toBe(why);
      },
    ));

  it("says who answered it on a channel", () => {
    const asked = sessionOf(question);
    const acted = { kind: "acted", at: noon + 30 * second, source: "person", isAnswer: true } as const;
    const allowed = sessionObserved(asked, { ...acted, how: "answered by Ann" });
    expect(retractReason(allowed, sessionAfter(allowed, tool), tool)?.why).toBe("answered by Ann after 30s");
  });

  it("has the words of the question that is over, and none for other news", () => {
    const asked = sessionOf({ ...question, request: "run `npm test`?" });
    expect(retractReason(asked, sessionAfter(asked, prompt), prompt)?.asked).toBe("run `npm test`?");
    expect(retractReason(sessionOf(done), sessionAfter(sessionOf(done), prompt), prompt)?.asked).toBeUndefined();
  });
});

describe("isQuestion", () => {
  it.each([
    ["Notification", "attention", true],
    ["Notification", "info", false],
    ["PermissionRequest", "attention", true],
    ["Stop", "success", false],
  ] as const)("%s of the level %s", (name, level, expected) => {
    expect(isQuestion({ name, level })).toBe(expected);
  });
});

it("keeps the end of a command in the words of an open question", () => {
  const command = `find . -name '*.tmp' ${"-not -path './node_modules/*' ".repeat(4)}-delete`;
  const [open] = sessionOf(later("PermissionRequest", { request: `run \`${command}\`?` })).open ?? [];
  expect(open?.words).toMatch(/^run `find \. .*-delete`\?$/);
});
