// What a dispatcher costs that watches fifty open sessions in which nothing happens: just after their last signs, and later; and with
// the files from which their agents start programs.
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Layout } from "../../src/outbox/layout.ts";
import { writeSession } from "../../src/outbox/sessions.ts";
import { accepting, emptyBaseline, writeBaseline } from "../../src/wings/guard/baseline.ts";
import { LaunchFinder } from "../../src/wings/guard/launches/find.ts";
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
const shareForHooks = 0.001;

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
    const [quiet, fresh] = [15, 0];
    // Beside each other, since what a machine does at one moment is more than the difference.
    const [own, guarded] = await Promise.all([
      measure(join(folder, "idle"), quiet, seconds),
      measure(join(folder, "idle-guarded"), quiet, seconds, { isGuarded: true }),
    ]);
    rows.push(countRow(`${what}, ${quiet} minutes after their last signs, in ms`, Math.round(own), core, 1));
    const adds = `processor time that looking for new hooks in ${hookFiles} files of ten projects adds, a minute, in ms`;
    const tenth = { name: "0.1 % of a core", value: 60_000 * shareForHooks };
    rows.push(countRow(adds, Math.round(guarded - own), tenth, 1));
    const busy = await measure(join(folder, "idle-fresh"), fresh, seconds);
    rows.push(countRow(`${what}, just after their last signs, in ms`, Math.round(busy), core));
    return rows;
  } finally {
    node.kill("SIGKILL");
  }
}

async function measure(
  folder: string,
  quiet: number,
  seconds: number,
  { isGuarded }: { isGuarded: boolean } = { isGuarded: false },
): Promise<number> {
  const setting = settingIn(folder, "http://127.0.0.1:9/");
  const projects = join(folder, "work");
  setting.env.HOME = folder;
  writeHooks(projects);
  if (isGuarded) acceptHooks(setting.layout, folder, projects);
  const agent = spawn("sleep", ["3600"], { stdio: "ignore" });
  try {
    await once(agent, "spawn");
    for (let index = 0; index < sessions; index += 1) {
      const place = { transcripts: join(folder, "agents"), work: join(projects, `p${index % 10}`) };
      openSession(setting.layout, place, agent, index, Date.now() - quiet * 60_000);
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

/** Each of ten projects has hooks for three agents, as a team would have them. */
const hookFiles = 30;

function writeHooks(projects: string): void {
  const hooks = { Stop: [{ hooks: [{ type: "command", command: "./scripts/check.sh --fast" }] }] };
  for (let index = 0; index < hookFiles / 3; index += 1) {
    for (const name of [".claude/settings.json", ".codex/hooks.json", ".gemini/settings.json"]) {
      const path = join(projects, `p${index}`, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, JSON.stringify({ hooks }));
    }
  }
}

/** What is known rings no bell. */
function acceptHooks(layout: Layout, home: string, projects: string): void {
  const folders = readdirSync(projects).map((name) => join(projects, name));
  const files = new LaunchFinder({ env: {}, home, platform: process.platform }).look(folders, 0);
  const launches = files.flatMap((file) => file.launches);
  if (launches.length !== hookFiles) throw new Error(`${launches.length} hooks were found, not ${hookFiles}`);
  const now = Date.now();
  writeBaseline(layout, accepting(emptyBaseline(now), launches, now));
}

function openSession(
  layout: Layout,
  { transcripts: folder, work }: { transcripts: string; work: string },
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
  const record = { agent, session, lastSeenAt: now, transcript, remembered: {}, process: { pid, start }, folder: work };
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
