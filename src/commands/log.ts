import { exitCodes, type ExitCode } from "../model/errors.ts";
import { journalBytes, readJournalOn, type JournalOffsets } from "../outbox/journal-lines.ts";
import { listJournal } from "../outbox/journal.ts";
import { layoutOf, type Layout } from "../outbox/layout.ts";
import { watchFolder } from "../system/watch.ts";
import { parseArguments } from "./arguments.ts";
import type { CommandIo } from "./command-io.ts";
import { jsonLine } from "./json-line.ts";
import { showEntry } from "./show-entry.ts";

export const defaultEntries = 40;

/** What happened and why: events, decisions, attempts. */
export async function log(args: string[], io: CommandIo): Promise<ExitCode> {
  const flags = {
    json: { type: "boolean" },
    follow: { type: "boolean", short: "f" },
    all: { type: "boolean" },
  } as const;
  const { values } = parseArguments(args, flags, 0);
  const layout = layoutOf(io.places.stateDir);
  const offsets: JournalOffsets = new Map();
  /** What there is to show of the lines that a file has got since it was last read. */
  const readOn = (file: string): string[] =>
    readJournalOn(layout, file, offsets).flatMap((entry) => {
      if (values.json) return [jsonLine(entry)];
      const text = showEntry(entry, io);
      return text === undefined ? [] : [`${text}\n`];
    });
  const days: string[][] = [];
  let count = 0;
  for (const file of listJournal(layout).toReversed()) {
    if (!values.all && count >= defaultEntries) offsets.set(file, journalBytes(layout, file));
    else {
      const shown = readOn(file);
      count += shown.length;
      days.unshift(shown);
    }
  }
  const lines = values.all ? days.flat() : days.flat().slice(-defaultEntries);
  for (const line of lines) io.stdout(line);
  if (lines.length === 0 && !values.json) io.stdout("nothing yet; try: hookbell send hello\n");
  if (values.follow)
    await follow(layout, () => listJournal(layout).flatMap(readOn).forEach(io.stdout), io.untilStopped());
  return exitCodes.done;
}

/** Shows what is added, also to the file of a new day, until it is stopped. */
function follow(layout: Layout, catchUp: () => void, stop: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const unwatch = watchFolder(layout.journal, catchUp, { isKeepingAlive: true });
    // What came between the reading and the watching.
    catchUp();
    const end = (): void => {
      unwatch();
      resolve();
    };
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
  });
}
