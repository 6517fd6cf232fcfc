// `hookbell why` and `hookbell log --why ID`: print everything recorded about an event and its messages.
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { idsMeant } from "../../sessions/names.ts";
import { type JournalEntry, listJournal, readJournal } from "../../outbox/journal.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint, withMembers, wrapping } from "../../console/output/text.ts";
import { createAbout, eventOf } from "../../console/output/about.ts";
import { type EntryIo, loadPlainOf, reasonsOf, showNewest } from "../../console/output/show-entry.ts";
import { inspectCommands } from "../help/inspect.ts";
import { headlineOf, notificationsIn } from "../../overview/notifications.ts";
import { objectOf, objectsOf } from "../../model/json.ts";
import { publicJsonLine } from "../../sessions/public-words.ts";

/** About the last event unless an id is given. */
export async function why(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, inspectCommands.why.flags, 1);
  const layout = layoutOf(given.places.stateDir);
  const id = positionals[0] ?? lastEvent(layout);
  if (id === undefined) {
    given.stdout("no event has arrived yet\n");
    return exitCodes.done;
  }
  const io = withMembers(values.json ? given : wrapping(given), { plainOf: await loadPlainOf() });
  return showWhy(layout, id, values, io);
}

function lastEvent(layout: Layout): string | undefined {
  for (const file of listJournal(layout).toReversed()) {
    const last = readJournal(layout, file).findLast(({ kind }) => kind === "event");
    if (last !== undefined) return idsOf(last)[0];
  }
  return undefined;
}

/** `id` is that of an event or a message, or how it begins or ends. `all`: also what each stage found, and the rules that did not match. */
export function showWhy(
  layout: Layout,
  id: string,
  { json, all }: { json?: boolean | undefined; all?: boolean | undefined },
  io: CommandIo & EntryIo,
): ExitCode {
  const entries = entriesOf(layout, id);
  if (json === true) {
    for (const entry of entries) io.stdout(publicJsonLine(entry));
    return exitCodes.done;
  }
  io.stdout(`${paint(io, "bold", headlineOf(notificationsIn(entries), io.clock.now()))}\n`);
  const aboutOf = createAbout();
  for (const entry of entries) {
    for (const line of showNewest([{ entry, about: aboutOf(entry) }], 1, io)) io.stdout(line);
    const { matching, others, stages } = reasonsOf(entry);
    for (const line of all === true ? [...stages, ...matching, ...others] : matching)
      io.stdout(`    ${paint(io, "dim", line)}\n`);
  }
  return exitCodes.done;
}

/** All about one event; `id` is its id or that of one of its messages, or how either begins or ends. */
export function entriesOf(layout: Layout, id: string): JournalEntry[] {
  const all = listJournal(layout).flatMap((file) => readJournal(layout, file));
  const meant = new Set(idsMeant(id, all.flatMap(idsOf)));
  const events = new Set(all.filter((entry) => idsOf(entry).some((each) => meant.has(each))).map(eventOf));
  events.delete(undefined);
  if (events.size !== 1) throw notOne(id, events.size);
  return all.filter((entry) => events.has(eventOf(entry)));
}

function idsOf({ event, delivery, deliveries }: JournalEntry): string[] {
  const ids = [event, objectOf(event).id, delivery, ...objectsOf(deliveries).map((each) => each.id)];
  return ids.filter((each) => typeof each === "string");
}

function notOne(id: string, count: number): UserError {
  const what = count === 0 ? "no event or message has the id" : `${count} events have ids like`;
  const hint = "hookbell log shows the ids";
  return new UserError("log.id", `${what} ${JSON.stringify(id)}`, { hint, exitCode: exitCodes.badInput });
}
