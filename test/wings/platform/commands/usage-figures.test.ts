// What `usage` makes of the platform's days: means, shares, the most used, exact numbers, weeks, and what is missing.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandIo } from "../../../../src/console/command-io.ts";
import { runCommand } from "../../../../src/cli/command-line.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { addDays } from "../../../../src/wings/platform/contract/dates.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import * as examples from "../../../support/usage/examples.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";
import { commandIo } from "../../../support/project/command-io.ts";

/** A Tuesday; the seven days before have a weekend. */
const today = "2026-03-10";
const weekend = ["2026-03-07", "2026-03-08", "2026-02-28", "2026-03-01"];
const days = Array.from({ length: 14 }, (_, ago) => addDays(today, -1 - ago)).toSorted();
let receiver: PlatformReceiver;
let home: string;
beforeEach(async () => {
  receiver = await startPlatformReceiver(today);
  home = mkdtempSync(join(tmpdir(), "hookbell-figures-"));
});
afterEach(async () => {
  await receiver.close();
  rmSync(home, { recursive: true, force: true });
});

interface Said {
  stdout: string;
  stderr: string;
  error?: UserError;
}

async function run(line: string, given: Partial<CommandIo> = {}): Promise<Said> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const io = commandIo(home, {
    env: { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: receiver.origin, HOOKBELL_PLATFORM_KEY: "key-manager" },
    clock: createFakeClock(Date.parse(`${today}T12:00:00Z`)),
    stdout: (text) => stdout.push(text),
    stderr: (text) => stderr.push(text),
    ...given,
  });
  const said = (): Said => ({ stdout: stdout.join(""), stderr: stderr.join("") });
  try {
    await runCommand(line.split(" "), io);
    return said();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...said(), error };
  }
}

/** The same row with other numbers: zero of all. */
function restOf(row: object): object {
  const zero = (value: unknown): unknown => {
    if (typeof value === "number") return 0;
    if (Array.isArray(value)) return [];
    if (typeof value === "object" && value !== null)
      return Object.fromEntries(Object.keys(value).map((key) => [key, 0]));
    return value;
  };
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, zero(value)]));
}

const withWeekend = (row: object, more: (day: string) => object = () => ({})): Record<string, unknown>[] =>
  days.map((date) => ({ ...(weekend.includes(date) ? restOf(row) : { ...row, ...more(date) }), date }));

describe("means", () => {
  it("leave out days without sessions, in both periods, and say so", async () => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow, (date) => ({
      autonomy_ratio_avg: date < "2026-03-03" ? 5 : 6.25,
    }));
    const { stdout } = await run("usage tools");
    expect(stdout).toMatch(/^Autonomy +6\.25 +5 of 7 days +5 +\+25 %/m);
    expect(stdout).toMatch(/^MCP users a day +2 +5 of 7 days +2 +±0 %/m);
    expect(stdout).toMatch(/^Tool calls +250 +250 +±0 %/m);
    // A ratio of a day on which no one worked is no zero.
    expect(stdout).toMatch(/^2026-03-07 +0 .* – +– +–/m);
  });

  it("of ratios are weighted by what they are a ratio of", async () => {
    // 100 calls in 10 turns, and 10 in 10 turns.
    const ratios: Record<string, object> = {
      "2026-03-08": {
        tool_calls: 100,
        autonomy_ratio_avg: 10,
        tool_calls_per_session_avg: 50,
        user_turns_per_session_avg: 5,
      },
      "2026-03-09": {
        tool_calls: 10,
        autonomy_ratio_avg: 1,
        tool_calls_per_session_avg: 1,
        user_turns_per_session_avg: 1,
      },
    };
    receiver.rows.tools = Object.entries(ratios).map(([date, more]) => ({
      ...examples.exampleToolsRow,
      ...more,
      date,
    }));
    const { stdout } = await run("usage tools --from 2d");
    expect(stdout).toMatch(/^Autonomy +5\.5 /m);
    expect(stdout).toMatch(/^Tool calls a session +9\.17 /m);
    expect(stdout).toMatch(/^Turns a session +1\.67 /m);
  });

  it.each([60, 80])("fit a terminal of %i columns, with the days that they are of", async (columns) => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    const { stdout } = await run("usage tools", { isTerminal: true, columns });
    expect(stdout).toMatch(/^Autonomy, mean of 90th percentiles +9 +5 of 7 days/m);
    const [, ...lines] = stdout.split("\n");
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns);
  });

  it("of medians are not called medians, and a single day's median is", async () => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    const several = (await run("usage tools")).stdout;
    expect(several).toMatch(/^Autonomy, mean of medians +4 /m);
    expect(several).not.toMatch(/^Autonomy, median/m);
    expect((await run("usage tools --from 1d")).stdout).toMatch(/^Autonomy, median +4 /m);
  });

  it("have one divisor for active users and for each of their clients", async () => {
    receiver.rows.activity = withWeekend(examples.exampleActivityRow, () => ({
      daily_active_users: 5,
      daily_active_users_by_client: { "terminal-ui": 4, web: 1 },
    }));
    // Trailing windows have users on a Sunday, too.
    for (const row of receiver.rows.activity) row.weekly_active_users = 5;
    receiver.rows["activity:client"] = days
      .filter((date) => !weekend.includes(date))
      .map((date) => ({ date, group_key: "terminal-ui", daily_active_users: 4 }));
    const { stdout } = await run("usage activity");
    expect(stdout).toMatch(/^Active users a day +5 +5 of 7 days +5 /m);
    expect(stdout).toMatch(/^terminal-ui +4 /m);
    expect((await run("usage activity --group-by client")).stdout).toMatch(/^terminal-ui +4 +5 of 7 days/m);
    // The service may leave out the rows of such days, too.
    receiver.rows.activity = receiver.rows.activity.filter(({ date }) => !weekend.includes(String(date)));
    const without = (await run("usage activity")).stdout;
    expect(without).toMatch(/^Active users a day +5 +5 of 7 days/m);
    expect(without).toMatch(/^terminal-ui +4 /m);
    expect(without).toMatch(/^2026-03-07 +– /m);
  });

  it("of shares add up to one, weighted by calls, and are percentages", async () => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow, (date) =>
      date === "2026-03-09"
        ? { tool_calls: 100, tool_autonomy_level_ratio: { auto_high: 1 } }
        : {
            tool_calls: 25,
            tool_autonomy_level_ratio: { auto_high: 0.25, auto_medium: 0.25, auto_low: 0, manual: 0.5 },
          },
    );
    const { stdout } = await run("usage tools");
    expect(stdout).toMatch(/^auto_high +62\.5 %/m);
    expect(stdout).toMatch(/^manual +25 %/m);
    expect(stdout).toMatch(/^auto_medium +12\.5 %/m);
  });
});

describe("users", () => {
  const long = ["a.person.with.a.long.name@example.com", "a.person.with.a.long.surname@example.com"];

  function fill(): void {
    receiver.rows.users = long.flatMap((user_email, user) =>
      days.slice(7).map((date, day) => ({
        ...examples.exampleUsersRow,
        user_id: `usr_${user}`,
        user_email,
        date,
        billable_tokens: day === 6 ? 1 : 1_000_000,
        primary_model: day === 6 ? "small" : "large",
        delegation_level: day === 6 ? "manual" : "auto-high",
      })),
    );
  }

  it.each([
    ["a terminal of 80 columns", { isTerminal: true, columns: 80 }],
    ["a terminal of 60 columns", { isTerminal: true, columns: 60 }],
    ["a pipe", {}],
  ])("are whole in %s", async (_, io) => {
    fill();
    const { stdout } = await run("usage users", io);
    for (const name of long) expect(stdout).toContain(`${name} `);
    expect(stdout).not.toContain("…");
  });

  it("are cut to nothing in a pipe, and to COLUMNS where it is set", async () => {
    fill();
    const env = { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: receiver.origin, HOOKBELL_PLATFORM_KEY: "key-manager" };
    const widest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));
    const pipe = (await run("usage users")).stdout;
    expect(pipe).toMatch(/^User +Credits .* Pull requests +Model +Autonomy +Per day/m);
    expect(widest((await run("usage users", { env: { ...env, COLUMNS: "100" } })).stdout)).toBeLessThanOrEqual(100);
    expect((await run("usage users", { env: { ...env, COLUMNS: "300" }, isTerminal: true })).stdout).toBe(pipe);
  });

  it("have the model and the autonomy that they used most, by credits, and exact numbers", async () => {
    fill();
    const { stdout } = await run("usage users");
    expect(stdout).toMatch(/^a\.person\.with\.a\.long\.name@example\.com +6,000,001 .* large +auto-high /m);
    expect(stdout).toMatch(/^Credits +12,000,002 /m);
  });

  it("are the N with the most with --top, and one line for the others", async () => {
    fill();
    receiver.rows.users?.push({
      ...examples.exampleUsersRow,
      user_email: "most@example.com",
      user_id: "usr_9",
      date: days[13],
      billable_tokens: 9e9,
    });
    const { stdout } = await run("usage users --top 1");
    expect(stdout).toMatch(/^most@example\.com +9,000,000,000 /m);
    expect(stdout).toMatch(/^2 more +12,000,002 /m);
    expect(stdout).not.toContain("a.person");
    for (const wrong of ["--top 0", "--top x", "--top 1 --json"]) {
      expect((await run(`usage users ${wrong}`)).error?.exitCode).toBe(64);
    }
  });

  it("come on more pages than a thousand", async () => {
    const names = Array.from({ length: 1005 }, (_, user) => `usr_${String(user).padStart(4, "0")}`);
    const page = (index: number): string =>
      JSON.stringify({
        // A page begins with the last row of the one before.
        data: [index - 1, index].flatMap((user) =>
          names[user] === undefined ? [] : [{ ...examples.exampleUsersRow, user_id: names[user], date: "2026-03-09" }],
        ),
        meta: { ...examples.exampleMeta, has_more: index < names.length - 1, next_cursor: names[index] },
      });
    receiver.next = names.map((_, index) => ({ status: 200, body: page(index) }));
    const { stdout } = await run("usage users --from 1d --format csv");
    expect(stdout.trimEnd().split("\n")).toHaveLength(names.length + 1);
  });

  it.each(["csv", "json"])("are printed as %s while the pages come, and not kept until the last", async (format) => {
    const rows = [{ ...examples.exampleUsersRow, date: "2026-03-09" }];
    const meta = { ...examples.exampleMeta, has_more: true, next_cursor: "usr_1" };
    receiver.next = [
      { status: 200, body: JSON.stringify({ data: rows, meta }) },
      { status: 400, body: JSON.stringify({ title: "Bad Request", detail: "no such cursor", status: 400 }) },
    ];
    const { stdout, error } = await run(`usage users --from 1d --format ${format}`);
    expect(error?.message).toMatch(/no such cursor/);
    expect(stdout).toContain("ann@example.com");
  });

  it.each([
    [{ has_more: true }, /a page names no next one/],
    [{ has_more: true, next_cursor: "usr_1" }, /a page names one that was read already/],
  ])("whose pages end with %j are an error", async (meta, message) => {
    const body = JSON.stringify({ data: [], meta: { ...examples.exampleMeta, ...meta } });
    receiver.next = [1, 2].map(() => ({ status: 200, body }));
    expect((await run("usage users --json")).error?.message).toMatch(message);
  });
});

describe("groups", () => {
  it("have all measures and a total", async () => {
    receiver.rows["tokens:model"] = days.flatMap((date) => [
      { ...examples.exampleTokensByModelRow, date, billable_tokens: 1_000_000.25 },
      { ...examples.exampleTokensByModelRow, date, group_key: "small", billable_tokens: 1, input_tokens: 10 },
    ]);
    const { stdout } = await run("usage tokens --group-by model");
    expect(stdout).toMatch(/^Model +Credits +Share +Input tokens +Output tokens +Change/m);
    expect(stdout).toMatch(/^large +7,000,001\.75 +100 % +28,000 +3,500 +±0 %/m);
    expect(stdout).toMatch(/^small +7 +0 % +70 +3,500 +±0 %/m);
    expect(stdout).toMatch(/^Total +7,000,008\.75 +28,070 +7,000 +±0 %/m);
    expect((await run("usage tokens --group-by model --top 1")).stdout).toMatch(/^1 more +7 +0 % +70 +3,500 +▏$/m);
  });
});

describe("--by", () => {
  it("has a line for each week from Monday on, or for each month", async () => {
    receiver.rows.tokens = days.map((date) => ({ ...examples.exampleTokensRow, date, billable_tokens: 100 }));
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    const weeks = (await run("usage tokens --from 14d --by week")).stdout;
    expect(weeks).toMatch(/^2026-02-24 to 2026-03-01 +600 /m);
    expect(weeks).toMatch(/^2026-03-02 to 2026-03-08 +700 /m);
    expect(weeks).toMatch(/^2026-03-09 +100 /m);
    expect(weeks).toMatch(/^All weeks +1,400 /m);
    expect((await run("usage tokens --from 14d --by month")).stdout).toMatch(/^2026-02-24 to 2026-02-28 +500 /m);
    expect((await run("usage tools --from 2026-03-02 --to 2026-03-08 --by week")).stdout).toMatch(
      /^Autonomy +4\.5 +5 of 7 days/m,
    );
  });

  it("has them in CSV and JSON, too", async () => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    const { stdout } = await run("usage tools --from 14d --by month --format csv");
    const [header = "", february = "", march = ""] = stdout.split("\n");
    expect(header.startsWith("start_date,end_date,tool_calls,skills_invocations,")).toBe(true);
    expect(february).toMatch(/^2026-02-24,2026-02-28,200,12,16,24,2,1,4\.5,/);
    expect(march).toMatch(/^2026-03-01,2026-03-09,300,/);
    receiver.rows["tokens:model"] = days.map((date) => ({ ...examples.exampleTokensByModelRow, date }));
    const grouped = await run("usage tokens --from 1d --by week --group-by model --json");
    const row = { start_date: "2026-03-09", end_date: "2026-03-09", group_key: "large" };
    const tokens = { billable_tokens: 800, input_tokens: 4000, output_tokens: 500 };
    expect(JSON.parse(grouped.stdout)).toMatchObject({ data: [{ ...row, ...tokens }], meta: { org_id: "org_1" } });
    expect((await run("usage tokens --by year")).error?.exitCode).toBe(64);
  });
});

describe("what is missing", () => {
  it("a comparison that fails costs only the comparison", async () => {
    receiver.rows.tokens = days.map((date) => ({ ...examples.exampleTokensRow, date }));
    const answer = { data: receiver.rows.tokens.slice(7), meta: examples.exampleMeta };
    receiver.next = [
      { status: 200, body: JSON.stringify(answer) },
      { status: 400, body: JSON.stringify({ title: "Bad Request", detail: "no such days", status: 400 }) },
    ];
    const { stdout, stderr, error } = await run("usage tokens");
    expect(error).toBeUndefined();
    expect(stderr).toMatch(/^hookbell: there is no comparison with the days before: .*no such days/);
    expect(stdout).toMatch(/^Credits +7,000 +▁*█+$/m);
    expect(stdout).not.toContain("Change");
  });

  it.each([
    [
      "tokens",
      /^date,billable_tokens,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,by_model,by_user\n$/,
    ],
    ["tokens --group-by model", /^date,group_key,billable_tokens,input_tokens,output_tokens\n$/],
    ["activity", /,daily_active_users_by_client\.terminal-ui,daily_active_users_by_client\.web,.*,user_messages\n$/],
    ["users", /^user_id,user_email,date,tool_calls,.*,languages\n$/],
    ["users --by week", /^start_date,end_date,user,billable_tokens,/],
  ])("a CSV of %s without rows has its header", async (args, header) => {
    receiver.rows = {};
    expect((await run(`usage ${args} --format csv`)).stdout).toMatch(header);
  });

  it("days without rows are no zeros", async () => {
    receiver.rows.tokens = [{ ...examples.exampleTokensRow, date: "2026-03-09" }];
    const { stdout } = await run("usage tokens");
    expect(stdout).toMatch(/^2026-03-08 +– /m);
    expect(stdout).toMatch(/^Credits +1,000 +– /m);
  });

  it.each([
    ["--from 2026-02-30", /no such day as 2026-02-30/],
    ["--timezone local", /a platform counts by UTC days/],
    ["--timezone Mars", /does not know the time zone "Mars"/],
  ])("usage tokens %s is refused in plain words", async (args, message) => {
    expect((await run(`usage tokens ${args}`)).error?.message).toMatch(message);
    expect(receiver.requests).toEqual([]);
  });
});

describe("where there is no room", () => {
  const widest = (text: string): number => Math.max(...text.split("\n").map((line) => line.length));
  const platform = (more: object): Partial<CommandIo> => ({
    env: {
      HOME: home,
      PATH: "",
      HOOKBELL_PLATFORM_URL: receiver.origin,
      HOOKBELL_PLATFORM_KEY: "key-manager",
      ...more,
    },
  });

  it.each([
    ["a terminal of 40 columns", { isTerminal: true, columns: 40 }, 40],
    ["COLUMNS=30", undefined, 30],
  ])("tables fit %s, and say what they leave out and how to see it", async (_, io, columns) => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    const { stdout } = await run("usage tools", io ?? platform({ COLUMNS: "30" }));
    expect(widest(stdout)).toBeLessThanOrEqual(columns);
    const said = stdout.slice(stdout.indexOf("Columns left out")).replaceAll("\n", " ");
    expect(said).toMatch(/^Columns left out: Mean of; 7 days before; Change; Per day; .*COLUMNS=\d+/);
    const wide = await run("usage tools", platform({ COLUMNS: /COLUMNS=(\d+)/.exec(said)?.[1] }));
    expect(wide.stdout).not.toContain("left out");
    expect(wide.stdout).toContain("5 of 7 days");
  });

  it("nothing is left out of a pipe", async () => {
    receiver.rows.tools = withWeekend(examples.exampleToolsRow);
    expect((await run("usage tools")).stdout).not.toContain("left out");
  });
});

it("leaves a gap of its width for each day without data, also the first", async () => {
  const some = days.slice(7).filter((_, day) => day > 1 && day < 6);
  receiver.rows.tools = some.map((date) => ({ ...examples.exampleToolsRow, date }));
  receiver.rows.users = some.map((date) => ({ ...examples.exampleUsersRow, date }));
  expect((await run("usage tools")).stdout).toMatch(/^Tool calls .* {4}████$/m);
  expect((await run("usage users")).stdout).toMatch(/^ann@example\.com .* {4}████$/m);
});

it("says that a mean is of no day where no one worked", async () => {
  receiver.rows.activity = [{ ...restOf(examples.exampleActivityRow), date: "2026-03-09" }];
  expect((await run("usage activity --from 1d")).stdout).toMatch(/^Active users a day +0 +no day/m);
});

it.each(["--csv", "--json", "table"])("never glues figures to the progress line: %s", async (form) => {
  receiver.rows.users = days.slice(7).map((date) => ({ ...examples.exampleUsersRow, date, odd: 1 }));
  let screen = "";
  const write = (text: string): void => void (screen += text);
  const args =
    { "--csv": "usage users --format csv", "--json": "usage users --json", table: "usage users" }[form] ?? "";
  await run(args, { isStderrTerminal: true, stdout: write, stderr: write });
  // What a terminal shows: the line is cleared before anything is printed over it.
  const shown = screen.replaceAll(/[^\n]*\r\u001b\[K/g, "");
  expect(shown).not.toContain("loading");
  expect(shown).toMatch(
    /^hookbell: the service's answer differs from its document: data\.\*: the document has no "odd"/,
  );
});
