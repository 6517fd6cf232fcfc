// How fast a backlog drains, and how much memory the dispatcher takes meanwhile and at rest.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { deliveryFileName, newDelivery, placeDelivery } from "../src/outbox/deliveries/deliveries.ts";
import { uniqueName } from "../src/system/files/files.ts";
import type { Receiver } from "./receiver.ts";
import { type Setting, settingIn } from "./setting.ts";
import { stopping } from "./stopping.ts";
import { type Row, timeRow, valueRow } from "./table.ts";

const floor = { name: "3 s", value: 3000 };

export async function reportDispatcher({
  folder,
  receiver,
  counts,
}: {
  folder: string;
  receiver: Receiver;
  /** How many events wait; each is measured by itself. */
  counts: readonly number[];
}): Promise<Row[]> {
  const rows: Row[] = [];
  const idle = await inSetting(
    folder,
    receiver,
    "/rest",
    async (setting) => await idleMegabytes(await setting.start()),
  );
  const node = { name: "`node -e` at rest", value: await idleNodeMegabytes() };
  rows.push(valueRow("memory of the dispatcher at rest", idle, "MB", node));
  for (const count of counts) {
    const drained = await inSetting(folder, receiver, `/drain-${count}`, async (...where) => {
      return await measureDrain(...where, count);
    });
    const queuedMs = await inSetting(folder, receiver, `/queue-${count}`, async (...where) => {
      return await measureQueuedQuestion(...where, count);
    });
    const loop = { name: "a loop of the same POSTs", value: drained.postsPerSecond };
    rows.push(
      valueRow(`a backlog of ${count} events to one webhook`, drained.eventsPerSecond, "a second", loop, 0.7),
      timeRow(`until a question put in last behind ${count} events is heard`, [drained.questionMs], floor, 1),
      timeRow(`until a question behind ${count} messages in outbox/ is heard`, [queuedMs], floor, 1),
      valueRow(`memory of the dispatcher while it drains ${count}, at most`, drained.megabytes, "MB", node),
    );
  }
  return rows;
}

/** Each measurement has a state folder and a receiver's path of its own. */
async function inSetting<T>(
  folder: string,
  receiver: Receiver,
  path: string,
  measure: (setting: Setting, receiver: Receiver, path: string) => Promise<T>,
): Promise<T> {
  const setting = settingIn(join(folder, path.slice(1)), `${receiver.origin}${path}`);
  try {
    return await measure(setting, receiver, path);
  } finally {
    await setting.stop();
  }
}

interface Drained {
  /** While there was a backlog; what is left after the longest time does not count. */
  eventsPerSecond: number;
  /** From the start of the dispatcher. */
  questionMs: number;
  postsPerSecond: number;
  /** The most memory that was seen while it drained. */
  megabytes: number;
}

const lookEveryMs = 50;
const longestMs = 60_000;
/** A plain loop is as fast after a thousand requests as after many thousands. */
const loopCount = 1000;

/** A backlog is in incoming/ when the dispatcher starts, a question last; beside it, a plain loop of the same requests. */
async function measureDrain(setting: Setting, receiver: Receiver, path: string, count: number): Promise<Drained> {
  const at = (index: number, event: object): void => {
    const body = JSON.stringify({ session_id: `s${index}`, cwd: "/home/you/shop-web", ...event });
    // As a hook names it, without its wait for the disk.
    const file = `${uniqueName(Date.now())}.claude-code.-.json`;
    writeFileSync(join(setting.layout.incoming, file), body);
  };
  for (let index = 0; index < count; index += 1)
    at(index, { hook_event_name: "Stop", last_assistant_message: `All ${index} tests pass.` });
  at(count, { hook_event_name: "PermissionRequest", tool_name: "Bash", tool_input: { command: "npm test" } });
  const heard = receiver.heard(path);
  let megabytes = 0;
  let questionMs = Number.NaN;
  const startedAt = performance.now();
  const pid = await setting.start();
  while (heard.at.length <= count && performance.now() - startedAt < longestMs) {
    stopping.throwIfAborted();
    if (Number.isNaN(questionMs) && heard.lastQuestionAt !== undefined) questionMs = performance.now() - startedAt;
    megabytes = Math.max(megabytes, residentMegabytes(pid));
    await sleep(lookEveryMs);
  }
  await setting.stop();
  const loopPath = `${path}-loop`;
  const args = [process.argv[1] ?? "", "post-loop", `${receiver.origin}${loopPath}`, `${loopCount}`];
  const loop = spawn(process.execPath, args, { stdio: ["pipe", "ignore", "inherit"] });
  loop.stdin.end(heard.lastBody);
  await once(loop, "exit");
  return {
    eventsPerSecond: ratePerSecond(heard.at),
    questionMs,
    postsPerSecond: ratePerSecond(receiver.heard(loopPath).at),
    megabytes,
  };
}

/** From the start of the dispatcher; its receiver was down while the messages were queued. */
async function measureQueuedQuestion(
  { layout, start }: Setting,
  receiver: Receiver,
  path: string,
  count: number,
): Promise<number> {
  const now = Date.now();
  for (let index = 0; index <= count; index += 1) {
    const position = uniqueName(now);
    const event = {
      id: `evt_${position}`,
      name: index === count ? "PermissionRequest" : "Stop",
      agent: "claude-code",
      session: `s${index}`,
      cwd: "/home/you/shop-web",
      project: "shop-web",
      host: "bench",
      at: new Date(now).toISOString(),
      level: "attention" as const,
    };
    const message = { title: "shop-web", body: "", level: event.level, fields: [] };
    const delivery = newDelivery(now, {
      kind: "event",
      channel: "ops",
      rule: "all",
      event,
      message,
      expiresAt: now + 60 * longestMs,
    });
    placeDelivery(layout, deliveryFileName(position, 0, delivery.id), delivery);
  }
  const heard = receiver.heard(path);
  const startedAt = performance.now();
  await start();
  while (heard.lastQuestionAt === undefined && performance.now() - startedAt < longestMs) {
    stopping.throwIfAborted();
    await sleep(lookEveryMs);
  }
  return heard.lastQuestionAt === undefined ? Number.NaN : performance.now() - startedAt;
}

/** From the first to the last, so that no start of Node is in it. */
function ratePerSecond(at: readonly number[]): number {
  return ((at.length - 1) * 1000) / ((at.at(-1) ?? Number.NaN) - (at[0] ?? Number.NaN));
}

/** What sending costs without rules, queue and records: one request after the other, with the body of standard input. */
export async function postLoop(url: string, count: number): Promise<void> {
  const body = await text(process.stdin);
  for (let index = 0; index < count; index += 1) {
    const post = request(url, { method: "POST", headers: { "content-type": "application/json" } });
    post.end(body);
    const [answer] = await once(post, "response");
    await text(answer);
  }
}

/** Until a process that has just started is at rest. */
const restMs = 1500;

/** What a process has in memory now. */
function residentMegabytes(pid: number): number {
  const kilobytes =
    process.platform === "linux"
      ? /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
      : execFileSync("ps", ["-o", "rss=", "-p", `${pid}`], { encoding: "utf8" });
  return Number(kilobytes) / 1024;
}

async function idleMegabytes(pid: number): Promise<number> {
  await sleep(restMs);
  stopping.throwIfAborted();
  return residentMegabytes(pid);
}

/** A Node that waits and does nothing. */
async function idleNodeMegabytes(): Promise<number> {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { stdio: "ignore" });
  try {
    return await idleMegabytes(child.pid ?? 0);
  } finally {
    child.kill("SIGKILL");
  }
}
