// All files that the round trips of init and uninstall are made with.
import type { AgentId } from "../install.ts";
import { claudeCodeFiles } from "./claude-code.ts";
import { droidFiles } from "./droid.ts";
import type { FoundFiles } from "./found-files.ts";
import { filesOfEveryShape } from "./json-shapes.ts";
import { filesInOurPlace } from "./own-files.ts";

export const corpus: readonly FoundFiles[] = [
  ...claudeCodeFiles,
  ...droidFiles,
  ...filesOfEveryShape,
  ...filesInOurPlace,
];

/** How many files of each shape there are, besides those that were found for one agent alone. */
export function countByShape(): Record<string, number> {
  const count = (of: (each: FoundFiles) => boolean): number =>
    [...filesOfEveryShape, ...filesInOurPlace].filter(of).length;
  const json = (agents: readonly AgentId[]): number => count(({ agent }) => agents.includes(agent));
  return {
    "grouped, wrapped": json(["claude-code", "gemini-cli", "qwen-code", "codex"]),
    "grouped, bare": json(["droid"]),
    "flat, versioned": json(["cursor", "copilot-cli"]),
    "flat, without a version": json(["windsurf", "kiro"]),
    programs: count(({ agent }) => agent === "cline"),
    "files of our own": count(({ agent }) => ["opencode", "goose", "copilot-cli"].includes(agent)),
  };
}
