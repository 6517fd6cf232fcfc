// `hookbell sessions`: what each session does, for people and programs. Writes nothing.
import { ageOf } from "../../sessions/waiting.ts";
import { describeRow, type BoardRow } from "../../overview/board.ts";
import { createBoardReader } from "../../overview/read-board.ts";
import { rowAsJson, rowJsonVersion } from "../../overview/row-json.ts";
import { type ExitCode, exitCodes } from "../../model/errors.ts";
import { shortId } from "../../sessions/names.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { isLive, oneLine, stateWords } from "../../sessions/describe.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { renderTable } from "../../console/output/table.ts";
import { jsonLine } from "../../console/output/text.ts";
import { inspectCommands } from "../help/inspect.ts";
import { sleep } from "../../system/clock.ts";

/** No file changes when a session falls silent or its process ends. */
const lookEveryMs = 5000;

export async function sessions(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.sessions.flags, 0);
  const layout = layoutOf(io.places.stateDir);
  const isWanted = (record: SessionRecord, nowMs: number): boolean => values.all === true || isLive(record, nowMs);
  if (values.follow === true) {
    await follow(layout, isWanted, io);
    return exitCodes.done;
  }
  const found = createBoardReader(layout, isWanted)(io.clock.now());
  io.stdout(values.json === true ? rowsAsJson(found) : show(found, io));
  return exitCodes.done;
}

/** What `board --json` prints, too. */
export function rowsAsJson(rows: readonly BoardRow[]): string {
  return jsonLine({ version: rowJsonVersion, sessions: rows.map(rowAsJson) });
}

function show(all: readonly BoardRow[], io: CommandIo): string {
  if (all.length === 0) return "no session is open; hookbell sessions --all shows those that have ended\n";
  const now = io.clock.now();
  const column = (of: (row: BoardRow) => string): { cells: string[] } => ({ cells: all.map(of) });
  return renderTable(
    [
      { header: "State", ...column(({ record }) => stateWords[record.state.kind]) },
      { header: "Since", isRight: true, ...column(({ record }) => ageOf(now - record.state.since)) },
      { header: "Agent", minWidth: 6, omit: 1, ...column(({ agentName }) => agentName) },
      { header: "Project", minWidth: 8, ...column(({ record }) => record.project ?? "") },
      {
        header: "Session",
        minWidth: 8,
        ...column(({ name }) => name ?? ""),
      },
      { header: "Id", omit: 2, ...column(({ record }) => shortId(record.session)) },
      { header: "What", minWidth: 14, ...column((row) => oneLine(describeRow(row, now))) },
    ],
    io,
  );
}

/** Prints a line for each session, then one for each change, its end included, until stopped. */
async function follow(
  layout: Layout,
  isWanted: (record: SessionRecord, nowMs: number) => boolean,
  io: CommandIo,
): Promise<void> {
  const printed = new Map<string, string>();
  const read = createBoardReader(layout, (record, nowMs) => printed.has(keyOf(record)) || isWanted(record, nowMs));
  const stop = io.untilStopped();
  const catchUp = (): void => {
    for (const row of read(io.clock.now())) {
      const key = keyOf(row.record);
      const { lastSeen, ...facts } = rowAsJson(row);
      const text = JSON.stringify(facts);
      if (printed.get(key) === text) continue;
      printed.set(key, text);
      io.stdout(jsonLine({ version: rowJsonVersion, ...facts, lastSeen }));
    }
  };
  const unwatch = watchFolder(layout.sessions, catchUp, { isKeepingAlive: true });
  do {
    catchUp();
    await sleep(io.clock, lookEveryMs, stop);
  } while (!stop.aborted);
  unwatch();
}

function keyOf({ agent, session }: SessionRecord): string {
  return `${agent}\n${session}`;
}
