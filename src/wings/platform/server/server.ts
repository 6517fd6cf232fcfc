// The platform's API as a part of the server: it has the data folder for itself, follows its sources and answers requests.
import { join } from "node:path";
import { describeWriteError, exitCodes, UserError } from "../../../model/errors.ts";
import type { PageTab, Served } from "../../../http-server/served.ts";
import { ensurePrivateDir } from "../../../system/files/files.ts";
import { readIfThere } from "../../../system/files/read.ts";
import { takeLock } from "../../../system/process/lock.ts";
import { randomId } from "../../../system/crypto.ts";
import type { Computer } from "../contract/computers.ts";
import { readComputers, type RegisteredComputer } from "./computers.ts";
import { countedOf } from "./count-fleet.ts";
import { addAnalytics } from "./http/analytics.ts";
import { addComputers } from "./http/computers.ts";
import { addEvents } from "./http/events.ts";
import { createKeyGuard } from "./http/guard.ts";
import { operations } from "./http/operations.ts";
import type { PlatformParts } from "./http/parts.ts";
import { addReadiness } from "./http/readiness.ts";
import { createInstalls } from "./install-session.ts";
import { readKeys } from "./keys.ts";
import { followSources, type SourceOptions } from "./sources/follow.ts";
import { openDatabase, type Database } from "./store/database.ts";
import { countEvents } from "./store/events.ts";
import { renameRepositories } from "./store/reports.ts";
import { migrate } from "./store/schema.ts";

const securitySchemes = {
  key: { type: "http", scheme: "bearer", description: "A key that `hookbell keys add` has printed." },
  signature: {
    type: "apiKey",
    in: "header",
    name: "webhook-signature",
    description: "Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature over the body.",
  },
};

export interface PlatformServerOptions extends SourceOptions {
  /** Waits while another server has the data folder, and then takes over. */
  isStandby?: boolean;
  /** Ends the server. */
  stop: AbortSignal;
  /** A session of this computer has begun; must not throw. */
  onInstallStarted?(computer: Computer): Promise<void>;
  /** A session of this computer has ended, which is said after its beginning; must not throw. */
  onInstallEnded(computer: Computer): Promise<void>;
  /** What the page shows of it. */
  tab?(parts: PlatformParts): PageTab;
}

const standbyPollMs = 500;

/** Undefined for a server that was ended while it waited. Throws a `UserError` when the folder cannot be used. */
export async function openPlatformServer(options: PlatformServerOptions): Promise<Served | undefined> {
  const { dataDir } = options;
  const release = await orUserError(dataDir, async () => await takeDataDir(options));
  if (release === undefined) return undefined;
  try {
    const database = await orUserError(dataDir, async () => await openCurrent(options));
    try {
      return await servedFrom(options, database, release);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    release();
    throw error;
  }
}

async function openCurrent({ dataDir, clock }: PlatformServerOptions): Promise<Database> {
  readKeys(dataDir);
  readComputers(dataDir);
  const database = await openDatabase(join(dataDir, "usage.db"), clock.now());
  try {
    migrate(database);
    renameRepositories(database);
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
async function takeDataDir(options: PlatformServerOptions): Promise<(() => void) | undefined> {
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

async function servedFrom(options: PlatformServerOptions, database: Database, release: () => void): Promise<Served> {
  const { dataDir, clock, env, onInstallStarted: onStarted, onInstallEnded: onEnded, onNote } = options;
  const ending = new AbortController();
  const computers = (): RegisteredComputer[] => readComputers(dataDir);
  const { signal } = ending;
  const given = { database, computers, clock, env, randomId, signal, onStarted, onEnded, onNote };
  const installs = await createInstalls(given);
  const parts: PlatformParts = { database, clock, keys: () => readKeys(dataDir), computers, installs };
  let sources = Promise.resolve();
  return {
    operations,
    securitySchemes,
    add(app, { guard }) {
      const keyGuard = createKeyGuard(guard, parts);
      addAnalytics(app, parts, keyGuard);
      addComputers(app, parts, keyGuard);
      addReadiness(app, parts, keyGuard);
      addEvents(app, parts, keyGuard);
    },
    // The document allows no further member there.
    withRequestId: (path, requestId) =>
      path.startsWith("/api/v0/computers/") ? { metadata: { requestId } } : undefined,
    ...(options.tab === undefined ? {} : { tab: options.tab(parts) }),
    count: (events) =>
      countEvents(
        database,
        events.flatMap((each) => countedOf(each, clock.now())),
      ),
    begin() {
      sources = followSources(options, database, signal);
    },
    async end() {
      ending.abort();
      await Promise.all([installs.settled(), sources]);
    },
    close() {
      database.close();
      release();
    },
  };
}
