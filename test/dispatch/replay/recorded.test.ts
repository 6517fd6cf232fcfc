// Recorded runs of real agents: what the dispatcher made of them, replayed from its journal, is the same.
import { join } from "node:path";
import { expect, it } from "vitest";
import { openRules } from "../../../src/dispatch/current-rules.ts";
import { compare } from "../../../src/dispatch/replay/compare.ts";
import { replayJournal } from "../../../src/dispatch/replay/run.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { recordedRuns } from "../../recorded-runs/recording.ts";
import { replayRun } from "../../recorded-runs/replay/replay.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

/** All of them take half a minute. */
const everyNth = 6;

it("sends the same in recorded runs, also in those that watch for stuck turns", async () => {
  let sent = 0;
  const runs = [...recordedRuns()].filter((_, index) => index % everyNth === 0);
  for (const [index, run] of runs.entries()) {
    const folder = temporaryFolder();
    await replayRun(run, folder, { isWatchingStuck: index % 2 === 1 });
    const layout = layoutOf(join(folder, "state"));
    const times = listJournal(layout).flatMap((file) => readJournal(layout, file).map(({ at }) => Date.parse(at)));
    const rules = (await openRules(join(folder, "rules.jsonc"), undefined)).rules();
    const replayed = await replayJournal({
      layout,
      span: { from: Math.min(...times), to: Math.max(...times) + 1 },
      rules,
      stuckAfterMs: rules.rules.stuckAfterMs,
      home: join(folder, "home"),
      platform: "linux",
    });
    if (replayed === undefined) throw new Error("nothing has stopped it");
    const { was, wouldBe } = replayed;
    expect(compare(was, wouldBe).differences, `${run.header.agent}, ${run.header.run}`).toEqual([]);
    sent += was.told.size;
  }
  expect(sent).toBeGreaterThan(runs.length / 2);
});
