// The platform's document, item by item, against the client: the stub answers by its letter, with all that is optional absent.
import { describe, expect, it } from "vitest";
import { createPlatformClient, type PlatformClient } from "../../../../src/wings/platform/client/client.ts";
import { Secret } from "../../../../src/model/privacy/secret.ts";
import type { HttpRequest, HttpResponse } from "../../../../src/system/network/http.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { errorOf } from "../../../support/usage/client-of.ts";
import { day, least, resource, type ResourceName } from "./document.ts";

interface Asked {
  client: PlatformClient;
  requests: HttpRequest[];
  notes: string[];
}

type Answer = { status?: number; body?: unknown; headers?: Record<string, string> };

/** A client of a stub that gives these answers in turn, the last one again and again. */
function stub(...answers: Answer[]): Asked {
  const requests: HttpRequest[] = [];
  const notes: string[] = [];
  const clock = createFakeClock(Date.parse("2026-03-10T00:30:00Z"));
  const client = createPlatformClient(
    { baseUrl: "https://api.example.com", appUrl: "https://app.example.com", apiKey: new Secret("fk-1") },
    {
      async http(request): Promise<HttpResponse> {
        requests.push(request);
        const { status = 200, body = {}, headers = {} } = answers[Math.min(requests.length, answers.length) - 1] ?? {};
        return { status, headers, body: typeof body === "string" ? body : JSON.stringify(body), bodyEnd: "whole" };
      },
      clock: { ...clock, after: (_, callback) => (queueMicrotask(callback), () => {}) },
      random: () => 1,
      onNote: (text) => notes.push(text),
    },
  );
  return { client, requests, notes };
}

const range = { startDate: day, endDate: day };
type Row = Record<string, unknown>;

/** How the client gets to a resource: the answer that has it, and what the caller is given. */
interface Way {
  wrap(value: Row): unknown;
  status?: number;
  get(client: PlatformClient): Promise<unknown>;
}

const usage = (get: Way["get"]): Way => ({ wrap: (row) => ({ data: [row], meta: least("meta") }), get: rowOf(get) });
const rowOf =
  (get: Way["get"]): Way["get"] =>
  async (client) =>
    ((await get(client)) as { data: Row[] }).data[0];
const within = (way: Way, inside: (value: Row) => Row, pick: (row: Row) => unknown): Way => ({
  ...way,
  wrap: (value) => way.wrap(inside(value)),
  get: async (client) => pick((await way.get(client)) as Row),
});
/** The first item of a list of a row's. */
const listed = (way: Way, name: ResourceName, list: string): Way =>
  within(
    way,
    (value) => ({ ...least(name), [list]: [value] }),
    (row) => (row[list] as Row[])[0],
  );
const member = (way: Way, name: ResourceName, field: string): Way =>
  within(
    way,
    (value) => ({ ...least(name), [field]: value }),
    (row) => row[field],
  );

const computer: Way = { status: 202, wrap: (value) => value, get: (client) => client.retryInstallDeps("cmp_1") };
const tokens = usage((client) => client.getTokens(range));
const tools = usage((client) => client.getTools(range));
const activity = usage((client) => client.getActivity(range));
const productivity = usage((client) => client.getProductivity(range));
const report: Way = {
  wrap: (value) => ({ reports: [value] }),
  get: async (client) => (await client.getReadinessPage({})).reports[0],
};
const mapped = (field: string): Way =>
  within(
    report,
    (value) => ({ ...least("report"), [field]: { "apps/web": value } }),
    (row) => (row[field] as Row)["apps/web"],
  );
const usersAnswer = (meta: Row): unknown => ({ data: [least("users")], meta });

const ways: Record<Exclude<ResourceName, "computerError" | "analyticsError">, Way> = {
  computer,
  step: listed(computer, "computer", "provisioningSteps"),
  templateSource: member(computer, "computer", "computerSource"),
  computerSource: member(computer, "computer", "computerSource"),
  meta: {
    wrap: (meta) => ({ data: [], meta }),
    get: async (client) => (await client.getTokens(range)).meta,
  },
  usersMeta: { wrap: usersAnswer, get: async (client) => (await client.getUsersPage(range)).meta },
  tokens,
  tokensModel: listed(tokens, "tokens", "by_model"),
  tokensUser: listed(tokens, "tokens", "by_user"),
  tokensByModel: usage((client) => client.getTokens({ ...range, groupBy: "model" })),
  tools,
  tool: listed(tools, "tools", "by_tool"),
  mcpServer: listed(tools, "tools", "mcp_by_server"),
  named: listed(tools, "tools", "skills_by_name"),
  hook: listed(tools, "tools", "hooks_by_event"),
  levels: member(tools, "tools", "tool_autonomy_level_ratio"),
  toolsByName: usage((client) => client.getTools({ ...range, groupBy: "tool_name" })),
  activity,
  clients: member(activity, "activity", "daily_active_users_by_client"),
  activityByClient: usage((client) => client.getActivity({ ...range, groupBy: "client" })),
  productivity,
  extension: listed(productivity, "productivity", "by_extension"),
  language: listed(productivity, "productivity", "by_language"),
  users: {
    wrap: (row) => ({ data: [row], meta: least("usersMeta") }),
    get: rowOf((client) => client.getUsersPage(range)),
  },
  report,
  app: mapped("apps"),
  criterion: mapped("report"),
  model: member(report, "report", "modelUsed"),
};

const isDate = (value: unknown): boolean => value === day;

describe.each(Object.entries(ways))("%s", (name, way) => {
  const { fields } = resource(name as ResourceName);
  const sample = least(name as ResourceName);

  it("is read as it is with the required fields alone, without a note", async () => {
    const { client, notes } = stub({ status: way.status ?? 200, body: way.wrap(sample) });
    expect(await way.get(client)).toEqual(sample);
    expect(notes).toEqual([]);
  });

  it.each(fields)("$name comes through with each value that is allowed, without a note", async (field) => {
    for (const value of field.values) {
      // A share has no denominator below 1, and no numerator above it.
      const given = { ...sample, [field.name]: name === "criterion" && field.name === "denominator" ? 2 : value };
      if (name === "criterion" && field.name === "numerator") Object.assign(given, { denominator: 5 });
      const { client, notes } = stub({ status: way.status ?? 200, body: way.wrap(given) });
      expect(await way.get(client)).toEqual(given);
      expect(notes).toEqual([]);
    }
  });

  it.each(fields)("$name of another type is noted or refused, and never taken for a value", async (field) => {
    const odd = field.isOfType(7) ? "7" : 7;
    const { client, notes } = stub({ status: way.status ?? 200, body: way.wrap({ ...sample, [field.name]: odd }) });
    const isTaken = await way.get(client).then(
      (value) => (value as Row | undefined)?.[field.name] === odd,
      () => false,
    );
    if (isTaken) expect(notes).not.toEqual([]);
    expect(isTaken && !isDate(odd) && typeof field.values[0] === "number").toBe(false);
  });
});

describe("the operation of computers", () => {
  it("is POST /api/v0/computers/{computerId}/install-deps without a body, with the key as bearer", async () => {
    const { client, requests } = stub({ status: 202, body: least("computer") });
    await client.retryInstallDeps("cmp_1");
    expect(requests).toEqual([
      expect.objectContaining({
        method: "POST",
        url: "https://api.example.com/api/v0/computers/cmp_1/install-deps",
        headers: expect.objectContaining({ authorization: "Bearer fk-1" }) as object,
      }),
    ]);
    expect(requests[0]).not.toHaveProperty("body");
  });

  it.each([400, 401, 404, 409, 500])("says what the service says with %i, which is not sent again", async (status) => {
    for (const more of [{}, { metadata: { a: 1 } }]) {
      const { client, requests } = stub({ status, body: { ...least("computerError"), status, ...more } });
      const error = await errorOf(client.retryInstallDeps("cmp_1"));
      expect(error.message).toContain(`(${status}): a text`);
      expect(error.hint).toBeTruthy();
      expect(error.details).toEqual({ status, title: "a text", detail: "a text", ...more });
      expect(requests).toHaveLength(1);
    }
  });
});

describe("analytics", () => {
  const calls: [name: string, call: (client: PlatformClient) => Promise<unknown>, search: string][] = [
    ["tokens", (c) => c.getTokens(range), ""],
    ["tokens", (c) => c.getTokens({ ...range, groupBy: "model" }), "&group_by=model"],
    ["tools", (c) => c.getTools(range), ""],
    ["tools", (c) => c.getTools({ ...range, groupBy: "tool_name" }), "&group_by=tool_name"],
    ["activity", (c) => c.getActivity(range), ""],
    ["activity", (c) => c.getActivity({ ...range, groupBy: "client" }), "&group_by=client"],
    ["productivity", (c) => c.getProductivity(range), ""],
    ["users", (c) => c.getUsersPage(range), ""],
    ["users", (c) => c.getUsersPage({ ...range, limit: 100, cursor: "usr_1" }), "&limit=100&cursor=usr_1"],
  ];
  it.each(calls)("%s is a GET with both days (%#)", async (name, call, search) => {
    const { client, requests } = stub({ body: { data: [], meta: least("usersMeta") } });
    await call(client);
    const days = `startDate=${day}&endDate=${day}`;
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET https://api.example.com/api/v1/analytics/${name}?${days}${search}`,
    ]);
  });

  it.each([400, 401, 403])("%i is told with the fields of its body, and not asked for again", async (status) => {
    const { client, requests } = stub({ status, body: { ...least("analyticsError"), status } });
    const error = await errorOf(client.getTokens(range));
    expect(error.details).toEqual({ status, title: "a text", detail: "a text", requestId: "a text" });
    expect(error.message).toContain(`(${status}, request a text): a text`);
    expect(requests).toHaveLength(1);
  });

  it.each([500, 429])("%i is asked for again, and then told", async (status) => {
    const { client, requests } = stub({ status, body: { ...least("analyticsError"), status } });
    expect((await errorOf(client.getActivity(range))).details).toMatchObject({ status });
    expect(requests).toHaveLength(4);
  });

  it("waits as long as a rate limit says", async () => {
    const { client, requests } = stub(
      { status: 429, headers: { "retry-after": "3" } },
      { body: { data: [], meta: least("meta") } },
    );
    await client.getTokens(range);
    expect(requests).toHaveLength(2);
  });

  it("of users goes on by the cursor while there is more, and the first request has none", async () => {
    const page = (user_id: string, meta: object): Answer => ({
      body: { data: [{ ...least("users"), user_id }], meta: { ...least("usersMeta"), ...meta } },
    });
    const { client, requests } = stub(
      page("u1", { has_more: true, next_cursor: "u1" }),
      page("u2", { has_more: true, next_cursor: "u2" }),
      page("u3", { has_more: false }),
    );
    const ids: string[] = [];
    for await (const { data } of client.listUsers(range)) ids.push(...data.map(({ user_id }) => user_id));
    expect(ids).toEqual(["u1", "u2", "u3"]);
    expect(requests.map(({ url }) => new URL(url).searchParams.get("cursor"))).toEqual([null, "u1", "u2"]);
  });

  it.each<[string, Parameters<PlatformClient["getTokens"]>[0], boolean]>([
    ["the earliest day", { startDate: "2026-01-14", endDate: "2026-01-14" }, true],
    ["the day before", { startDate: "2026-01-13", endDate: "2026-01-14" }, false],
    ["yesterday in UTC", { startDate: "2026-03-09", endDate: "2026-03-09" }, true],
    ["today in UTC", { startDate: "2026-03-09", endDate: "2026-03-10" }, false],
    ["a day that is none", { startDate: "2026-02-30", endDate: "2026-03-01" }, false],
    ["a start after the end", { startDate: "2026-03-02", endDate: "2026-03-01" }, false],
    ["another group", { ...range, groupBy: "client" as "model" }, false],
  ])("%s is asked for, or not sent", async (_, query, isSent) => {
    const { client, requests } = stub({ body: { data: [], meta: least("meta") } });
    if (isSent) await client.getTokens(query);
    else expect((await errorOf(client.getTokens(query))).code).toBe("platform.notSent");
    expect(requests).toHaveLength(isSent ? 1 : 0);
  });

  it.each([
    [0, false],
    [1, true],
    [100, true],
    [101, false],
    [1.5, false],
  ])("a limit of %d users is asked for, or not sent", async (limit, isSent) => {
    const { client, requests } = stub({ body: { data: [], meta: least("usersMeta") } });
    await client.getUsersPage({ ...range, limit }).catch(() => undefined);
    expect(requests).toHaveLength(isSent ? 1 : 0);
  });
});

describe("the list of readiness reports", () => {
  const numbered = (n: number): Row => ({ ...least("report"), reportId: `00000000-0000-4000-8000-00000000000${n}` });

  it("is GET /api/organization/maturity-level-reports of the application's host, without a version", async () => {
    const { client, requests } = stub({ body: { reports: [] } });
    await client.getReadinessPage({});
    await client.getReadinessPage({ repoId: "r", limit: 5, startAfter: "x" });
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET https://app.example.com/api/organization/maturity-level-reports",
      "GET https://app.example.com/api/organization/maturity-level-reports?repoId=r&limit=5&startAfter=x",
    ]);
  });

  it("goes on after the last report of a page", async () => {
    const { client, requests } = stub(
      { body: { reports: [numbered(1), numbered(2)] } },
      { body: { reports: [numbered(3)] } },
      { body: { reports: [] } },
    );
    const ids: string[] = [];
    for await (const page of client.listReadinessReports({ maxReports: 9 })) ids.push(...page.map((r) => r.reportId));
    expect(ids.map((id) => id.at(-1))).toEqual(["1", "2", "3"]);
    const cursors = requests.map(({ url }) => new URL(url).searchParams.get("startAfter")?.at(-1));
    expect(cursors).toEqual([undefined, "2", "3"]);
  });

  it.each([0, -1, 1.5])("a limit of %d is not sent", async (limit) => {
    const { client, requests } = stub({ body: { reports: [] } });
    expect((await errorOf(client.getReadinessPage({ limit }))).code).toBe("platform.notSent");
    expect(requests).toEqual([]);
  });

  it.each([400, 401, 500])("%i is told whatever its body is", async (status) => {
    for (const body of [least("analyticsError"), { error: { message: "a text" } }, "a text"]) {
      const { client } = stub({ status, body });
      expect((await errorOf(client.getReadinessPage({}))).message).toContain("a text");
    }
  });
});
