// Replays every recorded run: no run may show the true state less often than states.json says, nor a wrong one for longer.
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { describeWithParts } from "../support/parts.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";
import { isLong, judge } from "./replay/judge.ts";
import { recordedRuns } from "./recording.ts";
import { replayRun } from "./replay/replay.ts";
import { standInParts } from "./replay/stand-in.ts";
import { gapOf, knownGaps } from "./known-gaps.ts";

interface Result {
  agent: string;
  run: string;
  trueMs: number;
  allMs: number;
  trueNights: number;
  wrong: { shown: string; because?: string }[];
}

const results = JSON.parse(readFileSync(new URL("states.json", import.meta.url), "utf8")) as Result[];
const hourMs = 3_600_000;
/** Processes are real in a replay. */
const toleranceMs = 500;

const runs = recordedRuns().map((run) => ({ ...run, name: `${run.header.agent}, ${run.header.run}` }));

describeWithParts("a replayed run", standInParts, () => {
  it.each(runs)("shows the true state: $name", async (run) => {
    const { agent, run: name } = run.header;
    const verdict = judge(await replayRun(run, temporaryFolder()));
    const known = results.find((each) => each.agent === agent && each.run === name);
    const unexplained = verdict.wrong.filter(
      (spell) => isLong(spell, toleranceMs) && gapOf(agent, name, spell.shown) === undefined,
    );
    expect(unexplained).toEqual([]);
    expect(known).toBeDefined();
    const wrongMs = verdict.allMs - verdict.trueMs;
    expect(wrongMs).toBeLessThanOrEqual((known?.allMs ?? 0) - (known?.trueMs ?? 0) + 2 * toleranceMs);
    expect(verdict.trueNights).toBeGreaterThanOrEqual(known?.trueNights ?? 0);
  });

  // A turn is stuck after 20 minutes.
  const withNights = runs.filter(({ entries }) =>
    entries.some((entry) => entry.kind === "rest" && entry.forMs > hourMs),
  );
  it.each(withNights)("tells of no stuck turn: $name", async (run) => {
    const { stuck } = judge(await replayRun(run, temporaryFolder(), { isWatchingStuck: true }));
    expect(stuck).toBe(0);
  });
});

it("has no gap that no run shows", () => {
  const isShown = ({ agent, shown }: { agent: string; shown: string }, run: string): boolean =>
    results.some(
      (result) =>
        result.agent === agent &&
        result.run === run &&
        result.wrong.some((spell) => spell.shown === shown && spell.because !== undefined),
    );
  const stale = knownGaps.flatMap((gap) => gap.runs.filter((run) => !isShown(gap, run)).map((run) => [gap.agent, run]));
  expect(stale).toEqual([]);
});
