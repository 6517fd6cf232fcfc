import { claudeCodeWiring } from "./known/claude-code/wiring.ts";
import { clineWiring } from "./known/cline/wiring.ts";
import { codexWiring } from "./known/codex/wiring.ts";
import { copilotCliWiring } from "./known/copilot-cli/wiring.ts";
import { cursorWiring } from "./known/cursor/wiring.ts";
import type { Wiring } from "./wiring.ts";
import { droidWiring } from "./known/droid/wiring.ts";
import { geminiCliWiring } from "./known/gemini-cli/wiring.ts";
import { gooseWiring } from "./known/goose/wiring.ts";
import { kiroWiring } from "./known/kiro/wiring.ts";
import { opencodeWiring } from "./known/opencode/wiring.ts";
import { qwenCodeWiring } from "./known/qwen-code/wiring.ts";
import { windsurfWiring } from "./known/windsurf/wiring.ts";

/** How agents are wired, by their ids. Apart from the dialects, which the hook carries and this not. */
export const wirings = {
  droid: droidWiring,
  "claude-code": claudeCodeWiring,
  codex: codexWiring,
  "gemini-cli": geminiCliWiring,
  "qwen-code": qwenCodeWiring,
  cursor: cursorWiring,
  "copilot-cli": copilotCliWiring,
  opencode: opencodeWiring,
  windsurf: windsurfWiring,
  cline: clineWiring,
  goose: gooseWiring,
  kiro: kiroWiring,
} satisfies Record<string, Wiring>;

/** Agents that run the hooks of another one, and our names of what they send of it; they have none of their own to wire. */
export const runsHooksOf: Readonly<Record<string, { agentId: keyof typeof wirings; mapsTo: readonly string[] }>> = {
  // https://code.visualstudio.com/docs/agent-customization/hooks: no question, no failed turn, no session's end.
  vscode: { agentId: "claude-code", mapsTo: ["Stop", "SubagentStop", "UserPromptSubmit"] },
};

/** Undefined for an agent that the person wires by hand. */
export function findWiring(id: string): Wiring | undefined {
  return Object.hasOwn(wirings, id) ? wirings[id as keyof typeof wirings] : undefined;
}
