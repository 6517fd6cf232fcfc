// A real nats-server with a configuration that `fleet init` makes.
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { connect as connectSocket } from "node:net";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { onTestFinished } from "vitest";
import "./native-keys.ts";
import { findPart } from "../parts.ts";

const pollMs = 5;

export interface BrokerProcess {
  stop(signal?: NodeJS.Signals): Promise<void>;
}

/** Resolves when it accepts connections; it ends with the test. */
export async function startBroker(configFile: string, port: number): Promise<BrokerProcess> {
  const child = spawn(findPart("nats-server") ?? "nats-server", ["-c", configFile], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let log = "";
  child.stderr.on("data", (chunk: Buffer) => (log += chunk.toString()));
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const stop = async (signal?: NodeJS.Signals): Promise<void> => {
    child.kill(signal);
    await ended;
  };
  onTestFinished(async () => await stop());
  while (!(await accepts(port))) {
    if (hasEnded(child)) throw new Error(`nats-server ended: ${log}`);
    await pause(pollMs);
  }
  return { stop };
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

async function accepts(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connectSocket(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

export function writeConfig(folder: string, text: string): string {
  const path = join(folder, "nats-server.conf");
  writeFileSync(path, text);
  return path;
}
