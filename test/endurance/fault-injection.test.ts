import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries, readDelivery } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { startAnsweringReceiver, type AnsweringReceiver } from "../support/receivers/answering-receiver.ts";
import { longestWaitMs } from "../support/longest-wait.ts";
import { stoppedAt } from "../support/faults/stop-at-step.ts";
import { endDispatcher } from "../support/project/dispatcher-process.ts";
import { prepareDispatcher, type RunningDispatcher } from "../support/project/running-dispatcher.ts";
import { cliPath, end, payloadOf, temporaryProject, type Ended } from "../support/project/running-project.ts";

const sessions = ["s1", "s2"];
const oldMessages = ["yesterday's first", "yesterday's second", "yesterday's third"];
const sideBySide = 3;
/** Far more than the scenarios have steps. */
const mostSteps = 400;

/** Asks with n = 1, 2, 3, ... until the process ended untouched; says how many n there were. */
async function forEveryStep(one: (n: number) => Promise<"stopped" | "untouched">): Promise<number> {
  let n = 0;
  let isUntouched = false;
  const runNext = async (): Promise<void> => {
    while (!isUntouched) {
      n += 1;
      if (n > mostSteps) throw new Error("it never came to its end untouched");
      if ((await one(n)) === "untouched") isUntouched = true;
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, runNext));
  return n;
}

function wasStopped({ signal, stderr }: Ended): boolean {
  const isKilled = signal === "SIGKILL";
  expect(/^stopped before step/m.test(stderr)).toBe(isKilled);
  return isKilled;
}

/** A plan for several channels, a retry, a switch-off with its notice, a fallback, and a summary. */
async function scenario(): Promise<{ running: RunningDispatcher; receiver: AnsweringReceiver }> {
  const receiver = await startAnsweringReceiver(({ path }, index) =>
    path === "/gone" ? { status: 410 } : path === "/flaky" && index === 0 ? { status: 503 } : { status: 200 },
  );
  onTestFinished(receiver.close);
  const running = prepareDispatcher();
  const webhook = (path: string): object => ({ type: "webhook", url: receiver.origin + path });
  running.writeRules({
    channels: {
      flaky: webhook("/flaky"),
      old: webhook("/gone"),
      program: { type: "command", argv: ["no-such-program-here"] },
      phone: webhook("/phone"),
      digest: { ...webhook("/digest"), summary: 2 },
      // Not there, so that the notice of the switch-off becomes a dead letter that can be counted.
      screen: { type: "desktop" },
    },
    rules: [
      { name: "news", when: { event: "Stop" }, notify: ["flaky", "old", "program"], fallback: ["phone"] },
      { name: "old news", when: { event: "Notification" }, notify: ["digest"] },
    ],
  });
  const { layout } = running.dispatcher;
  for (const message of oldMessages) running.accept("Notification", { session_id: message, message });
  const longAgo = Date.now() / 1000 - 3600;
  for (const file of listIncoming(layout)) utimesSync(join(layout.incoming, file), longAgo, longAgo);
  for (const session_id of sessions) running.accept("Stop", { session_id });
  return { running, receiver };
}

async function finish(running: RunningDispatcher): Promise<void> {
  const { layout } = running.dispatcher;
  const { clock } = running;
  const isEmpty = (): boolean => listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;
  const run = running.run();
  for (const deadline = Date.now() + longestWaitMs; !isEmpty(); await sleep(5)) {
    // Retries wait for their time; no answer takes as long as a turn of the clock may.
    clock.turn(100);
    if (Date.now() > deadline) throw new Error(`the queue never became empty: ${readdirSync(layout.outbox).join()}`);
  }
  running.stop();
  await run;
}

/** How often the receiver heard of each session by this channel, or that it is a dead letter. */
function check(running: RunningDispatcher, { asked }: AnsweringReceiver): { duplicates: number } {
  const { layout } = running.dispatcher;
  const dead = listDeliveries(layout, "dead").map((file) => {
    const reading = readDelivery(layout, "dead", file);
    if (reading.status !== "read") throw new Error(`a torn dead letter: ${file}`);
    return reading.delivery;
  });
  let duplicates = 0;
  const heard = (path: string, what: string): Set<string> => {
    const requests = asked.filter((one) => one.path === path && one.body.includes(JSON.stringify(what).slice(1, -1)));
    return new Set(requests.map(({ id }) => id));
  };
  for (const session of sessions) {
    for (const path of ["/flaky", "/phone"])
      expect([path, session, heard(path, session).size]).toEqual([path, session, 1]);
    for (const channel of ["old", "program"]) {
      const letters = dead.filter((delivery) => delivery.channel === channel && delivery.event.session === session);
      expect([channel, session, letters.length]).toEqual([channel, session, 1]);
    }
  }
  expect(heard("/gone", "s").size).toBeGreaterThan(0);
  for (const message of oldMessages) expect(heard("/digest", message).size).toBeGreaterThan(0);
  expect(dead.filter(({ rule }) => rule === "hookbell's own notice").length).toBeGreaterThan(0);
  // The flaky one is asked twice by its first delivery, once by the other; everything else once.
  for (const path of ["/flaky", "/phone", "/digest"]) {
    const requests = asked.filter((one) => one.path === path);
    duplicates += requests.length - new Set(requests.map(({ id }) => id)).size - (path === "/flaky" ? 1 : 0);
  }
  expect(readdirSync(layout.rejected)).toEqual([]);
  return { duplicates };
}

describe("a process that is gone at its n-th step", () => {
  it("dispatcher: for every n, the next one delivers everything, and repeats only under the same id", async () => {
    let duplicates = 0;
    let mostDuplicates = 0;
    const tried = await forEveryStep(async (n) => {
      const { running, receiver } = await scenario();
      const { layout, tools } = running.dispatcher;
      writeFileSync(`${layout.lease}.starting`, "");
      const env = {
        PATH: process.env.PATH,
        HOME: tools.home,
        HOOKBELL_CONFIG_DIR: tools.home,
        HOOKBELL_STATE_DIR: layout.root,
        ...stoppedAt(n),
      };
      const ended = await end(spawn(process.execPath, [cliPath, "dispatch", "--until-idle"], { env }), "");
      const isStopped = wasStopped(ended);
      // The next hook would wait for it to grow old, and start no one.
      expect([n, existsSync(layout.lease) && existsSync(`${layout.lease}.starting`)]).toEqual([n, false]);
      if (!isStopped) expect([ended.code, ended.stderr]).toEqual([0, ""]);
      await finish(running);
      const found = check(running, receiver);
      await receiver.close();
      duplicates += found.duplicates;
      mostDuplicates = Math.max(mostDuplicates, found.duplicates);
      return isStopped ? "stopped" : "untouched";
    });
    process.stdout.write(`dispatcher: stopped at each of ${tried} steps, ${duplicates} duplicates\n`);
    expect(tried).toBeGreaterThan(50);
    // One stop can only repeat what was in flight: one request for each of the four receivers.
    expect(mostDuplicates).toBeLessThanOrEqual(4);
  });

  it("hook: for every n, a payload is there whole or not at all, and exit 0 means that it is", async () => {
    const text = payloadOf("Stop", { last_assistant_message: "x".repeat(50_000) });
    let accepted = 0;
    const tried = await forEveryStep(async (n) => {
      const project = temporaryProject();
      project.writeRules({ rules: [{ name: "nobody", notify: [] }] });
      const ended = await project.hook(text, ["--agent", "generic"], stoppedAt(n));
      const isStopped = wasStopped(ended);
      const waiting = listIncoming(project.layout);
      for (const file of waiting) expect(readFileSync(join(project.layout.incoming, file), "utf8")).toBe(text);
      const journal = project.journal().filter(({ kind }) => kind === "event");
      const isThere = waiting.length + journal.length > 0;
      if (isThere) accepted += 1;
      if (ended.code === 0)
        await project.until("the event", () => project.journal().some(({ kind }) => kind === "event"));
      else expect(isStopped).toBe(true);
      // Whatever was left behind, the next hook finds its way at once.
      expect(await project.hook(payloadOf("Stop", { session_id: "after" }))).toMatchObject({ code: 0, stderr: "" });
      await project.until("the next event", () =>
        project
          .journal()
          .some(({ kind, event }) => kind === "event" && (event as { session: string }).session === "after"),
      );
      // Before its folder is removed under it.
      await endDispatcher(project);
      return isStopped ? "stopped" : "untouched";
    });
    process.stdout.write(`hook: stopped at each of ${tried} steps, ${accepted} payloads accepted\n`);
    expect(tried).toBeGreaterThan(5);
  });
});
