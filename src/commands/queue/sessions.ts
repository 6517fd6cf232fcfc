// `hookbell sessions`: what each session does, for people and programs. Writes nothing.
import { agentName } from "../../agents/index.ts";
import { ageOf } from "../../attention/waiting.ts";
import { currentSessions } from "../../outbox/current-sessions.ts";
import { type ExitCode, exitCodes } from "../../model/errors.ts";
import { sessionNameOf, shortId, namesOf } from "../../sessions/names.ts";
import { listSessions, type SessionRecord } from "../../outbox/sessions.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { isLive, isOfAgent, oneLine, stateWords, wordsOf } from "../../sessions/describe.ts";
import { turnOf } from "../../sessions/state.ts";
import { watchFolder } from "../../system/files/watch.ts";
import { parseArguments } from "../console/arguments.ts";
import type { CommandIo } from "../console/command-io.ts";
import { renderTable } from "../console/table.ts";
import { jsonLine, reportColumns } from "../console/text.ts";
import { inspectCommands } from "../help/inspect.ts";

/** The version of the output of --json and --follow; docs/SESSIONS.md describes it. */
const schemaVersion = 1;
/** No file changes when a session falls silent or its process ends. */
const lookEveryMs = 5000;

export async function sessions(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.sessions.flags, 0);
  const layout = layoutOf(io.places.stateDir);
  const now = io.clock.now();
  const isWanted = (record: SessionRecord, nowMs: number): boolean => values.all === true || isLive(record, nowMs);
  if (values.follow === true) {
    await follow(layout, isWanted, io);
    return exitCodes.done;
  }
  const known = look(layout, now);
  const found = known.filter((record) => isWanted(record, now));
  io.stdout(
    values.json === true ? jsonLine({ version: schemaVersion, sessions: found.map(asJson) }) : show(found, known, io),
  );
  return exitCodes.done;
}

const order = Object.keys(stateWords);

/** First those that need the person; of two in one state, the one that has been in it for longer. */
function look(layout: Layout, nowMs: number): SessionRecord[] {
  return currentSessions(listSessions(layout, nowMs), nowMs)
    .filter(isOfAgent)
    .toSorted((a, b) => order.indexOf(a.state.kind) - order.indexOf(b.state.kind) || a.state.since - b.state.since);
}

function asJson(record: SessionRecord): Record<string, unknown> {
  const { agent, session, project, branch, worktree, folder, name, state, lastSeenAt, helperOf } = record;
  const turn = turnOf(record);
  const helpers = turn?.helpers ?? (state.kind === "waitsForHelpers" ? state.helpers : 0);
  return {
    agent,
    session,
    state: state.kind,
    since: new Date(state.since).toISOString(),
    reason: state.reason,
    source: state.source,
    lastSeen: new Date(lastSeenAt).toISOString(),
    project,
    folder,
    branch,
    worktree,
    name,
    helperOf,
    turnStarted: turn?.startedAt === undefined ? undefined : new Date(turn.startedAt).toISOString(),
    helpers: helpers > 0 ? helpers : undefined,
    words: wordsOf(record),
    isSeen: state.kind === "done" ? state.isSeen : undefined,
    until: state.kind === "waitsForLimit" && state.until ? new Date(state.until).toISOString() : undefined,
  };
}

function show(all: readonly SessionRecord[], known: readonly SessionRecord[], io: CommandIo): string {
  if (all.length === 0) return "no session is open; hookbell sessions --all shows those that have ended\n";
  const now = io.clock.now();
  const shownName = (record: SessionRecord): string =>
    sessionNameOf(namesOf(record, known, now)) ?? record.branch ?? record.worktree ?? "";
  const column = (of: (record: SessionRecord) => string): { cells: string[] } => ({ cells: all.map(of) });
  return renderTable(
    [
      { header: "State", ...column(({ state }) => stateWords[state.kind]) },
      { header: "Since", isRight: true, ...column(({ state }) => ageOf(now - state.since)) },
      { header: "Agent", minWidth: 6, omit: 1, ...column(({ agent }) => agentName(agent)) },
      { header: "Project", minWidth: 8, ...column(({ project }) => project ?? "") },
      { header: "Session", minWidth: 8, ...column(shownName) },
      { header: "Id", omit: 2, ...column(({ session }) => shortId(session)) },
      { header: "What", minWidth: 14, ...column((record) => oneLine(wordsOf(record) ?? record.state.reason)) },
    ],
    { columns: reportColumns(io), isColor: io.isColor },
  );
}

/** Prints a line for each session, then one for each change, its end included, until stopped. */
async function follow(
  layout: Layout,
  isWanted: (record: SessionRecord, nowMs: number) => boolean,
  io: CommandIo,
): Promise<void> {
  const printed = new Map<string, string>();
  const stop = io.untilStopped();
  const catchUp = (): void => {
    const now = io.clock.now();
    for (const record of look(layout, now)) {
      const key = `${record.agent}\n${record.session}`;
      if (!printed.has(key) && !isWanted(record, now)) continue;
      const { lastSeen, ...facts } = asJson(record);
      const text = JSON.stringify(facts);
      if (printed.get(key) === text) continue;
      printed.set(key, text);
      io.stdout(jsonLine({ version: schemaVersion, ...facts, lastSeen }));
    }
  };
  await new Promise<void>((resolve) => {
    const unwatch = watchFolder(layout.sessions, catchUp, { isKeepingAlive: true });
    let cancel = (): void => {};
    const lookLater = (): void => {
      catchUp();
      cancel = io.clock.after(lookEveryMs, lookLater);
    };
    lookLater();
    const end = (): void => {
      cancel();
      unwatch();
      resolve();
    };
    if (stop.aborted) end();
    else stop.addEventListener("abort", end, { once: true });
  });
}
