// `hookbell log`: prints events, decisions and attempts from the journal.
import { type ExitCode, exitCodes, usageError } from "../../model/errors.ts";
import { objectsOf } from "../../model/json.ts";
import { publicJsonLine } from "../../sessions/public-words.ts";
import { printableLine } from "../../model/text.ts";
import {
  journalBytes,
  type JournalEntry,
  type JournalOffsets,
  listJournal,
  readJournalOn,
} from "../../outbox/journal.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { suggest } from "../../rules/nearest.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { parseArguments } from "../../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { withMembers, wrapping } from "../../console/output/text.ts";
import { type About, createAbout, isRoutine } from "../../console/output/about.ts";
import { loadPlainOf, showNewest } from "../../console/output/show-entry.ts";
import { showWhy } from "./why.ts";
import { untilAborted } from "../../system/clock.ts";

export async function log(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.log.flags, 0);
  const layout = layoutOf(given.places.stateDir);
  const isEmpty = values.follow !== true && listJournal(layout).length === 0;
  const plainOf = values.json || isEmpty ? (text: string) => text : await loadPlainOf();
  const io = withMembers(values.json ? given : wrapping(given), { plainOf });
  if (values.all && values.last !== undefined)
    throw usageError("log", "-n and --all cannot be combined", "leave one of them out");
  const max = values.all ? Infinity : readLast(values.last ?? inspectCommands.log.flags.last.usual);
  const filter: LogFilter = { channel: values.channel, agent: values.agent, isFailed: values.failed };
  if (values.why !== undefined) return showWhy(layout, values.why, values, io);
  const offsets: JournalOffsets = new Map();
  const aboutOf = createAbout();
  /** The newest lines added to a file since it was last read. */
  const readOn = (file: string, atMost: number): string[] => {
    const entries = readJournalOn(layout, file, offsets)
      .map((entry) => ({ entry, about: aboutOf(entry) }))
      .filter(
        ({ entry, about }) => isWanted(entry, about, filter) && (values.json === true || !isRoutine(entry, about)),
      );
    if (!values.json) return showNewest(entries, atMost, io);
    return entries.slice(Math.max(0, entries.length - atMost)).map(({ entry }) => publicJsonLine(entry));
  };
  const newLines = (): string[] => listJournal(layout).flatMap((file) => readOn(file, Infinity));
  const days: string[][] = [];
  let count = 0;
  for (const file of listJournal(layout).toReversed()) {
    if (count >= max) offsets.set(file, journalBytes(layout, file));
    else {
      const shown = readOn(file, max - count);
      count += shown.length;
      days.unshift(shown);
    }
  }
  const lines = days.flat();
  for (const line of lines) io.stdout(line);
  if (lines.length === 0 && max > 0 && !values.json) io.stdout(`${await nothingToShow(layout, filter, io)}\n`);
  if (values.follow) await follow(layout, () => newLines().forEach(io.stdout), io.untilStopped());
  return exitCodes.done;
}

function readLast(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw usageError("log", `-n needs a number of lines, not ${JSON.stringify(text)}`, "hookbell log -n 20");
}

async function nothingToShow(layout: Layout, { channel, agent }: LogFilter, io: CommandIo): Promise<string> {
  const isEmpty = listJournal(layout).every((file) => journalBytes(layout, file) === 0);
  if (isEmpty) return "nothing happened yet; try: hookbell send hello";
  // These modules load here, because they are large and rarely needed.
  const [{ agents }, { readRules }] = await Promise.all([
    import("../../agents/index.ts"),
    import("../../pipeline/current-rules.ts"),
  ]);
  const known = Object.keys((await readRules(io.places.rulesFile, undefined)).rules.channels);
  const agentIds = agents.map(({ id }) => id);
  const typos = [
    channel === undefined || known.includes(channel)
      ? ""
      : `; there is no channel ${JSON.stringify(channel)}: ${suggest(channel, known, "channels")}`,
    agent === undefined || agent === "hookbell" || agentIds.includes(agent)
      ? ""
      : `; there is no agent ${JSON.stringify(agent)}: ${suggest(agent, agentIds, "agents")}`,
  ];
  return printableLine(`no such entry${typos.join("")}`);
}

/** Prints new lines, also of the next day's file, until stopped. */
async function follow(layout: Layout, catchUp: () => void, stop: AbortSignal): Promise<void> {
  const unwatch = watchFolder(layout.journal, catchUp, { isKeepingAlive: true });
  // Lines may have been added before the watch started.
  catchUp();
  await untilAborted(stop);
  unwatch();
}

interface LogFilter {
  channel?: string | undefined;
  agent?: string | undefined;
  isFailed?: boolean | undefined;
}

function isWanted(entry: JournalEntry, about: About, { channel, agent, isFailed }: LogFilter): boolean {
  return (
    (channel === undefined || channelsOf(entry).includes(channel)) &&
    (agent === undefined || about.agent === agent) &&
    (isFailed !== true || isFailure(entry))
  );
}

/** An attempt or a notice names one channel, a decision several. */
function channelsOf(entry: JournalEntry): unknown[] {
  if (entry.kind !== "decision") return [entry.channel];
  const dropped = objectsOf(entry.silent).filter(({ by }) => by !== undefined);
  return [...objectsOf(entry.deliveries), ...dropped].map(({ channel }) => channel);
}

function isFailure({ kind, outcome, what }: JournalEntry): boolean {
  if (kind === "attempt") return outcome !== "delivered";
  return kind === "rejected" || (kind === "dispatcher" && (what === "bug" || what === "platform"));
}
