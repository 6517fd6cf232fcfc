// The registry of agents: one line each.
import { antigravity } from "./known/antigravity/payload.ts";
import { auggie } from "./known/auggie/payload.ts";
import { claudeCode } from "./known/claude-code/payload.ts";
import { cline } from "./known/cline/payload.ts";
import { codex } from "./known/codex/payload.ts";
import { copilotCli } from "./known/copilot-cli/payload.ts";
import { cursor } from "./known/cursor/payload.ts";
import type { Agent } from "./dialect/agent.ts";
import { familyAgents } from "./family/payload.ts";
import { droid } from "./known/droid/payload.ts";
import { geminiCli } from "./known/gemini-cli/payload.ts";
import { generic } from "./dialect/generic.ts";
import { goose } from "./known/goose/payload.ts";
import { kilo } from "./known/kilo/payload.ts";
import { kimiCode } from "./known/kimi-code/payload.ts";
import { kiro } from "./known/kiro/payload.ts";
import { opencode } from "./known/opencode/payload.ts";
import { pi } from "./known/pi/payload.ts";
import { qwenCode } from "./known/qwen-code/payload.ts";
import { vscode } from "./known/vscode/payload.ts";
import { windsurf } from "./known/windsurf/payload.ts";

/** The agents' environments are checked in this order; `generic` takes what is left. */
export const agents: readonly Agent[] = [
  droid,
  claudeCode,
  codex,
  // Before Gemini CLI and VS Code, whose payloads theirs are like.
  ...familyAgents,
  geminiCli,
  qwenCode,
  cursor,
  copilotCli,
  kilo,
  opencode,
  windsurf,
  cline,
  goose,
  kiro,
  kimiCode,
  pi,
  auggie,
  antigravity,
  vscode,
  generic,
];

/** The name as people write it. */
export function agentName(id: string): string {
  return findAgent(id)?.name ?? id;
}

export function findAgent(id: string): Agent | undefined {
  return agents.find((agent) => agent.id === id);
}
