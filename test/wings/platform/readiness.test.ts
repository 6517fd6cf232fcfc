// Readiness reports in comparison: which one came before, what fell, and how much is met.
import { describe, expect, it } from "vitest";
import type { ReadinessReport } from "../../../src/wings/platform/contract/readiness.ts";
import { fellBetween, findPrevious, metCriteria, score } from "../../../src/wings/platform/readiness.ts";
import { repositoryName } from "../../../src/wings/platform/repository.ts";

let reportCount = 0;
function reportOf(criteria: Record<string, [number, number]>, given: Partial<ReadinessReport> = {}): ReadinessReport {
  reportCount += 1;
  return {
    reportId: `00000000-0000-4000-8000-${String(reportCount).padStart(12, "0")}`,
    createdAt: reportCount,
    repoUrl: "https://git.example.com/acme/shop",
    apps: {},
    report: Object.fromEntries(
      Object.entries(criteria).map(([id, [numerator, denominator]]) => [id, { numerator, denominator, rationale: "" }]),
    ),
    ...given,
  };
}

describe("a criterion", () => {
  it.each<[string, [number, number] | undefined, [number, number] | undefined, boolean]>([
    ["that fewer applications meet", [2, 2], [1, 2], true],
    ["that a smaller share of them meets", [2, 3], [3, 5], true],
    ["that the same share meets", [1, 3], [2, 6], false],
    ["that more meet", [1, 2], [2, 2], false],
    ["that is new", undefined, [0, 1], false],
    ["that is no longer evaluated", [1, 1], undefined, false],
    ["that nothing meets any more", [1, 7], [0, 7], true],
  ])("%s has fallen, or has not", (_, before, now, hasFallen) => {
    const fell = fellBetween(reportOf(before ? { tests: before } : {}), reportOf(now ? { tests: now } : {}));
    expect(fell.map(({ criterion }) => criterion)).toEqual(hasFallen ? ["tests"] : []);
  });
});

describe("the report before", () => {
  it("is the newest older one of the same repository, in whatever order they come", () => {
    const first = reportOf({});
    const second = reportOf({});
    const third = reportOf({});
    const elsewhere = reportOf({}, { repoUrl: "https://git.example.com/acme/other", createdAt: second.createdAt });
    const all = [second, elsewhere, third, first];
    const previousOf = findPrevious(all);
    expect(previousOf(third)).toBe(second);
    expect(previousOf(first)).toBeUndefined();
    expect(previousOf(elsewhere)).toBeUndefined();
  });

  it.each<[string, Partial<ReadinessReport>[], number | undefined]>([
    ["of the repository, however its address is spelled", [{ repoUrl: "git@GIT.example.com:acme/shop.git" }], 0],
    ["of the same branch", [{ branch: "fix" }, { branch: "main" }], 0],
    ["of the default branch where its own has none", [{ branch: "other" }, { branch: "main" }, { branch: "other" }], 1],
    ["of the default branch where that one is not named", [{}, { branch: "other" }], 0],
    ["without local changes", [{ branch: "fix" }, { branch: "fix", hasLocalChanges: true }], 0],
    ["with local changes where there is no other", [{ branch: "fix", hasLocalChanges: true }, { branch: "main" }], 0],
    ["of no other branch", [{ branch: "other" }], undefined],
  ])("is %s", (_, older, expected) => {
    const reports = older.map((each) => reportOf({}, each));
    const report = reportOf({}, { branch: "fix" });
    expect(findPrevious([report, ...reports])(report)).toBe(expected === undefined ? undefined : reports[expected]);
  });
});

it.each<[Record<string, [number, number]>, number, number]>([
  [{ a: [1, 2], b: [2, 2] }, 0.75, 1],
  [{}, 0, 0],
  [{ a: [3, 3] }, 1, 1],
])("%j scores %d, with %i met", (criteria, expected, met) => {
  expect(score(reportOf(criteria))).toBe(expected);
  expect(metCriteria(reportOf(criteria))).toBe(met);
});

it.each([
  ["https://git.example.com/acme/shop.git", "acme/shop"],
  ["git@git.example.com:acme/shop", "acme/shop"],
  ["shop", "shop"],
  ["", ""],
])("%s is called %s", (url, name) => {
  expect(repositoryName(url)).toBe(name);
});
