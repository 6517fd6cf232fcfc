// `doctor`: whether new hooks are noticed, and which of them no one has accepted.
import { typedWord } from "../../../model/places/user-shell.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { type Finding, ok, warning } from "../../../console/output/finding.ts";
import { count } from "../../../console/output/text.ts";
import { shownCommand } from "../shown.ts";
import { isNew, lookAtAll } from "./look.ts";

const maxNamed = 3;

export function examineHooks(io: CommandIo): Finding[] {
  const { launches, files, baseline } = lookAtAll(io);
  const others = launches.filter(({ owner }) => owner !== "hookbell");
  const torn = files
    .filter(({ isTorn }) => isTorn)
    .map(({ path, notes }) =>
      warning(
        `${path}: ${notes.join("; ")}`,
        `hookbell hooks`,
        "hookbell does not see every hook in it; fix it, then:",
      ),
    );
  if (baseline === undefined) {
    if (others.length === 0) return torn;
    const text = `no one is told when a new hook appears (${count(others.length, "program")} of others at present)`;
    return [...torn, warning(text, "hookbell hooks --accept", "look at them (hookbell hooks), then:")];
  }
  const news = others.filter(isNew);
  if (news.length === 0) {
    return [...torn, ok(`${count(others.length, "program")} of others that agents start, all known`)];
  }
  // The same entry may stand in several places.
  const all = [...new Set(news.map(({ launch }) => `${shownCommand(launch.command, 60)} (${launch.id})`))];
  const named = all.slice(0, maxNamed);
  const more = all.length > maxNamed ? [`and ${all.length - maxNamed} more`] : [];
  const [first] = news;
  const text = `not accepted yet: ${[...named, ...more].join(", ")}`;
  return [...torn, warning(text, `hookbell hooks ${typedWord(first?.launch.id ?? "")}`)];
}
