// `npm start`: four events of a session of Claude Code go through the real hook and the real dispatcher to every channel
// that this machine has. Slack, the webhook, the mail server and the phone are small receivers on loopback. The question
// is answered on the phone. A usage table ends it.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { listJournal, readJournal, type JournalEntry } from "../src/outbox/journal.ts";
import { layoutOf } from "../src/outbox/layout.ts";
import { isAlive } from "../src/system/process/identity.ts";
import { payloads, question } from "./payloads.ts";
import { startPhone } from "./phone.ts";
import { startReceivers } from "./receivers.ts";
import { runHook } from "./run-hook.ts";
import { showArrivals } from "./show-arrivals.ts";
import { usageTable } from "./usage-table.ts";

const longestWaitMs = 30_000;
const cli = fileURLToPath(new URL("./cli.js", import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "hookbell-demo-"));
const env = {
  ...process.env,
  HOOKBELL_CONFIG_DIR: join(folder, "config"),
  HOOKBELL_STATE_DIR: join(folder, "state"),
  // Sound players leave a folder in the person's configuration, and nothing here may.
  XDG_CONFIG_HOME: join(folder, "xdg"),
  HOOKBELL_DISABLE: undefined,
};
const layout = layoutOf(env.HOOKBELL_STATE_DIR);
const receivers = await startReceivers();
const phone = await startPhone();
try {
  mkdirSync(env.HOOKBELL_CONFIG_DIR);
  writeFileSync(join(env.HOOKBELL_CONFIG_DIR, "rules.jsonc"), rulesFor());
  process.stdout.write("hookbell: four events of Claude Code, through the real hook and the real dispatcher\n\n");
  for (const payload of payloads) {
    const { code, stdout, stderr, ms } = await runHook(payload, env);
    const end = `exit ${code}${stderr === "" ? "" : `: ${stderr}`}`;
    const did = payload === question ? "waited for an answer" : "took";
    process.stdout.write(
      `  ${String(payload.hook_event_name).padEnd(17)} the hook ${did} ${ms.toFixed(0)} ms, ${end}\n`,
    );
    if (payload === question) process.stdout.write(showAnswer(stdout));
    if (code !== 0) process.exitCode = 1;
  }
  const entries = await waitForAll();
  process.stdout.write(`\n${showArrivals(entries, receivers)}`);
  process.stdout.write(`\nWhy? hookbell explain says:\n${explainQuestion()}`);
  process.stdout.write("\nA server of your own counts what agents use; hookbell usage tokens says of a made week:\n");
  process.stdout.write((await usageTable(cli, folder)).replace(/^(?=.)/gm, "  "));
  process.stdout.write("\nNothing in your home was touched. To get real notifications, run: node dist/cli.js init\n");
} finally {
  await stopDispatcher();
  receivers.close();
  phone.close();
  // A sound player that has not ended yet may still write its folder.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 });
}

function rulesFor(): string {
  const rules = {
    answers: { allow: ["Bash(npm publish)"], hold: "always" },
    channels: {
      phone: phone.channel,
      desktop: { type: "desktop" },
      chime: { type: "sound" },
      team: { type: "slack", url: receivers.slackUrl },
      mail: {
        type: "email",
        smtp: receivers.smtpUrl,
        withoutTls: "loopback",
        from: "agent@example.org",
        to: ["you@example.org"],
      },
      ops: { type: "webhook", url: receivers.webhookUrl, secret: "whsec_aG9va2JlbGwtZGVtby1zZWNyZXQtMzItYnl0ZXMhIQ==" },
    },
    rules: [
      {
        name: "needs me",
        when: { event: "PermissionRequest" },
        notify: ["phone", "desktop", "chime", "team", "ops"],
      },
      { name: "done", when: { event: "Stop", project: "shop-*" }, notify: ["desktop", "chime", "team", "ops"] },
      {
        name: "broke",
        when: { event: "SessionEnd", reason: ["error", "other"] },
        notify: ["mail", "team", "ops"],
        level: "error",
      },
      { name: "subagents", when: { event: "SubagentStop" }, notify: ["ops"] },
    ],
  };
  return `${JSON.stringify(rules, null, 2)}\n`;
}

/** All entries of the journal, once every planned delivery has ended one way or the other. */
async function waitForAll(): Promise<JournalEntry[]> {
  const until = Date.now() + longestWaitMs;
  for (;;) {
    const entries = listJournal(layout).flatMap((file) => readJournal(layout, file));
    const decisions = entries.filter(({ kind }) => kind === "decision");
    const planned = decisions.flatMap(({ deliveries }) => (deliveries as unknown[]) ?? []);
    const ended = entries.filter(({ kind, next }) => kind === "attempt" && (next === "done" || next === "dead"));
    const isComplete = decisions.length >= payloads.length && ended.length >= planned.length;
    if (isComplete || Date.now() > until) return entries;
    await sleep(50);
  }
}

/** What the phone showed, and what the hook then told Claude Code. */
function showAnswer(stdout: string): string {
  const buttons = phone.shown[0]?.actions?.map(({ label }) => `[${label}]`).join(" ") ?? "no buttons";
  const lines = [`the phone shows "${phone.shown[0]?.title}" with ${buttons}; a tap on Allow`];
  if (stdout === "") process.exitCode = 1;
  lines.push(stdout === "" ? "no answer came" : `the hook answers Claude Code: ${stdout.trim()}`);
  return lines.map((line) => `${" ".repeat(20)}${line}\n`).join("");
}

function explainQuestion(): string {
  const input = JSON.stringify(question);
  const args = [cli, "explain", "--agent", "claude-code"];
  const text = execFileSync(process.execPath, args, { env, input, encoding: "utf8" });
  return text.replace(/^/gm, "  ").trimEnd() + "\n";
}

/** It would end by itself, but the folder that it writes to is removed next. */
async function stopDispatcher(): Promise<void> {
  const pid = dispatcherPid();
  if (pid === undefined) return;
  process.kill(pid, "SIGTERM");
  const until = Date.now() + longestWaitMs;
  while (isAlive(pid) && Date.now() < until) await sleep(20);
}

/** The process that holds the lease, or undefined when it has ended. */
function dispatcherPid(): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(layout.lease, "utf8")) as { pid: number };
    return isAlive(pid) ? pid : undefined;
  } catch {
    return undefined;
  }
}
