// How true the shown states are: replays every recorded run. JSON, from which `npm run generate` makes the table in
// docs/background/SESSIONS.md, and which the replays of test/recorded-runs/ take for the least that must hold.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { gapOf } from "../../test/recorded-runs/known-gaps.ts";
import { isLong, judge } from "../../test/recorded-runs/replay/judge.ts";
import { recordedRuns } from "../../test/recorded-runs/recording.ts";
import { replayRun } from "../../test/recorded-runs/replay/replay.ts";

export async function reportStates(folder: string, say: (line: string) => void): Promise<object[]> {
  const results: object[] = [];
  for (const run of recordedRuns()) {
    const { agent, version, run: name, does } = run.header;
    const own = join(folder, `${agent}-${name}`);
    mkdirSync(own);
    const { trueMs, allMs, wrong, nights, trueNights } = judge(await replayRun(run, own));
    const spells = wrong.map(({ forMs, silentMs, truth, shown, why }) => ({
      seconds: Math.round(forMs / 100) / 10,
      afterSign: Math.round((forMs - silentMs) / 100) / 10,
      shown,
      truth: truth.join(" or "),
      why,
      because: isLong({ forMs, silentMs }) ? gapOf(agent, name, shown)?.because : undefined,
    }));
    results.push({ agent, version, run: name, does, trueMs, allMs, nights, trueNights, wrong: spells });
    say(`${agent}, ${name}: ${((100 * trueMs) / allMs).toFixed(1)} %, nights ${trueNights} of ${nights}`);
    for (const { seconds, afterSign, shown, truth, why } of spells) {
      say(`  ${seconds} s, ${afterSign} s after a sign: ${shown} instead of ${truth}: ${why}`);
    }
  }
  return results;
}
