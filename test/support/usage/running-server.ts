// A server of the test's own: in this process, on a free port, with a clock that the test turns and a key for each role.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Secret } from "../../../src/model/privacy/secret.ts";
import { createPlatformClient, type PlatformClient } from "../../../src/wings/platform/client/client.ts";
import type { Computer } from "../../../src/wings/platform/contract/computers.ts";
import { roles, type ApiRole } from "../../../src/wings/platform/contract/endpoints.ts";
import { addKey, type NewKey } from "../../../src/wings/platform/server/keys.ts";
import { runServer } from "../../../src/http-server/server.ts";
import type { OpenServed, ServerOptions as HttpOptions } from "../../../src/http-server/server.ts";
import { openPlatformServer, type PlatformServerOptions } from "../../../src/wings/platform/server/server.ts";
import { openDatabase } from "../../../src/wings/platform/server/store/database.ts";
import type { UsageObservation } from "../../../src/wings/platform/server/analytics/observation.ts";
import { ingest } from "../../../src/wings/platform/server/store/ingest.ts";
import { migrate } from "../../../src/wings/platform/server/store/schema.ts";
import { systemRandom } from "../../../src/system/clock.ts";
import { randomKey } from "../../../src/system/crypto.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { createFakeClock } from "../fake-clock.ts";

/** What one process serves: the API, and `parts` before it. */
type ServerOptions = HttpOptions &
  PlatformServerOptions & { parts: readonly ((clock: TestClock) => ReturnType<OpenServed>)[] };

export type TestClock = ReturnType<typeof createFakeClock>;

export interface TestServer {
  folder: string;
  dataDir: string;
  clock: TestClock;
  url: string;
  keys: Record<ApiRole, NewKey>;
  notes: string[];
  /** What the server said of sessions that have ended. */
  endedInstalls: Computer[];
  client(role: ApiRole): PlatformClient;
  request(path: string, role?: ApiRole, init?: RequestInit): Promise<Response>;
  /** Ends it, and starts another one with the same data. */
  restart(given?: Partial<ServerOptions>): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
}

export interface TestServerOptions {
  now: string;
  observations?: readonly UsageObservation[];
  options?: Partial<ServerOptions>;
}

export async function startTestServer({
  now,
  observations = [],
  options = {},
}: TestServerOptions): Promise<TestServer> {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-server-"));
  const dataDir = join(folder, "data");
  const clock = createFakeClock(Date.parse(now));
  const keys = {} as Record<ApiRole, NewKey>;
  for (const role of roles) {
    keys[role] = await addKey(dataDir, { name: `${role.toLowerCase()}@example.org`, role }, clock, randomKey());
  }
  if (observations.length > 0) {
    const database = await openDatabase(join(dataDir, "usage.db"), clock.now());
    migrate(database);
    ingest(database, observations, []);
    database.close();
  }
  let running: Running;
  const start = async (given: Partial<ServerOptions>): Promise<void> => {
    running = await run(server, { ...options, ...given });
    server.url = running.url;
    server.notes = running.notes;
  };
  const server: TestServer = {
    folder,
    dataDir,
    clock,
    url: "",
    keys,
    notes: [],
    endedInstalls: [],
    client: (role) =>
      createPlatformClient(
        { baseUrl: server.url, appUrl: undefined, apiKey: new Secret(keys[role].key) },
        { http: createSendHttp({}), clock, random: systemRandom },
      ),
    request: async (path, role, init = {}) => {
      const headers = new Headers(init.headers);
      if (role !== undefined) headers.set("authorization", `Bearer ${keys[role].key}`);
      return await fetch(`${server.url}${path}`, { ...init, headers });
    },
    async restart(given = {}) {
      await running.stop();
      await start(given);
    },
    stop: () => running.stop(),
    async remove() {
      await running.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await start({});
  return server;
}

interface Running {
  url: string;
  notes: string[];
  stop(): Promise<void>;
}

async function run(
  { folder, dataDir, clock, endedInstalls }: Pick<TestServer, "folder" | "dataDir" | "clock" | "endedInstalls">,
  given: Partial<ServerOptions>,
): Promise<Running> {
  const stop = new AbortController();
  const notes: string[] = [];
  return await new Promise<Running>((resolve, reject) => {
    const { parts, ...options }: ServerOptions = {
      host: "127.0.0.1",
      port: 0,
      isBehindProxy: false,
      dataDir,
      isBackfill: false,
      user: "me",
      stateDir: join(folder, "state"),
      home: join(folder, "home"),
      env: { PATH: process.env.PATH },
      clock,
      stop: stop.signal,
      parts: [],
      async onInstallEnded(computer) {
        endedInstalls.push(computer);
      },
      onNote: (text) => notes.push(text),
      onListening(url) {
        resolve({
          url,
          notes,
          async stop() {
            stop.abort();
            await ended;
          },
        });
      },
      ...given,
    };
    const ended = runServer(options, [
      ...parts.map((open) => async () => await open(clock)),
      async () => await openPlatformServer(options),
    ]);
    ended.catch(reject);
  });
}
