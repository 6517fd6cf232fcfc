import { join } from "node:path";
import { messageOf } from "../model/errors.ts";
import type { Problem } from "../model/problem.ts";
import type { Layout } from "../outbox/layout.ts";
import { builtInRules } from "../rules/built-in.ts";
import { loadRules } from "../rules/load.ts";
import { readRulesFile } from "../rules/read-rules-file.ts";
import type { Rules } from "../rules/rules.ts";
import { readIfThere, statIfThere, writeWhole } from "../system/files/files.ts";
import { isLink } from "../system/files/inspect-path.ts";

/** The rules that apply now, and where they come from. */
export interface CurrentRules {
  rules: Rules;
  origin: "file" | "lastGood" | "builtIn";
  /** What is wrong with the rules file; empty when it is good or absent. */
  problems: Problem[];
  /** The rules file's text, for showing problems. */
  text: string;
}

/** Reads the rules file again whenever it has changed; a broken one silences nothing. */
export function createRulesReader(rulesFile: string, layout: Layout | undefined): () => CurrentRules {
  let readStamp: string | undefined;
  let current: CurrentRules | undefined;
  return () => {
    const stamp = stampOf(rulesFile);
    if (current === undefined || stamp !== readStamp) {
      current = read(rulesFile, layout, current);
      readStamp = stamp;
    }
    return current;
  };
}

function stampOf(path: string): string {
  try {
    const stats = statIfThere(path);
    if (stats === undefined) return isLink(path) ? "broken link" : "absent";
    return `${stats.mtimeMs} ${stats.bytes} ${stats.mode}`;
  } catch (error) {
    return messageOf(error);
  }
}

function lastGoodPath(layout: Layout): string {
  return join(layout.root, "rules.last-good.jsonc");
}

function read(rulesFile: string, layout: Layout | undefined, before: CurrentRules | undefined): CurrentRules {
  const reading = readRulesFile(rulesFile);
  if ("unreadable" in reading) {
    const problems = [{ path: "", message: `cannot be read: ${reading.unreadable}` }];
    return { ...lastGood(layout, before), text: "", problems };
  }
  const { text } = reading;
  if (text === undefined) return { rules: builtInRules(), origin: "builtIn", problems: [], text: "" };
  const loaded = loadRules(text);
  if (loaded.status === "broken") return { ...lastGood(layout, before), text, problems: loaded.problems };
  if (layout !== undefined) keepGood(layout, text);
  return { rules: loaded.rules, origin: "file", problems: [], text };
}

function keepGood(layout: Layout, text: string): void {
  try {
    if (readIfThere(lastGoodPath(layout)) !== text) writeWhole(lastGoodPath(layout), text);
  } catch {
    // On a full disk the built-in rules stand in for a file that breaks later.
  }
}

function lastGood(
  layout: Layout | undefined,
  before: CurrentRules | undefined,
): Pick<CurrentRules, "rules" | "origin"> {
  if (before !== undefined && before.origin !== "builtIn") return { rules: before.rules, origin: "lastGood" };
  const text = layout === undefined ? undefined : readIfThere(lastGoodPath(layout));
  const loaded = text === undefined ? undefined : loadRules(text);
  return loaded?.status === "good"
    ? { rules: loaded.rules, origin: "lastGood" }
    : { rules: builtInRules(), origin: "builtIn" };
}
