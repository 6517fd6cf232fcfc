// The platform's document, item by item, against the server: what each request is answered, by its letter.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { countsOfTokens } from "../../../../src/wings/platform/server/analytics/counts.ts";
import type { UsageObservation } from "../../../../src/wings/platform/server/analytics/observation.ts";
import { roles, type ApiRole } from "../../../../src/wings/platform/contract/endpoints.ts";
import { addComputer } from "../../../../src/wings/platform/server/computers.ts";
import { longestWaitMs } from "../../../support/longest-wait.ts";
import { startTestServer, type TestServer } from "../../../support/usage/running-server.ts";
import { least, problemsOf, resource, type ResourceName } from "./document.ts";

const today = "2026-11-20";
const yesterday = "2026-11-19";

function seen(user: string, date: string, counts: UsageObservation["counts"], more = {}): UsageObservation {
  const usual = { atMs: Date.parse(`${date}T12:00:00Z`), source: "transcript", agent: "claude-code" } as const;
  const id = `${user} ${date} ${JSON.stringify(counts)}`;
  return { id, user, session: `${user} ${date}`, ...usual, counts, ...more };
}

const observations = [
  seen("ann@example.org", yesterday, {
    prompt: 2,
    answer: 3,
    "tool:Bash": 5,
    "tool:mcp__github__list": 1,
    "server:github": 1,
    "level:auto-high": 6,
    "skill:review": 1,
    "slash:deploy": 1,
    "hook:Stop": 2,
    "created:.ts": 1,
    "edited:.py": 2,
    commit: 1,
    pullRequest: 1,
  }),
  seen("ann@example.org", yesterday, countsOfTokens({ model: "m", input: 9, output: 8, cacheRead: 7, cacheWrite: 6 })),
  ...Array.from({ length: 21 }, (_, index) =>
    seen(`user${String(index).padStart(2, "0")}`, yesterday, { prompt: 1 }, { client: "non-interactive-cli" }),
  ),
];

type Row = Record<string, unknown>;
let server: TestServer;
const answers = new Map<string, Row>();
const days = `startDate=${yesterday}&endDate=${yesterday}`;
const report = (n: number): Row => ({
  ...least("report"),
  reportId: `00000000-0000-4000-8000-00000000000${n}`,
  createdAt: 1_790_000_000_000 + n,
});
const whole = {
  ...report(1),
  ...Object.fromEntries(
    resource("report")
      .fields.filter((f) => f.isOptional)
      .map((f) => [f.name, f.values[0]]),
  ),
};
const reports = "/api/organization/maturity-level-reports";
const installDeps = (id: string): string => `/api/v0/computers/${id}/install-deps`;

async function ask(path: string, role?: ApiRole, init?: RequestInit): Promise<{ status: number; body: Row }> {
  const response = await server.request(path, role, init);
  return { status: response.status, body: (await response.json()) as Row };
}

const gates = { method: "POST" };

beforeAll(async () => {
  server = await startTestServer({ now: `${today}T09:00:00Z`, observations });
  for (const [id, code] of [
    ["fails", 3],
    ["works", 0],
    ["goes-on", undefined],
  ] as const) {
    const text = code === undefined ? "setInterval(() => {}, 1000)" : `process.exit(${code})`;
    const computer = {
      id,
      name: id,
      hostname: "box",
      argv: [process.execPath, "-e", text] as [string, string, string],
      cwd: server.folder,
      createdAt: 1,
    };
    await addComputer(server.dataDir, computer, server.clock);
    answers.set(id, (await ask(installDeps(id), "Owner", gates)).body);
  }
  for (const each of [report(2), whole]) {
    const init = { method: "POST", body: JSON.stringify(each) };
    await ask("/api/extensions/readiness-reports", "Member", init);
  }
  for (const name of ["tokens", "tools", "activity", "productivity", "users"]) {
    answers.set(name, (await ask(`/api/v1/analytics/${name}?${days}`, "Owner")).body);
  }
  for (const [name, group] of [
    ["tokens", "model"],
    ["tools", "tool_name"],
    ["activity", "client"],
  ]) {
    answers.set(`${name}:${group}`, (await ask(`/api/v1/analytics/${name}?${days}&group_by=${group}`, "Owner")).body);
  }
  answers.set("reports", (await ask(reports, "Guest")).body);
  answers.set("analyticsError", (await ask("/api/v1/analytics/tokens", "Owner")).body);
  answers.set("computerError", (await ask(installDeps("none"), "Owner", gates)).body);
});
afterAll(() => server.remove());

const rowsOf = (name: string): Row[] => (answers.get(name)?.data ?? []) as Row[];
const within = (rows: Row[], field: string): Row[] => rows.flatMap((row) => row[field] as Row[]);

const storedReports = (): Row[] => within([answers.get("reports") ?? {}], "reports");

/** Where the server's answers have each resource. */
const places: Record<Exclude<ResourceName, "templateSource" | "computerSource">, () => Row[]> = {
  computer: () => [answers.get("fails") ?? {}, answers.get("goes-on") ?? {}],
  step: () => within([answers.get("fails") ?? {}], "provisioningSteps"),
  computerError: () => [answers.get("computerError") ?? {}],
  meta: () => [...answers].filter(([, { meta }]) => meta !== undefined).map(([, { meta }]) => meta as Row),
  usersMeta: () => [answers.get("users")?.meta as Row],
  tokens: () => rowsOf("tokens"),
  tokensModel: () => within(rowsOf("tokens"), "by_model"),
  tokensUser: () => within(rowsOf("tokens"), "by_user"),
  tokensByModel: () => rowsOf("tokens:model"),
  tools: () => rowsOf("tools"),
  tool: () => within(rowsOf("tools"), "by_tool"),
  mcpServer: () => within(rowsOf("tools"), "mcp_by_server"),
  named: () => ["skills_by_name", "slash_commands_by_name"].flatMap((list) => within(rowsOf("tools"), list)),
  hook: () => within(rowsOf("tools"), "hooks_by_event"),
  levels: () => rowsOf("tools").map((row) => row.tool_autonomy_level_ratio as Row),
  toolsByName: () => rowsOf("tools:tool_name"),
  activity: () => rowsOf("activity"),
  clients: () => rowsOf("activity").map((row) => row.daily_active_users_by_client as Row),
  activityByClient: () => rowsOf("activity:client"),
  productivity: () => rowsOf("productivity"),
  extension: () => within(rowsOf("productivity"), "by_extension"),
  language: () => within(rowsOf("productivity"), "by_language"),
  users: () => rowsOf("users"),
  analyticsError: () => [answers.get("analyticsError") ?? {}],
  report: () => storedReports(),
  app: () => storedReports().flatMap(({ apps }) => Object.values(apps as Row) as Row[]),
  criterion: () => storedReports().flatMap((each) => Object.values(each.report as Row) as Row[]),
  model: () => storedReports().flatMap(({ modelUsed }) => (modelUsed === undefined ? [] : [modelUsed as Row])),
};

describe.each(Object.entries(places))("%s", (name, find) => {
  it("is in an answer, with nothing that the document rules out", () => {
    expect(find().length).toBeGreaterThan(0);
    for (const value of find()) expect(problemsOf(name as ResourceName, value)).toEqual([]);
  });

  it.each(resource(name as ResourceName).fields)("$name is of its type, and there where it is required", (field) => {
    const mayBeAbsent = field.isOptional || name === "clients" || name === "levels";
    for (const value of find()) {
      const given = value[field.name];
      expect(given === undefined ? mayBeAbsent : field.isOfType(given)).toBe(true);
    }
  });
});

it("a report comes back with every optional field that it had", () => {
  const [, stored] = storedReports();
  expect(stored).toEqual(whole);
});

describe("the operation of computers", () => {
  it("answers 202 with a step that runs and a new session", async () => {
    expect(answers.get("goes-on")).toMatchObject({
      status: "provisioning",
      provisioningSteps: [{ status: "Running" }],
    });
    const first = within([answers.get("works") ?? {}], "provisioningSteps")[0]?.installSessionId;
    const again = async (): Promise<Row> => {
      const { status, body } = await ask(installDeps("works"), "Owner", gates);
      expect(status).toBe(202);
      return body;
    };
    const body = await vi.waitFor(again, { timeout: longestWaitMs, interval: 20 });
    expect((body.provisioningSteps as Row[])[0]?.installSessionId).not.toBe(first);
  });

  it("answers 409 while a session runs, and changes nothing", async () => {
    const list = async (): Promise<unknown> =>
      ((await ask("/api/extensions/computers", "Guest")).body.computers as Row[]).find(({ id }) => id === "goes-on");
    const before = await list();
    const { status, body } = await ask(installDeps("goes-on"), "Owner", gates);
    expect([status, body.status, problemsOf("computerError", body)]).toEqual([409, 409, []]);
    expect(await list()).toEqual(before);
  });

  it.each([
    [404, "Owner"],
    [401, undefined],
  ] as const)("answers %i with a body as documented", async (expected, role) => {
    const { status, body } = await ask(installDeps("none"), role, gates);
    expect([status, body.status, problemsOf("computerError", body)]).toEqual([expected, expected, []]);
  });

  it("takes a key as bearer, and no JWT", async () => {
    const headers = { authorization: "Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2ln" };
    expect((await ask(installDeps("works"), undefined, { ...gates, headers })).status).toBe(401);
  });
});

describe("analytics", () => {
  const names = ["tokens", "tools", "activity", "productivity", "users"];
  it.each(names.flatMap((name) => roles.map((role) => [name, role] as const)))("%s of a %s", async (name, role) => {
    const { status } = await ask(`/api/v1/analytics/${name}?${days}`, role);
    expect(status).toBe(role === "Owner" || role === "Manager" ? 200 : 403);
  });

  it.each(names)("%s without a key, and with one that no one knows, is 401", async (name) => {
    expect((await ask(`/api/v1/analytics/${name}?${days}`)).status).toBe(401);
    const headers = { authorization: "Bearer hbk_none" };
    expect((await ask(`/api/v1/analytics/${name}?${days}`, undefined, { headers })).status).toBe(401);
  });

  const day = (date: string): string => `startDate=${date}&endDate=${date}`;
  it.each<[string, string, number]>([
    ["no days", "", 400],
    ["no start", `endDate=${yesterday}`, 400],
    ["no end", `startDate=${yesterday}`, 400],
    ["a day of another form", day("20261119"), 400],
    ["a day that is none", day("2026-02-30"), 400],
    ["today", day(today), 400],
    ["a day to come", day("2026-12-01"), 400],
    ["the day before the earliest", day("2026-01-13"), 400],
    ["the earliest day", day("2026-01-14"), 200],
    ["yesterday", day(yesterday), 200],
  ])("%s: every endpoint answers alike", async (_, search, expected) => {
    for (const name of names) {
      const { status, body } = await ask(`/api/v1/analytics/${name}?${search}`, "Owner");
      expect([name, status]).toEqual([name, expected]);
      if (status !== 200) expect(problemsOf("analyticsError", body)).toEqual([]);
    }
  });

  it.each<[string, number]>([
    ["limit=1", 200],
    ["limit=100", 200],
    ["limit=0", 400],
    ["limit=101", 400],
    ["limit=1.5", 400],
    ["limit=x", 400],
  ])("users with %s is %i", async (search, expected) => {
    expect((await ask(`/api/v1/analytics/users?${days}&${search}`, "Owner")).status).toBe(expected);
  });

  it("has one row for each day without groups, and one for each group and day with them", () => {
    for (const name of ["tokens", "tools", "activity", "productivity"]) expect(rowsOf(name)).toHaveLength(1);
    expect(
      rowsOf("activity:client")
        .map(({ group_key }) => String(group_key))
        .sort(),
    ).toEqual(["non-interactive-cli", "terminal-ui"]);
    expect(rowsOf("tools:tool_name").length).toBe(within(rowsOf("tools"), "by_tool").length);
  });

  it("of users has 20 by default, and the pages follow by the cursor until there are no more", async () => {
    const { meta } = answers.get("users") as { meta: Row };
    expect([rowsOf("users").length, meta.has_more, typeof meta.next_cursor]).toEqual([20, true, "string"]);
    const search = `${days}&cursor=${encodeURIComponent(String(meta.next_cursor))}`;
    const { body } = await ask(`/api/v1/analytics/users?${search}`, "Owner");
    const ids = [...rowsOf("users"), ...(body.data as Row[])].map(({ user_id }) => user_id);
    expect([new Set(ids).size, (body.meta as Row).has_more]).toEqual([22, false]);
  });

  it("names the days that were asked for", () => {
    for (const meta of places.meta()) expect(meta).toMatchObject({ start_date: yesterday, end_date: yesterday });
  });
});

describe("the list of readiness reports", () => {
  const idsOf = async (search: string): Promise<unknown> => {
    const { status, body } = await ask(`${reports}${search}`, "Guest");
    return status === 200 ? (body.reports as Row[]).map(({ reportId }) => Number(String(reportId).at(-1))) : status;
  };
  it.each<[string, unknown]>([
    ["", [2, 1]],
    ["?limit=1", [2]],
    [`?limit=1&startAfter=${String(report(2).reportId)}`, [1]],
    [`?startAfter=${String(report(1).reportId)}`, []],
    [`?repoId=${encodeURIComponent("a text")}`, [2, 1]],
    ["?repoId=another", []],
    ["?limit=0", 400],
    ["?limit=-1", 400],
    ["?limit=1.5", 400],
    ["?limit=x", 400],
  ])("%s has %j", async (search, expected) => {
    expect(await idsOf(search)).toEqual(expected);
  });

  it("without a key is 401", async () => {
    expect((await ask(reports)).status).toBe(401);
  });
});
