import { join } from "node:path";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { listJournal, parseJournal, readJournal, type JournalEntry } from "../outbox/journal.ts";
import { layoutOf, type Layout } from "../outbox/layout.ts";
import { readFrom } from "../system/files.ts";
import { watchFolder } from "../system/watch.ts";
import { parseArguments } from "./arguments.ts";
import type { CommandIo } from "./command-io.ts";
import { showEntry } from "./show-entry.ts";

export const defaultEntries = 40;

/** What happened and why: events, decisions, attempts. */
export async function log(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, {
    json: { type: "boolean" },
    follow: { type: "boolean", short: "f" },
    all: { type: "boolean" },
  });
  const layout = layoutOf(io.places.stateDir);
  const show = (entry: JournalEntry): void => {
    const text = values.json ? JSON.stringify(entry) : showEntry(entry, io);
    if (text !== undefined) io.stdout(`${text}\n`);
  };
  const files = listJournal(layout);
  const entries: JournalEntry[] = [];
  for (const file of files.toReversed()) {
    entries.unshift(...readJournal(layout, file));
    if (!values.all && entries.length >= defaultEntries) break;
  }
  const shown = values.all ? entries : entries.slice(-defaultEntries);
  const offsets = new Map(files.map((file) => [file, sizeOf(layout, file)]));
  for (const entry of shown) show(entry);
  if (shown.length === 0 && !values.json) io.stdout("nothing yet; try: hookbell test\n");
  if (values.follow) await follow(layout, offsets, show, io.untilStopped());
  return exitCodes.done;
}

function sizeOf(layout: Layout, file: string): number {
  return readFrom(join(layout.journal, file), 0).bytes;
}

/** Shows what is added, also to the file of a new day, until it is stopped. */
function follow(
  layout: Layout,
  offsets: Map<string, number>,
  show: (entry: JournalEntry) => void,
  stop: AbortSignal,
): Promise<void> {
  const catchUp = (): void => {
    for (const file of listJournal(layout)) {
      const { text, bytes } = readFrom(join(layout.journal, file), offsets.get(file) ?? 0);
      // A line that is being written is left for the next time.
      const whole = text.slice(0, text.lastIndexOf("\n") + 1);
      offsets.set(file, bytes - Buffer.byteLength(text.slice(whole.length)));
      for (const entry of parseJournal(whole)) show(entry);
    }
  };
  return new Promise((resolve) => {
    const unwatch = watchFolder(layout.journal, catchUp, { isKeepingAlive: true });
    const end = (): void => {
      unwatch();
      resolve();
    };
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
  });
}
