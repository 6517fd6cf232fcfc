// How agents' hooks are set up, by their ids. Made from the folders of known/ by `npm run generate`.
import { antigravityHookSetup } from "./known/antigravity/hook-setup.ts";
import { auggieHookSetup } from "./known/auggie/hook-setup.ts";
import { claudeCodeHookSetup } from "./known/claude-code/hook-setup.ts";
import { clineHookSetup } from "./known/cline/hook-setup.ts";
import { codexHookSetup } from "./known/codex/hook-setup.ts";
import { copilotCliHookSetup } from "./known/copilot-cli/hook-setup.ts";
import { cursorHookSetup } from "./known/cursor/hook-setup.ts";
import { droidHookSetup } from "./known/droid/hook-setup.ts";
import { geminiCliHookSetup } from "./known/gemini-cli/hook-setup.ts";
import { gooseHookSetup } from "./known/goose/hook-setup.ts";
import { kiloHookSetup } from "./known/kilo/hook-setup.ts";
import { kimiCodeHookSetup } from "./known/kimi-code/hook-setup.ts";
import { kiroHookSetup } from "./known/kiro/hook-setup.ts";
import { opencodeHookSetup } from "./known/opencode/hook-setup.ts";
import { piHookSetup } from "./known/pi/hook-setup.ts";
import { qwenCodeHookSetup } from "./known/qwen-code/hook-setup.ts";
import { windsurfHookSetup } from "./known/windsurf/hook-setup.ts";
import { familyHookSetups } from "./family/hook-setup.ts";
import type { HookSetup } from "./hook-setup.ts";

export const hookSetups = {
  antigravity: antigravityHookSetup,
  auggie: auggieHookSetup,
  "claude-code": claudeCodeHookSetup,
  cline: clineHookSetup,
  codex: codexHookSetup,
  "copilot-cli": copilotCliHookSetup,
  cursor: cursorHookSetup,
  droid: droidHookSetup,
  "gemini-cli": geminiCliHookSetup,
  goose: gooseHookSetup,
  kilo: kiloHookSetup,
  "kimi-code": kimiCodeHookSetup,
  kiro: kiroHookSetup,
  opencode: opencodeHookSetup,
  pi: piHookSetup,
  "qwen-code": qwenCodeHookSetup,
  windsurf: windsurfHookSetup,
  ...familyHookSetups,
} satisfies Record<string, HookSetup>;

/** Undefined for an agent that the user sets up by hand. */
export function findHookSetup(id: string): HookSetup | undefined {
  return Object.hasOwn(hookSetups, id) ? hookSetups[id as keyof typeof hookSetups] : undefined;
}
