// What a dispatcher costs that watches fifty open sessions in which nothing happens: just after their last signs, and later.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { writeSession } from "../../src/outbox/sessions.ts";
import { processLook } from "../../src/system/process/facts.ts";
import { settingIn } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { countRow, remarkRow, type Row } from "../table.ts";

/** Half of them work; the others wait for the person. */
const sessions = 50;
const agents = ["claude-code", "claude-code", "claude-code", "codex", "gemini-cli"];
/** Until the first looks are over. */
const settleMs = 15_000;
const shareOfCore = 0.002;

/** Minutes since the last sign of any session. The looks at them become rarer meanwhile. */
const quietMinutes = [15, 0];

/** Linux only: elsewhere nothing tells a process's time in less than hundredths of a second. */
export async function reportIdle(folder: string, seconds: number): Promise<Row[]> {
  const what = `processor time of a dispatcher with ${sessions} open sessions, a minute`;
  if (process.platform !== "linux") return [remarkRow(what, "measured on Linux only")];
  const node = spawn(process.execPath, ["-e", "setInterval(() => {}, 500)"], { stdio: "ignore" });
  const core = { name: "0.2 % of a core", value: 60_000 * shareOfCore };
  try {
    await once(node, "spawn");
    await sleep(settleMs);
    const idle = await busyMsPerMinute(node.pid ?? 0, seconds);
    const rows = [
      countRow("processor time of `node -e` that wakes twice a second, ms a minute", Math.round(idle), core),
    ];
    for (const minutes of quietMinutes) {
      const own = await measure(join(folder, `idle-${minutes}`), minutes, seconds);
      const when = minutes === 0 ? "just after their last signs" : `${minutes} minutes after their last signs`;
      rows.push(countRow(`${what}, ${when}, in ms`, Math.round(own), core, minutes === 0 ? undefined : 1));
    }
    return rows;
  } finally {
    node.kill("SIGKILL");
  }
}

async function measure(folder: string, quiet: number, seconds: number): Promise<number> {
  const setting = settingIn(folder, "http://127.0.0.1:9/");
  const agent = spawn("sleep", ["3600"], { stdio: "ignore" });
  try {
    await once(agent, "spawn");
    for (let index = 0; index < sessions; index += 1) {
      openSession(setting.layout, join(folder, "agents"), agent, index, Date.now() - quiet * 60_000);
    }
    const pid = await setting.start();
    await sleep(settleMs);
    return await busyMsPerMinute(pid, seconds);
  } finally {
    await setting.stop();
    agent.kill("SIGKILL");
  }
}

async function busyMsPerMinute(pid: number, seconds: number): Promise<number> {
  const before = busyMs(pid);
  const startedAt = performance.now();
  await sleep(seconds * 1000);
  stopping.throwIfAborted();
  return ((busyMs(pid) - before) / (performance.now() - startedAt)) * 60_000;
}

function openSession(
  layout: Parameters<typeof writeSession>[0],
  folder: string,
  { pid = 0 }: ChildProcess,
  index: number,
  now: number,
): void {
  const agent = agents[index % agents.length] ?? "";
  const session = `s${index}`;
  // Ten projects of five sessions.
  const transcript = join(folder, "projects", `p${index % 10}`, `${session}.jsonl`);
  mkdirSync(dirname(transcript), { recursive: true });
  const line = JSON.stringify({ type: "user", message: { content: "x".repeat(200) } });
  writeFileSync(transcript, `${line}\n`.repeat(5000));
  mkdirSync(join(folder, "sessions"), { recursive: true });
  const status = { sessionId: session, status: index % 2 === 0 ? "busy" : "waiting", statusUpdatedAt: now };
  writeFileSync(join(folder, "sessions", `${index}.json`), JSON.stringify(status));
  const facts = { since: now, reason: "", source: "hook" } as const;
  const question = { id: `evt_${index}`, at: now, name: "PermissionRequest", call: { tool: "Bash", input: "" } };
  const asks = { ...facts, kind: "needsYou", question: question.id } as const;
  const works = { ...facts, kind: "working", turn: { startedAt: now, helpers: 0 } } as const;
  const start = processLook()(pid)?.start ?? "";
  const record = { agent, session, lastSeenAt: now, transcript, remembered: {}, process: { pid, start } };
  writeSession(layout, { ...record, ...(index % 2 === 0 ? { state: works } : { state: asks, open: [question] }) });
}

/** Of all its threads, in nanoseconds: https://docs.kernel.org/scheduler/sched-stats.html */
function busyMs(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const ns = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return ns.reduce((sum, each) => sum + each, 0) / 1e6;
}
