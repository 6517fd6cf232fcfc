// How agents are wired, by their ids. Made from the folders of known/ by `npm run generate`.
import { antigravityWiring } from "./known/antigravity/wiring.ts";
import { claudeCodeWiring } from "./known/claude-code/wiring.ts";
import { clineWiring } from "./known/cline/wiring.ts";
import { codexWiring } from "./known/codex/wiring.ts";
import { copilotCliWiring } from "./known/copilot-cli/wiring.ts";
import { cursorWiring } from "./known/cursor/wiring.ts";
import { droidWiring } from "./known/droid/wiring.ts";
import { geminiCliWiring } from "./known/gemini-cli/wiring.ts";
import { gooseWiring } from "./known/goose/wiring.ts";
import { kimiCodeWiring } from "./known/kimi-code/wiring.ts";
import { kiroWiring } from "./known/kiro/wiring.ts";
import { opencodeWiring } from "./known/opencode/wiring.ts";
import { qwenCodeWiring } from "./known/qwen-code/wiring.ts";
import { windsurfWiring } from "./known/windsurf/wiring.ts";
import type { Wiring } from "./wiring.ts";

export const wirings = {
  antigravity: antigravityWiring,
  "claude-code": claudeCodeWiring,
  cline: clineWiring,
  codex: codexWiring,
  "copilot-cli": copilotCliWiring,
  cursor: cursorWiring,
  droid: droidWiring,
  "gemini-cli": geminiCliWiring,
  goose: gooseWiring,
  "kimi-code": kimiCodeWiring,
  kiro: kiroWiring,
  opencode: opencodeWiring,
  "qwen-code": qwenCodeWiring,
  windsurf: windsurfWiring,
} satisfies Record<string, Wiring>;

/** Undefined for an agent that the user wires by hand. */
export function findWiring(id: string): Wiring | undefined {
  return Object.hasOwn(wirings, id) ? wirings[id as keyof typeof wirings] : undefined;
}
