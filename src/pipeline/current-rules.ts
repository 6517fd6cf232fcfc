// The rules that apply now: the rules file, its last good copy, or the built-in ones.
import { join, resolve } from "node:path";
import { messageOf, type Problem } from "../model/errors.ts";
import { loadSummaries } from "../model/privacy/content.ts";
import type { Layout } from "../outbox/layout.ts";
import { beginWork } from "../outbox/stuck/note.ts";
import { builtInRules, withBuiltInDesktop } from "../rules/built-in.ts";
import { loadRules } from "../rules/load.ts";
import { readRulesFile } from "../rules/read-rules-file.ts";
import type { Rules } from "../rules/rules.ts";
import { statIfThere } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { writeWhole } from "../system/files/write.ts";
import { findDistrust, isLink } from "../system/files/inspect-path.ts";

export interface CurrentRules {
  rules: Rules;
  origin: "file" | "lastGood" | "builtIn";
  /** Empty when the file is good or absent. */
  problems: Problem[];
  /** The warnings about the file; undefined if it has problems. */
  warnings?: Problem[];
  /** Problems are shown with this text. */
  text: string;
}

export interface RulesReader {
  /** The file's path; the file may not exist. */
  rulesFile: string;
  rules(): CurrentRules;
  /** Reads the rules again if the file has changed. */
  rereadRules(): Promise<void>;
}

/** A broken file silences nothing. */
export async function openRules(rulesFile: string, layout: Layout | undefined): Promise<RulesReader> {
  let readStamp = stampOf(rulesFile);
  let current = await readWithDesktop(rulesFile, layout);
  return {
    rulesFile: resolve(rulesFile),
    rules: () => current,
    async rereadRules() {
      const stamp = stampOf(rulesFile);
      if (stamp === readStamp) return;
      current = await readWithDesktop(rulesFile, layout, current);
      readStamp = stamp;
    },
  };
}

/** Keeps good rules for when the file is broken later. Adds a channel for hookbell's own notices, and the parser for summaries. */
async function readWithDesktop(...from: Parameters<typeof readRules>): Promise<CurrentRules> {
  const current = await readRules(...from);
  const [, layout] = from;
  if (layout !== undefined && current.origin === "file") {
    const path = lastGoodPath(layout);
    try {
      if (readIfThere(path) !== current.text) writeWhole(path, current.text);
    } catch {
      // On a full disk, the older copy stays.
    }
  }
  if (Object.values(current.rules.channels).some(({ content }) => content === "summary")) await loadSummaries();
  return { ...current, rules: await withBuiltInDesktop(current.rules) };
}

/** Changes when the file changes. */
export function stampOf(path: string): string {
  try {
    const stats = statIfThere(path);
    if (stats === undefined) return isLink(path) ? "broken link" : "absent";
    return `${stats.mtimeMs} ${stats.bytes} ${stats.mode}`;
  } catch (error) {
    return messageOf(error);
  }
}

export function lastGoodPath(layout: Layout): string {
  return join(layout.root, "rules.last-good.jsonc");
}

/** Writes nothing. `layout` is where the last good rules are kept. */
export async function readRules(...from: Parameters<typeof read>): Promise<CurrentRules> {
  // Parsers load in between.
  const end = beginWork({ file: from[0] });
  try {
    return await read(...from);
  } finally {
    end();
  }
}

async function read(rulesFile: string, layout: Layout | undefined, before?: CurrentRules): Promise<CurrentRules> {
  const reading = readRulesFile(rulesFile);
  if ("unreadable" in reading) {
    const problems = [{ path: "", message: `cannot be read: ${reading.unreadable}` }];
    return { ...(await lastGood(layout, before)), text: "", problems };
  }
  const { text } = reading;
  if (text === undefined) return { rules: await builtInRules(), origin: "builtIn", problems: [], text: "" };
  const loaded = await loadRules(text);
  if (loaded.status === "broken") return { ...(await lastGood(layout, before)), text, problems: loaded.problems };
  return { rules: loaded.rules, origin: "file", problems: [], warnings: loaded.warnings, text };
}

async function lastGood(
  layout: Layout | undefined,
  before: CurrentRules | undefined,
): Promise<Pick<CurrentRules, "rules" | "origin">> {
  if (before !== undefined && before.origin !== "builtIn") return { rules: before.rules, origin: "lastGood" };
  const text = layout === undefined ? undefined : readLastGood(layout);
  const loaded = text === undefined ? undefined : await loadRules(text);
  return loaded?.status === "good"
    ? { rules: loaded.rules, origin: "lastGood" }
    : { rules: await builtInRules(), origin: "builtIn" };
}

/** Undefined also where another user may have written it. */
function readLastGood(layout: Layout): string | undefined {
  try {
    if (findDistrust(lastGoodPath(layout)) !== undefined) return undefined;
    return readIfThere(lastGoodPath(layout));
  } catch {
    return undefined;
  }
}
