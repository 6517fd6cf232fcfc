// `doctor`: names what came in and was not understood: events, fields and payloads that hookbell does not know, and newer agents.
import type { AgentEvent } from "../../model/event.ts";
import { agentName, findAgent } from "../../agents/index.ts";
import { isKnownEvent } from "../../agents/known-events.ts";
import { installedVersion, isNewer } from "../../install/target/installed-version.ts";
import { listTargets } from "../../install/target/agent-target.ts";
import { formatTime } from "../../model/figures/wall-clock.ts";
import { objectOf, objectsOf, textOf } from "../../model/json.ts";
import { listJournal, readJournal, type JournalEntry } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { type Finding, ok, warning } from "../../console/output/finding.ts";

const reportAt = "https://github.com/hookbell/hookbell/issues";
const maxDays = 7;
const dayMs = 24 * 60 * 60_000;
/** A line each; the rest is counted. */
const maxLines = 8;

export function examineVersions({ env, places, platform }: Pick<CommandIo, "env" | "places" | "platform">): Finding[] {
  return listTargets(env, places.home, platform).flatMap(({ name, program, hookSetup: { tested } }) => {
    const version = program === undefined || tested === undefined ? undefined : installedVersion(program);
    if (version === undefined || tested === undefined || !isNewer(version, tested)) return [];
    return [ok(`${name} ${version} is newer than ${tested}, the newest that hookbell was tested with`)];
  });
}

interface Kind {
  text: string;
  fix: string;
  count: number;
  last: string;
}

export function examineNotUnderstood({ clock }: Pick<CommandIo, "clock">, layout: Layout): Finding[] {
  const now = clock.now();
  const from = new Date(now - maxDays * dayMs).toISOString();
  const kinds = new Map<string, Kind>();
  for (const file of listJournal(layout)) {
    if (file.slice(0, 10) < from.slice(0, 10)) continue;
    for (const entry of readJournal(layout, file)) {
      if (entry.at < from) continue;
      for (const { text, fix } of notUnderstoodIn(entry)) {
        const { count = 0 } = kinds.get(text) ?? {};
        kinds.set(text, { text, fix, count: count + 1, last: entry.at });
      }
    }
  }
  const found = [...kinds.values()].toSorted((a, b) => b.count - a.count);
  const shown = found.slice(0, maxLines).map(({ text, fix, count, last }) => {
    const times = count === 1 ? "once" : `${count} times`;
    return warning(
      `${text} (${times}, last ${formatTime(Date.parse(last), now, undefined)})`,
      "hookbell log --all",
      fix,
    );
  });
  const rest = found.length - shown.length;
  if (rest > 0) shown.push(warning(`${rest} more kinds of what hookbell does not know`, "hookbell log --all --json"));
  return shown;
}

function notUnderstoodIn(entry: JournalEntry): { text: string; fix: string }[] {
  if (entry.kind !== "event") return [];
  const { agent, name } = objectOf(entry.event) as Partial<AgentEvent>;
  if (agent === undefined || name === undefined || agent === "generic" || findAgent(agent) === undefined) return [];
  const by = agentName(agent);
  const fields = objectsOf(entry.drift).map((drift) => ({
    text: `${by}, ${name}: the field ${textOf(drift.field)} is ${textOf(drift.got)}, not ${textOf(drift.expected)}; it was left out`,
    fix: `a newer ${by} may write it so; report it at ${reportAt}. To see the events:`,
  }));
  if (isKnownEvent(name)) return fields;
  return [
    {
      text: `${by} sent an event that hookbell does not know: ${name}`,
      fix: `rules can name it; if it asks you something, report it at ${reportAt}. To see the events:`,
    },
    ...fields,
  ];
}
