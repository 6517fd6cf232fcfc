// What is new since the cursor, over days of polling, against the platform as its document describes it.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { Secret } from "../../../../src/model/privacy/secret.ts";
import { createPlatformClient } from "../../../../src/wings/platform/client/client.ts";
import type { Cursor } from "../../../../src/wings/platform/events/cursor.ts";
import { findNews, type News } from "../../../../src/wings/platform/events/find-news.ts";
import { platformSettings } from "../../../../src/wing-settings/platform.ts";
import { createSendHttp } from "../../../../src/system/network/send.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import * as examples from "../../../support/usage/examples.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";

let receiver: PlatformReceiver;
let cursor: Cursor;
beforeEach(async () => {
  receiver = await startPlatformReceiver("2026-12-31");
  cursor = { sent: [] };
  for (const [name, rows] of Object.entries(receiver.rows)) {
    receiver.rows[name] = ["2026-03-01", "2026-03-02", "2026-03-03"].flatMap((date) =>
      rows.map((row) => ({ ...row, date })),
    );
  }
});
afterEach(() => receiver.close());

/** Looks once at that time, and remembers what it found as the command does. */
async function look(settings: object, at: string, key = "key-manager"): Promise<News> {
  const clock = createFakeClock(Date.parse(at));
  const client = createPlatformClient(
    { baseUrl: receiver.origin, appUrl: undefined, apiKey: new Secret(key) },
    { http: createSendHttp({}), clock, random: () => 0 },
  );
  const news = await findNews(client, platformSettings.parse(settings), cursor, clock.now());
  const sent = [...cursor.sent, ...news.events.map((event) => event.key), ...news.passedOver];
  cursor = { sent, readinessSince: news.readinessSince };
  return news;
}

const titles = ({ events }: News): string[] => events.map(({ title }) => title);

it("without anything to look for, nothing is asked", async () => {
  expect(await look({}, "2026-03-04T12:00:00Z")).toMatchObject({ events: [], problems: [] });
  expect(receiver.requests).toEqual([]);
});

describe("a digest", () => {
  const settings = { digest: { at: "00:00" } };

  it("comes once a day, and not before there are figures", async () => {
    expect(titles(await look(settings, "2026-03-03T12:00:00Z"))).toEqual(["1,000 credits on 2026-03-02 (±0 %)"]);
    expect(titles(await look(settings, "2026-03-03T18:00:00Z"))).toEqual([]);
    expect(titles(await look(settings, "2026-03-04T12:00:00Z"))).toEqual(["1,000 credits on 2026-03-03 (±0 %)"]);
    expect(titles(await look(settings, "2026-03-05T12:00:00Z"))).toEqual([]);
    const late = { ...examples.exampleTokensRow, date: "2026-03-04" };
    receiver.rows.tokens?.push(late);
    expect(titles(await look(settings, "2026-03-05T18:00:00Z"))).toEqual(["1,000 credits on 2026-03-04 (±0 %)"]);
    expect(receiver.violations).toEqual([]);
  });
});

describe("a budget", () => {
  it("is reported at its highest threshold, once each", async () => {
    const settings = { budgets: [{ credits: 5000, thresholds: [10, 20, 60] }] };
    expect(titles(await look(settings, "2026-03-02T12:00:00Z"))).toEqual(["20 % of the credits for 2026-03 are used"]);
    expect(titles(await look(settings, "2026-03-03T12:00:00Z"))).toEqual([]);
    expect(titles(await look(settings, "2026-03-04T12:00:00Z"))).toEqual(["60 % of the credits for 2026-03 are used"]);
    expect(titles(await look(settings, "2026-03-04T18:00:00Z"))).toEqual([]);
  });

  it("shares its figures with others of the same period", async () => {
    const budgets = [{ credits: 100 }, { credits: 100, user: "usr_1" }, { credits: 100, model: "large" }];
    expect((await look({ budgets }, "2026-03-04T12:00:00Z")).events).toHaveLength(3);
    expect(receiver.requests).toHaveLength(1);
  });
});

describe("readiness reports", () => {
  const report = (index: number, more: object = {}) => ({
    ...examples.exampleReadinessReport,
    reportId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    createdAt: examples.exampleReadinessReport.createdAt + index * 1000,
    ...more,
  });
  const names = ({ events }: News): string[] => events.map(({ name, key }) => `${name} ${key.slice(-2)}`);

  it("are news from the second look on, in their order, each once", async () => {
    receiver.reports = [report(1), report(2)];
    expect(names(await look({ readiness: true }, "2026-03-04T12:00:00Z"))).toEqual([]);
    receiver.reports = [report(4), report(1), report(3), report(2)];
    expect(names(await look({ readiness: true }, "2026-03-04T13:00:00Z"))).toEqual([
      "ReadinessReport 03",
      "ReadinessReport 04",
    ]);
    expect(names(await look({ readiness: true }, "2026-03-04T14:00:00Z"))).toEqual([]);
    const worse = { "has-linter": { numerator: 1, denominator: 2, rationale: "" } };
    receiver.reports.push(report(5, { report: worse }));
    expect(names(await look({ readiness: true }, "2026-03-04T15:00:00Z"))).toEqual([
      "ReadinessReport 05",
      "ReadinessRegression 05",
    ]);
  });

  it("are no news before their time, and a clock that is wrong silences no others", async () => {
    receiver.reports = [report(1)];
    await look({ readiness: true }, "2026-03-04T12:00:00Z");
    const tomorrow = Date.parse("2026-03-05T13:00:00Z");
    receiver.reports = [report(2), report(8, { createdAt: 1e300 }), report(9, { createdAt: tomorrow })];
    expect(names(await look({ readiness: true }, "2026-03-04T13:00:00Z"))).toEqual(["ReadinessReport 02"]);
    receiver.reports.push(report(3));
    expect(names(await look({ readiness: true }, "2026-03-04T14:00:00Z"))).toEqual(["ReadinessReport 03"]);
    expect(names(await look({ readiness: true }, "2026-03-05T13:00:00Z"))).toEqual(["ReadinessReport 09"]);
  });

  it("are news again after a cursor that a wrong clock has moved ahead", async () => {
    cursor = { sent: [], readinessSince: 1e300 };
    receiver.reports = [report(1)];
    await look({ readiness: true }, "2026-03-04T12:00:00Z");
    receiver.reports.push(report(2, { createdAt: Date.parse("2026-03-04T14:00:00Z") }));
    expect(names(await look({ readiness: true }, "2026-03-04T14:00:00Z"))).toEqual(["ReadinessReport 02"]);
  });

  it("are all news where there were none at the first look", async () => {
    receiver.reports = [];
    await look({ readiness: true }, "2026-03-04T12:00:00Z");
    receiver.reports = [report(1)];
    expect(names(await look({ readiness: true }, "2026-03-04T13:00:00Z"))).toEqual(["ReadinessReport 01"]);
  });
});

it("a part that fails keeps no other from its news, and what is wrong with both is said once", async () => {
  const settings = { digest: { at: "00:00" }, budgets: [{ credits: 1 }], readiness: true };
  const news = await look(settings, "2026-03-04T12:00:00Z", "key-member");
  expect(news.problems.map(({ code }) => code)).toEqual(["platform.forbidden"]);
  expect(news.readinessSince).toBe(examples.exampleReadinessReport.createdAt);
});
