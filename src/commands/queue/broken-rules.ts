// What `status` says about a broken rules file.
import type { CurrentRules } from "../../dispatch/current-rules.ts";
import { shellWord } from "../../model/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count, paint } from "../console/text.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";

export interface BrokenRules {
  file: string;
  problems: number;
  applies: string;
  /** A command that puts the last good rules back. */
  restore?: string;
}

export function describeBroken({ problems, origin }: CurrentRules, lastGood: string, file: string): BrokenRules {
  const restore = origin === "lastGood" ? { restore: `cp ${shellWord(lastGood)} ${shellWord(file)}` } : {};
  return { file, problems: problems.length, applies: insteadOfBroken[origin], ...restore };
}

export function showBroken({ file, problems, applies, restore }: BrokenRules, io: CommandIo): string {
  const how = restore === undefined ? "" : `; to restore them: ${restore}`;
  return `rules: ${paint(io, "red", "broken")}: ${file} (${count(problems, "problem")}: hookbell check); ${applies}${how}`;
}
