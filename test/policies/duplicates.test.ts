import { describe, expect, it } from "vitest";
import { detectDuplicate, withChannels, type ArrivedEvent, type SeenEvent } from "../../src/policies/duplicates.ts";
import type { AgentEvent } from "../../src/model/event.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { everyRow } from "../support/rows.ts";

const base: Omit<AgentEvent, "id" | "at" | "name"> = {
  agent: "cursor",
  session: "s1",
  cwd: "/p",
  project: "p",
  host: "h",
  level: "info",
};

/** `afterMs` is since the step before; what is not said is: by one hook setup, for the channel `desk`. */
interface Step extends Partial<Omit<ArrivedEvent, "event">>, Partial<AgentEvent> {
  afterMs?: number;
  name: string;
}

/** For each step `told`, or the number of the step that it repeats. */
function judge(steps: readonly Step[]): (number | "told")[] {
  const clock = createFakeClock();
  let recent: SeenEvent[] = [];
  return steps.map(
    (
      {
        afterMs = 100,
        way = "cursor",
        channels = ["desk"],
        isOneSession = true,
        isToldAsError = true,
        payloadKey,
        forPeople = new Set(["desk", "phone"]),
        isReminded = false,
        openQuestions,
        ...facts
      },
      index,
    ) => {
      clock.step(afterMs);
      const at = new Date(clock.now()).toISOString();
      const judged = detectDuplicate(recent, {
        event: { ...base, id: `evt_${index + 1}`, at, ...facts },
        way,
        channels,
        isOneSession,
        isToldAsError,
        payloadKey,
        forPeople,
        isReminded,
        ...(openQuestions && { openQuestions }),
      });
      ({ recent } = judged);
      if (judged.duplicate === undefined) return "told";
      expect(judged.duplicate.why).toContain(judged.duplicate.of);
      return Number(judged.duplicate.of.replace("evt_", ""));
    },
  );
}

const stop: Step = { name: "Stop", turn: "g1" };
const imported: Step = { ...stop, way: "claude-code" };
const prompt: Step = { name: "UserPromptSubmit", channels: [] };
const end: Step = { name: "SessionEnd", reason: "exit" };
const idle: Step = { name: "Notification", notificationType: "idle_prompt", message: "is waiting" };
const failure: Step = { name: "StopFailure", reason: "rate_limit" };
const endByError: Step = { name: "SessionEnd", reason: "error" };

describe("one event by two hook setups", () => {
  it("is told once, and two events are told twice", () =>
    everyRow<[what: string, steps: Step[], expected: (number | "told")[]]>(
      [
        ["is one", [stop, imported], ["told", 1]],
        ["is one, whichever comes first", [imported, stop], ["told", 1]],
        ["is one by three of them", [stop, imported, { ...stop, way: "notify" }], ["told", 1, 1]],
        ["is one to the end of the window", [stop, { ...imported, afterMs: 10_000 }], ["told", 1]],
        ["is two after it", [stop, { ...imported, afterMs: 10_001 }], ["told", "told"]],
        ["is two when a prompt came between", [stop, prompt, imported], ["told", "told", "told"]],
        [
          "is two when a session began between",
          [stop, { ...prompt, name: "SessionStart" }, imported],
          ["told", "told", "told"],
        ],
        [
          "is one when both tell of the prompt, too",
          [prompt, stop, { ...prompt, way: "claude-code" }, imported],
          ["told", "told", 1, 2],
        ],
        ["is two when the turns differ", [stop, { ...imported, turn: "g2" }], ["told", "told"]],
        [
          "is two when the words differ",
          [
            { ...stop, message: "a" },
            { ...imported, message: "b" },
          ],
          ["told", "told"],
        ],
        ["is two when the names differ", [stop, { ...imported, name: "StopFailure" }], ["told", "told"]],
        ["pairs each telling with one", [stop, stop, imported, imported, imported], ["told", "told", 1, 2, "told"]],
        ["goes on when another event comes between", [stop, { name: "SubagentStop" }, imported], ["told", "told", 1]],
        ["is told where the first was not", [stop, { ...imported, channels: ["desk", "phone"] }], ["told", "told"]],
        ["is one where it would be told to fewer", [stop, { ...imported, channels: [] }], ["told", 1]],
        [
          "is two in a folder that stands for a session, without a word",
          [stop, imported].map((each) => ({ ...each, isOneSession: false })),
          ["told", "told"],
        ],
        [
          "is one there with the same words",
          [stop, imported].map((each) => ({ ...each, isOneSession: false, message: "All 214 tests pass." })),
          ["told", 1],
        ],
      ],
      ([_what, steps, expected]) => {
        expect(judge(steps)).toEqual(expected);
      },
    ));

  it("by one hook setup each counts, however many and however equal", () => {
    expect(judge(Array.from({ length: 200 }, () => ({ ...stop, afterMs: 1 })))).toEqual(Array(200).fill("told"));
  });
});

describe("the end of a session", () => {
  it("is told where nothing of it was told before", () =>
    everyRow<[what: string, steps: Step[], expected: (number | "told")[]]>(
      [
        ["is told once: Gemini CLI tells three times", [end, end, end], ["told", 1, 1]],
        ["two seconds later, too", [end, { ...end, afterMs: 2000 }], ["told", 1]],
        ["later it is another one", [end, { ...end, afterMs: 2001 }], ["told", "told"]],
        ["has begun anew between", [end, { name: "SessionStart" }, end], ["told", "told", "told"]],
        ["is another one when something came between", [end, stop, end], ["told", "told", "told"]],
        ["is another one for another reason", [end, endByError], ["told", "told"]],
        ["is another one in a session that may be several", [end, { ...end, isOneSession: false }], ["told", "told"]],
        ["by the error that was told", [failure, endByError], ["told", 1]],
        ["by that error, told twice", [failure, endByError, endByError], ["told", 1, 1]],
        ["by that error, to who wants every end", [failure, { ...endByError, isToldAsError: false }], ["told", "told"]],
        ["by another error later", [failure, { ...endByError, afterMs: 10_001 }], ["told", "told"]],
        ["by an error after a stop", [stop, endByError], ["told", "told"]],
        ["by an error after something else", [failure, { name: "SubagentStop" }, endByError], ["told", "told", "told"]],
        ["by an error no one heard of", [{ ...failure, channels: [] }, endByError], ["told", "told"]],
        ["by the person, after an error", [failure, end], ["told", "told"]],
        [
          "by the error, in a session that may be several",
          [failure, { ...endByError, isOneSession: false }],
          ["told", "told"],
        ],
      ],
      ([_what, steps, expected]) => {
        expect(judge(steps)).toEqual(expected);
      },
    ));
});

describe("that the agent waits", () => {
  it("is told once for one wait", () =>
    everyRow<[what: string, steps: Step[], expected: (number | "told")[]]>(
      [
        ["was told with the end of its turn", [stop, { ...idle, afterMs: 52 }], ["told", 1]],
        ["was told with the turn's breaking off", [failure, idle], ["told", 1]],
        ["was told, by two hook setups", [stop, imported, idle, { ...idle, way: "claude-code" }], ["told", 1, 1, 1]],
        ["was told with the turn, a minute later", [stop, { ...idle, afterMs: 60_000 }], ["told", 1]],
        [
          "was told with the turn, for all of the night",
          [stop, { ...idle, afterMs: 36_000_000 }, idle],
          ["told", 1, 1],
        ],
        ["is news where a later turn was not told", [stop, { ...stop, channels: [] }, idle], ["told", "told", "told"]],
        ["is news in a turn that has begun", [stop, prompt, idle], ["told", "told", "told"]],
        ["is news where the stop was not told", [{ ...stop, channels: [] }, idle], ["told", "told"]],
        [
          "was told where people read it, for their other channels",
          [stop, { ...idle, channels: ["desk", "phone"] }],
          ["told", 1],
        ],
        [
          "is news for a program that has not heard",
          [stop, { ...idle, channels: ["desk", "robot"] }],
          ["told", "told"],
        ],
        ["is news where only a program was told", [{ ...stop, channels: ["robot"] }, idle], ["told", "told"]],
        ["is news to who wants to be reminded", [stop, { ...idle, isReminded: true }], ["told", "told"]],
        ["for a permission is news", [stop, { ...idle, notificationType: "permission_prompt" }], ["told", "told"]],
        ["is news in a session that may be several", [stop, { ...idle, isOneSession: false }], ["told", "told"]],
      ],
      ([_what, steps, expected]) => {
        expect(judge(steps)).toEqual(expected);
      },
    ));
});

const permission: Step = { name: "PermissionRequest", message: "run `ls`?" };
const form: Step = { name: "Elicitation", message: "Which project?" };
const notification: Step = { name: "Notification", notificationType: "permission_prompt", afterMs: 6160 };
/** The first question of the session is not answered. */
const asked = { openQuestions: new Set(["evt_1"]) };

describe("a question", () => {
  it("is told once for one call", () =>
    everyRow<[what: string, steps: Step[], expected: (number | "told")[]]>(
      [
        ["that a Notification repeats is told once", [permission, notification], ["told", 1]],
        [
          "that a worker asks, too",
          [permission, { ...notification, notificationType: "worker_permission_prompt" }],
          ["told", 1],
        ],
        [
          "is told by the Notification where the first was not",
          [{ ...permission, channels: [] }, notification],
          ["told", "told"],
        ],
        ["long before has nothing to do with it", [permission, { ...notification, afterMs: 20_001 }], ["told", "told"]],
        [
          "before the last prompt has nothing to do with it",
          [permission, prompt, notification],
          ["told", "told", "told"],
        ],
        ["that is answered has no reminder", [permission, { ...idle, afterMs: 6160 }], ["told", "told"]],
        [
          "that is open is what an idle agent waits for",
          [permission, { ...idle, afterMs: 60_000, ...asked }],
          ["told", 1],
        ],
        [
          "that is open is repeated however late",
          [permission, { ...notification, afterMs: 600_000, ...asked }],
          ["told", 1],
        ],
        [
          "that is open is told where it was not, though people read the other channel",
          [permission, { ...idle, channels: ["desk", "phone"], ...asked }],
          ["told", "told"],
        ],
        [
          "of an MCP server is no reminder of a permission",
          [permission, { ...notification, notificationType: "elicitation_dialog", ...asked }],
          ["told", "told"],
        ],
        [
          "of an MCP server is repeated by its own kind",
          [form, { ...notification, notificationType: "elicitation_dialog" }, notification],
          ["told", 1, "told"],
        ],
        [
          "about a limit is no reminder of it",
          [permission, { ...notification, notificationType: "quota_auto_resume_disabled", ...asked }],
          ["told", "told"],
        ],
        [
          "after another one is told",
          [permission, notification, { ...permission, message: "run `rm`?" }],
          ["told", 1, "told"],
        ],
      ],
      ([_what, steps, expected]) => {
        expect(judge(steps)).toEqual(expected);
      },
    ));

  it("is told by the Notification to those channels alone that have not heard of it", () => {
    const at = (ms: number): string => new Date(1_700_000_000_000 + ms).toISOString();
    const common = { way: "claude-code", isOneSession: true, isToldAsError: true };
    const first = { ...base, id: "evt_1", name: "PermissionRequest", at: at(0) };
    const second = { ...base, id: "evt_2", name: "Notification", notificationType: "permission_prompt", at: at(6000) };
    const { recent } = detectDuplicate([], { ...common, event: first, channels: ["desk"] });
    const judged = detectDuplicate(recent, { ...common, event: second, channels: ["desk", "phone"] });
    expect(judged).toMatchObject({ duplicate: undefined, alreadyNotified: { channels: ["desk"] } });
    expect(judged.alreadyNotified?.why).toContain("evt_1");
  });
});

it("counts only the channels that really told the first", () => {
  const facts = { ...base, at: "2026-01-01T00:00:00.000Z" };
  const arrival = { channels: ["desk"], isOneSession: true, isToldAsError: true };
  const first = detectDuplicate([], { ...arrival, event: { ...facts, id: "evt_1", name: "Stop" }, way: "cursor" });
  const again = { ...arrival, event: { ...facts, id: "evt_2", name: "Stop" }, way: "claude-code" };
  expect(detectDuplicate(first.recent, again).duplicate?.of).toBe("evt_1");
  expect(detectDuplicate(withChannels(first.recent, "evt_1", []), again).duplicate).toBeUndefined();
  expect(detectDuplicate(withChannels(first.recent, "evt_1", ["desk"]), again).duplicate?.of).toBe("evt_1");
  expect(detectDuplicate(withChannels(first.recent, "evt_3", []), again).duplicate?.of).toBe("evt_1");
});

describe("one payload by one way", () => {
  const twice = (afterMs: number, other = "x"): Step[] => [
    { ...stop, payloadKey: "x" },
    { ...stop, payloadKey: other, afterMs },
  ];
  it.each<[what: string, steps: Step[], expected: (number | "told")[]]>([
    ["at once is one", twice(50), ["told", 1]],
    ["later is another one", twice(3001), ["told", "told"]],
    ["with another content is another one", twice(50, "y"), ["told", "told"]],
    ["that says nothing of itself is another one", [stop, stop], ["told", "told"]],
  ])("%s", (_what, steps, expected) => {
    expect(judge(steps)).toEqual(expected);
  });
});

describe("a clock that is set", () => {
  it("neither repeats nor loses a notification", () =>
    everyRow<[what: string, steps: Step[], expected: (number | "told")[]]>(
      [
        ["back loses nothing", [end, { ...end, afterMs: -60_000 }], ["told", "told"]],
        [
          "back loses no later one either",
          [end, { ...stop, afterMs: -60_000 }, { ...end, afterMs: 59_000 }],
          ["told", "told", "told"],
        ],
        ["back may tell twice", [stop, { ...imported, afterMs: -60_000 }], ["told", "told"]],
        ["on may tell twice", [stop, { ...imported, afterMs: 3_600_000 }], ["told", "told"]],
        ["and a moment's disorder is none", [stop, { ...imported, afterMs: -30 }], ["told", 1]],
      ],
      ([_what, steps, expected]) => {
        expect(judge(steps)).toEqual(expected);
      },
    ));
});

describe("what is taken in again after a crash", () => {
  const arrival = (id: string, way: string, name = "Stop"): ArrivedEvent => ({
    event: { ...base, id, name, at: "2026-01-01T00:00:00.000Z" },
    way,
    channels: ["desk"],
    isOneSession: true,
    isToldAsError: false,
  });

  it.each([
    ["a twin", arrival("evt_2", "claude-code")],
    ["an end", arrival("evt_2", "cursor", "SessionEnd")],
  ])("is judged as before, in any order: %s", (_what, second) => {
    const first = { ...second, event: { ...second.event, id: "evt_1" }, way: "cursor" };
    let { recent } = detectDuplicate([], first);
    expect(detectDuplicate(recent, first)).toEqual({ duplicate: undefined, recent });
    const judged = detectDuplicate(recent, second);
    expect(judged.duplicate?.of).toBe("evt_1");
    ({ recent } = judged);
    expect(detectDuplicate(recent, second)).toEqual(judged);
    expect(detectDuplicate(recent, first)).toEqual({ duplicate: undefined, recent });
  });

  it("is told when something new has begun since", () => {
    const { recent } = detectDuplicate([], arrival("evt_1", "cursor"));
    const later = detectDuplicate(recent, arrival("evt_2", "cursor", "UserPromptSubmit"));
    expect(detectDuplicate(later.recent, arrival("evt_1", "cursor")).duplicate).toBeUndefined();
  });
});

it("remembers no more than the windows need, whatever an agent calls its events", () => {
  let recent: SeenEvent[] = [];
  for (let index = 0; index < 100; index += 1) {
    const event = { ...base, id: `evt_${index}`, name: "x".repeat(100_000), at: new Date(index).toISOString() };
    ({ recent } = detectDuplicate(recent, {
      event,
      way: "y".repeat(100_000),
      channels: ["desk"],
      isOneSession: true,
      isToldAsError: false,
    }));
  }
  expect(JSON.stringify(recent).length).toBeLessThan(20_000);
  const event = { ...base, id: "evt_later", name: "Stop", at: new Date(60_000).toISOString() };
  const later = detectDuplicate(recent, {
    event,
    way: "cursor",
    channels: [],
    isOneSession: true,
    isToldAsError: false,
  });
  expect(later.recent.map(({ id }) => id)).toEqual(["evt_later"]);
});
