// What a replayed run must show: the true state no less often than states.json says, and a wrong one for no longer.
import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { gapOf } from "../known-gaps.ts";
import { recordedRuns, type Run } from "../recording.ts";
import { isLong, judge } from "./judge.ts";
import { replayRun } from "./replay.ts";

interface Result {
  agent: string;
  run: string;
  trueMs: number;
  allMs: number;
  trueNights: number;
  wrong: { shown: string; because?: string }[];
}

export const results = JSON.parse(readFileSync(new URL("../states.json", import.meta.url), "utf8")) as Result[];
/** Processes are real in a replay. */
const toleranceMs = 500;

export type NamedRun = Run & { name: string };

export function namedRuns(): NamedRun[] {
  return recordedRuns().map((run) => ({ ...run, name: `${run.header.agent}, ${run.header.run}` }));
}

/** `folder` is empty, and keeps what the replay left. */
export async function expectTrueStates(run: Run, folder = temporaryFolder()): Promise<void> {
  const { agent, run: name } = run.header;
  const verdict = judge(await replayRun(run, folder));
  const known = results.find((each) => each.agent === agent && each.run === name);
  const unexplained = verdict.wrong.filter(
    (spell) => isLong(spell, toleranceMs) && gapOf(agent, name, spell.shown) === undefined,
  );
  expect(unexplained).toEqual([]);
  expect(known).toBeDefined();
  const wrongMs = verdict.allMs - verdict.trueMs;
  expect(wrongMs).toBeLessThanOrEqual((known?.allMs ?? 0) - (known?.trueMs ?? 0) + 2 * toleranceMs);
  expect(verdict.trueNights).toBeGreaterThanOrEqual(known?.trueNights ?? 0);
}
