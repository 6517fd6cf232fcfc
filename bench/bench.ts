// `npm run bench`: what the agent waits for, as ratios to `node -e 0` measured in the same run. A report, not a test.
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { findLeaseHolder } from "../src/outbox/lease.ts";
import { layoutOf } from "../src/outbox/layout.ts";
import { scriptText } from "../src/install/hook-script.ts";
import { startSlowReceiver } from "./slow-receiver.ts";

const rounds = 30;
const warmUpRounds = 3;
const slowMs = 2000;
/** What takes four milliseconds is measured while nothing else is at work. */
const settleMs = 50;
const dist = fileURLToPath(new URL(".", import.meta.url));
const payload = JSON.stringify({
  hook_event_name: "Stop",
  session_id: "5f0c8a52-bench",
  cwd: "/home/you/shop-web",
  last_assistant_message: "All tests pass.",
});

interface Setting {
  name: string;
  env: NodeJS.ProcessEnv;
  dispatcher: ChildProcess | undefined;
}

const folder = mkdtempSync(join(tmpdir(), "hookbell-bench-"));
const receiver = await startSlowReceiver();

function settingOf(name: string, url: string, isWarm: boolean): Setting {
  const root = join(folder, name.replaceAll(" ", "-"));
  const env = {
    ...process.env,
    HOOKBELL_CONFIG_DIR: join(root, "config"),
    HOOKBELL_STATE_DIR: join(root, "state"),
    HOOKBELL_DISABLE: undefined,
  };
  mkdirSync(env.HOOKBELL_CONFIG_DIR, { recursive: true });
  const rules = {
    channels: { ops: { type: "webhook", url } },
    rules: [{ name: "all", when: { event: "*" }, notify: ["ops"] }],
  };
  writeFileSync(join(env.HOOKBELL_CONFIG_DIR, "rules.jsonc"), JSON.stringify(rules));
  const dispatcher = isWarm
    ? spawn(process.execPath, [join(dist, "cli.js"), "dispatch"], { env, stdio: "ignore" })
    : undefined;
  return { name, env, dispatcher };
}

/** How long a caller waits for the program, in milliseconds: until it has ended and its pipes are closed. */
function time(argv: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  const [program = "", ...args] = argv;
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, stdio: ["pipe", "pipe", "pipe"], cwd: folder });
    child.stdout.resume();
    child.stderr.resume();
    child.stdin.on("error", () => {});
    child.stdin.end(payload);
    child.on("close", (code) => {
      if (code === 0) resolve(performance.now() - startedAt);
      else reject(new Error(`${argv.join(" ")} ended with ${code}`));
    });
  });
}

function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? Number.NaN;
}

async function untilDispatcherRuns(setting: Setting): Promise<void> {
  const layout = layoutOf(setting.env.HOOKBELL_STATE_DIR ?? "");
  while (findLeaseHolder(layout, Date.now()) === undefined) await sleep(20);
}

const hook = [process.execPath, join(dist, "hook.cjs"), "--agent", "droid"];
const script = join(folder, "hookbell-hook.sh");
writeFileSync(script, scriptText({ nodePath: process.execPath, hookPath: join(dist, "hook.cjs") }), { mode: 0o700 });
// As agents run it.
const shellHook = ["sh", "-c", `'${script}' --agent droid`];
const shellFloor = ["sh", "-c", "cat >f.tmp && mv f.tmp f"];
const down = "http://127.0.0.1:9/";
const settings = [
  settingOf("receiver answers at once", `${receiver.origin}/fast`, true),
  settingOf(`receiver takes ${slowMs / 1000} s`, `${receiver.origin}/slow/${slowMs}`, true),
  settingOf("receiver is down", down, true),
];
const cold = settingOf("no dispatcher yet", `${receiver.origin}/cold`, false);

try {
  for (const setting of settings) await untilDispatcherRuns(setting);
  const floor: number[] = [];
  const shellFloorSamples: number[] = [];
  const shellSamples = new Map<string, number[]>(settings.map(({ name }) => [name, []]));
  const samples = new Map<string, number[]>([...settings, cold].map(({ name }) => [name, []]));
  const arrivals: Record<"warm" | "cold", number[]> = { warm: [], cold: [] };
  // Round by round, so that a noisy minute of the machine falls on all alike.
  for (let round = -warmUpRounds; round < rounds; round += 1) {
    const floorMs = await time([process.execPath, "-e", "0"], process.env);
    if (round >= 0) floor.push(floorMs);
    await sleep(settleMs);
    const shellFloorMs = await time(shellFloor, process.env);
    if (round >= 0) shellFloorSamples.push(shellFloorMs);
    for (const setting of settings) {
      await sleep(settleMs);
      const ms = await time(shellHook, setting.env);
      if (round >= 0) shellSamples.get(setting.name)?.push(ms);
      if (setting === settings[0]) await receiver.next("/fast");
    }
    for (const setting of settings) {
      const startedAt = performance.now();
      const ms = await time(hook, setting.env);
      if (round >= 0) samples.get(setting.name)?.push(ms);
      if (setting === settings[0]) {
        const arrivedAt = await receiver.next("/fast");
        if (round >= 0) arrivals.warm.push(arrivedAt - startedAt);
      }
    }
    const layout = layoutOf(cold.env.HOOKBELL_STATE_DIR ?? "");
    const startedAt = performance.now();
    const ms = await time(hook, cold.env);
    const arrivedAt = await receiver.next("/cold");
    if (round >= 0) {
      samples.get(cold.name)?.push(ms);
      arrivals.cold.push(arrivedAt - startedAt);
    }
    // Its dispatcher would stay for the next event.
    const holder = findLeaseHolder(layout, Date.now());
    if (holder !== undefined) process.kill(holder.pid, "SIGTERM");
    while (findLeaseHolder(layout, Date.now()) !== undefined) await sleep(10);
  }

  const floorP50 = percentile(floor, 0.5);
  const row = (name: string, values: readonly number[], by = floorP50): string =>
    `| ${name.padEnd(42)} | ${percentile(values, 0.5).toFixed(1).padStart(8)} | ${percentile(values, 0.9).toFixed(1).padStart(8)} | ${(percentile(values, 0.5) / by).toFixed(2).padStart(6)} |`;
  const [cpu] = cpus();
  process.stdout.write(
    `${cpus().length} x ${cpu?.model ?? "?"}, Node ${process.version}, ${rounds} rounds, milliseconds\n\n`,
  );
  process.stdout.write(
    `| what the agent waits for                   |   median |      p90 | x floor |\n| --- | --- | --- | --- |\n`,
  );
  process.stdout.write(`${row("floor: node -e 0", floor)}\n`);
  for (const [name, values] of samples) process.stdout.write(`${row(`hook, ${name}`, values)}\n`);
  const shellP50 = percentile(shellFloorSamples, 0.5);
  process.stdout.write(
    `\n| the same with the hook for shells            |   median |      p90 | x floor |\n| --- | --- | --- | --- |\n`,
  );
  process.stdout.write(`${row("floor: sh -c 'cat >f.tmp && mv f.tmp f'", shellFloorSamples, shellP50)}\n`);
  for (const [name, values] of shellSamples) process.stdout.write(`${row(`hook, ${name}`, values, shellP50)}\n`);
  process.stdout.write(
    `\n| from the hook's start to the receiver      |   median |      p90 | x floor |\n| --- | --- | --- | --- |\n`,
  );
  process.stdout.write(
    `${row("dispatcher at work", arrivals.warm)}\n${row("dispatcher started by this hook", arrivals.cold)}\n`,
  );
} finally {
  for (const { dispatcher } of settings) dispatcher?.kill("SIGKILL");
  receiver.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
