// The client against the platform as its document describes it: every operation, page boundary, and what it refuses to send.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readinessPageSize, type PlatformClient } from "../../../../src/wings/platform/client/client.ts";
import type { SendHttp } from "../../../../src/system/network/http.ts";
import * as examples from "../../../support/usage/examples.ts";
import { clientOf, errorOf, today } from "../../../support/usage/client-of.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";

const range = { startDate: "2026-03-01", endDate: "2026-03-02" };
const days = "startDate=2026-03-01&endDate=2026-03-02";

let receiver: PlatformReceiver;
beforeEach(async () => {
  receiver = await startPlatformReceiver(today);
});
afterEach(async () => {
  await receiver.close();
});

type ClientArguments = Parameters<typeof clientOf> extends [unknown, ...infer Rest] ? Rest : never;
const createClient = (...args: ClientArguments): ReturnType<typeof clientOf> => clientOf(receiver, ...args);

async function collect<T>(pages: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(page);
  return all;
}

describe("each operation", () => {
  it.each<[string, (client: PlatformClient) => Promise<unknown>, string, unknown]>([
    ["tokens", (c) => c.getTokens(range), `GET /api/v1/analytics/tokens?${days}`, examples.exampleTokensRow],
    [
      "tokens by model",
      (c) => c.getTokens({ ...range, groupBy: "model" }),
      `GET /api/v1/analytics/tokens?${days}&group_by=model`,
      examples.exampleTokensByModelRow,
    ],
    ["tools", (c) => c.getTools(range), `GET /api/v1/analytics/tools?${days}`, examples.exampleToolsRow],
    [
      "tools by name",
      (c) => c.getTools({ ...range, groupBy: "tool_name" }),
      `GET /api/v1/analytics/tools?${days}&group_by=tool_name`,
      examples.exampleToolsByNameRow,
    ],
    ["activity", (c) => c.getActivity(range), `GET /api/v1/analytics/activity?${days}`, examples.exampleActivityRow],
    [
      "activity by client",
      (c) => c.getActivity({ ...range, groupBy: "client" }),
      `GET /api/v1/analytics/activity?${days}&group_by=client`,
      examples.exampleActivityByClientRow,
    ],
    [
      "productivity",
      (c) => c.getProductivity(range),
      `GET /api/v1/analytics/productivity?${days}`,
      examples.exampleProductivityRow,
    ],
  ])("%s", async (_, call, request, row) => {
    const meta = { org_id: "org_1", start_date: range.startDate, end_date: range.endDate };
    expect(await call(createClient())).toEqual({ data: [row], meta });
    expect(receiver.requests).toEqual([request]);
    expect(receiver.violations).toEqual([]);
  });

  it("starts the install step of a computer, whatever characters its id has", async () => {
    const id = "team/box 1?";
    receiver.computers[id] = { ...examples.exampleComputer, id };
    expect(await createClient({ key: "key-guest" }).retryInstallDeps(id)).toEqual(receiver.computers[id]);
    expect(receiver.requests).toEqual(["POST /api/v0/computers/team%2Fbox%201%3F/install-deps"]);
  });

  it("asks the application's host for reports, and the API's where there is no other", async () => {
    const elsewhere = await startPlatformReceiver(today);
    try {
      const both = createClient({ appUrl: elsewhere.origin });
      expect(await both.getReadinessPage({ repoId: "shop", limit: 5 })).toEqual({ reports: elsewhere.reports });
      expect(elsewhere.requests).toEqual(["GET /api/organization/maturity-level-reports?repoId=shop&limit=5"]);
      await createClient().getReadinessPage({});
      expect(receiver.requests).toEqual(["GET /api/organization/maturity-level-reports"]);
    } finally {
      await elsewhere.close();
    }
  });

  it("keeps a path that the address has", async () => {
    const error = await errorOf(createClient({ baseUrl: `${receiver.origin}/gateway/` }).getTokens(range));
    expect(receiver.requests).toEqual([`GET /gateway/api/v1/analytics/tokens?${days}`]);
    expect(error.code).toBe("platform.notFound");
  });
});

describe("the pages of users", () => {
  const users = (amount: number) =>
    Array.from({ length: amount }, (_, index) => ({ ...examples.exampleUsersRow, user_id: `usr_${index}` }));

  it.each([
    [0, [0]],
    [1, [1]],
    [99, [99]],
    [100, [100]],
    [101, [100, 1]],
    [250, [100, 100, 50]],
  ])("%i users come in pages of %j", async (amount, pages) => {
    receiver.rows.users = users(amount);
    const got = await collect(createClient().listUsers(range));
    expect(got.map(({ data }) => data.length)).toEqual(pages);
    expect(new Set(got.flatMap(({ data }) => data.map(({ user_id }) => user_id))).size).toBe(amount);
    expect(receiver.violations).toEqual([]);
  });

  it("come over one connection", async () => {
    receiver.rows.users = users(450);
    await collect(createClient().listUsers(range));
    expect(receiver.requests.length).toBe(5);
    expect(receiver.connections()).toBe(1);
  });

  it("are of the size that was asked for", async () => {
    receiver.rows.users = users(5);
    const got = await collect(createClient().listUsers({ ...range, limit: 2 }));
    expect(got.map(({ data }) => data.length)).toEqual([2, 2, 1]);
    expect(receiver.requests[1]).toBe(`GET /api/v1/analytics/users?${days}&limit=2&cursor=usr_1`);
  });

  const page = (meta: object): string => JSON.stringify({ data: [], meta: { ...examples.exampleMeta, ...meta } });
  it.each<[string, (index: number) => object, RegExp]>([
    ["without the next cursor", () => ({ has_more: true }), /names no next one/],
    [
      "in a circle",
      (index) => ({ has_more: true, next_cursor: `usr_${index % 2}` }),
      /names one that was read already/,
    ],
    ["without end", (index) => ({ has_more: true, next_cursor: `usr_${index}` }), /has no new row/],
  ])("%s end in an error", async (_, metaOf, message) => {
    let pages = 0;
    const http: SendHttp = async () => ({ status: 200, headers: {}, body: page(metaOf(pages++)), bodyEnd: "whole" });
    const error = await errorOf(collect(createClient({}, http).listUsers(range)));
    expect(error.message).toMatch(message);
    expect(pages).toBeLessThanOrEqual(3);
  });
});

describe("the list of readiness reports", () => {
  const reports = (amount: number) =>
    Array.from({ length: amount }, (_, index) => ({
      ...examples.exampleReadinessReport,
      reportId: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
    }));

  it.each([
    { there: 0, wanted: 10, got: 0 },
    { there: 10, wanted: 10, got: 10 },
    { there: readinessPageSize, wanted: 1000, got: readinessPageSize },
    { there: readinessPageSize + 1, wanted: 1000, got: readinessPageSize + 1 },
    { there: 130, wanted: 120, got: 120 },
  ])("has $got of $there when $wanted are wanted", async ({ there, wanted, got }) => {
    receiver.reports = reports(there);
    const pages = await collect(createClient().listReadinessReports({ maxReports: wanted }));
    expect(new Set(pages.flat().map(({ reportId }) => reportId)).size).toBe(got);
    expect(receiver.violations).toEqual([]);
  });

  it("is read to its end where the service's pages are smaller than was asked for", async () => {
    receiver.reports = reports(7);
    receiver.maxReports = 3;
    const pages = await collect(createClient().listReadinessReports({ maxReports: 100 }));
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
  });

  it("ends where a service ignores the cursor", async () => {
    const body = JSON.stringify({ reports: reports(3) });
    const http: SendHttp = async () => ({ status: 200, headers: {}, body, bodyEnd: "whole" });
    expect((await collect(createClient({}, http).listReadinessReports({ maxReports: 100 }))).flat()).toHaveLength(3);
  });
});

describe("what the document forbids", () => {
  it.each<[string, (client: PlatformClient) => Promise<unknown>, RegExp]>([
    ["a malformed day", (c) => c.getTokens({ ...range, startDate: "March" }), /"March" is not a date/],
    ["today", (c) => c.getTools({ ...range, endDate: today }), /2026-03-10 is today in UTC/],
    ["a day to come", (c) => c.getActivity({ ...range, endDate: "2026-04-01" }), /is in the future/],
    ["a day without data", (c) => c.getProductivity({ ...range, startDate: "2026-01-13" }), /is before 2026-01-14/],
    ["a reversed range", (c) => c.getUsersPage({ startDate: "2026-03-02", endDate: "2026-03-01" }), /is after the end/],
    ["a limit of 0", (c) => c.getUsersPage({ ...range, limit: 0 }), /from 1 to 100, got 0/],
    ["a limit of 101", (c) => collect(c.listUsers({ ...range, limit: 101 })), /from 1 to 100, got 101/],
    ["half a user", (c) => c.getUsersPage({ ...range, limit: 1.5 }), /got 1.5/],
    ["no reports", (c) => collect(c.listReadinessReports({ maxReports: 0 })), /from 1 to 10000, got 0/],
    ["a page of no reports", (c) => c.getReadinessPage({ limit: 0 }), /from 1, got 0/],
    [
      "another endpoint's group",
      (c) => c.getTokens({ ...range, groupBy: "client" as "model" }),
      /the only group is model/,
    ],
    ["a group where there is none", (c) => c.getProductivity({ ...range, groupBy: "day" as never }), /have no groups/],
    ["a computer without an id", (c) => c.retryInstallDeps(""), /"" is not a computer's id/],
    ["a computer's id that leads elsewhere", (c) => c.retryInstallDeps(".."), /".." is not a computer's id/],
  ])("%s is not sent", async (_, call, message) => {
    const error = await errorOf(call(createClient()));
    expect(error).toMatchObject({ code: "platform.notSent", exitCode: 65 });
    expect(error.message).toMatch(message);
    expect(receiver.requests).toEqual([]);
  });
});

describe("an answer of more than 32 MiB", () => {
  const large = { status: 200, body: "x".repeat(33 * 1024 * 1024) };
  const from = (startDate: string, endDate: string) => ({ startDate, endDate });

  it("is asked for by parts, of which each has half of the days", async () => {
    const dates = ["2026-03-01", "2026-03-02", "2026-03-03"];
    receiver.rows.tokens = dates.map((date) => ({ ...examples.exampleTokensRow, date }));
    receiver.next = [large];
    const answer = await createClient().getTokens(from("2026-03-01", "2026-03-03"));
    expect(answer.data.map(({ date }) => date)).toEqual(dates);
    expect(answer.meta).toEqual({ org_id: "org_1", start_date: "2026-03-01", end_date: "2026-03-03" });
    expect(receiver.requests.slice(1).map((line) => line.replace(/.*\?/, ""))).toEqual([
      "startDate=2026-03-01&endDate=2026-03-02",
      "startDate=2026-03-03&endDate=2026-03-03",
    ]);
  });

  it("of a single day is an error that says what to ask for instead", async () => {
    receiver.next = [large];
    const error = await errorOf(createClient().getTokens(from("2026-03-01", "2026-03-01")));
    expect(error.code).toBe("platform.tooLarge");
    expect(error.message).toBe("the answer to GET /api/v1/analytics/tokens is larger than 32 MiB");
    expect(error.hint).toContain("--group-by model");
  });
});
