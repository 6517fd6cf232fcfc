// The server: one process that has the data folder for itself, follows its sources and answers requests.
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { getConnInfo } from "@hono/node-server/conninfo";
import type { Context } from "hono";
import { codeOf, describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import type { Computer } from "../contract/computers.ts";
import { ensurePrivateDir } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { takeLock } from "../../../system/process/lock.ts";
import { isLoopback } from "../../../system/network/destination.ts";
import { keepConnection, listen, type Listener } from "../../../system/network/listen.ts";
import { isOfAnotherUser } from "../../../system/network/peer.ts";
import { randomId } from "../../../system/crypto.ts";
import { readComputers, type RegisteredComputer } from "./computers.ts";
import { createApp } from "./http/app.ts";
import type { AppParts, HookReceiver } from "./http/parts.ts";
import { createInstalls } from "./install-session.ts";
import { readKeys } from "./keys.ts";
import { followSources, type SourceOptions } from "./sources/follow.ts";
import { openDatabase, type Database } from "./store/database.ts";
import { countEvents, type EventOf } from "./store/events.ts";
import { migrate } from "./store/schema.ts";
import { untilAborted } from "../../../system/clock.ts";

export interface ServerOptions extends SourceOptions {
  host: string;
  port: number;
  tls?: { cert: string; key: string } | undefined;
  /** Requests come through a proxy of the user's, which says for whom. */
  isBehindProxy: boolean;
  /** Takes in what agents elsewhere post by their own http hooks. */
  hooks?: HookReceiver;
  /** More routes beside those of the API. */
  page?: ServerPage | undefined;
  /** Where events of other machines come from besides requests; it runs until the signal is aborted. */
  feed?: ((count: (events: readonly EventOf[]) => void, signal: AbortSignal) => Promise<void>) | undefined;
  /** Waits while another server has the data folder, and then takes over. */
  isStandby?: boolean;
  /** Ends the server. */
  stop: AbortSignal;
  onListening(url: string): void;
  /** A session of this computer has ended; must not throw. */
  onInstallEnded(computer: Computer): Promise<void>;
}

const standbyPollMs = 500;

export interface ServerPage {
  add: NonNullable<AppParts["addPage"]>;
  onListening(url: string): void;
  close(): void;
}

/** Runs until `stop`. Throws a `UserError` when the folder or the address cannot be used. */
export async function runServer(options: ServerOptions): Promise<void> {
  const { dataDir } = options;
  const release = await orUserError(dataDir, () => takeDataDir(options));
  if (release === undefined) return;
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

/** Undefined for a server that was ended while it waited. */
async function takeDataDir(options: ServerOptions): Promise<(() => void) | undefined> {
  const { dataDir, clock, isStandby, stop, onNote } = options;
  ensurePrivateDir(dataDir);
  const path = join(dataDir, "server.lock");
  const lock = { clock, staleMs: Infinity, signal: stop };
  const release = await takeLock(path, { ...lock, waitMs: 2000 });
  if (release !== undefined) return release;
  if (isStandby) {
    onNote(`another server has ${dataDir}; this one goes on when that one ends`);
    return await takeLock(path, { ...lock, waitMs: Infinity, pollMs: standbyPollMs });
  }
  const holder = readIfThere(path)?.split(" ")[0] ?? "";
  throw new UserError("server.busy", `another server has ${dataDir} (process ${holder})`, {
    hint: `stop it, or give another folder with --data; if process ${holder} is not hookbell, remove ${path}`,
  });
}

async function serve(options: ServerOptions, database: Database): Promise<void> {
  const { dataDir, clock, env, stop } = options;
  const ending = new AbortController();
  const computers = (): RegisteredComputer[] => readComputers(dataDir);
  const { onInstallEnded: onEnded, onNote } = options;
  const { signal } = ending;
  const installs = await createInstalls({ database, computers, clock, env, randomId, signal, onEnded, onNote });
  const app = createApp({
    database,
    clock,
    randomId,
    keys: () => readKeys(dataDir),
    computers,
    installs,
    isForLocalHosts: !options.isBehindProxy && isLoopbackAddress(options.host),
    addressOf: (context) => addressOf(context, options.isBehindProxy),
    // With a certificate, no other program can have answered in this server's place.
    isOfAnotherUser: (context) =>
      options.tls === undefined && !options.isBehindProxy && isOfAnotherUser(socketOf(context)),
    onProven: (context) => keepConnection(socketOf(context)),
    hooks: options.hooks,
    addPage: options.page?.add,
    onError: options.onNote,
  });
  const listener = await open(options, app.fetch);
  const sources = followSources(options, database, ending.signal);
  const feed = options.feed?.((events) => countEvents(database, events), ending.signal);
  try {
    options.page?.onListening(listener.url);
    options.onListening(listener.url);
    await untilAborted(stop);
  } finally {
    ending.abort();
    options.page?.close();
    await Promise.all([listener.close(), installs.settled(), sources, feed]);
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
    });
  }
}

export function isLoopbackAddress(host: string): boolean {
  const url = `http://${host.includes(":") ? `[${host}]` : host}`;
  return URL.canParse(url) && isLoopback(new URL(url));
}

function socketOf(context: Context): HttpBindings["incoming"]["socket"] {
  return (context.env as HttpBindings).incoming.socket;
}

/** Behind a proxy the last address of the list is the one that the proxy has seen. */
function addressOf(context: Context, isBehindProxy: boolean): string {
  const forwarded = isBehindProxy ? context.req.header("x-forwarded-for")?.split(",").at(-1)?.trim() : undefined;
  return forwarded ?? getConnInfo(context).remote.address ?? "";
}
