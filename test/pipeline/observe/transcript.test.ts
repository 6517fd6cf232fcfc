// The reader of transcripts follows files that their agents write anew.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { droidAnswerSigns } from "../../../src/agents/known/droid/answer-signs.ts";
import { createTranscriptReader } from "../../../src/pipeline/observe/transcript.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const begun = (title: string): string => `${JSON.stringify({ type: "session_start", title })}\n`;
const asks = (id: string): string => {
  const content = [{ type: "tool_use", id, name: "Execute", input: { command: "touch made" } }];
  const line = { type: "message", timestamp: "2026-11-23T14:45:31.010Z", message: { role: "assistant", content } };
  return `${JSON.stringify(line)}\n`;
};

it.each([
  ["shorter, and longer again before it is looked at", "New Session", "A title"],
  ["longer at once", "A title", "New Session"],
])("finds the call in a file that became %s", (_how, before, after) => {
  const path = join(temporaryFolder(), "session.jsonl");
  const reader = createTranscriptReader();
  const calls = (): string[] => [...(reader.read(droidAnswerSigns, path, Date.now())?.calls.keys() ?? [])];
  writeFileSync(path, begun(before) + asks("first"));
  expect(calls()).toEqual(["first"]);
  writeFileSync(path, begun(after) + asks("first") + asks("second"));
  expect(calls()).toEqual(["first", "second"]);
});
