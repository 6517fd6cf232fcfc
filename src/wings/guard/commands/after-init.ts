// The first `hookbell init` takes what is there as known; later ones accept nothing.
import { recordStore } from "../../../install/record/record.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { tryToStat } from "../../../system/files/files.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { count, reportColumns, widthOf, wrap } from "../../../console/output/text.ts";
import { accepting, emptyBaseline, readBaseline, writeBaseline } from "../baseline.ts";
import { OwnHooks } from "../own/hooks.ts";
import { shownCommand } from "../shown.ts";
import type { Launch } from "../launches/launch.ts";
import { listedProjects } from "../launches/projects.ts";
import { readOwnRules } from "../own/settings.ts";
import { lookAtAll } from "./look.ts";

const maxNamed = 3;
const list = "hookbell hooks";

function named(launches: readonly Launch[]): string {
  const commands = [...new Set(launches.map(({ command }) => shownCommand(command, 60)))];
  const more = commands.length > maxNamed ? [count(commands.length - maxNamed, "other program")] : [];
  return [...commands.slice(0, maxNamed), ...more].join(", ");
}

/** What `init` says of it, if it was the first one. */
export function takeAsKnown(io: CommandIo, { isFirst }: { isFirst: boolean }): string[] {
  const { stateDir, home, rulesFile } = io.places;
  const layout = layoutOf(stateDir);
  // Nothing was set up, so nothing is watched; and what was set up before is for a person to accept.
  if (!isFirst) return [];
  if (readBaseline(layout) !== undefined || tryToStat(stateDir)?.isFolder !== true) return [];
  const now = io.clock.now();
  const { launches, files } = lookAtAll(io, { more: listedProjects({ env: io.env, home, platform: io.platform }) });
  const others = launches.flatMap(({ launch, owner }) => (owner === "hookbell" ? [] : [launch]));
  const rules = readOwnRules(rulesFile, stateDir)?.digest;
  const record = recordStore(stateDir).read();
  const { known: own } = new OwnHooks().look({}, { files, own: { stateDir, home, record } }, now);
  const baseline = accepting(emptyBaseline(now), others, now);
  writeBaseline(layout, { ...baseline, own, ...(rules === undefined ? {} : { rules }) });
  if (others.length === 0) return [];
  const columns = reportColumns(io);
  // The command stands on a line of its own where it would be broken.
  const said = wrap(`your agents also start ${named(others)}, now taken as known:`, columns).split("\n");
  const last = said.pop() ?? "";
  const isRoom = widthOf(last) + 1 + list.length <= columns;
  return [...said, ...(isRoom ? [`${last} ${list}`] : [last, `  ${list}`])];
}
