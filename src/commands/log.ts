import { join } from "node:path";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { listJournal, parseJournal } from "../outbox/journal.ts";
import { layoutOf, type Layout } from "../outbox/layout.ts";
import { readFrom, statIfThere } from "../system/files.ts";
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
  const offsets = new Map<string, number>();
  /** What there is to show of the lines that a file has got since it was last read. */
  const readOn = (file: string): string[] =>
    parseJournal(readWholeLines(layout, file, offsets)).flatMap((entry) => {
      if (values.json) return [jsonLine(entry)];
      const text = showEntry(entry, io);
      return text === undefined ? [] : [`${text}\n`];
    });
  const days: string[][] = [];
  let count = 0;
  for (const file of listJournal(layout).toReversed()) {
    if (!values.all && count >= defaultEntries) offsets.set(file, sizeOf(layout, file));
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

function sizeOf(layout: Layout, file: string): number {
  const stats = statIfThere(join(layout.journal, file));
  return stats?.isFile ? stats.bytes : 0;
}

/** A line that is being written is left for the next time. */
function readWholeLines(layout: Layout, file: string, offsets: Map<string, number>): string {
  const offset = offsets.get(file) ?? 0;
  if (sizeOf(layout, file) === offset) return "";
  const { text, bytes } = readFrom(join(layout.journal, file), offset);
  const whole = text.slice(0, text.lastIndexOf("\n") + 1);
  offsets.set(file, bytes - Buffer.byteLength(text.slice(whole.length)));
  return whole;
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
