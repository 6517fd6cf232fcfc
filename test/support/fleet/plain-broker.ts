// Real nats-servers without accounts, with a fleet's stream and buckets: one, or three that copy each other's entries.
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { checkStreams, expectedStreams, replicasFor } from "../../../src/wings/fleet/admin/streams.ts";
import { temporaryFolder } from "../project/temporary-state.ts";
import { startBroker, writeConfig, type BrokerProcess } from "./broker-process.ts";
import { freePort } from "../random/free-port.ts";

export interface PlainBroker {
  /** As in the settings. */
  servers: string[];
  /** A connection of the test's own. */
  connect(): Promise<NatsConnection>;
  stop(index?: number, signal?: NodeJS.Signals): Promise<void>;
  /** On the same ports, with the same files. */
  start(index?: number): Promise<void>;
}

/** `store`: the folder of its files, which may be on a small disk. */
export async function startPlainBroker(count = 1, { store }: { store?: string } = {}): Promise<PlainBroker> {
  const folder = temporaryFolder();
  const ports: number[] = [];
  const routes: number[] = [];
  for (let index = 0; index < count; index += 1) {
    ports.push(await freePort());
    routes.push(await freePort());
  }
  const running: (BrokerProcess | undefined)[] = [];
  const configs = ports.map((port, index) => {
    const own = join(folder, String(index));
    mkdirSync(own);
    const cluster = `cluster { name: test, listen: "127.0.0.1:${routes[index]}", routes: [${routes
      .map((each) => `"nats://127.0.0.1:${each}"`)
      .join(", ")}] }`;
    const text = `server_name: n${index}\nlisten: "127.0.0.1:${port}"\njetstream { store_dir: "${store ?? own}", max_file_store: 10GB }\n${count > 1 ? cluster : ""}\n`;
    return writeConfig(own, text);
  });
  const servers = ports.map((port) => `nats://127.0.0.1:${port}`);
  const start = async (index = 0): Promise<void> => {
    running[index] = await startBroker(configs[index] ?? "", ports[index] ?? 0);
  };
  for (let index = 0; index < count; index += 1) await start(index);
  const open = async (): Promise<NatsConnection> => {
    const connection = await connect({ servers: ports.map((port) => `127.0.0.1:${port}`) });
    onTestFinished(async () => await connection.close());
    return connection;
  };
  const connection = await open();
  for (;;) {
    try {
      const replicas = replicasFor(count);
      const states = await checkStreams(await jetstreamManager(connection), { replicas, change: "missing" });
      if (states.length === expectedStreams(replicas).length) break;
    } catch (error) {
      // A cluster chooses its leader first.
      if (count === 1) throw error;
      await sleep(50);
    }
  }
  return { servers, connect: open, start, stop: async (index = 0, signal) => await running[index]?.stop(signal) };
}
