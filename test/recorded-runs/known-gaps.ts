// Where hookbell shows a wrong state for more than two seconds after the agent's first sign, and why it cannot know better.
import type { StateKind } from "../../src/sessions/state.ts";

export interface KnownGap {
  agent: string;
  runs: readonly string[];
  shown: StateKind | "nothing";
  /** A sentence. */
  because: string;
}

const lateAnswer =
  "Ten minutes after a question, hookbell looks every ten seconds for the command that an answer starts, or sees its end.";

export const knownGaps: readonly KnownGap[] = [
  {
    agent: "auggie",
    runs: ["escape-in-a-tool", "process-killed", "question-allowed", "question-denied"],
    shown: "working",
    because: "It has no event for a question, and notes none.",
  },
  { agent: "codex", runs: ["night"], shown: "needsYou", because: lateAnswer },
  { agent: "droid", runs: ["night"], shown: "needsYou", because: lateAnswer },
  { agent: "gemini-cli", runs: ["night"], shown: "needsYou", because: lateAnswer },
  { agent: "qwen-code", runs: ["night"], shown: "needsYou", because: lateAnswer },
];

export function gapOf(agent: string, run: string, shown: string): KnownGap | undefined {
  return knownGaps.find((gap) => gap.agent === agent && gap.runs.includes(run) && gap.shown === shown);
}
