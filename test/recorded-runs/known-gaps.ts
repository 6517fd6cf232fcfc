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
  "An hour after a question, hookbell no longer looks for the command that an answer starts: the answer shows when the command has ended.";

export const knownGaps: readonly KnownGap[] = [
  {
    agent: "codex",
    runs: ["helpers"],
    shown: "done",
    because: "It reports helpers only where a rule names `SubagentStart`; its own turn is done.",
  },
  { agent: "codex", runs: ["night"], shown: "needsYou", because: lateAnswer },
  { agent: "droid", runs: ["night"], shown: "needsYou", because: lateAnswer },
  {
    agent: "droid",
    runs: ["terminal-closed"],
    shown: "interrupted",
    because: "It says that you stopped the turn, and takes two seconds to end.",
  },
  { agent: "gemini-cli", runs: ["night"], shown: "needsYou", because: lateAnswer },
  {
    agent: "droid",
    runs: ["escape-at-a-question", "failure-401", "failure-429"],
    shown: "done",
    because: "It reports a turn that Escape at a question or an error ended as any other.",
  },
  {
    agent: "gemini-cli",
    runs: ["escape-in-a-turn", "failure-401"],
    shown: "done",
    because: "It reports a turn that Escape or an error ended as any other.",
  },
];

export function gapOf(agent: string, run: string, shown: string): KnownGap | undefined {
  return knownGaps.find((gap) => gap.agent === agent && gap.runs.includes(run) && gap.shown === shown);
}
