// `hookbell digest`: prints or sends a summary of what ran, for how long, what failed and what waits.
import {
  digestEventName,
  digestMessage,
  digestOf,
  dueSpan,
  isEmpty,
  failureLine,
  summarise,
  type Digest,
  type DigestEvent,
  type Fate,
  type Span,
} from "../../attention/digest.ts";
import { agentName } from "../../agents/index.ts";
import { sessionLine, waitingTitle } from "../../attention/waiting.ts";
import { instantOf, nextInstantOf, parseTimeOfDay, wallTimeAt } from "../../model/figures/wall-clock.ts";
import { formatDuration, formatLocalTime, parseDuration } from "../../model/figures/duration.ts";
import { sparkline } from "../../model/figures/numbers.ts";
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { platformAgentId } from "../../model/own-events.ts";
import { preview } from "../../model/privacy/scrub.ts";
import { listJournal, readJournal } from "../../outbox/journal.ts";
import { layoutOf, type Layout } from "../../outbox/layout.ts";
import { queueOnce } from "../../outbox/incoming.ts";
import { listSessions } from "../../outbox/sessions.ts";
import type { Rules } from "../../rules/rules.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { renderTable } from "../console/table.ts";
import { count, jsonLine, paint, wrapping } from "../console/text.ts";
import { attentionCommands } from "../help/attention.ts";
import { usableRules } from "../pipeline/load-rules.ts";

import { openDispatcher, viewDispatcher, wake } from "../pipeline/open-dispatcher.ts";
import { listOf, objectsOf } from "../../model/json.ts";

const dayMs = 24 * 60 * 60_000;
const maxFailures = 10;

/** The agent's name in rules. */
const agentId = "hookbell";
/** These agents do no work themselves. */
const notCounted: ReadonlySet<string> = new Set([agentId, platformAgentId]);

export async function digest(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, attentionCommands.digest.flags, 0);
  if (values.send === true) return await send(values, io);
  const data = readDigest(layoutOf(io.places.stateDir), spanSince(values.since, io.clock.now()));
  if (values.json) io.stdout(jsonLine(asJson(data)));
  else wrapping(io).stdout(show(data, io));
  return exitCodes.done;
}

function spanSince(text: string | undefined, nowMs: number): Span {
  // Events of this very moment count.
  return { from: text === undefined ? nowMs - dayMs : readSince(text, nowMs), to: nowMs + 1 };
}

function readDigest(layout: Layout, span: Span): Digest {
  return digestOf(readEvents(layout, span.from), listSessions(layout), span);
}

async function send(
  { since, config, json }: { since?: string | undefined; config?: string | undefined; json?: boolean | undefined },
  io: CommandIo,
): Promise<ExitCode> {
  const now = io.clock.now();
  const { rules } = usableRules(await viewDispatcher(io, config), config, io);
  const span = since === undefined && rules.digest !== undefined ? dueSpan(rules.digest, now) : spanSince(since, now);
  const { layout } = await openDispatcher(io, config);
  const result = queueDigest(layout, span, now);
  if (result === "queued") wake(io);
  const texts = {
    queued: `sent to your rules as the event ${digestEventName}`,
    empty: "nothing happened, so there is nothing to send",
    known: "this digest was sent before",
  };
  io.stdout(json === true ? jsonLine({ digest: result }) : `${texts[result]}\n`);
  return exitCodes.done;
}

/** Queues the digest that is due, unless it was sent before. Returns when to check again. */
export function queueDueDigest(layout: Layout, schedule: NonNullable<Rules["digest"]>, nowMs: number): number {
  queueDigest(layout, dueSpan(schedule, nowMs), nowMs);
  return nextInstantOf(schedule.at, nowMs, schedule.timeZone);
}

/** Sends each period once. */
function queueDigest(layout: Layout, span: Span, nowMs: number): "queued" | "empty" | "known" {
  const data = readDigest(layout, span);
  if (isEmpty(data)) return "empty";
  const { title, message, figures } = digestMessage(data, agentName);
  const payload = { hook_event_name: digestEventName, cwd: "digest", title, message, figures, details: asJson(data) };
  const key = `digest-${new Date(span.to).toISOString()}`;
  return queueOnce(layout, { agentId, name: digestEventName, key, payload }, nowMs) ? "queued" : "known";
}

/** The last time the clock showed this time of day, or this long ago. */
function readSince(text: string, nowMs: number): number {
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0) return nowMs - duration;
  const minutes = parseTimeOfDay(text);
  if (minutes === undefined) {
    const hint = "hookbell digest --since 09:00, or hookbell digest --since 8h";
    const message = `${JSON.stringify(text)} is neither a time nor a duration`;
    throw usageError("digest", message, hint);
  }
  const { day } = wallTimeAt(nowMs, undefined);
  const today = instantOf(day, minutes, undefined);
  return today <= nowMs ? today : instantOf(day - 1, minutes, undefined);
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
      const event = entry.event as AgentEvent;
      const isNews = entry.ignored === undefined && entry.duplicateOf === undefined && !notCounted.has(event.agent);
      const known: DigestEvent = { event };
      if (isNews) events.push(known);
      if (isNews) eventsOf.set(event.id, [known]);
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

function asJson({ from, to, ...data }: Digest): Record<string, unknown> {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString(), ...data };
}

function show(data: Digest, io: CommandIo): string {
  const { from, to, projects, total, failures, waiting, slots } = data;
  const span = `since ${formatLocalTime(from)}`;
  if (isEmpty(data)) return `nothing happened ${span}\n`;
  const work = `${summarise(total)} ${span}`;
  const scale = `each bar is ${formatDuration((to - from) / slots.length)}; the highest is ${formatDuration(Math.max(...slots))} of work`;
  const parts = [`${paint(io, "bold", work)}\n${sparkline(slots)}\n${paint(io, "dim", scale)}\n`];
  if (projects.length > 0) parts.push(showProjects(projects, io));
  if (failures.length > 0) {
    const lines = failures
      .slice(-maxFailures)
      .map(
        (each) => `  ${failureLine({ ...each, words: preview(each.words) }, formatLocalTime(each.at), agentName)}\n`,
      );
    parts.push(`${paint(io, "red", count(failures.length, "failure"))}:\n${lines.join("")}`);
  }
  if (waiting.length > 0) {
    const lines = waiting.map((each) => `  ${sessionLine(each, { ...each.question, nowMs: to, nameOf: agentName })}\n`);
    parts.push(`${paint(io, "yellow", waitingTitle(waiting.length))}:\n${lines.join("")}`);
  }
  const lost = total.unreached === 0 ? "" : `, ${total.unreached} reached no channel`;
  parts.push(
    `${count(total.sent, "notification")} sent, ${total.withheld} kept back or withdrawn${lost} (hookbell log)\n`,
  );
  return parts.join("\n");
}

function showProjects(projects: Digest["projects"], io: CommandIo): string {
  const numbers = (header: string, of: (project: Digest["projects"][number]) => number) => ({
    header,
    cells: projects.map((project) => String(of(project))),
    isRight: true,
  });
  return renderTable(
    [
      { header: "Project", cells: projects.map(({ project }) => project), minWidth: 12 },
      { header: "Agents", cells: projects.map(({ agents }) => agents.map(agentName).join(", ")), minWidth: 8, omit: 2 },
      numbers("Turns", ({ turns }) => turns),
      { header: "Work", cells: projects.map(({ workMs }) => formatDuration(workMs)), isRight: true },
      { header: "", cells: [], bars: projects.map(({ workMs }) => workMs), omit: 1 },
      numbers("Questions", ({ questions }) => questions),
      numbers("Failures", ({ failures }) => failures),
    ],
    io,
  );
}
