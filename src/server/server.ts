// The server: one process that has the data folder for itself, follows its sources and answers requests.
import { join } from "node:path";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { codeOf, describeWriteError, exitCodes, messageOf, UserError } from "../model/errors.ts";
import { layoutOf } from "../outbox/layout.ts";
import type { Computer } from "../platform/contract/computers.ts";
import { readinessReportSchema } from "../platform/contract/readiness.ts";
import type { Clock } from "../system/clock.ts";
import type { Environment } from "../system/environment.ts";
import { ensurePrivateDir, listNames, statIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { takeLock } from "../system/files/lock.ts";
import { listen, type Listener } from "../system/network/listen.ts";
import { randomId } from "../system/crypto.ts";
import { readComputers, type RegisteredComputer } from "./computers.ts";
import { createApp } from "./http/app.ts";
import { maxEventAgeDays } from "./http/events.ts";
import { createInstalls } from "./install-session.ts";
import { readKeys } from "./keys.ts";
import { readJournalEvents, type JournalSource } from "./sources/journal.ts";
import { forgetTranscriptCursors, readTranscripts, type TranscriptSource } from "./sources/transcripts.ts";
import { openDatabase, type Database } from "./store/database.ts";
import { renderStaleDays } from "./store/days.ts";
import { dayOf, forgetSeenBefore, ingest, readCursor } from "./store/ingest.ts";
import { storeReport } from "./store/reports.ts";
import { migrate } from "./store/schema.ts";

export interface ServerOptions {
  host: string;
  port: number;
  tls?: { cert: string; key: string } | undefined;
  /** Requests come through a proxy of the user's, which says for whom. */
  isBehindProxy: boolean;
  dataDir: string;
  /** Counts the past of the transcripts as well. */
  isBackfill: boolean;
  /** Who works on this machine. */
  user: string;
  stateDir: string;
  home: string;
  env: Environment;
  clock: Clock;
  /** Ends the server. */
  stop: AbortSignal;
  onListening(url: string): void;
  /** A session of this computer has ended; must not throw. */
  onInstallEnded(computer: Computer): Promise<void>;
  onNote(text: string): void;
}

/** Data becomes visible on the next day, so there is no hurry. */
const journalEveryMs = 10_000;
const transcriptsEveryMs = 60_000;

/** Runs until `stop`. Throws a `UserError` when the folder or the address cannot be used. */
export async function runServer(options: ServerOptions): Promise<void> {
  const { dataDir } = options;
  const release = await orUserError(dataDir, () => takeDataDir(options));
  try {
    const database = await orUserError(dataDir, () => openCurrent(options));
    try {
      await serve(options, database);
    } finally {
      database.close();
    }
  } finally {
    release();
  }
}

async function openCurrent({ dataDir, clock }: ServerOptions): Promise<Database> {
  readKeys(dataDir);
  readComputers(dataDir);
  const database = await openDatabase(join(dataDir, "usage.db"), clock.now());
  try {
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What the disk or SQLite refuses at the start is no bug. */
async function orUserError<Result>(dataDir: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("server.data", `cannot use the data folder ${dataDir}: ${describeWriteError(error)}`, {
      hint: "it must belong to you, have room, and hold what hookbell wrote; or give another folder with --data",
      exitCode: exitCodes.cannotWrite,
    });
  }
}

async function takeDataDir({ dataDir, clock, stop }: ServerOptions): Promise<() => void> {
  ensurePrivateDir(dataDir);
  const path = join(dataDir, "server.lock");
  const release = await takeLock(path, { clock, waitMs: 2000, staleMs: Infinity, signal: stop });
  if (release !== undefined) return release;
  const holder = readIfThere(path)?.split(" ")[0] ?? "";
  throw new UserError("server.busy", `another server has ${dataDir} (process ${holder})`, {
    hint: `stop it, or give another folder with --data; if process ${holder} is not hookbell, remove ${path}`,
  });
}

async function serve(options: ServerOptions, database: Database): Promise<void> {
  const { dataDir, clock, env, stop } = options;
  const ending = new AbortController();
  const computers = (): RegisteredComputer[] => readComputers(dataDir);
  const { onInstallEnded: onEnded } = options;
  const installs = createInstalls({ database, computers, clock, env, randomId, signal: ending.signal, onEnded });
  const app = createApp({
    database,
    clock,
    randomId,
    keys: () => readKeys(dataDir),
    computers,
    installs,
    addressOf: (context) => addressOf(context, options.isBehindProxy),
    onError: options.onNote,
  });
  const listener = await open(options, app.fetch);
  const sources = followSources(options, database, ending.signal);
  try {
    options.onListening(listener.url);
    await new Promise<void>((resolve) => {
      if (stop.aborted) resolve();
      else stop.addEventListener("abort", () => resolve(), { once: true });
    });
  } finally {
    ending.abort();
    await Promise.all([listener.close(), installs.settled(), sources]);
  }
}

async function open(
  { host, port, tls }: ServerOptions,
  fetch: (request: Request, env: never) => Response | Promise<Response>,
): Promise<Listener> {
  try {
    return await listen({ host, port, tls, fetch: fetch as Parameters<typeof listen>[0]["fetch"] });
  } catch (error) {
    const why =
      { EADDRINUSE: "another program has this port", EADDRNOTAVAIL: "this machine has no such address" }[
        codeOf(error) ?? ""
      ] ?? describeWriteError(error);
    throw new UserError("server.listen", `cannot listen on ${host}:${port}: ${why}`, {
      hint: "choose another with --host and --port; --port 0 takes a free one",
      exitCode: exitCodes.failed,
    });
  }
}

/** Behind a proxy the last address of the list is the one that the proxy has seen. */
function addressOf(context: Context, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return forwarded ?? getConnInfo(context).remote.address ?? "";
}

/** Reads journal, transcripts and reports again and again, until the signal. */
async function followSources(options: ServerOptions, database: Database, signal: AbortSignal): Promise<void> {
  const { clock, env, home, user, stateDir, dataDir, onNote } = options;
  const transcripts: TranscriptSource = { database, clock, env, home, user, signal };
  const journal: JournalSource = { database, layout: layoutOf(stateDir), user, signal };
  let knowsPast = false;
  let nextTranscriptsAt = 0;
  let prunedDay = 0;
  let lastNote: string | undefined;
  while (!signal.aborted) {
    try {
      if (!knowsPast) await dealWithPast(transcripts, options.isBackfill);
      knowsPast = true;
      await readJournalEvents(journal);
      readReports(database, join(dataDir, "readiness"), onNote);
      if (clock.now() >= nextTranscriptsAt) {
        await readTranscripts(transcripts);
        nextTranscriptsAt = clock.now() + transcriptsEveryMs;
        const today = dayOf(clock.now());
        if (today !== prunedDay) forgetSeenBefore(database, today - maxEventAgeDays - 1);
        prunedDay = today;
        renderStaleDays(database, today);
      }
      if (lastNote !== undefined) onNote("the sources can be read again");
      lastNote = undefined;
    } catch (error) {
      const note = `cannot count what is new: ${describeWriteError(error)}; trying again every ${journalEveryMs / 1000} s`;
      if (note !== lastNote) onNote(note);
      lastNote = note;
    }
    await pause(clock, journalEveryMs, signal);
  }
}

/** With a backfill, transcripts count from their start; else the first server passes over them. */
async function dealWithPast(source: TranscriptSource, isBackfill: boolean): Promise<void> {
  const { database, clock } = source;
  if (isBackfill) forgetTranscriptCursors(database);
  else if (readCursor(database, transcriptsSince) === undefined) await readTranscripts(source, "skip");
  ingest(database, [], [{ name: transcriptsSince, value: clock.now() }]);
}

/** The cursor that says that the past of the transcripts has been dealt with. */
const transcriptsSince = "transcripts-since";

function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      cancel();
      signal.removeEventListener("abort", end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}

/** Reports that are files in `readiness/`; each is read again when it changes. */
function readReports(database: Database, folder: string, onNote: (text: string) => void): void {
  for (const name of listNames(folder).filter((each) => each.endsWith(".json"))) {
    const path = join(folder, name);
    const stats = statIfThere(path);
    const seen = `${stats?.mtimeMs} ${stats?.bytes}`;
    if (readCursor(database, `report:${name}`) === seen) continue;
    const problem = storeFile(database, readIfThere(path) ?? "");
    if (problem !== undefined) onNote(`${path}: ${problem}`);
    ingest(database, [], [{ name: `report:${name}`, value: seen }]);
  }
}

function storeFile(database: Database, text: string): string | undefined {
  try {
    storeReport(database, readinessReportSchema.parse(JSON.parse(text)));
    return undefined;
  } catch (error) {
    return `not a readiness report: ${messageOf(error).slice(0, 200)}`;
  }
}
