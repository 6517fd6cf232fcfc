import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, expect, it } from "vitest";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import { adoptEnvironment, growingTools } from "../../../src/pipeline/understand/agent-environment.ts";

const running: ChildProcess[] = [];
afterEach(() => running.splice(0).forEach((child) => child.kill()));

function callerWith(env: Record<string, string>): number {
  const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1e6)"], { env, stdio: "ignore" });
  running.push(child);
  return child.pid ?? 0;
}

function dispatcher(): Dispatcher {
  const tools = { platform: "linux", env: { HOME: "/home/u" }, clock: { now: () => Date.now() } };
  return { ...growingTools(tools as never), rules: () => ({ rules: { channels: {} } }) } as unknown as Dispatcher;
}

it.runIf(process.platform === "linux")(
  "takes the environment of the first caller that has one of the variables",
  () => {
    const empty = callerWith({});
    const other = callerWith({ UNRELATED: "1" });
    const agent = callerWith({ DISPLAY: ":7", UNRELATED: "2" });
    const above = callerWith({ DISPLAY: ":8" });
    const adopting = dispatcher();
    adoptEnvironment(adopting, { callerPids: [2 ** 22 + 1, empty, other, agent, above], receivedAt: Date.now() });
    expect(adopting.tools.env).toEqual({ HOME: "/home/u", DISPLAY: ":7" });
  },
);
