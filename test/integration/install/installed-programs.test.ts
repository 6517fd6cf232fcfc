// What init writes beside settings is run as the agents run it: a plug-in, programs named after events.
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { clineHookSetup } from "../../../src/agents/known/cline/hook-setup.ts";
import type { OwnFile } from "../../../src/agents/hook-setup.ts";
import { opencodeHookSetup } from "../../../src/agents/known/opencode/hook-setup.ts";
import { ownFileText } from "../../../src/install/command/owner.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-installed-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Stands for our hook: keeps its arguments and its standard input, one line a call, and prints noise. */
function recorder(): { argv: string[]; calls(): { args: string[]; input: string }[] } {
  const path = join(folder, "it's a hook.cjs");
  const log = join(folder, "calls");
  writeFileSync(
    path,
    `const fs = require("node:fs"); const input = fs.readFileSync(0, "utf8");
     fs.appendFileSync(${JSON.stringify(log)}, JSON.stringify({ args: process.argv.slice(2), input }) + "\\n");
     console.log("noise"); console.error("noise");`,
  );
  return {
    argv: [process.execPath, path, "--agent", "x"],
    calls: () =>
      existsSync(log)
        ? readFileSync(log, "utf8")
            .split("\n")
            .filter((line) => line !== "")
            .map((line) => JSON.parse(line) as { args: string[]; input: string })
        : [],
  };
}

async function until<T>(look: () => T, isEnough: (value: T) => boolean): Promise<T> {
  for (const deadline = Date.now() + longestWaitMs; !isEnough(look()) && Date.now() < deadline; await sleep(25));
  return look();
}

const own = (files: readonly OwnFile[] | undefined): OwnFile => {
  const [file] = files ?? [];
  if (file === undefined) throw new Error("no file of our own");
  return file;
};

describe("the plug-in for opencode", () => {
  /** Loads the plug-in as opencode does and feeds it events; it must return at once and never throw. */
  function feed(argv: readonly string[], events: readonly object[]): { status: number | null; stderr: string } {
    const file = own(opencodeHookSetup.ownFiles);
    const path = join(folder, "hookbell.mjs");
    writeFileSync(path, ownFileText(file, { argv, platform: "linux", events: Object.keys(opencodeHookSetup.events) }));
    const script = `const { Hookbell } = await import(process.argv[1]);
      const { event } = await Hookbell({ client: {}, directory: "/home/u/proj", worktree: "/" });
      for (const each of JSON.parse(process.argv[2])) await event({ event: each });
      await event({}); await event({ event: null }); await event({ event: { type: "session.idle" } });`;
    const { status, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "-e", script, pathToFileURL(path).href, JSON.stringify(events)],
      { encoding: "utf8" },
    );
    return { status, stderr };
  }

  it("hands on what is wanted, with what it knows of the session, and nothing twice", async () => {
    const { argv, calls } = recorder();
    const idle = (sessionID: string): object => ({ type: "session.idle", properties: { sessionID } });
    const busy = { type: "session.status", properties: { sessionID: "main", status: { type: "busy" } } };
    const answer = (id: string, text: string): object[] => [
      { type: "message.updated", properties: { info: { id, sessionID: "main", role: "assistant" } } },
      { type: "message.part.updated", properties: { part: { type: "text", sessionID: "main", messageID: id, text } } },
    ];
    const question = { type: "permission.asked", properties: { id: "per_1", sessionID: "main", permission: "bash" } };
    const result = feed(argv, [
      { type: "session.created", properties: { info: { id: "main" } } },
      { type: "session.created", properties: { info: { id: "child", parentID: "main" } } },
      busy,
      busy,
      {
        type: "message.part.updated",
        properties: { part: { type: "text", sessionID: "main", messageID: "u", text: "hi" } },
      },
      ...answer("m1", "Half"),
      ...answer("m1", "Half done"),
      question,
      { ...question, type: "permission.v2.asked" },
      // The auto mode answers this one itself.
      { ...question, properties: { ...question.properties, id: "per_2" } },
      { type: "permission.replied", properties: { requestID: "per_2", sessionID: "main", reply: "once" } },
      idle("child"),
      idle("main"),
      { type: "session.status", properties: { sessionID: "main", status: { type: "idle" } } },
      { type: "session.error", properties: { sessionID: "main", error: { name: "APIError" } } },
      idle("main"),
      busy,
      ...answer("m2", "All 🔔"),
      // Kilo shows what it does after the answer as another part of it.
      {
        type: "message.part.updated",
        properties: { part: { type: "text", sessionID: "main", messageID: "m2", text: "Snapshot…", synthetic: true } },
      },
      idle("main"),
    ]);
    expect(result).toEqual({ status: 0, stderr: "" });
    const got = await until(calls, (all) => all.length >= 10);
    for (const { args } of got) expect(args).toEqual(["--agent", "x"]);
    const told = got.map(({ input }) => JSON.parse(input) as Record<string, unknown>);
    for (const payload of told) expect(payload).toMatchObject({ agent: "opencode", directory: "/home/u/proj" });
    const count = (part: object): number => told.filter((payload) => matches(payload, part)).length;
    expect(count({ type: "session.created" })).toBe(2);
    expect(count({ type: "session.status" })).toBe(2);
    expect(count({ type: "permission.asked" }) + count({ type: "permission.v2.asked" })).toBe(1);
    expect(count({ properties: { id: "per_2" } }) + count({ properties: { requestID: "per_2" } })).toBe(0);
    expect(count({ type: "session.idle", parentID: "main", properties: { sessionID: "child" } })).toBe(1);
    expect(count({ type: "session.idle", message: "All 🔔" })).toBe(1);
    expect(count({ type: "session.idle", message: "Half done" })).toBe(1);
    expect(count({ type: "session.error" })).toBe(1);
    // The last one is of no session at all.
    expect(told).toHaveLength(10);
  });

  it("says of which turns the person stopped", async () => {
    const { argv, calls } = recorder();
    const turn = (sessionID: string, finish: string | undefined, part: object): object[] => [
      { type: "message.updated", properties: { info: { id: "m", sessionID, role: "assistant", finish } } },
      { type: "message.part.updated", properties: { part: { ...part, sessionID, messageID: "m" } } },
      { type: "session.idle", properties: { sessionID } },
    ];
    const call = { type: "tool", tool: "bash" };
    const events = [
      ...turn("done", "stop", { type: "text", text: "Done." }),
      ...turn("refused a call", "tool-calls", call),
      ...turn("Escape between tries", undefined, { type: "step-start" }),
      ...turn("the person's own command", undefined, call),
    ];
    expect(feed(argv, events)).toEqual({ status: 0, stderr: "" });
    // The last one is of no session at all.
    const told = await until(calls, (all) => all.length >= 5);
    const stopped = told
      .map(({ input }) => JSON.parse(input) as { isStopped?: boolean; properties: { sessionID?: string } })
      .filter(({ isStopped }) => isStopped === true);
    expect(stopped.map(({ properties }) => String(properties.sessionID)).toSorted()).toEqual([
      "Escape between tries",
      "refused a call",
    ]);
  });

  it("tells of turns after one that broke off, where releases have no session.status", async () => {
    const { argv, calls } = recorder();
    const prompt = (id: string): object => ({
      type: "message.updated",
      properties: { info: { id, sessionID: "main", role: "user" } },
    });
    const idle = { type: "session.idle", properties: { sessionID: "main" } };
    const aborted = {
      type: "session.error",
      properties: { sessionID: "main", error: { name: "MessageAbortedError" } },
    };
    // Messages are updated long after they were written, with a summary for instance.
    const events = [prompt("u1"), aborted, prompt("u1"), idle, prompt("u2"), prompt("u1"), idle];
    const later = [aborted, prompt("u1"), prompt("u2"), idle, prompt("u3"), idle];
    expect(feed(argv, [...events, ...later])).toEqual({ status: 0, stderr: "" });
    const told = await until(calls, (all) => all.length >= 5);
    const types = told.map(({ input }) => (JSON.parse(input) as { type: string }).type);
    // The last one is of no session at all.
    expect(types.toSorted()).toEqual(["session.error", "session.error", ...Array<string>(3).fill("session.idle")]);
  });

  it("does not mind a hook that is gone", () => {
    expect(feed([join(folder, "none"), "--agent", "x"], [{ type: "session.idle", properties: {} }])).toEqual({
      status: 0,
      stderr: "",
    });
  });
});

function matches(payload: Record<string, unknown>, part: object): boolean {
  return Object.entries(part).every(([key, value]) => JSON.stringify(payload[key]) === JSON.stringify(value));
}

describe("a program for Cline", () => {
  const write = (argv: readonly string[]): string => {
    const path = join(folder, "TaskComplete");
    writeFileSync(path, ownFileText(own(clineHookSetup.ownFiles), { argv, platform: "linux", events: [] }));
    chmodSync(path, 0o700);
    return path;
  };

  it("passes the payload on and answers with an object that asks for nothing (posix)", () => {
    const { argv, calls } = recorder();
    const input = '{"hookName":"TaskComplete","text":"\'; echo \\u0027 $HOME"}';
    const ended = spawnSync(write([...argv, "--event", "TaskComplete"]), { encoding: "utf8", input });
    expect(ended).toMatchObject({ status: 0, stdout: "{}\n", stderr: "" });
    expect(calls()).toEqual([{ args: ["--agent", "x", "--event", "TaskComplete"], input }]);
  });

  it("answers the same when the hook is gone (posix)", () => {
    const ended = spawnSync(write([join(folder, "none")]), { encoding: "utf8", input: "{}" });
    expect(ended).toMatchObject({ status: 0, stdout: "{}\n", stderr: "" });
  });
});

describeWithParts("an access control list on a settings file", ["setfacl", "getfacl"], () => {
  it("outlives init and uninstall", () => {
    const home = join(folder, "home");
    const path = join(home, ".cursor/hooks.json");
    mkdirSync(join(home, ".cursor"), { recursive: true });
    writeFileSync(path, '{"version":1,"hooks":{}}\n', { mode: 0o640 });
    const set = spawnSync("setfacl", ["-m", "u:12345:r,m::rw", path]);
    // A file system without such lists has nothing to lose.
    if (set.status !== 0) return expect(set.stderr.toString()).toMatch(/not supported/i);
    const rights = (): string => spawnSync("getfacl", ["-cpn", path], { encoding: "utf8" }).stdout;
    const before = rights();
    expect(before).toContain("user:12345:r--");
    const cli = join(import.meta.dirname, "../../../dist/cli.js");
    const run = (...args: string[]): void => {
      const env = { HOME: home, PATH: "/usr/bin:/bin" };
      expect(spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", env, input: "" }).status).toBe(0);
    };
    run("init", "--yes", "--agent", "cursor");
    expect(readFileSync(path, "utf8")).toContain("--agent cursor");
    expect(rights()).toBe(before);
    run("uninstall", "--yes");
    expect(readFileSync(path, "utf8")).toBe('{"version":1,"hooks":{}}\n');
    expect(rights()).toBe(before);
  });
});
