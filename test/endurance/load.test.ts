import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { deliveryFormatVersion, type Delivery } from "../../src/model/delivery.ts";
import { deliveryFileName, listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { ensureLayout } from "../../src/outbox/layout.ts";
import { writeJournal } from "../../src/outbox/journal.ts";
import { takeLease } from "../../src/outbox/lease/lease.ts";
import { systemClock } from "../../src/system/clock.ts";
import { uniqueName } from "../../src/system/files/files.ts";
import { expectOneAtATime } from "../support/project/dispatcher-process.ts";
import { startAnsweringReceiver, type AnsweringReceiver } from "../support/receivers/answering-receiver.ts";
import {
  cliPath,
  end,
  payloadOf,
  temporaryProject,
  type Ended,
  type Project,
} from "../support/project/running-project.ts";

const many = 2000;
const hooksAtOnce = 200;
/** Agents end a turn with a paragraph or two. */
const longMessage = "All tests pass, and the page loads again. ".repeat(30);
/** 85 to 95 was seen. */
const mostMegabytes = 120;

async function place(): Promise<{ project: Project; receiver: AnsweringReceiver }> {
  const receiver = await startAnsweringReceiver(() => ({ status: 200 }));
  onTestFinished(receiver.close);
  const project = temporaryProject();
  project.writeRules({
    channels: { ops: { type: "webhook", url: `${receiver.origin}/x` } },
    rules: [{ name: "all", notify: ["ops"] }],
  });
  ensureLayout(project.layout);
  return { project, receiver };
}

/** A receiver that answers too late, on a busy machine, is asked again under the same id. */
function expectEachOnce(project: Project, { asked }: AnsweringReceiver, count: number): void {
  const late = project.journal().filter(({ kind, outcome }) => kind === "attempt" && outcome === "failed").length;
  const sessions = asked.map(
    ({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session,
  );
  expect([asked.length, new Set(asked.map(({ id }) => id)).size, new Set(sessions).size]).toEqual([
    count + late,
    count,
    count,
  ]);
}

/** The most memory that the process has ever had, in megabytes; Linux alone says. */
function mostMemoryOf(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const kilobytes = /VmHWM:\s*(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) / 1024;
}

function isEmpty({ layout }: Project): boolean {
  return listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;
}

describe("under load", () => {
  it(`${many} events in incoming/ are delivered, each once, by a dispatcher that stays small`, async () => {
    const { project, receiver } = await place();
    for (let index = 0; index < many; index += 1) {
      const text = payloadOf("Stop", { session_id: `s${index}`, last_assistant_message: `message ${index}` });
      // As a hook names it; without its wait for the disk, ten thousand times over.
      writeFileSync(join(project.layout.incoming, `${uniqueName(Date.now() + index)}.generic.-.json`), text);
    }
    const startedAt = Date.now();
    const dispatcher = project.start(["dispatch"]);
    await until(() => receiver.asked.length >= many, 20 * 60_000);
    const tookMs = Date.now() - startedAt;
    await project.until("an empty queue", () => isEmpty(project));
    const megabytes = mostMemoryOf(dispatcher.pid ?? 0) ?? 0;
    dispatcher.kill("SIGTERM");
    await once(dispatcher, "exit");
    process.stdout.write(
      `${many} events: ${Math.round((many / tookMs) * 1000)} a second, ${Math.round(megabytes)} MB at most\n`,
    );
    expectEachOnce(project, receiver, many);
    expect(listDeliveries(project.layout, "dead")).toEqual([]);
    expect(megabytes).toBeLessThan(mostMegabytes);
  });

  it(`${hooksAtOnce} hooks at once are all accepted, start one dispatcher, and are delivered once`, async () => {
    const { project, receiver } = await place();
    const ended = await Promise.all(
      Array.from({ length: hooksAtOnce }, (_, index) => project.hook(payloadOf("Stop", { session_id: `s${index}` }))),
    );
    expect(ended.filter(({ code, stdout, stderr }) => code !== 0 || stdout + stderr !== "")).toEqual([]);
    await project.until("all", () => receiver.asked.length >= hooksAtOnce && isEmpty(project));
    expectEachOnce(project, receiver, hooksAtOnce);
    expectOneAtATime(project);
  });

  it(`a queue of ${many} does not slow the commands that look at it`, async () => {
    const { project } = await place();
    const { layout } = project;
    for (let index = 0; index < many; index += 1) {
      const letter = deadLetter(index);
      writeFileSync(join(layout.dead, deliveryFileName(uniqueName(Date.now()), 0, letter.id)), JSON.stringify(letter));
      writeJournal(layout, Date.now(), {
        kind: "event",
        event: { ...letter.event, message: `turn ${index}: ${longMessage}` },
      });
    }
    // So that none is started, which would begin to deliver.
    const lease = takeLease(layout, systemClock);
    const timer = setInterval(() => lease?.renew(), 1000);
    onTestFinished(() => {
      clearInterval(timer);
      lease?.release();
    });
    const floorMs = await timed(() => end(spawn(process.execPath, ["-e", "0"]), ""));
    const rows: string[] = [];
    const run = async (...args: string[]): Promise<Ended> => {
      let ended: Ended | undefined;
      const ms = await timed(async () => (ended = await project.run(args)));
      rows.push(`hookbell ${args.join(" ")}: ${(ms / floorMs).toFixed(1)}`);
      expect(ended).toMatchObject({ code: 0, stderr: "" });
      return ended as Ended;
    };
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ dead: many, outbox: 0 });
    expect((await run("log")).stdout.split("\n").length).toBe(41);
    const followMs = await timed(() => firstLines(project, 40));
    rows.push(`hookbell log --follow: ${(followMs / floorMs).toFixed(1)} to its first lines`);
    expect((await run("retry", "--all")).stdout).toMatch(`${many} deliveries put back in the queue`);
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ dead: 0, outbox: many });
    rmdirSync(layout.dead);
    renameSync(layout.outbox, layout.dead);
    mkdirSync(layout.outbox);
    expect((await run("discard", "--all")).stdout).toBe(`${many} failed deliveries deleted\n`);
    expect(JSON.parse((await run("status", "--json")).stdout)).toMatchObject({ dead: 0, outbox: 0 });
    process.stdout.write(
      `a queue of ${many}, in times of \`node -e 0\` (${Math.round(floorMs)} ms): ${rows.join(", ")}\n`,
    );
  });
});

/** Resolves when `log --follow` has shown so many lines. */
async function firstLines({ env, home }: Project, count: number): Promise<void> {
  const child = spawn(process.execPath, [cliPath, "log", "--follow"], { env, cwd: home });
  let shown = 0;
  for await (const chunk of child.stdout) {
    shown += String(chunk).split("\n").length - 1;
    if (shown >= count) break;
  }
  child.kill("SIGKILL");
  expect(shown).toBeGreaterThanOrEqual(count);
}

function deadLetter(index: number): Delivery {
  const at = Date.now();
  return {
    version: deliveryFormatVersion,
    kind: "event",
    id: `msg_${String(index).padStart(24, "0")}`,
    channel: "ops",
    rule: "all",
    event: {
      id: `evt_${index}`,
      name: "Stop",
      agent: "generic",
      session: `s${index}`,
      cwd: "/home/u/shop-web",
      project: "shop-web",
      host: "h",
      at: new Date(at).toISOString(),
      level: "success",
      message: "All tests pass.",
    },
    message: { title: "shop-web: done", body: "All tests pass.", level: "success", fields: [] },
    fallback: [],
    createdAt: at,
    notBefore: at,
    expiresAt: at + 60_000,
    attempts: 3,
    lastFailure: { reason: "rejected", detail: "answered 400", at },
  };
}

async function timed(what: () => Promise<unknown>): Promise<number> {
  const startedAt = process.hrtime.bigint();
  await what();
  return Number(process.hrtime.bigint() - startedAt) / 1e6;
}

async function until(check: () => boolean, longestMs: number): Promise<void> {
  for (const deadline = Date.now() + longestMs; !check() && Date.now() < deadline;) await sleep(20);
}
