// Replays every recorded run.
import { expect, it } from "vitest";
import { expectTrueStates, namedRuns } from "../recorded-runs/replay/hold-to-states.ts";
import { judge } from "../recorded-runs/replay/judge.ts";
import { replayRun } from "../recorded-runs/replay/replay.ts";
import { standInParts } from "../recorded-runs/replay/stand-in.ts";
import { describeWithParts } from "../support/parts.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const hourMs = 3_600_000;
const runs = namedRuns();

describeWithParts("a replayed run", standInParts, () => {
  it.each(runs)("shows the true state: $name", async (run) => {
    await expectTrueStates(run);
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
