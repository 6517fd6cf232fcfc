// Replays every recorded run, as it was and from its journal, and a month of made-up work from its journal.
import { join } from "node:path";
import { expect, it } from "vitest";
import { liveThrough, openBench, phoneRules } from "../../bench/attention/attention.ts";
import { agentCount, workingDay } from "../../bench/attention/working-day.ts";
import { listJournal } from "../../src/outbox/journal.ts";
import { inTemporaryFolder, statIfThere } from "../../src/system/files/files.ts";
import { expectTrueStates, namedRuns } from "../recorded-runs/replay/hold-to-states.ts";
import { replayFolder } from "../recorded-runs/replay/from-journal.ts";
import { judge } from "../recorded-runs/replay/judge.ts";
import { replayRun } from "../recorded-runs/replay/replay.ts";
import { standInParts } from "../recorded-runs/replay/stand-in.ts";
import { describeWithParts } from "../support/parts.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";

const hourMs = 3_600_000;
const runs = namedRuns();

describeWithParts("a replayed run", standInParts, () => {
  it.each(runs)("shows the true state, and sends the same from its journal: $name", async (run) => {
    const folder = temporaryFolder();
    await expectTrueStates(run, folder);
    expect((await replayFolder(folder)).differences).toEqual([]);
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

it("a month of made-up work, with nights, sends the same from its journal", { timeout: 60 * 60_000 }, async () => {
  const days = 30;
  const hoursADay = 2;
  /** Two of three days begin in the morning, the third in the evening. */
  const startHours = [9, 6, 19];
  const firstDay = new Date(2026, 9, 20).getTime();
  const startOf = (day: number): number => firstDay + (day * 24 + (startHours[day % 3] ?? 0)) * hourMs;
  // One agent of each kind, another each day.
  const working = 4;
  const offsets = Array.from({ length: days }, (_, day) => startOf(day) - startOf(0));
  const { calls, personAt } = workingDay();
  const month = offsets.flatMap((offset, day) =>
    calls
      .filter(({ at, session }) => {
        return at < hoursADay * hourMs && Math.floor(session / working) === day % (agentCount / working);
      })
      .map((call) => ({ ...call, at: offset + call.at })),
  );
  const rules = phoneRules.replace(
    "{\n",
    '{\n  "quietHours": { "ranges": [{ "from": "22:00", "to": "07:00" }] },\n  "stuckAfter": "20m",\n',
  );
  await inTemporaryFolder(
    async (folder) => {
      const bench = await openBench(
        join(folder, "month"),
        { personAt: (ms) => personAt(ms - (offsets.findLast((offset) => offset <= ms) ?? 0)) },
        { startMs: startOf(0), rules },
      );
      const { layout } = bench.dispatcher;
      await liveThrough({ calls: month }, bench, startOf(0));
      const bytes = listJournal(layout).reduce(
        (sum, file) => sum + (statIfThere(join(layout.journal, file))?.bytes ?? 0),
        0,
      );
      const startedAt = performance.now();
      const { differences, events, told, was } = await replayFolder(join(folder, "month"));
      const seconds = (performance.now() - startedAt) / 1000;
      process.stdout.write(
        `a month: ${events} events, ${told} notifications, ${was.questions.asked} questions, ${(bytes / 1e6).toFixed(0)} MB, ` +
          `replayed in ${seconds.toFixed(0)} s, ${differences.length} differences\n`,
      );
      expect(Object.keys(was.perDay).length).toBeGreaterThanOrEqual(days);
      expect(events).toBeGreaterThan(4000);
      expect(differences).toEqual([]);
    },
    { preferMemory: true },
  );
});
