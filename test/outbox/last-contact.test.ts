// Whether a session of another machine can be trusted to be as it was, by when its machine was last heard from.
import { expect, it } from "vitest";
import { createHeardCheck, writeHeard } from "../../src/outbox/last-contact.ts";
import { sessionAfter } from "../../src/sessions/reduce.ts";
import { blankSession, eventOf, minute, noon } from "../policies/messages.ts";
import { recordOf } from "../support/project/session-record.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { everyRow } from "../support/rows.ts";

const there = { agent: "codex", session: "s1", isOfFleet: true };
const stateAfter = (name: string, facts = {}) => sessionAfter(blankSession, eventOf(name, facts)).state;
const works = { ...there, host: "devbox", state: stateAfter("UserPromptSubmit") };

it("a session that may go on is unknown once its machine is silent for two minutes, and only then", () =>
  everyRow<[what: string, session: Partial<typeof works>, now: number, isUnknown: boolean]>(
    [
      ["works", works, noon + 2 * minute, true],
      ["works, heard of just before", works, noon + 2 * minute - 1, false],
      ["needs the person", { ...works, state: stateAfter("PermissionRequest") }, noon + 2 * minute, true],
      ["waits for subagents", { ...works, state: stateAfter("Stop", { runningHelpers: 1 }) }, noon + 2 * minute, true],
      ["is done", { ...works, state: stateAfter("Stop") }, noon + 2 * minute, false],
      ["is this machine's", { ...works, isOfFleet: false }, noon + 2 * minute, false],
      ["is of a machine behind it", { ...works, host: "devbox/inner" }, noon + 2 * minute, true],
      ["is of a machine that is not known", { ...works, host: "other" }, noon + 2 * minute, false],
      [
        "is of a machine named as a member of every object",
        { ...works, host: "constructor" },
        noon + 2 * minute,
        false,
      ],
      ["is of no machine", { ...works, host: "" }, noon + 2 * minute, false],
    ],
    ([_what, session, now, isUnknown]) => {
      const layout = temporaryState();
      writeHeard(layout, { devbox: noon });
      const state = createHeardCheck(layout)({ ...recordOf(there), ...session }, now);
      expect(state?.kind).toBe(isUnknown ? "unknown" : undefined);
      if (isUnknown)
        expect(state).toMatchObject({ since: noon, reason: expect.stringMatching(/^devbox has not been/) });
    },
  ));

it("nothing is known of machines where no file says when they were heard from", () => {
  const state = createHeardCheck(temporaryState())({ ...recordOf(there), ...works }, noon + 60 * minute);
  expect(state).toBeUndefined();
});
