// Reads what a digest says from the journal, and queues a digest, each period once.
import { agentName } from "../../agents/index.ts";
import {
  digestEventName,
  digestMessage,
  digestOf,
  dueSpan,
  isEmpty,
  type Digest,
  type DigestEvent,
  type Fate,
  type Span,
} from "../../sessions/digest.ts";
import { nextInstantOf } from "../../model/figures/wall-clock.ts";
import { listOf, objectsOf } from "../../model/json.ts";
import { isHookChanged, ownAgents } from "../../model/own-events.ts";
import { queueOnce } from "../../outbox/incoming.ts";
import { listJournal, newsIn, readJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { listSessions } from "../../outbox/sessions.ts";
import type { Rules } from "../../rules/rules.ts";

/** The agent's name in rules. */
const agentId = "hookbell";

export function readDigest(layout: Layout, span: Span): Digest {
  return digestOf(readEvents(layout, span.from), listSessions(layout), span);
}

/** Queues the digest that is due, unless it was sent before. Returns when to check again. */
export function queueDueDigest(layout: Layout, schedule: NonNullable<Rules["digest"]>, nowMs: number): number {
  queueDigest(layout, dueSpan(schedule, nowMs), nowMs);
  return nextInstantOf(schedule.at, nowMs, schedule.timeZone);
}

/** Sends each period once. */
export function queueDigest(layout: Layout, span: Span, nowMs: number): "queued" | "empty" | "known" {
  const data = readDigest(layout, span);
  if (isEmpty(data)) return "empty";
  const { title, message, figures } = digestMessage(data, agentName);
  const payload = { hook_event_name: digestEventName, cwd: "digest", title, message, figures, details: asJson(data) };
  const key = `digest-${new Date(span.to).toISOString()}`;
  return queueOnce(layout, { agentId, name: digestEventName, key, payload }, nowMs) ? "queued" : "known";
}

/** The journal's events, and what became of the notification of each. */
function readEvents(layout: Layout, from: number): DigestEvent[] {
  const events: DigestEvent[] = [];
  /** A summary stands for the deliveries that it lists. */
  const eventsOf = new Map<unknown, DigestEvent[]>();
  // The last entry counts, but what one channel has delivered was sent, whatever became of it on others.
  const note = (id: unknown, fate: Fate): void => {
    for (const each of eventsOf.get(id) ?? []) if (each.fate !== "sent") each.fate = fate;
  };
  // Journal files are named by UTC day.
  const first = new Date(from).toISOString().slice(0, 10);
  const files = listJournal(layout).filter((file) => file.slice(0, 10) >= first);
  for (const entry of files.flatMap((file) => readJournal(layout, file))) {
    if (entry.kind === "event") {
      const event = newsIn(entry);
      if (event === undefined || (ownAgents.has(event.agent) && !isHookChanged(event))) continue;
      const known: DigestEvent = { event };
      events.push(known);
      eventsOf.set(event.id, [known]);
      continue;
    }
    if (entry.kind === "decision") {
      const summarised = listOf(entry.summarises).flatMap((id) => eventsOf.get(id) ?? []);
      if (summarised.length > 0) eventsOf.set(entry.event, summarised);
      for (const { id } of objectsOf(entry.deliveries)) eventsOf.set(id, eventsOf.get(entry.event) ?? []);
      if (objectsOf(entry.silent).some(({ by }) => by !== undefined)) note(entry.event, "withheld");
    }
    if (entry.kind === "attempt" && entry.next !== "retry") {
      // Only a decision's deliveries count: a list that gets shorter is no notification.
      note(entry.delivery ?? entry.event, entry.outcome === "delivered" ? "sent" : "unreached");
    }
    if (entry.kind === "attention" && entry.verdict === "drop") note(entry.event, "withheld");
  }
  return events;
}

export function asJson({ from, to, ...data }: Digest): Record<string, unknown> {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...data };
}
