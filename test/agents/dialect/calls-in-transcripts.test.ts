// What transcripts tell of calls that wait for the person, in lines that real agents wrote.
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import type { CallNews } from "../../../src/agents/answer-signs.ts";
import { answerSigns } from "../../../src/agents/signs-of-agents.ts";

function newsIn(agent: string, path: string): CallNews[] {
  const file = fileURLToPath(new URL(`../known/${agent}/${path}`, import.meta.url));
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.flatMap((line) => answerSigns[agent]?.callsIn?.(JSON.parse(line) as Record<string, unknown>) ?? []);
}

describe("Claude Code's transcript", () => {
  it("has a result for a call that was allowed", () => {
    const [asked, allowed, ...more] = newsIn("claude-code", "questions/allowed.jsonl");
    const input = { command: "touch x; sleep 4", description: "check the project" };
    expect(asked?.begun).toEqual([{ id: "toolu_mwslbbui2", tool: "Bash", input }]);
    expect(allowed).toMatchObject({ ended: ["toolu_mwslbbui2"], isInterrupted: false });
    expect(more).toEqual([]);
  });

  it("has a result and an interruption after Escape", () => {
    const [asked, refused, interrupted] = newsIn("claude-code", "questions/escape.jsonl");
    expect(asked?.begun).toMatchObject([{ id: "toolu_mwslbbpt1", tool: "Bash" }]);
    expect(refused).toMatchObject({ ended: ["toolu_mwslbbpt1"] });
    expect(interrupted).toMatchObject({ isInterrupted: true });
  });
});

it.each(["claude-code", "codex", "droid", "qwen-code"])("%s ends the calls that it has begun", (agent) => {
  const folder = fileURLToPath(new URL(`../known/${agent}/transcripts/`, import.meta.url));
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".jsonl"));
  const news = files.flatMap((path) => newsIn(agent, `transcripts/${path}`));
  const begun = news.flatMap((each) => each.begun ?? []);
  expect(begun.length).toBeGreaterThan(0);
  expect(begun.every(({ input }) => typeof input === "object")).toBe(true);
  expect(begun.map(({ id }) => id).toSorted()).toEqual(news.flatMap(({ ended }) => ended ?? []).toSorted());
});

describe("Copilot CLI's transcript", () => {
  it("has the answer to a call that was allowed, before the command ends", () => {
    const [asked, allowed, done] = newsIn("copilot-cli", "questions/allowed.jsonl");
    const input = { command: "touch first; sleep 6; touch second", description: "as told" };
    expect(asked).toEqual({ begun: [{ id: "call_pretended", tool: "bash", input }] });
    expect([allowed, done]).toEqual([{ ended: ["call_pretended"] }, { ended: ["call_pretended"] }]);
  });

  it("has a refusal and an interruption after Escape", () => {
    const [, refused, interrupted] = newsIn("copilot-cli", "questions/escape.jsonl");
    expect([refused, interrupted]).toEqual([{ ended: ["call_pretended"] }, { isInterrupted: true }]);
  });

  it("lies in the session's folder, whose name is not trusted", () => {
    const path = answerSigns["copilot-cli"]?.transcriptOf?.path;
    expect(path?.("b106cd13-a4fe-4b44")).toBe("session-state/b106cd13-a4fe-4b44/events.jsonl");
    expect(path?.("../../.ssh")).toBeUndefined();
  });
});

it("Gemini CLI's transcript names calls only once they have ended, with the time of that", () => {
  const [asked, refused, interrupted] = newsIn("gemini-cli", "questions/escape.jsonl");
  expect(asked?.begun).toHaveLength(1);
  expect(refused).toEqual({ ended: [asked?.begun?.[0]?.id], at: Date.parse("2026-11-23T03:13:37.583Z") });
  expect(interrupted).toEqual({ isInterrupted: true });
});

describe("a process that runs a command of the model", () => {
  const expected = {
    codex: { session: "01a20680-67bc-7c52-bd03-c40b15f8ba5e", call: "call_pretended" },
    droid: {},
    "gemini-cli": { call: "newest answer" },
    "qwen-code": { session: "bc15aaf3-1113-4748-a9f7-03ff052c0813" },
  };
  const hook = ["/bin/sh", "/home/u/state/hookbell-hook.sh", "--agent", "x"];

  it.each(Object.entries(expected))("is known, and no hook is taken for it: %s", (agent, command) => {
    const file = fileURLToPath(new URL(`../known/${agent}/questions/command.json`, import.meta.url));
    const { argv, env } = JSON.parse(readFileSync(file, "utf8")) as { argv: string[]; env: Record<string, string> };
    const { commands } = answerSigns[agent] ?? {};
    const shown = Object.entries(env).filter(([name]) => commands?.variables.includes(name));
    expect(commands?.of(argv, Object.fromEntries(shown))).toEqual(command);
    expect(commands?.of(hook, {})).toBeUndefined();
    expect(commands?.of(["/bin/sh", "-c", hook.slice(1).join(" ")], {})).toBeUndefined();
  });

  it("is not a hook of Qwen Code, which has the same variables", () => {
    const { commands } = answerSigns["qwen-code"] ?? {};
    const env = { QWEN_CODE_SESSION_ID: "s1", QWEN_CODE_PROMPT_ID: "s1########0" };
    expect(commands?.of(["paplay", "ask.wav"], env)).toEqual({ session: "s1" });
    expect(commands?.variables).toContain("QWEN_PROJECT_DIR");
    expect(commands?.of(["paplay", "ask.wav"], { ...env, QWEN_PROJECT_DIR: "/home/u/shop-web" })).toBeUndefined();
  });
});

it("Qwen Code's transcript says that the person stopped the turn, by the result of a call", () => {
  const parts = [{ functionResponse: { id: "c1", name: "run_shell_command", response: { error: "not allowed" } } }];
  const line = (status: string): Record<string, unknown> => ({
    message: { role: "user", parts },
    toolCallResult: { status },
  });
  const read = answerSigns["qwen-code"]?.callsIn;
  expect(read?.(line("cancelled"))).toMatchObject({ ended: ["c1"], isInterrupted: true });
  expect(read?.(line("success"))).toMatchObject({ ended: ["c1"], isInterrupted: false });
});
