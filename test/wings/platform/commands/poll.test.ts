// `hookbell platform poll`: what is new is queued once, across restarts and crashes, and reported.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runCommand } from "../../../../src/cli/command-line.ts";
import type { CommandIo } from "../../../../src/console/command-io.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { listIncoming, removeIncoming } from "../../../../src/outbox/incoming.ts";
import { layoutOf } from "../../../../src/outbox/layout.ts";
import { writeSession } from "../../../../src/outbox/sessions.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import * as examples from "../../../support/usage/examples.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { recordOf } from "../../../support/project/session-record.ts";

const now = "2026-03-02T12:00:00Z";
let receiver: PlatformReceiver;
let home: string;
beforeEach(async () => {
  receiver = await startPlatformReceiver("2026-03-02");
  home = mkdtempSync(join(tmpdir(), "hookbell-poll-"));
});
afterEach(async () => {
  await receiver.close();
  rmSync(home, { recursive: true, force: true });
});

const stateDir = (): string => join(home, ".local/state/hookbell");

function writeRules(settings: object): void {
  mkdirSync(join(home, ".config/hookbell"), { recursive: true });
  const rules = [{ when: { event: "UsageDigest" }, notify: ["desktop"] }];
  const file = { channels: { desktop: { type: "desktop" } }, rules, platform: settings };
  writeFileSync(join(home, ".config/hookbell/rules.jsonc"), JSON.stringify(file));
}

interface Ended {
  exitCode: number;
  stdout: string;
  stderr: string;
  message: string;
  hint: string;
}

async function run(line: string, given: Partial<CommandIo> = {}): Promise<Ended> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const env = { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: receiver.origin, HOOKBELL_PLATFORM_KEY: "key-manager" };
  const io = commandIo(home, {
    env,
    clock: createFakeClock(Date.parse(now)),
    stdout: (text) => stdout.push(text),
    stderr: (text) => stderr.push(text),
    ...given,
  });
  let exitCode: number;
  let message = "";
  let hint = "";
  try {
    exitCode = await runCommand(line.split(" "), io);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    exitCode = error.exitCode;
    message = error.message;
    hint = error.hint ?? "";
  }
  return { exitCode, stdout: stdout.join(""), stderr: stderr.join(""), message, hint };
}

const layout = () => layoutOf(stateDir());

function queued(): { file: string; payload: Record<string, unknown> }[] {
  return listIncoming(layout()).map((file) => ({
    file,
    payload: JSON.parse(readFileSync(join(layout().incoming, file), "utf8")) as Record<string, unknown>,
  }));
}

describe("a rules file that is broken", () => {
  const text = '{ "platform": { "readiness": true, ';
  const write = (): void => {
    writeRules({});
    writeFileSync(join(home, ".config/hookbell/rules.jsonc"), text);
  };

  it.each(["platform poll", "platform cron", "usage tokens", "readiness", "computers list"])(
    "is what %s names, and where, instead of a platform that is missing",
    async (line) => {
      write();
      const { message, exitCode, stderr } = await run(line, { env: { HOME: home, PATH: "" } });
      expect(exitCode).toBe(78);
      expect(message).toMatch(/^the rules file is broken\n.*rules\.jsonc:1:\d+/);
      expect(stderr).toBe("");
    },
  );

  it("is said once where the environment names the platform", async () => {
    write();
    const { stderr, exitCode } = await run("usage tokens");
    expect(exitCode).toBe(0);
    expect(stderr).toBe("hookbell: the rules file is broken; the built-in rules apply. See: hookbell check\n");
  });

  it("keeps no one from the figures of this machine, where it has no platform", async () => {
    writeRules({});
    writeFileSync(join(home, ".config/hookbell/rules.jsonc"), '{ "rules": [');
    const { stdout, stderr } = await run("usage tokens", { env: { HOME: home, PATH: "" } });
    expect(stdout).toContain("since no platform is configured");
    expect(stderr.match(/is broken/g)).toHaveLength(1);
  });
});

it("says once that nothing answers, and how to start a server of one's own", async () => {
  writeRules({ digest: { at: "00:00" }, budgets: [{ credits: 1 }], readiness: true });
  const env = { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: "http://127.0.0.1:9", HOOKBELL_PLATFORM_KEY: "k" };
  const impatient = {
    ...createFakeClock(Date.parse(now)),
    after: (_: number, callback: () => void) => (setImmediate(callback), () => {}),
  };
  const { stderr, exitCode } = await run("platform poll", { env, clock: impatient });
  expect(exitCode).toBe(1);
  expect(stderr.match(/^hookbell: /gm)).toHaveLength(1);
  expect(stderr).toContain("  is your own server running? To start it: hookbell serve\n");
});

describe("a poll", () => {
  it("queues what is new as a payload of the agent `platform`, and says so at a terminal", async () => {
    writeRules({ digest: { at: "00:00" } });
    const first = await run("platform poll", { isTerminal: true });
    expect(first).toMatchObject({ exitCode: 0, stdout: "UsageDigest: 1,000 credits on 2026-03-01\n", stderr: "" });
    const [{ file, payload } = { file: "", payload: {} }] = queued();
    expect(file).toMatch(/^\d{13}-[0-9a-f]{24}\.platform\.UsageDigest\.json$/);
    expect(payload).toMatchObject({
      hook_event_name: "UsageDigest",
      session_id: "usage-digest-2026-03-01",
      cwd: "usage",
    });
    const second = await run("platform poll", { isTerminal: true });
    expect(second).toMatchObject({ exitCode: 0, stdout: "nothing new\n" });
    expect(queued()).toHaveLength(1);
  });

  it("says nothing from cron", async () => {
    writeRules({ digest: { at: "00:00" } });
    expect(await run("platform poll")).toMatchObject({ exitCode: 0, stdout: "", stderr: "" });
  });

  it("queues nothing twice after a crash before its cursor was written", async () => {
    writeRules({ digest: { at: "00:00" } });
    await run("platform poll");
    rmSync(join(stateDir(), "platform.json"));
    await run("platform poll");
    expect(queued()).toHaveLength(1);
    // The same once a dispatcher has taken it in.
    for (const { file } of queued()) removeIncoming(layout(), file);
    writeSession(layout(), recordOf({ agent: "platform", session: "usage-digest-2026-03-01", lastSeenAt: 1 }));
    rmSync(join(stateDir(), "platform.json"));
    const { stdout } = await run("platform poll --json");
    expect(JSON.parse(stdout)).toEqual({ events: [], problems: [] });
    expect(queued()).toEqual([]);
  });

  it("queues everything once when several run at once", async () => {
    writeRules({ digest: { at: "00:00" }, budgets: [{ credits: 100 }] });
    const polls = await Promise.all(
      Array.from({ length: 4 }, () => run("platform poll --json", { clock: commandIo(home).clock })),
    );
    const events = polls.flatMap(({ stdout }) => (JSON.parse(stdout) as { events: { key: string }[] }).events);
    expect(new Set(events.map(({ key }) => key)).size).toBe(events.length);
    expect(queued()).toHaveLength(events.length);
  });

  it("is not repeated at once where it failed", async () => {
    writeRules({ digest: { at: "00:00" } });
    expect((await run("platform poll", { env: { HOME: home, PATH: "" } })).exitCode).toBe(64);
    expect(readdirSync(stateDir())).toContain("platform.json");
  });

  it("reports each part that failed, and sends the rest", async () => {
    writeRules({ digest: { at: "00:00" }, readiness: true });
    receiver.next.push({ status: 403, body: JSON.stringify(examples.exampleAnalyticsError) });
    const { exitCode, stderr } = await run("platform poll");
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^hookbell: this API key may not read the organization's usage \(403.*\n {2}usage is for the roles .*\n$/,
    );
    expect(readdirSync(stateDir())).toContain("platform.json");
  });

  it("goes on until it is stopped", async () => {
    writeRules({ digest: { at: "00:00" } });
    const stop = new AbortController();
    let polls = 0;
    const clock = createFakeClock(Date.parse(now));
    const { exitCode, stdout } = await run("platform poll --every 10m", {
      isTerminal: true,
      untilStopped: () => stop.signal,
      clock: {
        ...clock,
        after(delayMs, callback) {
          expect(delayMs).toBe(600_000);
          polls += 1;
          if (polls === 3) stop.abort();
          queueMicrotask(callback);
          return () => {};
        },
      },
    });
    expect(exitCode).toBe(0);
    expect(stdout).toBe("UsageDigest: 1,000 credits on 2026-03-01\nnothing new\nnothing new\n");
  });

  it.each([
    ["platform", /platform needs a subcommand/],
    ["platform pol", /there is no command "platform pol"/],
    ["platform poll --every 1s", /invalid --every/],
    ["platform poll --every often", /invalid --every/],
    ["platform poll", /asks for no event/],
    ["platform cron", /asks for no event/],
  ])("%s is refused with 64", async (line, message) => {
    writeRules({});
    const ended = await run(line);
    expect(ended.exitCode).toBe(64);
    expect(ended.message).toMatch(message);
    expect(receiver.requests).toEqual([]);
  });
});

describe("the line for cron", () => {
  it("names this program and the folders of its environment, and says what cron lacks (posix)", async () => {
    writeRules({ digest: { at: "00:00" } });
    const config = join(home, ".config/hookbell");
    const env = { HOME: home, HOOKBELL_CONFIG_DIR: config, HOOKBELL_STATE_DIR: "/var/100% mine" };
    const { exitCode, stdout, stderr } = await run("platform cron", { env });
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(
      /^\*\/10 \* \* \* \* HOOKBELL_CONFIG_DIR=\S+ HOOKBELL_STATE_DIR='\/var\/100\\% mine' \/.*\n$/,
    );
    expect(stdout).toMatch(/\/cli\.js platform poll\n$/);
    expect(stderr).toMatch(/cron does not have HOOKBELL_PLATFORM_URL and HOOKBELL_PLATFORM_KEY/);
    writeRules({ baseUrl: receiver.origin, apiKey: { file: "~/key" }, digest: { at: "00:00" } });
    expect(await run("platform cron")).toMatchObject({ exitCode: 0, stderr: "" });
  });
});

it("on Windows, a task for Task Scheduler takes the place of the line for cron", async () => {
  writeRules({ digest: { at: "00:00" } });
  const ended = await run("platform cron", { platform: "win32" });
  expect(ended).toMatchObject({ exitCode: 1, stdout: "", message: "Windows has no cron" });
  expect(ended.hint).toMatch(/every 10 minutes: .*cli\.js"? platform poll$/);
});

describe("computers install-deps", () => {
  const reasons = (): unknown[] => queued().map(({ payload }) => payload.reason);

  it("sends what became of the request, where the rules file asks for it", async () => {
    writeRules({ installs: true });
    expect((await run("computers install-deps cmp_1")).exitCode).toBe(0);
    expect(reasons()).toEqual(["finished", "accepted"]);
    expect((await run("computers install-deps cmp_1")).exitCode).toBe(1);
    expect(reasons()).toContain("refused");
    expect((await run("computers install-deps ..")).exitCode).toBe(65);
    expect(reasons()).toHaveLength(3);
  });

  it("sends a failure after the beginning, though both come at once", async () => {
    writeRules({ installs: true });
    const failed = { id: "install-deps", name: "Install dependencies", status: "Failed" };
    for (const [index, id] of ["a", "b", "c", "d"].entries()) {
      receiver.computers[id] = { ...examples.exampleComputer, id, status: "error", provisioningSteps: [failed] };
      await run(`computers install-deps ${id}`, { clock: createFakeClock(Date.parse(now) + 1000 * index) });
    }
    expect(reasons().join(" ")).toBe("accepted failed ".repeat(4).trimEnd());
  });

  it("sends that it has begun where the answer says so and cannot be read", async () => {
    writeRules({ installs: true });
    receiver.next.push({ status: 202, body: "{}" });
    const { exitCode, message } = await run("computers install-deps cmp_1");
    expect(exitCode).toBe(1);
    expect(message).toContain("unexpected answer");
    expect(queued().map(({ payload }) => [payload.reason, payload.cwd])).toEqual([["accepted", "cmp_1"]]);
  });

  it("sends nothing where it does not", async () => {
    writeRules({});
    await run("computers install-deps cmp_1");
    await run("computers install-deps cmp_1");
    expect(queued()).toEqual([]);
  });
});
