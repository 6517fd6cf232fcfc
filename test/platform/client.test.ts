// The client against the platform as its document describes it: every operation, status, page boundary and failure.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { UserError } from "../../src/model/errors.ts";
import { Secret } from "../../src/model/privacy/secret.ts";
import {
  createPlatformClient,
  maxUsersPages,
  readinessPageSize,
  type PlatformClient,
} from "../../src/platform/client.ts";
import { maxAttempts } from "../../src/platform/request.ts";
import type { SendHttp } from "../../src/system/network/http.ts";
import { createSendHttp } from "../../src/system/network/send.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { unusedOrigin } from "../support/receivers/http-receiver.ts";
import * as examples from "../support/platform/examples.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../support/platform/receiver.ts";

const today = "2026-03-10";
const range = { startDate: "2026-03-01", endDate: "2026-03-02" };
const days = "startDate=2026-03-01&endDate=2026-03-02";

let receiver: PlatformReceiver;
beforeEach(async () => {
  receiver = await startPlatformReceiver(today);
});
afterEach(async () => {
  await receiver.close();
});

/** Waits pass at once; `waits` has what they were. */
function createClient(
  access: { baseUrl?: string; appUrl?: string; key?: string } = {},
  http: SendHttp = createSendHttp({}),
): PlatformClient & { waits: number[] } {
  const clock = createFakeClock(Date.parse(`${today}T09:00:00Z`));
  const waits: number[] = [];
  const client = createPlatformClient(
    {
      baseUrl: access.baseUrl ?? receiver.origin,
      appUrl: access.appUrl,
      apiKey: new Secret(access.key ?? "key-manager"),
    },
    {
      http,
      clock: {
        ...clock,
        after(delayMs, callback) {
          waits.push(delayMs);
          queueMicrotask(callback);
          return () => {};
        },
      },
      random: () => 1,
    },
  );
  return { ...client, waits };
}

type PlatformCall = (client: PlatformClient) => Promise<unknown>;

async function errorOf(promise: Promise<unknown>): Promise<UserError> {
  const error: unknown = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(UserError);
  return error as UserError;
}

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
    ["without end", (index) => ({ has_more: true, next_cursor: `usr_${index}` }), /goes on after/],
  ])("%s end in an error", async (_, metaOf, message) => {
    let pages = 0;
    const http: SendHttp = async () => ({ status: 200, headers: {}, body: page(metaOf(pages++)), bodyEnd: "whole" });
    const error = await errorOf(collect(createClient({}, http).listUsers(range)));
    expect(error.message).toMatch(message);
    expect(pages).toBeLessThanOrEqual(maxUsersPages);
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

describe("a refusal", () => {
  it.each<[string, (client: PlatformClient) => Promise<unknown>, string, string, RegExp]>([
    ["an unknown key", (c) => c.getTokens(range), "key-wrong", "platform.unauthorized", /401, request req_7/],
    ["a member", (c) => c.getTokens(range), "key-member", "platform.forbidden", /403, request req_7.*Manager or Owner/],
    ["a guest", (c) => c.getUsersPage(range), "key-guest", "platform.forbidden", /403/],
    [
      "an unknown computer",
      (c) => c.retryInstallDeps("cmp_9"),
      "key-owner",
      "platform.notFound",
      /no such computer.*404/,
    ],
  ])("of %s says what to do", async (_, call, key, code, message) => {
    if (key === "forbidden") receiver.next.push({ status: 403 });
    const error = await errorOf(call(createClient({ key })));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
    expect(error.exitCode).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it("of a second install session changes nothing", async () => {
    const client = createClient();
    await client.retryInstallDeps("cmp_1");
    const error = await errorOf(client.retryInstallDeps("cmp_1"));
    expect(error).toMatchObject({ code: "platform.alreadyRunning", details: { status: 409 } });
    expect(receiver.requests).toHaveLength(2);
  });

  it.each<[string, string, RegExp]>([
    [
      "in the documented form",
      JSON.stringify(examples.exampleAnalyticsError),
      /400, request req_1\): endDate includes today/,
    ],
    ["with a message", `{"message":"bad \\u001b[31mlimit"}`, /bad limit/],
    ["as a page", "<html>", /the service refused the request \(400\)$/],
    ["as a list", "[1]", /\(400\)$/],
    ["without a body", "", /\(400\)$/],
  ])("%s is shown, as one clean line", async (_, body, message) => {
    receiver.next.push({ status: 400, body });
    expect((await errorOf(createClient().getReadinessPage({}))).message).toMatch(message);
  });

  it("never shows the key, though the service repeats it", async () => {
    receiver.next.push({ status: 400, body: JSON.stringify({ detail: "the key key-manager is odd" }) });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.message).toContain("the key [secret] is odd");
    expect(JSON.stringify(error.details)).not.toContain("key-manager");
  });

  it("is what a redirect counts as: the key goes nowhere else", async () => {
    receiver.next.push({ status: 302, headers: { location: "https://elsewhere.example.com/" } });
    expect((await errorOf(createClient().getTokens(range))).code).toBe("platform.redirected");
  });

  it("is what an http:// address of another machine counts as", async () => {
    const error = await errorOf(createClient({ baseUrl: "http://platform.example.com" }).getTokens(range));
    expect(error).toMatchObject({ code: "platform.rejected" });
    expect(error.message).toContain("unencrypted");
  });
});

describe("an answer that is not as documented", () => {
  const meta = { org_id: "o", start_date: "2026-03-01", end_date: "2026-03-01" };
  it.each<[string, object | string, RegExp]>([
    ["no JSON", "<html>", /it is not JSON/],
    ["another shape", { rows: [] }, /data: .*\(and 1 more\)/],
    [
      "a field that is missing",
      { data: [{ ...examples.exampleTokensRow, input_tokens: undefined }], meta },
      /data\.0\.input_tokens/,
    ],
    ["an array where an object is due", [], /expected object/],
  ])("%s: the place is named", async (_, body, message) => {
    receiver.next.push({ status: 200, body: typeof body === "string" ? body : JSON.stringify(body) });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.code).toBe("platform.unexpectedAnswer");
    expect(error.message).toMatch(message);
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<[string, number, PlatformCall, string, RegExp]>([
    ["another status of success", 204, (c) => c.getTokens(range), "platform.refused", /unexpected status \(204\)/],
    ["a session without a computer", 202, (c) => c.retryInstallDeps("cmp_1"), "platform.unexpectedAnswer", /not JSON/],
    ["a session with 200", 200, (c) => c.retryInstallDeps("cmp_1"), "platform.refused", /unexpected status \(200\)/],
  ])("%s is told as such", async (_, status, call, code, message) => {
    receiver.next.push({ status });
    const error = await errorOf(call(createClient()));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    if (status === 202) expect(error.hint).toContain("has accepted the request");
  });

  it("that breaks off is asked for again, but not that of a POST", async () => {
    const cut: SendHttp = async () => ({ status: 200, headers: {}, body: "{", bodyEnd: "broken" });
    const client = createClient({}, cut);
    expect((await errorOf(client.getTokens(range))).message).toContain("it broke off");
    expect(client.waits).toHaveLength(maxAttempts - 1);
    const accepted: SendHttp = async () => ({ status: 202, headers: {}, body: "{", bodyEnd: "broken" });
    const other = createClient({}, accepted);
    expect((await errorOf(other.retryInstallDeps("cmp_1"))).hint).toContain("has accepted the request");
    expect(other.waits).toEqual([]);
  });

  it("does not include a large one", async () => {
    receiver.rows.tokens = Array.from({ length: 3000 }, () => examples.exampleTokensRow);
    expect((await createClient().getTokens(range)).data).toHaveLength(3000);
  });
});

describe("tries", () => {
  it.each([408, 429, 500, 502, 503])("of a GET go on after %i", async (status) => {
    receiver.next.push({ status }, { status });
    const client = createClient();
    expect((await client.getTokens(range)).data).toHaveLength(1);
    expect(client.waits).toEqual([500, 1000]);
  });

  it("of a GET go on after a broken line", async () => {
    receiver.next.push("hangUp");
    expect((await createClient().getTokens(range)).data).toHaveLength(1);
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 418])("end with %i", async (status) => {
    receiver.next.push({ status });
    await errorOf(createClient().getTokens(range));
    expect(receiver.requests).toHaveLength(1);
  });

  it("end at last", async () => {
    receiver.next.push(...Array.from({ length: maxAttempts }, () => ({ status: 500 })));
    const error = await errorOf(createClient().getTokens(range));
    expect(error.code).toBe("platform.serverError");
    expect(receiver.requests).toHaveLength(maxAttempts);
  });

  it("wait as long as the service asks", async () => {
    receiver.next.push({ status: 429, headers: { "retry-after": "20" } });
    const client = createClient();
    await client.getTokens(range);
    expect(client.waits).toEqual([20_000]);
  });

  it("end where the service asks for more patience than a person has", async () => {
    receiver.next.push({ status: 429, headers: { "retry-after": "3600" } });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.message).toContain("it asks to wait 1h");
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<["hangUp" | { status: number }, string, RegExp]>([
    ["hangUp", "platform.unknown", /not known whether the request was carried out/],
    [{ status: 500 }, "platform.serverError", /the service failed/],
    [{ status: 503 }, "platform.serverError", /the service failed/],
  ])("of the POST end with %j, whose fate is unknown", async (answer, code, message) => {
    receiver.next.push(answer);
    const error = await errorOf(createClient().retryInstallDeps("cmp_1"));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toContain("before you try again");
    expect(receiver.requests).toHaveLength(1);
  });

  it("of the POST go on after 429, which was not carried out", async () => {
    receiver.next.push({ status: 429 });
    await createClient().retryInstallDeps("cmp_1");
    expect(receiver.requests).toHaveLength(2);
  });

  it("go on while there is no connection, and then say so", async () => {
    const client = createClient({ baseUrl: await unusedOrigin() });
    const error = await errorOf(client.retryInstallDeps("cmp_1"));
    expect(error.code).toBe("platform.network");
    expect(client.waits).toHaveLength(maxAttempts - 1);
  });

  it("stop when the person does", async () => {
    const stop = new AbortController();
    const client = createPlatformClient(
      { baseUrl: receiver.origin, appUrl: undefined, apiKey: new Secret("key-manager") },
      {
        http: createSendHttp({}),
        clock: createFakeClock(Date.parse(`${today}T09:00:00Z`)),
        random: () => 1,
        signal: stop.signal,
      },
    );
    receiver.next.push({ status: 503 });
    const asked = errorOf(client.getTokens(range));
    while (receiver.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect((await asked).code).toBe("platform.stopped");
  });
});
