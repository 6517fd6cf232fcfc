import type { JournalEntry } from "../../outbox/journal.ts";
import type { About } from "./about.ts";

/** What a person asks of the journal; what is left out is not asked. */
export interface LogFilter {
  channel?: string | undefined;
  agent?: string | undefined;
  isFailed?: boolean | undefined;
}

/** Whether an entry is one of those that were asked for. */
export function isAskedFor(entry: JournalEntry, about: About, { channel, agent, isFailed }: LogFilter): boolean {
  return (
    (channel === undefined || channelsOf(entry).includes(channel)) &&
    (agent === undefined || about.agent === agent) &&
    (isFailed !== true || isFailure(entry))
  );
}

/** An attempt and a notice name one channel, a decision all it has chosen. */
function channelsOf(entry: JournalEntry): unknown[] {
  if (entry.kind !== "decision") return [entry.channel];
  return Array.isArray(entry.deliveries)
    ? entry.deliveries.map((each) => (each as { channel?: unknown } | null)?.channel)
    : [];
}

function isFailure({ kind, outcome, what }: JournalEntry): boolean {
  return (
    (kind === "attempt" && outcome !== "delivered") || kind === "rejected" || (kind === "dispatcher" && what === "bug")
  );
}
