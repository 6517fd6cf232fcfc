// hookbell beside other notifiers: what the agent waits for, what is lost, what comes twice, and how much a day rings.
import { mkdirSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { countDay, openBench } from "../attention/attention.ts";
import { workingDay, type Call, type WorkingDay } from "../attention/working-day.ts";
import {
  missingForSlackScript,
  nodeFloorName,
  type Program,
  type Programs,
  programsIn,
  runProgram,
} from "../programs.ts";
import type { Receiver } from "../receiver.ts";
import { settingIn } from "../setting.ts";
import { stopping } from "../stopping.ts";
import { countRow, type Floor, percentile, remarkRow, type Row, timeRow } from "../table.ts";
import { measureWaits, type Trial } from "../waits/waits.ts";
import { countingDesktop, findFakeTime, installPeers, type Installed } from "./programs.ts";

/** A program that reports a payload, in one setting. */
type Caller = (url: string, name: string) => { program(payload: string): Program | undefined; end(): Promise<void> };

/** As Claude Code sends it when a turn ends. */
const stop = JSON.stringify({
  hook_event_name: "Stop",
  session_id: "5f0c8a52-bench",
  cwd: "/home/you/shop-web",
  last_assistant_message: "All tests pass.",
});

const slowMs = 2000;
/** Longer than hookbell's first retries take. */
const patienceMs = 60_000;

export async function reportPeers(
  folder: string,
  {
    receiver,
    rounds,
    clones,
    hours,
  }: { receiver: Receiver; rounds: number; clones: string | undefined; hours: number },
  say: (line: string) => void,
): Promise<Row[]> {
  say("installing what npm has: a minute at most");
  const found = installPeers(join(folder, "npm"), clones);
  const installed = found.filter((each) => "version" in each);
  const rows = found.flatMap((each) => ("why" in each ? [remarkRow(each.name, `not measured: ${each.why}`)] : []));
  const programs = programsIn(folder, process.execPath);
  const callers = callersOf(folder, installed, programs);
  say("what the agent waits for");
  rows.push(...(await reportWaits(programs.nodeFloor, callers, receiver, rounds)));
  say("a receiver that is down, and two hook setups");
  for (const [name, caller] of callers) {
    rows.push(await reportLoss(name, caller), await reportTwice(name, caller));
  }
  for (const { name, version, note } of installed) rows.push(...noteRows(`${name} ${version}`, note));
  say(`${hours} hours of the day`);
  rows.push(...(await reportDay(folder, installed, hours)));
  return rows;
}

function noteRows(name: string, note: string | undefined): Row[] {
  return note === undefined ? [] : [remarkRow(name, note)];
}

/** hookbell, a script, and the peers that know webhooks. */
function callersOf(
  folder: string,
  installed: readonly Installed[],
  { shellHook, slackScript: script }: Programs,
): Map<string, Caller> {
  const callers = new Map<string, Caller>();
  callers.set("hookbell", (url, name) => {
    const setting = settingIn(join(folder, "hookbell", name), url);
    return { program: (input) => ({ ...asClaudeCode(shellHook(setting)), input }), end: () => setting.stop() };
  });
  if (missingForSlackScript().length === 0) {
    callers.set("a script with jq and curl", (url) => ({
      program: (input) => ({ ...script(url), input }),
      end: () => Promise.resolve(),
    }));
  }
  for (const peer of installed) {
    if (peer.hasNoWebhook !== true) callers.set(`${peer.name} ${peer.version}`, callerOf(folder, peer));
  }
  return callers;
}

function asClaudeCode(program: Program): Program {
  return { ...program, argv: program.argv.map((word) => word.replace("--agent droid", "--agent claude-code")) };
}

/** hookbell's plug-in says that it is the caller; the others cannot. */
function byPlugIn(program: Program | undefined): Program | undefined {
  const argv = program?.argv.map((word) => (word.includes("hookbell-hook.sh") ? `${word} --by plugin` : word));
  return program && argv && { ...program, argv };
}

function callerOf(folder: string, peer: Installed): Caller {
  return (url, name) => {
    const { home, env } = homeOf(folder, peer, name, url);
    return { program: (input) => callProgram(peer, home, env, input), end: () => Promise.resolve() };
  };
}

function homeOf(folder: string, peer: Installed, name: string, url: string | undefined) {
  const home = join(folder, peer.name, name);
  mkdirSync(home, { recursive: true });
  peer.setUp(home, url);
  const desktop = countingDesktop(home);
  const env: NodeJS.ProcessEnv = { ...desktop.env, HOME: home, PEON_PLATFORM: "linux", CLAUDE_CONFIG_DIR: undefined };
  return { home, env, shown: desktop.shown };
}

function callProgram(peer: Installed, home: string, env: NodeJS.ProcessEnv, input: string): Program | undefined {
  const argv = peer.argv(home, JSON.parse(input) as Record<string, unknown>);
  return argv && { argv, env, cwd: home, input, mayFail: true };
}

async function reportWaits(
  nodeFloor: Program,
  callers: ReadonlyMap<string, Caller>,
  { origin }: Receiver,
  rounds: number,
): Promise<Row[]> {
  const settings = [
    { what: "receiver answers at once", url: `${origin}/fast`, everyRounds: 1 },
    { what: `receiver takes ${slowMs / 1000} s`, url: `${origin}/slow/${slowMs}`, everyRounds: 5 },
    { what: "receiver is down", url: "http://127.0.0.1:9/", everyRounds: 1 },
  ];
  const ends: (() => Promise<void>)[] = [];
  const trials: Trial[] = [{ what: nodeFloorName, program: nodeFloor }];
  for (const [name, caller] of callers) {
    for (const [index, { what, url, everyRounds }] of settings.entries()) {
      const { program, end } = caller(url, `waits-${index}`);
      ends.push(end);
      const called = program(stop);
      if (called !== undefined) trials.push({ what: `${name}, ${what}`, program: called, everyRounds });
    }
  }
  try {
    const measured = await measureWaits(trials, rounds, { origin } as Receiver);
    const floor: Floor = { name: nodeFloorName, value: percentile(measured(nodeFloorName).waits, 0.5) };
    return trials.map(({ what }) => timeRow(what, measured(what).waits, floor));
  } finally {
    for (const end of ends) await end();
  }
}

/** A receiver in this process, at a port that stays the same. */
async function listen(port: number): Promise<{ port: number; count(): number; close(): Promise<void> }> {
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      count += 1;
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => void server.listen(port, "127.0.0.1", resolve));
  return {
    port: (server.address() as AddressInfo).port,
    count: () => count,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => void server.close(() => resolve()));
    },
  };
}

/** The message goes out while nothing listens; the receiver comes back after the hook has ended. */
async function reportLoss(name: string, caller: Caller): Promise<Row> {
  const first = await listen(0);
  await first.close();
  const { program, end } = caller(`http://127.0.0.1:${first.port}/`, "loss");
  const called = program(stop);
  if (called === undefined) throw new Error(`${name} has no hook for the end of a turn`);
  await runProgram(called);
  // A request that the hook has left in the background fails meanwhile.
  await sleep(3000);
  const again = await listen(first.port);
  const startedAt = performance.now();
  while (again.count() === 0 && performance.now() - startedAt < patienceMs) {
    stopping.throwIfAborted();
    await sleep(100);
  }
  const tookMs = performance.now() - startedAt;
  await end();
  await again.close();
  const outcome = again.count() === 0 ? "lost" : `came ${(tookMs / 1000).toFixed(1)} s after the receiver was back`;
  return remarkRow(`${name}: a message while the receiver was down`, outcome);
}

/** Plug-in and settings both call it, 50 ms after each other. */
async function reportTwice(name: string, caller: Caller): Promise<Row> {
  const receiver = await listen(0);
  const { program, end } = caller(`http://127.0.0.1:${receiver.port}/`, "twice");
  const calls = [program(stop), byPlugIn(program(stop))].flatMap((call) => call ?? []);
  const ended = calls.map(async (call, index) => {
    await sleep(50 * index);
    await runProgram(call);
  });
  await Promise.all(ended);
  await sleep(5000);
  await end();
  await receiver.close();
  return countRow(`${name}: messages of one event that two hook setups report`, receiver.count());
}

/** Of Claude Code's sessions among the sixteen, which is the agent that all peers know. */
async function reportDay(folder: string, installed: readonly Installed[], hours: number): Promise<Row[]> {
  const whole = workingDay();
  const calls = whole.calls.filter(({ at, agent }) => agent === "claude-code" && at < hours * 3_600_000);
  const day: WorkingDay = { ...whole, calls };
  const counted = await countDay(day, await openBench(join(folder, "day"), day));
  const what = `${hours} hours of Claude Code's 8 sessions, ${calls.length} events: notifications`;
  const floor = { name: "every event", value: counted.without };
  const rows = [
    countRow(`${what} if each event that the built-in rules name were told`, counted.without),
    countRow(`${what} of hookbell, built-in rules`, counted.messages, floor),
  ];
  const library = findFakeTime();
  for (const peer of installed) {
    const name = `${what} of ${peer.name} ${peer.version}, as installed`;
    rows.push(
      library === undefined
        ? remarkRow(name, "not measured: no libfaketime")
        : countRow(name, await countPeerDay(folder, peer, calls, library), floor),
    );
  }
  return rows;
}

async function countPeerDay(folder: string, peer: Installed, calls: readonly Call[], library: string): Promise<number> {
  const { home, env, shown } = homeOf(folder, peer, "day", undefined);
  for (const { at, payload } of calls) {
    stopping.throwIfAborted();
    const time = new Date(Date.UTC(2026, 10, 23, 9) + at).toISOString().replace("T", " ").slice(0, 19);
    const clock = { LD_PRELOAD: library, FAKETIME: `@${time}`, TZ: "UTC" };
    const called = callProgram(peer, home, { ...env, ...clock }, payload);
    if (called !== undefined) await runProgram(called);
  }
  // What it started in the background may still be about to show something.
  await sleep(2000);
  return shown();
}
