// Replays one recorded run of each agent; test/endurance/replays.test.ts replays all.
import { describe, expect, it } from "vitest";
import { describeWithParts } from "../support/parts.ts";
import { knownGaps } from "./known-gaps.ts";
import { expectTrueStates, namedRuns, results } from "./replay/hold-to-states.ts";
import { standInParts } from "./replay/stand-in.ts";

const runs = namedRuns().filter(({ header }) => header.run === "question-allowed");

describeWithParts("a replayed question", standInParts, () => {
  it.each(runs)("shows the true state: $name", async (run) => {
    await expectTrueStates(run);
  });
});

describe("the recorded runs", () => {
  it("have a question of each agent", () => {
    const agents = (all: readonly { header: { agent: string } }[]): Set<string> =>
      new Set(all.map(({ header }) => header.agent));
    expect(agents(runs)).toEqual(agents(namedRuns()));
  });

  it("have no gap that no run shows", () => {
    const isShown = ({ agent, shown }: { agent: string; shown: string }, run: string): boolean =>
      results.some(
        (result) =>
          result.agent === agent &&
          result.run === run &&
          result.wrong.some((spell) => spell.shown === shown && spell.because !== undefined),
      );
    const stale = knownGaps.flatMap((gap) =>
      gap.runs.filter((run) => !isShown(gap, run)).map((run) => [gap.agent, run]),
    );
    expect(stale).toEqual([]);
  });
});
