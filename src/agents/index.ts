import { claudeCode } from "./claude-code.ts";
import { cline } from "./cline.ts";
import { codex } from "./codex.ts";
import { copilotCli } from "./copilot-cli.ts";
import { cursor } from "./cursor.ts";
import type { Agent } from "./define-agent.ts";
import { droid } from "./droid.ts";
import { geminiCli } from "./gemini-cli.ts";
import { generic } from "./generic.ts";
import { goose } from "./goose.ts";
import { kiro } from "./kiro.ts";
import { opencode } from "./opencode.ts";
import { qwenCode } from "./qwen-code.ts";
import { vscode } from "./vscode.ts";
import { windsurf } from "./windsurf.ts";

/** Every agent there is, in the order in which their environments are looked at; `generic` takes what is left. */
export const agents: readonly Agent[] = [
  droid,
  claudeCode,
  codex,
  geminiCli,
  qwenCode,
  cursor,
  copilotCli,
  opencode,
  windsurf,
  cline,
  goose,
  kiro,
  vscode,
  generic,
];

export function findAgent(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}
