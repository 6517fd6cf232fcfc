// `hookbell why` and `hookbell log --why ID`: print everything recorded about an event and its messages.
import { verbs } from "../../model/answer.ts";
import { type AgentEvent, isQuestion } from "../../model/event.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { isOwnNotice, isTrial, listName } from "../../model/own-events.ts";
import { printableLine } from "../../model/text.ts";
import { idsMeant } from "../../sessions/names.ts";
import { type JournalEntry, listJournal, readJournal } from "../../outbox/journal.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint, withMembers, wrapping } from "../../console/output/text.ts";
import { type About, createAbout, eventOf, isRoutine } from "../../console/output/about.ts";
import {
  type EntryIo,
  loadPlainOf,
  localTime,
  reasonsOf,
  shortEventId,
  showNewest,
} from "../../console/output/show-entry.ts";
import { inspectCommands } from "../help/inspect.ts";
import { headlineOf, inSummaries, notificationsIn, timeOfDay } from "../../overview/notifications.ts";
import { objectOf, objectsOf, textOf } from "../../model/json.ts";
import { publicJsonLine } from "../../sessions/public-words.ts";

/** About what happened last, a notification that went out or an event that might have notified anyone, unless an id is given. */
export async function why(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, inspectCommands.why.flags, 1);
  const layout = layoutOf(given.places.stateDir);
  const id = positionals[0] ?? lastEvent(layout);
  if (id === undefined) {
    given.stdout("no event has arrived yet\n");
    return exitCodes.done;
  }
  const io = withMembers(values.json ? given : wrapping(given), { plainOf: await loadPlainOf() });
  const code = showWhy(layout, id, values, io);
  const rang = values.json === true || positionals.length > 0 ? undefined : newest(layout, isNotification);
  // The user may mean what has just rung, after which the session went on in silence.
  if (rang !== undefined && rang.id !== id) {
    const { place, event } = rang.about;
    const what = [place, event].filter((part) => part !== undefined).map(printableLine);
    given.stdout(`\nlast notified ${localTime(rang.at)}: ${what.join(" · ")}; hookbell why ${shortEventId(rang.id)}\n`);
  }
  return code;
}

/** A notification may be held for minutes while other events come. Steps of a session notify no one, and no one asks about them. */
export function lastEvent(layout: Layout): string | undefined {
  const isMeant = (entry: JournalEntry, about: About): boolean =>
    entry.kind === "decision" ? !isRoutine(entry, about) : isNotification(entry);
  return newest(layout, isMeant)?.id;
}

interface Newest {
  id: string;
  at: string;
  about: About;
}

/** A notice of hookbell's own is the newest only where there is no other, and a verification never is. */
function newest(layout: Layout, isMeant: (entry: JournalEntry, about: About) => boolean): Newest | undefined {
  let notice: Newest | undefined;
  for (const file of listJournal(layout).toReversed()) {
    const entries = readJournal(layout, file);
    const aboutOf = createAbout();
    const trials = new Set(entries.filter(({ event }) => isTrial(String(objectOf(event).session))).map(eventOf));
    const known = entries.map((entry) => ({ entry, about: aboutOf(entry) })).toReversed();
    for (const { entry, about } of known) {
      const id = eventOf(entry);
      if (id === undefined || trials.has(id) || !isMeant(entry, about)) continue;
      const found = { id, at: entry.at, about };
      if (!isOwnNotice({ id })) return found;
      notice ??= found;
    }
  }
  return notice;
}

/** The list of waiting sessions is about many events; what is taken back notifies no one. */
function isNotification({ kind, outcome, about, isRetraction }: JournalEntry): boolean {
  return kind === "attempt" && outcome === "delivered" && isRetraction !== true && objectOf(about).event !== listName;
}

/** `id` is that of an event or a message, or how it begins or ends. `all`: also what each stage found, and the rules that did not match. */
export function showWhy(
  layout: Layout,
  id: string,
  { json, all }: { json?: boolean | undefined; all?: boolean | undefined },
  io: CommandIo & EntryIo,
): ExitCode {
  const { entries: own, summaries, repeat, end } = storyOf(layout, id);
  const entries = [...own, ...summaries];
  if (json === true) {
    for (const entry of entries) io.stdout(publicJsonLine(entry));
    return exitCodes.done;
  }
  const headline = [headlineOf(notificationsIn(own, summaries), io.clock.now()), end].filter(
    (part) => part !== undefined,
  );
  io.stdout(`${paint(io, "bold", headline.join("; "))}\n`);
  if (repeat !== undefined) io.stdout(`${repeat} only repeats this event\n`);
  const aboutOf = createAbout();
  for (const entry of entries) {
    const { matching, others, stages } = reasonsOf(entry);
    // What led to a decision stands above it.
    for (const line of all === true ? [...stages, ...matching, ...others] : matching)
      io.stdout(`    ${paint(io, "dim", line)}\n`);
    for (const line of showNewest([{ entry, about: aboutOf(entry) }], 1, io)) io.stdout(line);
  }
  return exitCodes.done;
}

/** All about one event; `id` is its id or that of one of its messages, or how either begins or ends. */
export function entriesOf(layout: Layout, id: string): JournalEntry[] {
  return entriesAmong(readAll(layout), id);
}

function readAll(layout: Layout): JournalEntry[] {
  return listJournal(layout).flatMap((file) => readJournal(layout, file));
}

function entriesAmong(all: readonly JournalEntry[], id: string): JournalEntry[] {
  const meant = new Set(idsMeant(id, all.flatMap(idsOf)));
  const events = new Set(all.filter((entry) => idsOf(entry).some((each) => meant.has(each))).map(eventOf));
  events.delete(undefined);
  if (events.size !== 1) {
    const what = events.size === 0 ? "no event or message has the id" : `${events.size} events have ids like`;
    const hint = "hookbell log shows the ids";
    throw new UserError("log.id", `${what} ${JSON.stringify(id)}`, { hint, exitCode: exitCodes.badInput });
  }
  return all.filter((entry) => events.has(eventOf(entry)));
}

interface Story {
  /** Those of the event that was reported first. */
  entries: JournalEntry[];
  /** What became of its messages in a summary. */
  summaries: JournalEntry[];
  /** The event that was asked about, if it only repeats that one. */
  repeat: string | undefined;
  /** How a question ended. */
  end: string | undefined;
}

/** What repeats an event, such as an agent's reminder, is explained by the event itself. */
function storyOf(layout: Layout, id: string): Story {
  const all = readAll(layout);
  let entries = entriesAmong(all, id);
  let repeat: string | undefined;
  for (;;) {
    const original = entries.map(({ duplicateOf }) => textOf(duplicateOf)).find((each) => each !== undefined);
    const found = original === undefined ? [] : all.filter((entry) => eventOf(entry) === original);
    if (found.length === 0) {
      return { entries, summaries: inSummaries(all, entries), repeat, end: endOf(all, entries) };
    }
    const [repeating] = entries.map(eventOf);
    repeat ??= repeating && shortEventId(repeating);
    entries = found;
  }
}

const endings = /^(?:PostToolUse(?:Failure)?|UserPromptSubmit|Stop|StopFailure|SessionEnd|Answered|Interrupted)$/;

/** Such as "allowed by Ann in phone 19:31:05". An answer through hookbell has a line of its own in the journal; else the session went on. */
function endOf(all: readonly JournalEntry[], entries: readonly JournalEntry[]): string | undefined {
  const asked = entries.find(({ kind }) => kind === "event");
  const { agent, session, ...event } = objectOf(asked?.event);
  if (asked === undefined || !isQuestion(event as Pick<AgentEvent, "name" | "level">)) return undefined;
  for (const entry of all.slice(all.indexOf(asked) + 1)) {
    const at = timeOfDay(Date.parse(entry.at));
    if (entry.kind === "answer" && entry.agent === agent && entry.session === session) {
      const by = textOf(entry.by) ?? "someone";
      const choice = textOf(entry.what) ?? "";
      const verb = Object.hasOwn(verbs, choice) ? `${verbs[choice as keyof typeof verbs]} by ` : "";
      const channel = textOf(entry.channel);
      return `${verb}${printableLine(by)}${channel === undefined ? "" : ` in ${printableLine(channel)}`} ${at}`;
    }
    const next = objectOf(entry.event);
    const isNext = entry.kind === "event" && next.agent === agent && next.session === session;
    if (isNext && endings.test(String(next.name))) return `the session went on ${at}`;
  }
  return undefined;
}

function idsOf({ event, delivery, deliveries }: JournalEntry): string[] {
  const ids = [event, objectOf(event).id, delivery, ...objectsOf(deliveries).map((each) => each.id)];
  return ids.filter((each) => typeof each === "string");
}
