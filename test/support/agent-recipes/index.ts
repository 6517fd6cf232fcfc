import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { droid } from "./droid.ts";
import { geminiCli } from "./gemini-cli.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import type { AgentRecipe } from "./recipe.ts";

/** Every agent that can be run here, that is: whose program npm has. */
export const recipes: readonly AgentRecipe[] = [
  claudeCode,
  droid,
  codex,
  geminiCli,
  qwenCode,
  copilotCli,
  opencode,
  cline,
];
