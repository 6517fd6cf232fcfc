// The dispatcher inside the test's process, on a real state folder and real sockets; only the clock is the test's.
import { wings } from "../../../src/wings/index.ts";
import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import type { Question } from "../../../src/answers/questions.ts";
import { routesOf } from "../../../src/pipeline/answers/route.ts";
import { runCommand, showError } from "../../../src/cli/command-line.ts";
import type { CommandIo } from "../../../src/console/command-io.ts";
import { openRules, type RulesReader } from "../../../src/pipeline/current-rules.ts";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import { runDispatcher, type RunOptions, type RunResult } from "../../../src/daemon/daemon.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { listJournal, readJournal, type JournalEntry } from "../../../src/outbox/journal.ts";
import { growingTools } from "../../../src/pipeline/understand/agent-environment.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { systemClock, type Clock } from "../../../src/system/clock.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { hostName } from "../../../src/system/process/identity.ts";
import { createFakeClock } from "../fake-clock.ts";
import { longestWaitMs } from "../longest-wait.ts";
import { payloadOf, type Project } from "./running-project.ts";
import { temporaryFolder, temporaryState } from "./temporary-state.ts";

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
  /** What a hook that has this dispatcher's environment writes into a question. */
  routes(): Promise<Question["routes"]>;
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
  const dispatcher = createDispatcher({ layout, rulesFile, home }, env, clock);
  dispatcher.tools.http = async (...request) => {
    underWay += 1;
    try {
      return await sendHttp(...request);
    } finally {
      underWay -= 1;
    }
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
      const run = runDispatcher(dispatcher, { ...untilStopped, stop: stopping.signal, ...options });
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
    async routes() {
      await dispatcher.rereadRules();
      return routesOf(dispatcher.rules().rules.channels, { env, home, rulesFile, stateDir: layout.root });
    },
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

/** Runs a command that has this dispatcher's clock, and turns it meanwhile: `doctor` waits for a sign of life. Prints an error as the command line does. */
export async function runOnClock(
  { clock }: Pick<RunningDispatcher, "clock">,
  args: readonly string[],
  io: CommandIo,
): Promise<void> {
  const over = new AbortController();
  const run = runCommand(args, io)
    .catch((error: unknown) => showError(error, io))
    .finally(() => over.abort());
  const turnMs = 10;
  // Where it waits for a program, the clock must not bring on hours of retries meanwhile.
  for (; !over.signal.aborted; await sleep(1)) clock.turn(turnMs);
  await run;
}

/** Runs the project's dispatcher in the test's process until the test ends; the project's hooks find it, from when this returns, and start none. */
export function runDispatcherOf(project: Project): void {
  const stop = new AbortController();
  const env = { HOME: project.home };
  ensureLayout(project.layout);
  // The hooks of this machine: it looks whether their processes are still there.
  const dispatcher = { ...createDispatcher(project, env, hastyClock), host: hostName() };
  const run = runDispatcher(dispatcher, { ...untilStopped, stop: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    await run;
  });
}

/** Waits of at most two seconds, such as the pause before the next try, are a tenth as long. Longer ones, such as most deadlines, keep their length. */
const hastyClock: Clock = {
  now: systemClock.now,
  after: (delayMs, callback) => systemClock.after(delayMs <= 2000 ? delayMs / 10 : delayMs, callback),
};

const untilStopped = { idleMs: undefined, isLeavingRetries: false, isPatient: true, wings };

function createDispatcher(
  { layout, rulesFile, home }: Pick<Project, "layout" | "rulesFile" | "home">,
  env: Record<string, string>,
  clock: Clock,
): Dispatcher {
  let reader: RulesReader | undefined;
  return {
    layout,
    rulesFile,
    rules() {
      if (reader === undefined) throw new Error("the rules are read when the dispatcher runs, or by rereadRules()");
      return reader.rules();
    },
    async rereadRules() {
      reader ??= await openRules(rulesFile, layout);
      await reader.rereadRules();
    },
    ...growingTools({
      clock,
      random: () => 1,
      env,
      platform: process.platform,
      http: createSendHttp(env),
      home,
      stateDir: layout.root,
    }),
    fleet: () => undefined,
    host: "testhost",
  };
}

/** Rules that send everything to one webhook named `ops`. */
export function rulesTo(url: string, more: Record<string, unknown> = {}): unknown {
  return {
    channels: { ops: { type: "webhook", url, ...more } },
    rules: [{ name: "all", notify: ["ops"] }],
  };
}
