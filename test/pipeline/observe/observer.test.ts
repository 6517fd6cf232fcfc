// How often observers look at sessions that are quiet.
import { expect, it } from "vitest";
import { type OpenSession, pauseMs } from "../../../src/pipeline/observe/observer.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { everyRow } from "../../support/rows.ts";

const now = 1_800_000_000_000;
const minute = 60_000;

function quietFor(ms: number): OpenSession {
  const session = recordOf({ agent: "codex", session: "s1", lastSeenAt: now - ms });
  return { session, signs: {}, questions: [], transcripts: [], subagents: [] };
}

it("a session is as quiet as its last sign says", () =>
  everyRow(
    [
      ["has just given a sign", 0, 500],
      ["gave one two minutes ago", 2 * minute, 2000],
      ["gave one ten minutes ago", 10 * minute, 10_000],
      ["has been silent all night", 9 * 60 * minute, 10_000],
      ["gave one before the clock was turned back", -minute, 500],
    ],
    ([_, quietMs, expected]) => {
      expect(pauseMs(500, [quietFor(quietMs)], now)).toBe(expected);
    },
  ));

it("looks at quiet sessions as often as at the one that is not", () => {
  expect(pauseMs(5000, [quietFor(60 * minute), quietFor(minute)], now)).toBe(5000);
});

it("never looks less often than docs/background/SESSIONS.md promises", () => {
  expect(pauseMs(5000, [quietFor(5 * minute)], now)).toBe(10_000);
});

it("looks soon again where a quiet session asks", () => {
  const { session, ...open } = quietFor(60 * minute);
  const asks = { ...open, session, questions: [{ id: "evt_1", at: now - minute, name: "PermissionRequest" }] };
  expect(pauseMs(500, [asks], now)).toBe(500);
});
