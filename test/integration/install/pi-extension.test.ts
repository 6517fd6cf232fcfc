// hookbell's extension of pi, loaded as pi loads it: what it hands on of pi's events.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { piHookSetup } from "../../../src/agents/known/pi/hook-setup.ts";
import { ownFileText } from "../../../src/install/command/owner.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hookbell-pi-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type PiEvent = Record<string, unknown> & { type: string };

/** Gives the events to the extension's handlers, in a turn unless it says `isIdle`. */
function feed(argv: readonly string[], events: readonly PiEvent[]): { status: number | null; stderr: string } {
  const [file] = piHookSetup.ownFiles ?? [];
  if (file === undefined) throw new Error("no extension");
  const path = join(folder, "hookbell.mjs");
  writeFileSync(path, ownFileText(file, { argv, platform: "linux", events: Object.keys(piHookSetup.events) }));
  const script = `const { default: hookbell } = await import(process.argv[1]);
    const handlers = {};
    hookbell({ on: (name, handler) => (handlers[name] = handler) });
    for (const { isIdle, ...event } of JSON.parse(process.argv[2])) {
      const context = { cwd: "/home/u/proj", mode: "tui", isIdle: () => isIdle === true, sessionManager: { getSessionId: () => "s1" } };
      if (handlers[event.type](event, context) !== undefined) throw new Error("pi would act on this");
    }
    handlers.agent_settled(null, null);`;
  const args = ["--input-type=module", "-e", script, pathToFileURL(path).href, JSON.stringify(events)];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  return { status, stderr };
}

/** What a program in place of the hook got, in no certain order. */
async function handedOn(events: readonly PiEvent[], count: number): Promise<Record<string, unknown>[]> {
  const hook = join(folder, "hook.cjs");
  const log = join(folder, "calls");
  writeFileSync(
    hook,
    `const fs = require("node:fs"); fs.appendFileSync(${JSON.stringify(log)}, fs.readFileSync(0, "utf8") + "\\n");`,
  );
  expect(feed([process.execPath, hook], events)).toEqual({ status: 0, stderr: "" });
  // Whole lines only: the file is there before what is written into it.
  const lines = (): string[] => (existsSync(log) ? readFileSync(log, "utf8").split("\n").slice(0, -1) : []);
  for (const deadline = Date.now() + longestWaitMs; lines().length < count && Date.now() < deadline; await sleep(25));
  const payloads = lines().map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(payloads).toHaveLength(count);
  for (const payload of payloads) {
    expect(payload).toMatchObject({ agent: "pi", session_id: "s1", cwd: "/home/u/proj", mode: "tui" });
  }
  return payloads;
}

const answer = (text: string, more: object = {}): object => ({
  role: "assistant",
  content: text === "" ? [] : [{ type: "text", text }],
  stopReason: "stop",
  ...more,
});
const overloaded = { stopReason: "error", errorMessage: "529: Overloaded" };
const settled = { type: "agent_settled", aborted: false };

it("tells the end of a turn once pi has settled, with the last answer", async () => {
  const events = [
    { type: "agent_end", messages: [answer("", overloaded)] },
    { type: "agent_end", messages: [answer("Half."), { role: "user", content: "go on" }, answer("Done.")] },
    settled,
    { type: "agent_end", messages: [answer("", overloaded)] },
    settled,
    { ...settled, aborted: true },
  ];
  const got = await handedOn(events, 3);
  expect(got).toContainEqual(expect.objectContaining({ ...settled, last_assistant_message: "Done." }));
  expect(got).toContainEqual(expect.objectContaining({ ...settled, error: "529: Overloaded" }));
  const aborted = got.find((payload) => payload.aborted === true);
  expect(aborted).not.toHaveProperty("error");
  expect(aborted).not.toHaveProperty("last_assistant_message");
});

it("tells a question with its words, and none that a person's own command asks", async () => {
  const asked = { question: "Which color?", options: [{ label: "Red" }] };
  const events = [
    { type: "tool_call", toolCallId: "1", toolName: "question", input: asked },
    { type: "tool_call", toolCallId: "2", toolName: "bash", input: { command: "ls" } },
    { type: "ui_prompt_start", kind: "custom" },
    { type: "ui_prompt_end", kind: "custom" },
    { type: "tool_execution_end", toolCallId: "1" },
    { type: "ui_prompt_start", kind: "select", title: "Allow?" },
    { type: "ui_prompt_start", kind: "confirm", title: "Leave?", isIdle: true },
    { type: "ui_prompt_end", kind: "select" },
    { type: "ui_prompt_end", kind: "confirm", isIdle: true },
    { type: "ui_prompt_start", kind: "custom" },
  ];
  const got = await handedOn(events, 5);
  const questions = got.filter(({ type }) => type === "ui_prompt_start");
  expect(questions).toContainEqual(expect.objectContaining({ kind: "custom", tool_input: asked }));
  expect(questions).toContainEqual(expect.objectContaining({ kind: "select", message: "Allow?" }));
  expect(questions.filter(({ kind, tool_input }) => kind === "custom" && tool_input === undefined)).toHaveLength(1);
  expect(got.filter(({ type }) => type === "ui_prompt_end")).toHaveLength(2);
});

it("tells no end of a session whose extensions are loaded again", async () => {
  const events = [
    { type: "session_shutdown", reason: "reload" },
    { type: "session_start", reason: "reload" },
    { type: "session_shutdown", reason: "quit" },
  ];
  expect(await handedOn(events, 1)).toMatchObject([{ type: "session_shutdown", reason: "quit" }]);
});

it("does not mind a hook that is gone", () => {
  expect(feed([join(folder, "none")], [settled])).toEqual({ status: 0, stderr: "" });
});
