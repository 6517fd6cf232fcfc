// docs/reference/RECIPES.md is true: each rules file in it is good, and `hookbell explain` decides as the table below it says.
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { formatDuration } from "../../src/model/figures/duration.ts";
import { loadRules } from "../../src/rules/load.ts";
import { showProblems } from "../../src/rules/problems/show.ts";
import { type Explained, explained, readRecipes, usualTime } from "../support/home/explained.ts";
import { everyRow } from "../support/rows.ts";

const payloads = new URL("../agents/known/", import.meta.url);

/** The words of the tables' first column, and the payload of a real agent that each stands for. */
const recorded: Record<string, string> = {
  "a question": "claude-code/payloads/PermissionRequest-Bash.json",
  "a question of Codex": "codex/payloads/PermissionRequest-Bash.json",
  "the agent waits": "claude-code/payloads/Notification-idle-prompt.json",
  "the turn is done": "claude-code/payloads/Stop.json",
  "the turn failed": "claude-code/payloads/StopFailure-server-error-500.json",
  "a usage limit": "claude-code/payloads/StopFailure-rate-limit.json",
  "a subagent is done": "claude-code/payloads/SubagentStop.json",
  "you write": "claude-code/payloads/UserPromptSubmit.json",
};

interface Row {
  event: string;
  /** Where the session is, if the row says it. */
  cwd: string | undefined;
  flags: string[];
  told: string;
}

function readRow(line: string): Row {
  const [what = "", assumed = "", told = ""] = line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
  const [, event = what, cwd] = /^(.*?)(?: in `(.+)`)?$/.exec(what) ?? [];
  const flags = assumed.replaceAll("`", "").match(/"[^"]*"|\S+/g) ?? [];
  return { event, cwd, flags: flags.map((flag) => flag.replaceAll('"', "")), told };
}

function payloadFor({ event, cwd }: Row): string {
  // hookbell makes this event itself.
  if (event === "the day's digest") return JSON.stringify({ hook_event_name: "Digest", session_id: "d", cwd: "/" });
  const payload = JSON.parse(readFileSync(new URL(recorded[event] ?? event, payloads), "utf8")) as object;
  return JSON.stringify(cwd === undefined ? payload : { ...payload, cwd });
}

function agentOf({ event }: Row): string {
  return recorded[event]?.split("/")[0] ?? "generic";
}

/** A question waits for the person to come or go; the other times come from the rules. */
function whenHeld(why: string, afterMs: number): string {
  if (why.startsWith("last input")) return "once I am away";
  if (why === "you are away") return "once I am back";
  if (why.startsWith("terminal focused")) return "once I look away";
  // The agent's message names a time of day in its own time zone.
  if (why.includes("reset")) return "at the reset";
  return `after ${formatDuration(afterMs)}`;
}

/** In the words of the tables' last column. */
function inWords({ deliveries }: Explained, row: Row): string {
  const index = row.flags.indexOf("--at");
  const now = new Date(index === -1 ? usualTime : (row.flags[index + 1] ?? "")).getTime();
  const wanted = row.told;
  const words = deliveries.map(({ channel, title, level, at, held = "" }) => {
    // The title and the level are compared where the table tells them.
    const shown = wanted.includes(`${channel}: "`) ? `: "${title}"` : "";
    const as = wanted.includes(`${channel} as `) ? ` as ${level}` : "";
    return `${channel}${shown}${as}${at === undefined ? "" : ` ${whenHeld(held, new Date(at).getTime() - now)}`}`;
  });
  return words.join(", ") || "no one";
}

const recipes = readRecipes().map(({ title, rules, lines }) => ({ title, rules, rows: lines.map(readRow) }));

describe("docs/reference/RECIPES.md", () => {
  it("has fifteen recipes, each with a rules file and a table", () => {
    expect(recipes.length).toBe(15);
    expect(recipes.filter(({ rules, rows }) => rules === "" || rows.length < 2).map(({ title }) => title)).toEqual([]);
  });

  it("says in each recipe who is told and, but for the rules that tell all, who is not", () => {
    expect(recipes.filter(({ rows }) => new Set(rows.map(({ told }) => told)).size < 2)).toEqual([]);
  });
});

describe.each(recipes)("$title", ({ rules, rows }) => {
  it("is a good rules file, without a warning", async () => {
    const loaded = await loadRules(rules);
    const problems = [...(loaded.status === "broken" ? loaded.problems : []), ...loaded.warnings];
    expect(showProblems(problems, { text: rules, file: "rules.jsonc", isColor: false })).toBe("");
  });

  it("tells of every event what its table says", () =>
    everyRow(
      rows,
      async (row) => {
        expect(inWords(await explained(rules, payloadFor(row), ["--agent", agentOf(row), ...row.flags]), row)).toBe(
          row.told,
        );
      },
      ({ event, flags, told }) => `${event}, ${flags.join(" ")}: ${told}`,
    ));
});
