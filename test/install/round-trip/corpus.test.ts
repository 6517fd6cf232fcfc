// What init and uninstall make of every file of the corpus.
import { describe, expect, it } from "vitest";
import { everyRow } from "../../support/rows.ts";
import { corpus, countByShape } from "./corpus/corpus.ts";
import type { FoundFiles } from "./corpus/found-files.ts";
import { othersAsRun, ownRuns, texts, textOf, unwire, wire, wirings, type Files, type Wired } from "./wire.ts";

const wiredOnce = new Map<FoundFiles, Wired>();
/** One result for all that is asked of it; nothing changes it. */
function wireOnce(each: FoundFiles): Wired {
  const wired = wiredOnce.get(each) ?? wire(each.agent, each.files);
  wiredOnce.set(each, wired);
  return wired;
}

const refused = corpus.filter((each) => each.refused !== undefined);
const complete = corpus.filter(({ isWired }) => isWired);
const edited = corpus.filter((each) => each.refused === undefined && each.isWired === undefined);
const hookedByUs = edited.filter(({ hasOurs }) => hasOurs);
const foreign = edited.filter(({ hasOurs }) => hasOurs === undefined);
/** The reading of what runs knows one file of settings, and Kiro has many. */
const readAsRun = edited.filter(({ agent }) => wirings[agent].files.length > 0 && agent !== "kiro");

/** The texts of JSON that init added to. */
function extended(each: FoundFiles): { path: string; before: string; after: string }[] {
  if (wirings[each.agent].files.length === 0) return [];
  return wireOnce(each).plan.changes.flatMap(({ before = "", after = "", source: { path } }) =>
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
      const { problems, changes } = wireOnce(each).plan;
      const [first] = problems;
      expect(first?.message).toMatch(each.refused ?? /never/);
      expect(problems.filter(({ hint }) => hint === "")).toEqual([]);
      if (each.exitCode !== undefined) expect(first?.exitCode).toBe(each.exitCode);
      if (each.at !== undefined) expect(`${first?.line}:${first?.column}`).toBe(each.at);
      expect(changes).toEqual([]);
    }));

  it("leaves what is wired as it is", () =>
    everyRow(complete, (each) => {
      expect(wireOnce(each).plan).toMatchObject({ changes: [], problems: [], warnings: [], missing: [] });
    }));

  it("wires all other files, in the right place, and warns of what keeps hooks from running", () =>
    everyRow(edited, (each) => {
      const { plan } = wireOnce(each);
      expect(plan.problems).toEqual([]);
      expect(plan.events.length).toBeGreaterThan(0);
      if (each.into !== undefined)
        expect(plan.changes.map(({ source }) => source.path)).toContain(`/home/me/${each.into}`);
      expect(plan.warnings.join("\n")).toMatch(each.warned ?? /^$/);
    }));

  it("says that every event was missing where none of our hooks stood", () =>
    everyRow(foreign, (each) => {
      const { missing, events } = wireOnce(each).plan;
      expect(missing).toEqual(events);
    }));

  it("makes the agent run us once for each event", () =>
    everyRow(readAsRun, (each) => {
      const runs = ownRuns(each.agent, wireOnce(each).files);
      expect(runs).toEqual(Object.fromEntries(Object.keys(runs).map((event) => [event, 1])));
      expect(Object.keys(runs)).not.toEqual([]);
    }));

  it("has nothing to change the second time", () =>
    everyRow(edited, (each) => {
      const { plan, files } = wireOnce(each);
      const again = wire(each.agent, files).plan;
      expect(again).toMatchObject({ changes: [], problems: [], missing: [] });
      expect(again.events).toEqual(plan.events);
    }));

  it("keeps others' hooks running as they did", () =>
    everyRow(readAsRun, (each) => {
      expect(othersAsRun(each.agent, wireOnce(each).files)).toEqual(othersAsRun(each.agent, each.files));
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
      const { files, records, originals } = wireOnce(each);
      expect(texts(unwire(each.agent, files, records, originals))).toEqual(texts(each.files));
    }));

  it("takes our hooks out by edits alone when the backup is lost", () =>
    everyRow(
      foreign.filter(({ isReversible }) => isReversible !== false),
      (each) => {
        const { files, records } = wireOnce(each);
        expect(texts(unwire(each.agent, files, records))).toEqual(texts(each.files));
      },
    ));

  it("takes out what called us before init as well, and leaves others' hooks, with the backup and without", () =>
    everyRow([...hookedByUs, ...complete], (each) => {
      const { files, records, originals } = wireOnce(each);
      for (const back of [unwire(each.agent, files, records, originals), unwire(each.agent, files, records)]) {
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
    const wired = wire(agent, files);
    expect(wired.plan.problems).toEqual([]);
    if (agent !== "kiro") expect(ownRuns(agent, wired.files)).toEqual(ownRuns(agent, wire(agent, {}).files));
    expect(textOf(unwire(agent, wired.files, wired.records)[name])).toBe(text);
  });
});

function isSubsequence(small: string, large: string): boolean {
  let at = 0;
  for (const char of large) {
    if (at < small.length && small.startsWith(char, at)) at += char.length;
  }
  return at === small.length;
}
