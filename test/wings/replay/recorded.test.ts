// Recorded runs of real agents: what the dispatcher made of them, replayed from its journal, is the same.
import { expect, it } from "vitest";
import { recordedRuns } from "../../recorded-runs/recording.ts";
import { replayFolder } from "../../recorded-runs/replay/from-journal.ts";
import { replayRun } from "../../recorded-runs/replay/replay.ts";
import { standInParts } from "../../recorded-runs/replay/stand-in.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

/** test/endurance/replays.test.ts has all of them. */
const everyNth = 6;

describeWithParts("a replayed journal", standInParts, () => {
  it("sends the same in recorded runs, also in those that watch for stuck turns", async () => {
    let sent = 0;
    const runs = [...recordedRuns()].filter((_, index) => index % everyNth === 0);
    for (const [index, run] of runs.entries()) {
      const folder = temporaryFolder();
      await replayRun(run, folder, { isWatchingStuck: index % 2 === 1 });
      const { differences, told } = await replayFolder(folder);
      expect(differences, `${run.header.agent}, ${run.header.run}`).toEqual([]);
      sent += told;
    }
    expect(sent).toBeGreaterThan(runs.length / 2);
  });
});
