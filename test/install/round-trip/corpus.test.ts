// What init and uninstall make of every file of the corpus.
import { describe, expect, it } from "vitest";
import { everyRow } from "../../support/rows.ts";
import { corpus, countByShape } from "./corpus/corpus.ts";
import type { FoundFiles } from "./corpus/found-files.ts";
import {
  othersAsRun,
  ownRuns,
  texts,
  textOf,
  uninstall,
  install,
  hookSetups,
  type Files,
  type Installed,
} from "./install.ts";

const installedOnce = new Map<FoundFiles, Installed>();
/** One result for all that is asked of it; nothing changes it. */
function installOnce(each: FoundFiles): Installed {
  const installed = installedOnce.get(each) ?? install(each.agent, each.files);
  installedOnce.set(each, installed);
  return installed;
}

const refused = corpus.filter((each) => each.refused !== undefined);
const complete = corpus.filter(({ hasHooks }) => hasHooks);
const edited = corpus.filter((each) => each.refused === undefined && each.hasHooks === undefined);
const hookedByUs = edited.filter(({ hasOurs }) => hasOurs);
const foreign = edited.filter(({ hasOurs }) => hasOurs === undefined);
/** The reading of what runs knows one file of settings, and Kiro has many. */
const readAsRun = edited.filter(({ agent }) => hookSetups[agent].files.length > 0 && agent !== "kiro");

/** The texts of JSON that init added to. */
function extended(each: FoundFiles): { path: string; before: string; after: string }[] {
  if (hookSetups[each.agent].files.length === 0) return [];
  return installOnce(each).plan.changes.flatMap(({ before = "", after = "", source: { path } }) =>
    before.trim() === "" ? [] : [{ path, before, after }],
  );
}

describe("the corpus of settings files", () => {
  it("has at least forty of each shape", () =>
    everyRow(Object.entries(countByShape()), ([, count]) => {
      expect(count).toBeGreaterThanOrEqual(40);
    }));

  it("names each file once", () => {
    const names = corpus.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe("init", () => {
  it("refuses what it cannot edit, says where, and what to do", () =>
    everyRow(refused, (each) => {
      const { problems, changes } = installOnce(each).plan;
      const [first] = problems;
      expect(first?.message).toMatch(each.refused ?? /never/);
      expect(problems.filter(({ hint }) => hint === "")).toEqual([]);
      if (each.exitCode !== undefined) expect(first?.exitCode).toBe(each.exitCode);
      if (each.at !== undefined) expect(`${first?.line}:${first?.column}`).toBe(each.at);
      expect(changes).toEqual([]);
    }));

  it("leaves what is set up as it is", () =>
    everyRow(complete, (each) => {
      expect(installOnce(each).plan).toMatchObject({ changes: [], problems: [], warnings: [], missing: [] });
    }));

  it("sets up all other files, in the right place, and warns of what keeps hooks from running", () =>
    everyRow(edited, (each) => {
      const { plan } = installOnce(each);
      expect(plan.problems).toEqual([]);
      expect(plan.events.length).toBeGreaterThan(0);
      if (each.into !== undefined)
        expect(plan.changes.map(({ source }) => source.path)).toContain(`/home/me/${each.into}`);
      expect(plan.warnings.join("\n")).toMatch(each.warned ?? /^$/);
    }));

  it("says that every event was missing where none of our hooks stood", () =>
    everyRow(foreign, (each) => {
      const { missing, events } = installOnce(each).plan;
      expect(missing).toEqual(events);
    }));

  it("makes the agent run us once for each event", () =>
    everyRow(readAsRun, (each) => {
      const runs = ownRuns(each.agent, installOnce(each).files);
      expect(runs).toEqual(Object.fromEntries(Object.keys(runs).map((event) => [event, 1])));
      expect(Object.keys(runs)).not.toEqual([]);
    }));

  it("has nothing to change the second time", () =>
    everyRow(edited, (each) => {
      const { plan, files } = installOnce(each);
      const again = install(each.agent, files).plan;
      expect(again).toMatchObject({ changes: [], problems: [], missing: [] });
      expect(again.events).toEqual(plan.events);
    }));

  it("keeps others' hooks running as they did", () =>
    everyRow(readAsRun, (each) => {
      expect(othersAsRun(each.agent, installOnce(each).files)).toEqual(othersAsRun(each.agent, each.files));
    }));

  it("keeps words, line ends and marks around what it adds", () =>
    everyRow(
      foreign.filter((each) => extended(each).length > 0),
      (each) => {
        for (const { path, before, after } of extended(each)) {
          expect([path, isSubsequence(before.replace(/[ \t\r\n]+/g, ""), after)]).toEqual([path, true]);
          const ends = new Set(before.match(/\r\n|\n|\r/g));
          if (ends.size === 1) expect(new Set(after.match(/\r\n|\n|\r/g))).toEqual(ends);
          expect(/\s*$/.exec(after)?.[0]).toBe(/\s*$/.exec(before)?.[0]);
          expect(after.startsWith("\uFEFF")).toBe(before.startsWith("\uFEFF"));
        }
      },
    ));
});

describe("uninstall", () => {
  it("gives files back byte for byte when nothing else changed", () =>
    everyRow(foreign, (each) => {
      const { files, records, originals } = installOnce(each);
      expect(texts(uninstall(each.agent, files, records, originals))).toEqual(texts(each.files));
    }));

  it("takes our hooks out by edits alone when the backup is lost", () =>
    everyRow(
      foreign.filter(({ isReversible }) => isReversible !== false),
      (each) => {
        const { files, records } = installOnce(each);
        expect(texts(uninstall(each.agent, files, records))).toEqual(texts(each.files));
      },
    ));

  it("takes out what called us before init as well, and leaves others' hooks, with the backup and without", () =>
    everyRow([...hookedByUs, ...complete], (each) => {
      const { files, records, originals } = installOnce(each);
      for (const back of [uninstall(each.agent, files, records, originals), uninstall(each.agent, files, records)]) {
        expect(Object.keys(texts(back))).toEqual(Object.keys(texts(each.files)));
        expect(Object.entries(texts(back)).filter(([, text]) => text.includes("hookbell"))).toEqual([]);
        expect(othersAsRun(each.agent, back)).toEqual(othersAsRun(each.agent, each.files));
      }
    }));
});

describe("large files", () => {
  const historyOf = (length: number): object[] =>
    Array.from({ length }, (_, index) => ({ index, text: "some text of the person's that is kept" }));

  it.each([
    ["cursor", "hooks.json", { version: 1 }, 6_000],
    ["kiro", "agents/a.json", {}, 6_000],
    ["gemini-cli", "settings.json", {}, 6_000],
    ["claude-code", "settings.json", {}, 15_000],
  ] as const)("of %s are edited and given back", (agent, name, more, length) => {
    const text = JSON.stringify({ ...more, history: historyOf(length) }, undefined, 2);
    expect(text.length).toBeGreaterThan(length < 10_000 ? 500_000 : 1_000_000);
    const files: Files = { [name]: new TextEncoder().encode(text) };
    const installed = install(agent, files);
    expect(installed.plan.problems).toEqual([]);
    if (agent !== "kiro") expect(ownRuns(agent, installed.files)).toEqual(ownRuns(agent, install(agent, {}).files));
    expect(textOf(uninstall(agent, installed.files, installed.records)[name])).toBe(text);
  });
});

function isSubsequence(small: string, large: string): boolean {
  let at = 0;
  for (const char of large) {
    if (at < small.length && small.startsWith(char, at)) at += char.length;
  }
  return at === small.length;
}
