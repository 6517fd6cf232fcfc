// In which words people read what a session does.
import { describe, expect, it } from "vitest";
import { lineOf, wordsOf } from "../../src/sessions/describe.ts";
import { sessionAfter, sessionObserved } from "../../src/sessions/reduce.ts";
import type { Session } from "../../src/sessions/state.ts";
import { blankSession, eventOf, noon, second } from "../policies/messages.ts";

type Step = readonly [name: string, facts?: Parameters<typeof eventOf>[1]];

const after = (...steps: Step[]): Session & { lastPrompt: string } => ({
  ...steps.reduce<Session>(
    (session, [name, facts = {}], index) =>
      sessionAfter(session, eventOf(name, { ...facts, id: `evt_${index}` }, noon + index * second)),
    blankSession,
  ),
  lastPrompt: "fix the flaky login test",
});
const prompt: Step = ["UserPromptSubmit"];

describe("the words of a session", () => {
  it("are the tool call that runs, else the prompt, else the call before", () => {
    const tool: Step = ["PreToolUse", { request: "run `npm test`?" }];
    expect(wordsOf(after(prompt, tool))).toBe("run `npm test`");
    expect(wordsOf(after(prompt))).toBe("fix the flaky login test");
    const ended = after(prompt, tool, ["PostToolUse"]);
    expect(wordsOf(ended)).toBe("fix the flaky login test");
    expect(wordsOf({ ...ended, lastPrompt: undefined })).toBe("run `npm test`");
  });

  it("are what the agent said last, once its turn has ended, and after the session has", () => {
    const message = "## Done\n\n**The login test** waits for the session now.\n\nShall I push?";
    const said = "The login test waits for the session now. Shall I push?";
    expect(wordsOf(after(prompt, ["Stop", { message }]))).toBe(said);
    expect(wordsOf(after(prompt, ["Stop", { message }], ["SessionEnd"]))).toBe(said);
    expect(wordsOf(after(prompt, ["StopFailure", { message: "API error 529" }]))).toBe("API error 529");
    expect(wordsOf(after(prompt, ["Stop", { message }], prompt))).toBe("fix the flaky login test");
    const long = wordsOf(after(prompt, ["Stop", { message: `It began. ${"x".repeat(400)} It ended.` }])) ?? "";
    expect(long).toMatch(/^It began\. x+…x+ It ended\.$/);
    expect(long.length).toBeLessThanOrEqual(160);
    expect(wordsOf(after(prompt, ["Stop", { message: "The key is ghp_" + "a1B2".repeat(9) }]))).not.toContain("a1B2");
  });

  it("are its prompt where its turn was stopped or its process ended in it, and none where it waits for a prompt", () => {
    const working = after(prompt);
    const seen = { at: noon + 9 * second, source: "process" } as const;
    expect(wordsOf(sessionObserved(working, { ...seen, kind: "processGone" }))).toBe("fix the flaky login test");
    expect(wordsOf(sessionObserved(working, { ...seen, kind: "interrupted" }))).toBe("fix the flaky login test");
    expect(wordsOf(after(["SessionStart"]))).toBeUndefined();
  });
});

it("the line of all sessions counts those that failed", () => {
  const failed = after(prompt, ["StopFailure", { reason: "server_error" }]);
  const asking = after(prompt, ["PermissionRequest"]);
  expect(lineOf([failed, asking, after(prompt), failed])).toBe("1 needs you, 2 failed, 1 works");
});
