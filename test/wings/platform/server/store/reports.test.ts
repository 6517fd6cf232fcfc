// How many reports are kept, and which repository they belong to.
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ReadinessReport } from "../../../../../src/wings/platform/contract/readiness.ts";
import {
  listReports,
  renameRepositories,
  reportLimits,
  storeReport,
} from "../../../../../src/wings/platform/server/store/reports.ts";
import { openStore, type TestStore } from "../../../../support/usage/open-store.ts";

let store: TestStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.remove());

function report(n: number, createdAt = n): ReadinessReport {
  const reportId = `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;
  return { reportId, createdAt, repoUrl: "https://github.com/acme/shop", apps: {}, report: {} };
}

test("beyond the limit, the reports that were stored first are forgotten, whatever time they give", () => {
  const { database } = store;
  database.transaction(() => {
    for (let n = 0; n <= reportLimits.count; n += 1) storeReport(database, report(n, reportLimits.count - n));
  });
  const listed = [...(listReports(database, { limit: reportLimits.count + 1 }) ?? [])];
  expect(listed).toHaveLength(reportLimits.count);
  const ids = new Set(listed.map((text) => (JSON.parse(Buffer.from(text).toString()) as ReadinessReport).reportId));
  expect(ids.has(report(0).reportId)).toBe(false);
  expect(ids.has(report(1).reportId)).toBe(true);
});

test("a repository that an earlier version stored with its port is found again", () => {
  const { database } = store;
  storeReport(database, report(1));
  database.run("UPDATE readiness_reports SET repository = 'github.com:22/acme/shop'");
  renameRepositories(database);
  const listed = listReports(database, { repoId: "ssh://git@github.com:22/acme/shop.git", limit: 5 });
  expect([...(listed ?? [])]).toHaveLength(1);
});
