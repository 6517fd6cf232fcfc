// The end of the demo: a server of one's own counts a week of made transcripts, and `hookbell usage` prints its table.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../src/system/clock.ts";
import { randomKey } from "../src/system/crypto.ts";
import { addKey } from "../src/wings/platform/server/keys.ts";

const dayMs = 86_400_000;
const longestWaitMs = 20_000;
const callsByDay = [4, 7, 2, 9, 6, 11, 8];

/** What `hookbell usage tokens` prints. Its own home: no transcript of the person's is read. */
export async function usageTable(cli: string, folder: string): Promise<string> {
  const home = join(folder, "home");
  const env: NodeJS.ProcessEnv = {
    PATH: process.env.PATH,
    SystemRoot: process.env.SystemRoot,
    HOME: home,
    USERPROFILE: home,
    HOOKBELL_STATE_DIR: join(folder, "usage"),
    HOOKBELL_CONFIG_DIR: join(folder, "usage"),
  };
  writeTranscript(join(home, ".claude", "projects", "shop"));
  const run = (...args: string[]): string => execFileSync(process.execPath, [cli, ...args], { env, encoding: "utf8" });
  // `hookbell keys add` would need a person at a terminal.
  const owner = { name: "ann@example.org", role: "Owner" } as const;
  const { key } = await addKey(join(folder, "usage", "server"), owner, systemClock, randomKey());
  const server = spawn(process.execPath, [cli, "serve", "--port", "0", "--backfill", "--user", "ann@example.org"], {
    env,
    // It would say how a browser is paired, which is no part of the demo.
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const [line] = (await once(server.stdout, "data")) as [Buffer];
    env.HOOKBELL_PLATFORM_URL = /http\S+/.exec(line.toString())?.[0];
    env.HOOKBELL_PLATFORM_KEY = key;
    await untilCounted(() => run("usage", "tokens", "--json"));
    return run("usage", "tokens", "--from", `${callsByDay.length}d`);
  } finally {
    server.kill("SIGTERM");
    if (server.exitCode === null) await once(server, "exit");
  }
}

async function untilCounted(askTokens: () => string): Promise<void> {
  for (const until = Date.now() + longestWaitMs; Date.now() < until; await sleep(100)) {
    const { data } = JSON.parse(askTokens()) as { data: { billable_tokens: number }[] };
    if (data.some(({ billable_tokens }) => billable_tokens > 0)) return;
  }
}

function writeTranscript(project: string): void {
  const entries = callsByDay.flatMap((calls, index) => {
    const noonMs = Math.floor(Date.now() / dayMs) * dayMs - (callsByDay.length - index - 0.5) * dayMs;
    return Array.from({ length: calls }, (_, call) => answer(`${index}-${call}`, new Date(noonMs + call * 60_000)));
  });
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "demo.jsonl"), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
}

/** An entry as Claude Code writes it. */
function answer(id: string, at: Date): object {
  const usage = {
    input_tokens: 300,
    output_tokens: 900,
    cache_read_input_tokens: 20_000,
    cache_creation_input_tokens: 1500,
  };
  const model = id.endsWith("1") ? "claude-haiku-4-5" : "claude-opus-4-5";
  const message = { id: `msg_${id}`, role: "assistant", model, content: [{ type: "text", text: "…" }], usage };
  return {
    type: "assistant",
    timestamp: at.toISOString(),
    sessionId: `demo-${id.split("-")[0]}`,
    requestId: `req_${id}`,
    message,
  };
}
