import { expect, it } from "vitest";
import { sessionAfter } from "../../../src/dispatch/understand/session.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import type { SessionRecord } from "../../../src/outbox/sessions.ts";

type Step = Pick<AgentEvent, "name"> & Partial<AgentEvent>;

const prompt = { name: "UserPromptSubmit" };
const question = { name: "Notification" };

/** When the running turn began, in the number of the step; steps are a second apart. */
function turnStartAfter(steps: readonly Step[]): number | undefined {
  const start: SessionRecord = { agent: "a", session: "s", lastSeenAt: 0, remembered: {} };
  const common = { id: "evt_1", agent: "a", session: "s", cwd: "/p", project: "p", host: "h", level: "info" as const };
  const last = steps.reduce(
    (session, step, index) =>
      sessionAfter(session, { ...common, at: new Date((index + 1) * 1000).toISOString(), ...step }),
    start,
  );
  expect(last.lastSeenAt).toBe(steps.length * 1000);
  return last.turnStartedAt === undefined ? undefined : last.turnStartedAt / 1000;
}

it.each<[what: string, steps: Step[], start: number | undefined]>([
  ["no turn yet", [question], undefined],
  ["a prompt begins it", [prompt, question], 1],
  ["another prompt begins it anew", [prompt, prompt], 2],
  ["the same turn's prompt does not", [{ ...prompt, turn: "t1" }, question, { ...prompt, turn: "t1" }], 1],
  [
    "the next turn's does",
    [
      { ...prompt, turn: "t1" },
      { ...prompt, turn: "t2" },
    ],
    2,
  ],
  ["it ends", [prompt, { name: "Stop" }], undefined],
  ["it breaks off", [prompt, { name: "StopFailure" }], undefined],
  ["the session ends", [prompt, { name: "SessionEnd" }], undefined],
  [
    "a turn that has ended may begin again",
    [{ ...prompt, turn: "t1" }, { name: "Stop" }, { ...prompt, turn: "t1" }],
    3,
  ],
])("the start of the turn: %s", (_what, steps, start) => {
  expect(turnStartAfter(steps)).toBe(start);
});
