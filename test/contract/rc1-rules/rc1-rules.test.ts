// Rules files of 1.0.0-rc.1 are good, `check` says the new names of what has one, and `explain` decides as it does with these.
// files.json has every rules file of commit 14ba2789: config/, and those that README.md and docs/ show. decisions.json.gz has what
// `explain --json` of that commit said of each payload below, with the file as it is and with the old settings.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { applyEdits, modify, parse } from "jsonc-parser";
import { describe, expect, it } from "vitest";
import { check } from "../../../src/commands/explain/check.ts";
import { explain } from "../../../src/commands/explain/explain.ts";
import { defaultRulesText } from "../../../src/rules/default-rules.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { commandIo } from "../../support/project/command-io.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { everyRow } from "../../support/rows.ts";

const files = JSON.parse(readFileSync(new URL("files.json", import.meta.url), "utf8")) as Record<string, string>;
const texts = Object.entries(files);
const decidedByRc1 = JSON.parse(
  gunzipSync(readFileSync(new URL("decisions.json.gz", import.meta.url))).toString(),
) as Record<string, Record<"asIs" | "withOldSettings", unknown[]>>;

const noon = new Date("2026-11-23 12:00").getTime();
/** When the decisions of 1.0.0-rc.1 were made, where it was noon as well. */
const recordedNoon = Date.parse("2026-11-23T12:00:00.000Z");

const running = { background_tasks: [{ id: "a1", type: "subagent", status: "running" }] };
const payloads = [
  payloadOf("Stop", { stop_hook_active: false, ...running }),
  payloadOf("Stop", { stop_hook_active: false, background_tasks: [] }),
  payloadOf("StopFailure", { error: "server_error" }),
  payloadOf("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } }),
  payloadOf("SubagentStop", { agent_id: "a1" }),
  payloadOf("SessionEnd", { reason: "crashed" }),
];

function homeWith(rules: string): { home: string; file: string } {
  const home = temporaryFolder();
  const file = join(home, ".config/hookbell/rules.jsonc");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, rules);
  return { home, file };
}

async function checked(rules: string): Promise<{ code: number; lines: string[] }> {
  const { home, file } = homeWith(rules);
  let stdout = "";
  const code = await check([file], commandIo(home, { stdout: (text) => (stdout += text) }));
  return { code, lines: stdout.split("\n").filter((line) => line.startsWith(`${file}:`)) };
}

/** For each payload, what `explain` says of rules and channels. */
async function decisions(rules: string): Promise<unknown[]> {
  const { home } = homeWith(rules);
  const all: unknown[] = [];
  for (const payload of payloads) {
    let stdout = "";
    const clock = createFakeClock(noon);
    const io = commandIo(home, {
      stdout: (text) => (stdout += text),
      clock,
      readStdin: () => Promise.resolve(payload),
    });
    const assumed = ["--agent", "claude-code", "--state", "away", "--session-age", "1h"];
    expect(await explain([...assumed, "--json", "-"], io)).toBe(0);
    const { event: _, ...decided } = JSON.parse(stdout) as Record<string, unknown>;
    all.push(decided);
  }
  return all;
}

/** The file as it could have been written for 1.0.0-rc.1, with each old setting wherever it may stand. */
function withOldSettings(text: string): string {
  const { rules } = parse(text, [], { allowTrailingComma: true }) as { rules: unknown[] };
  const put = (edited: string, path: (string | number)[], value: unknown): string =>
    applyEdits(edited, modify(edited, path, value, {}));
  const inRules = rules.reduce<string>(
    (edited, _, index) =>
      put(
        put(edited, ["rules", index, "whileHelpersRun"], index % 2 === 0 ? "soften" : "hold"),
        ["rules", index, "when", "runningHelpers"],
        { not: String(index) },
      ),
    text,
  );
  return put(inRules, ["defaults", "whileHelpersRun"], "tell");
}

function wordOfNow(use: string): string {
  return use.replace("Helpers", "Subagents").replace("hold", "defer").replace("tell", "notify");
}

/** The decisions of 1.0.0-rc.1, in the words of now. A rule's own name stays. */
function inWordsOfNow(decided: unknown): unknown {
  const words = /runningHelpers|\bhelper(?= still runs| a1 is done)/g;
  const text = JSON.stringify(decided)
    .replace(words, (word) => (word === "helper" ? "subagent" : "runningSubagents"))
    .replace(/(?<=")\d{4}-\d\d-\d\dT[\d:.]+Z(?=")/g, (at) =>
      new Date(Date.parse(at) - recordedNoon + noon).toISOString(),
    );
  return JSON.parse(text) as unknown;
}

/** Messages have other titles and texts since then. */
function withoutTexts(decided: unknown): unknown {
  return (decided as { deliveries: object[] }[]).map(({ deliveries, ...others }) => ({
    ...others,
    deliveries: deliveries.map((each) => ({ ...each, title: "", body: "" })),
  }));
}

/** Does what each warning says. */
async function followed(text: string): Promise<{ text: string; warnings: number }> {
  const loaded = await loadRules(text);
  const renamed = loaded.warnings.flatMap(({ message, offset = 0, length = 0 }) => {
    const [, now] = / is called (".*") now$/.exec(message) ?? [];
    return now === undefined ? [] : [{ offset, length, content: now }];
  });
  return { text: applyEdits(text, renamed), warnings: renamed.length };
}

describe("rules files of 1.0.0-rc.1", () => {
  it("are those of its documents and of config/", () => {
    expect(texts.length).toBe(26);
    expect(texts.filter(([name]) => name.startsWith("config/")).length).toBe(9);
  });

  it("are good as they are", () =>
    everyRow(texts, async ([, text]) => {
      expect(await checked(text)).toEqual({ code: 0, lines: [expect.stringMatching(/no problems$/)] });
    }));

  it("are good with the old settings, and check says the new name of each use in one line", () =>
    everyRow(texts, async ([, text]) => {
      const old = withOldSettings(text);
      const uses = old.match(/"(?:whileHelpersRun|runningHelpers)"|(?<="whileHelpersRun": ?)"(?:hold|tell)"/g) ?? [];
      const { code, lines } = await checked(old);
      expect(code).toBe(0);
      expect(lines.filter((line) => line.includes("  warning: ")).map((line) => line.replace(/^.*: /, ""))).toEqual(
        uses.map((use) => `${use} is called ${wordOfNow(use)} now`),
      );
      expect(lines.at(-1)).toMatch(new RegExp(`, ${uses.length} warnings$`));
    }));

  it("decide as 1.0.0-rc.1 decided by them, also with the old settings", () =>
    everyRow(texts, async ([name, text]) => {
      const before = decidedByRc1[name];
      expect(withoutTexts(await decisions(text))).toEqual(withoutTexts(inWordsOfNow(before?.asIs)));
      const withOld = await decisions(withOldSettings(text));
      expect(withoutTexts(withOld)).toEqual(withoutTexts(inWordsOfNow(before?.withOldSettings)));
    }));

  it("decide with the new names as with the old ones, in which nothing is left to say", () =>
    everyRow(texts, async ([, text]) => {
      const old = withOldSettings(text);
      const now = await followed(old);
      expect(now.warnings).toBeGreaterThan(2);
      expect(now.text).not.toMatch(/"\w+Helpers/);
      expect((await followed(now.text)).warnings).toBe(0);
      const decided = await decisions(old);
      expect(decided).toEqual(await decisions(now.text));
      // The settings count: a turn whose subagent runs is not decided as one where none runs.
      expect(decided[0]).not.toEqual(decided[1]);
    }));
});

it("the built-in rules decide as they did, under the names that two of them have now", async () => {
  const renamed = (text: string): string =>
    text.replaceAll("broke off", "failed").replaceAll("session broke", "session failed");
  const before = files["config/rules.default.jsonc"] ?? "";
  expect(renamed(JSON.stringify(matched(await decisions(before))))).toBe(
    JSON.stringify(matched(await decisions(defaultRulesText))),
  );
});

/** Some rules have other conditions now, which hold for the same events. */
function matched(decided: unknown): unknown {
  return (decided as { rules: { held: boolean }[] }[]).map(({ rules, ...others }) => ({
    ...others,
    rules: rules.filter(({ held }) => held),
  }));
}
