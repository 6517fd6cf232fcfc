// A journal replayed under the rules that wrote it.
import { join } from "node:path";
import { openRules } from "../../../src/pipeline/current-rules.ts";
import { compare, type Comparison } from "../../../src/wings/replay/compare.ts";
import { replayJournal } from "../../../src/wings/replay/run.ts";
import { listJournal, readJournal } from "../../../src/outbox/journal.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";

/** `folder` has the rules, the state and the home of a dispatcher. */
export async function replayFolder(folder: string): Promise<Comparison & { events: number; told: number }> {
  const layout = layoutOf(join(folder, "state"));
  let [from, to] = [Infinity, 0];
  for (const file of listJournal(layout)) {
    for (const { at } of readJournal(layout, file)) {
      from = Math.min(from, Date.parse(at));
      to = Math.max(to, Date.parse(at) + 1);
    }
  }
  const rules = (await openRules(join(folder, "rules.jsonc"), undefined)).rules();
  const replayed = await replayJournal({
    layout,
    span: { from, to },
    rules,
    stuckAfterMs: rules.rules.stuckAfterMs,
    home: join(folder, "home"),
    platform: "linux",
  });
  if (replayed === undefined) throw new Error("nothing has stopped it");
  const { was, wouldBe, events } = replayed;
  return { ...compare(was, wouldBe), events, told: was.told.size };
}
