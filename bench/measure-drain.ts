import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { writeIncoming } from "../src/outbox/write-incoming.ts";
import { residentMegabytes } from "./memory.ts";
import type { Receiver } from "./receiver.ts";
import type { Setting } from "./setting.ts";
import { stopping } from "./stopping.ts";

export interface Drained {
  eventsPerSecond: number;
  postsPerSecond: number;
  /** The most memory that was seen while it drained. */
  megabytes: number;
}

const lookEveryMs = 50;
const longestMs = 120_000;

/** A backlog that lies in incoming/ when the dispatcher starts, beside a plain loop of the same requests. */
export async function measureDrain(
  setting: Setting,
  count: number,
  receiver: Receiver,
  path: string,
): Promise<Drained> {
  for (let index = 0; index < count; index += 1) {
    const event = { hook_event_name: "Stop", session_id: `s${index}`, cwd: "/home/you/shop-web" };
    const text = JSON.stringify({ ...event, last_assistant_message: `All ${index} tests pass.` });
    writeIncoming(setting.layout, text, { agentId: "droid", nowMs: Date.now() });
  }
  const { at } = receiver.heard(path);
  const pid = await setting.start();
  let megabytes = 0;
  const startedAt = performance.now();
  while (at.length < count && performance.now() - startedAt < longestMs) {
    stopping.throwIfAborted();
    megabytes = Math.max(megabytes, residentMegabytes(pid));
    await sleep(lookEveryMs);
  }
  await setting.stop();
  const loopPath = `${path}-loop`;
  const args = [process.argv[1] ?? "", "post-loop", `${receiver.origin}${loopPath}`, `${count}`];
  const loop = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  loop.stdin.end(receiver.heard(path).lastBody);
  await once(loop, "exit");
  return {
    eventsPerSecond: ratePerSecond(at),
    postsPerSecond: ratePerSecond(receiver.heard(loopPath).at),
    megabytes,
  };
}

/** From the first to the last, so that no start of Node is in it. */
function ratePerSecond(at: readonly number[]): number {
  return ((at.length - 1) * 1000) / ((at.at(-1) ?? Number.NaN) - (at[0] ?? Number.NaN));
}
