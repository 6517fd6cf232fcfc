import { describe, expect, it } from "vitest";
import { parseHookArguments, type HookArguments } from "../../src/intake/hook-arguments.ts";

const expected = "expected --agent ID, --event NAME, --by SETUP, --wait, --reply, --answer, --json or --config FILE";

describe("the arguments of the hook", () => {
  it.each<[line: string, reads: Partial<HookArguments>]>([
    ["", { status: "plain", agentId: undefined, isJson: false, isReply: false }],
    ["--agent droid --event Stop", { status: "plain", agentId: "droid", eventName: "Stop" }],
    ["--agent=droid --by=notify", { status: "plain", agentId: "droid", setupName: "notify" }],
    ["--agent=a=b", { status: "plain", agentId: "a=b" }],
    ["--agent a --agent b", { status: "plain", agentId: "b" }],
    ["--wait", { status: "other", isReply: false }],
    ["--reply --agent droid", { status: "other", isReply: true, agentId: "droid" }],
    ["--json", { status: "other", isJson: true }],
    ["--config x.jsonc", { status: "other", rulesFile: "x.jsonc" }],
    ["--help", { status: "other" }],
  ])("%j are understood", (line, reads) => {
    expect(parseHookArguments(line.split(" ").filter(Boolean))).toMatchObject(reads);
  });

  it.each<[args: string[], problems: string[]]>([
    [["--agent"], ["--agent: expected a value, got nothing"]],
    [["--agent="], ["--agent: expected a value, got nothing"]],
    [
      ["--wat", "word"],
      [`--wat: ${expected}`, `word: ${expected}`],
    ],
    [["--wait=yes"], [`--wait=yes: ${expected}`]],
    [["--wait", "--reply"], ["--reply: expected without --wait, which prints for a person"]],
  ])("%j is wrong, and says all that is", (args, problems) => {
    expect(parseHookArguments(args)).toEqual({ status: "wrong", problems });
  });
});

it("a payload as an argument, as Codex's legacy notify passes it, is refused with what to do and not repeated", () => {
  const payload = JSON.stringify({ type: "agent-turn-complete", "last-assistant-message": "token sk-1234" });
  const parsed = parseHookArguments(["--agent", "codex", payload]);
  if (parsed.status !== "wrong") throw new Error("it is accepted");
  expect(parsed.problems).toEqual([expect.stringMatching(/^a payload as an argument: .*"notify".*hookbell init/)]);
  expect(parsed.problems.join()).not.toContain("sk-1234");
});
