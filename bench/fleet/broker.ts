// A nats-server of the bench's own, on the loopback interface, with a fleet's stream and buckets.
import { jetstreamManager } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { checkStreams } from "../../src/wings/fleet/admin/streams.ts";

export interface Broker {
  /** As in the settings. */
  server: string;
  version: string;
  /** A bare connection, without credentials. */
  connect(): Promise<NatsConnection>;
  /** Of its process: bytes of memory, and microseconds of processor time; undefined where /proc does not tell. */
  use(): { memory: number; cpuUs: number } | undefined;
  stop(): Promise<void>;
}

const startTries = 200;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** `more` is a part of its configuration. Rejects if there is no nats-server. */
export async function startBroker(folder: string, more = ""): Promise<Broker> {
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const config = join(folder, "nats-server.conf");
  writeFileSync(config, `listen: "127.0.0.1:${port}"\njetstream { store_dir: ${JSON.stringify(folder)} }\n${more}\n`);
  const child = spawn("nats-server", ["-c", config], { stdio: "ignore" });
  await once(child, "spawn");
  const ended = once(child, "exit");
  const open = async (): Promise<NatsConnection> => await connect({ servers: `127.0.0.1:${port}` });
  const stop = async (): Promise<void> => {
    child.kill();
    await ended;
  };
  for (let tries = 0; ; tries += 1) {
    try {
      const connection = await open();
      await checkStreams(await jetstreamManager(connection), { replicas: 1, change: "missing" });
      const version = connection.info?.version ?? "";
      await connection.close();
      return { server: `nats://127.0.0.1:${port}`, version, connect: open, use: () => useOf(child.pid ?? 0), stop };
    } catch (error) {
      if (tries < startTries && child.exitCode === null) {
        await sleep(50);
        continue;
      }
      await stop();
      throw error;
    }
  }
}

function useOf(pid: number): { memory: number; cpuUs: number } | undefined {
  try {
    const memory = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) * 1024;
    // The numbers behind the name, which may have spaces: user and system time are the 14th and 15th field, in hundredths of a second.
    const [, rest = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
    const fields = rest.split(" ");
    return { memory, cpuUs: (Number(fields[11]) + Number(fields[12])) * 10_000 };
  } catch {
    return undefined;
  }
}
