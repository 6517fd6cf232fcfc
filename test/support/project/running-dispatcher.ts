// The dispatcher inside the test's process, on a real state folder and real sockets; only the clock is ours.
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { openRules, type RulesReader } from "../../../src/dispatch/current-rules.ts";
import type { Dispatcher } from "../../../src/dispatch/dispatcher.ts";
import { runDispatcher, type RunOptions, type RunResult } from "../../../src/dispatch/run/loop.ts";
import { listJournal, readJournal, type JournalEntry } from "../../../src/outbox/journal.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { createFakeClock } from "../fake-clock.ts";
import { payloadOf } from "./running-project.ts";
import { temporaryFolder, temporaryState } from "./temporary-state.ts";

const longestWaitMs = 20_000;

export interface RunningDispatcher {
  dispatcher: Dispatcher;
  clock: ReturnType<typeof createFakeClock>;
  /** Starts it; resolves when it has ended. */
  run(options?: Partial<RunOptions>): Promise<RunResult>;
  stop(): void;
  writeRules(rules: unknown): void;
  /** Puts an event into incoming/, as the hook does. */
  accept(event: string, more?: Record<string, unknown>): void;
  journal(kind?: JournalEntry["kind"]): JournalEntry[];
  /** How many have no answer yet: while there are any, a turn of the clock may be their deadline. */
  requestsUnderWay(): number;
  until(what: string, check: () => boolean): Promise<void>;
}

export function prepareDispatcher(env: Record<string, string> = {}): RunningDispatcher {
  const layout = temporaryState();
  const home = temporaryFolder();
  const rulesFile = join(home, "rules.jsonc");
  const clock = createFakeClock(Date.now());
  const stopping = new AbortController();
  let runs: Promise<unknown> = Promise.resolve();
  let writes = 0;
  const sendHttp = createSendHttp(env);
  let underWay = 0;
  let reader: RulesReader | undefined;
  const dispatcher: Dispatcher = {
    layout,
    rules() {
      if (reader === undefined) throw new Error("the rules are read when the dispatcher runs, or by rereadRules()");
      return reader.rules();
    },
    async rereadRules() {
      reader ??= await openRules(rulesFile, layout);
      await reader.rereadRules();
    },
    tools: {
      clock,
      random: () => 1,
      env,
      platform: process.platform,
      async http(...request) {
        underWay += 1;
        try {
          return await sendHttp(...request);
        } finally {
          underWay -= 1;
        }
      },
      home,
      stateDir: layout.root,
    },
    host: "testhost",
  };
  onTestFinished(async () => {
    stopping.abort();
    await runs;
  });
  const journal = (kind?: JournalEntry["kind"]): JournalEntry[] =>
    listJournal(layout)
      .flatMap((file) => readJournal(layout, file))
      .filter((entry) => kind === undefined || entry.kind === kind);
  return {
    dispatcher,
    clock,
    run(options = {}) {
      const run = runDispatcher(dispatcher, {
        idleMs: undefined,
        isLeavingRetries: false,
        isPatient: true,
        stop: stopping.signal,
        ...options,
      });
      runs = run;
      return run;
    },
    stop: () => stopping.abort(),
    writeRules(rules) {
      mkdirSync(home, { recursive: true });
      writeFileSync(rulesFile, typeof rules === "string" ? rules : JSON.stringify(rules, null, 2));
      // Two writes within a tick of the file system's clock would look like one.
      writes += 1;
      utimesSync(rulesFile, Date.now() / 1000, Date.now() / 1000 + writes);
    },
    accept(event, more = {}) {
      writeIncoming(layout, payloadOf(event, more), { agentId: "generic", nowMs: clock.now() });
    },
    journal,
    requestsUnderWay: () => underWay,
    async until(what, check) {
      const deadline = Date.now() + longestWaitMs;
      while (!check()) {
        if (Date.now() > deadline)
          throw new Error(
            `never came: ${what}\n${journal()
              .map((entry) => JSON.stringify(entry))
              .join("\n")}`,
          );
        await sleep(5);
      }
    },
  };
}

/** Rules that send everything to one webhook named `ops`. */
export function rulesTo(url: string, more: Record<string, unknown> = {}): unknown {
  return {
    channels: { ops: { type: "webhook", url, ...more } },
    rules: [{ name: "all", notify: ["ops"] }],
  };
}
