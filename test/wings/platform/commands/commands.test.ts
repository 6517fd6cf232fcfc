// `usage`, `readiness` and `computers` against the platform as its document describes it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CommandIo } from "../../../../src/console/command-io.ts";
import { runCommand } from "../../../../src/cli/command-line.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import * as examples from "../../../support/usage/examples.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";
import { commandIo } from "../../../support/project/command-io.ts";

const today = "2026-03-10";
let receiver: PlatformReceiver;
let home: string;
let env: Record<string, string>;
beforeEach(async () => {
  receiver = await startPlatformReceiver(today);
  home = mkdtempSync(join(tmpdir(), "hookbell-platform-"));
  env = { HOME: home, PATH: "", HOOKBELL_PLATFORM_URL: receiver.origin, HOOKBELL_PLATFORM_KEY: "key-manager" };
});
afterEach(async () => {
  await receiver.close();
  rmSync(home, { recursive: true, force: true });
});

/** What a command line prints, and how it ends. */
async function run(
  line: string,
  given: Partial<CommandIo> = {},
): Promise<{ exitCode: number; stdout: string; stderr: string; error?: UserError }> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const io = commandIo(home, {
    env,
    clock: createFakeClock(Date.parse(`${today}T12:00:00Z`)),
    stdout: (text) => stdout.push(text),
    stderr: (text) => stderr.push(text),
    ...given,
  });
  const said = (): { stdout: string; stderr: string } => ({ stdout: stdout.join(""), stderr: stderr.join("") });
  try {
    return { exitCode: await runCommand(line.split(" "), io), ...said() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { exitCode: error.exitCode, ...said(), error };
  }
}

const eachDay = (row: object, count = 14, more: (index: number) => object = () => ({})): object[] =>
  Array.from({ length: count }, (_, index) => ({
    ...row,
    date: new Date(Date.parse(`${today}T00:00:00Z`) - (index + 1) * 86_400_000).toISOString().slice(0, 10),
    ...more(index),
  }));

function fill(): void {
  receiver.rows = {
    tokens: eachDay(examples.exampleTokensRow, 14, (index) => ({ billable_tokens: index < 7 ? 1000 : 500 })),
    "tokens:model": eachDay(examples.exampleTokensByModelRow),
    tools: eachDay(examples.exampleToolsRow),
    "tools:tool_name": eachDay(examples.exampleToolsByNameRow),
    activity: eachDay(examples.exampleActivityRow),
    "activity:client": eachDay(examples.exampleActivityByClientRow),
    productivity: eachDay(examples.exampleProductivityRow),
    users: eachDay(examples.exampleUsersRow),
  } as PlatformReceiver["rows"];
}

describe("usage", () => {
  it("shows totals, the change, the days, and the breakdowns", async () => {
    fill();
    const { exitCode, stdout } = await run("usage tokens");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Tokens and credits: 2026-03-03 to 2026-03-09 (UTC), organization org_1\n");
    expect(stdout).toContain("\nCredits are tokens weighed by what they cost: see hookbell usage --help.\n");
    expect(stdout).toMatch(/^Credits +7,000 +3,500 +\+100 % {2}███████$/m);
    expect(stdout).toMatch(/^2026-03-03 +1,000/m);
    expect(stdout).toMatch(/^All days +7,000/m);
    expect(stdout).toMatch(/^large +5,600 +80 %/m);
    expect(stdout).toMatch(/^ann@example\.com +6,300 +90 %/m);
    expect(receiver.violations).toEqual([]);
  });

  it.each([
    ["tools", /^Tool calls +350 +350 +±0 %[\s\S]*^Bash +210 +60 %[\s\S]*^GitHub[\s\S]*^Stop \* hookbell/m],
    ["activity", /^Active users a day +3[\s\S]*^Sessions +63[\s\S]*^terminal-ui +2/m],
    ["productivity", /^Files edited +147[\s\S]*^TypeScript +140/m],
    ["users", /^Credits +6,300[\s\S]*^ann@example\.com +6,300/m],
    ["tokens --group-by model", /^large +5,600 +100 %/m],
    ["tools --group-by tool_name", /^Bash +210 +100 %/m],
    ["activity --group-by client", /^terminal-ui +2/m],
  ])("shows %s", async (args, expected) => {
    fill();
    const { stdout } = await run(`usage ${args}`);
    expect(stdout).toMatch(expected);
  });

  it("compares with nothing where the service has no earlier data", async () => {
    const { stdout } = await run("usage tokens --from 2026-01-14 --to 2026-01-15");
    expect(stdout).toContain("This period");
    expect(stdout).not.toContain("Change");
    expect(receiver.requests).toHaveLength(1);
  });

  it.each([60, 80, 200])("fits a terminal of %i columns", async (columns) => {
    fill();
    for (const name of ["tokens", "tools", "activity", "productivity", "users"]) {
      const { stdout } = await run(`usage ${name}`, { columns, isTerminal: true });
      expect(
        Math.max(
          ...stdout
            .split("\n")
            .slice(1)
            .map((line) => line.length),
        ),
      ).toBeLessThanOrEqual(columns);
    }
  });

  it("prints the envelope as JSON, with all pages in one", async () => {
    receiver.rows.users = Array.from({ length: 250 }, (_, index) => ({
      ...examples.exampleUsersRow,
      user_id: `usr_${index}`,
      date: "2026-03-09",
    }));
    const { stdout } = await run("usage users --from 1d --format json");
    const { data, meta } = JSON.parse(stdout) as { data: object[]; meta: object };
    expect(data).toEqual(receiver.rows.users);
    expect(meta).toEqual({ org_id: "org_1", start_date: "2026-03-09", end_date: "2026-03-09", has_more: false });
    expect(receiver.requests).toHaveLength(3);
  });

  it("prints the same with --json, and asks for no days before", async () => {
    fill();
    const { stdout } = await run("usage tokens --from 2d --json");
    expect(JSON.parse(stdout)).toEqual({
      data: receiver.rows.tokens?.slice(0, 2),
      meta: { org_id: "org_1", start_date: "2026-03-08", end_date: "2026-03-09" },
    });
    expect(receiver.requests).toHaveLength(1);
  });

  it("prints CSV that no spreadsheet takes for a formula", async () => {
    receiver.rows.users = [
      { ...examples.exampleUsersRow, date: "2026-03-09", user_email: '=HYPERLINK("http://x")', languages: ["Go", "C"] },
    ];
    const { stdout } = await run("usage users --from 1d --format csv");
    const [header = "", row = ""] = stdout.split("\n");
    expect(header.startsWith("user_id,user_email,date,tool_calls,billable_tokens")).toBe(true);
    expect(row).toContain(`usr_1,"'=HYPERLINK(""http://x"")",2026-03-09,30,900`);
    expect(row).toContain(`"[""Go"",""C""]"`);
  });

  it("writes objects of numbers into columns of CSV", async () => {
    fill();
    const { stdout } = await run("usage activity --from 1d --format csv");
    expect(stdout).toContain("daily_active_users_by_client.terminal-ui");
  });

  it("tidies tools on request only", async () => {
    const row = { ...examples.exampleToolsRow, by_tool: [{ tool: "{broken", invocations: 1 }], date: "2026-03-09" };
    receiver.rows.tools = [row];
    expect((await run("usage tools --from 1d")).stdout).toMatch(/^GitHub/m);
    const { stdout } = await run("usage tools --from 1d --clean");
    expect(stdout).toMatch(/^github +12 +100 %/m);
    expect(stdout).toMatch(/^Not a tool's name[\s\S]*^\{broken +2026-03-09 +1$/m);
    const { data, artifacts } = JSON.parse((await run("usage tools --from 1d --clean --json")).stdout) as {
      data: { by_tool: object[] }[];
      artifacts: object[];
    };
    expect(data[0]?.by_tool).toEqual([]);
    expect(artifacts).toEqual([{ date: "2026-03-09", tool: "{broken", invocations: 1 }]);
  });

  it("alone shows tokens, and names the other figures", async () => {
    const { exitCode, stdout } = await run("usage");
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      `${(await run("usage tokens")).stdout}\nMore: hookbell usage tools | activity | productivity | users\n`,
    );
  });

  it("shows its progress on a screen only, and clears it", async () => {
    const screen = await run("usage users", { isStderrTerminal: true });
    expect(screen.stderr).toMatch(/loading users of 2026-03-03 to 2026-03-09: 0 rows[^]*\r\u001b\[K$/);
    expect((await run("usage users")).stderr).toBe("");
  });

  it.each([
    ["usage token", 64, /unknown figures "token"/],
    ["usage tokens --format xml", 64, /unknown format "xml"/],
    ["usage tokens --json --format csv", 64, /contradicts/],
    ["usage tokens --from 0d", 64, /invalid --from/],
    ["usage users --group-by user", 64, /has no groups/],
    ["usage tokens --group-by client", 65, /the only group is model/],
    ["usage tokens --from March", 65, /"March" is not a date/],
    [`usage tokens --to ${today}`, 65, /is today in UTC/],
    ["usage tokens --from 2026-01-01", 65, /before 2026-01-14/],
    ["usage tokens --from 90d", 65, /before 2026-01-14/],
  ])("%s is refused before anything is sent", async (line, exitCode, message) => {
    const result = await run(line);
    expect(result.exitCode).toBe(exitCode);
    expect(result.error?.message).toMatch(message);
    expect(receiver.requests).toEqual([]);
  });

  it.each(["tokens", "users"])("of %s for today says how to ask for what there is so far", async (name) => {
    expect((await run(`usage ${name} --to ${today}`)).error?.hint).toContain("--to today");
  });

  it("complains of no day that was not asked for", async () => {
    const { error } = await run("usage tokens --to 2026-02-30");
    expect(error?.message).toBe("the request was not sent:\nendDate: there is no such day as 2026-02-30");
  });

  it.each([
    ["key-wrong", /does not accept the API key \(401/, /create a key/],
    ["key-member", /may not read the organization's usage \(403/, /Manager and Owner/],
  ])("with %s exits with 1 and says what to do", async (key, message, hint) => {
    env.HOOKBELL_PLATFORM_KEY = key;
    const { exitCode, error } = await run("usage tokens");
    expect(exitCode).toBe(1);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
  });
});

describe("readiness", () => {
  const id = (index: number): string => `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`;
  const older = {
    ...examples.exampleReadinessReport,
    reportId: id(1),
    createdAt: examples.exampleReadinessReport.createdAt - 86_400_000,
    report: { "has-tests": { numerator: 2, denominator: 2, rationale: "both have" } },
  };

  it("shows one line for each report, the newest first, with its change", async () => {
    receiver.reports = [older, examples.exampleReadinessReport];
    const { stdout } = await run("readiness");
    expect(
      stdout
        .split("\n")
        .slice(1, 3)
        .map((line) => line.slice(0, 60).replace(/ +/g, " ")),
    ).toEqual([
      expect.stringMatching(/^acme\/shop 2026-03-01 00:00 1 of 2 75 % -25/),
      expect.stringMatching(/^acme\/shop 2026-02-28 00:00 1 of 1 100 %/),
    ]);
  });

  it("shows each criterion of one repository's newest report, and which fell", async () => {
    receiver.reports = [examples.exampleReadinessReport, older];
    const { stdout } = await run("readiness --repo-id shop");
    expect(stdout).toMatch(/^has-tests +1\/2 {2}fell {2}apps\/web has none$/m);
    expect(stdout).toMatch(/^has-linter +2\/2 {8}both do$/m);
  });

  it("compares with a report that it does not show", async () => {
    receiver.reports = [older, examples.exampleReadinessReport];
    const { stdout } = await run("readiness --limit 1");
    expect(stdout).toMatch(/^acme\/shop +2026-03-01 00:00 +1 of 2 +75 % +-25/m);
    expect(stdout).not.toContain("2026-02-28");
  });

  it.each(["acme/shop", "ACME/shop", "git@git.example.com:acme/shop.git"])(
    "takes %s for the repository, which is no id of the service",
    async (name) => {
      const other = { ...older, reportId: id(2), repoUrl: "https://git.example.com/acme/other" };
      receiver.reports = [other, examples.exampleReadinessReport];
      // A service that knows ids of its own only, and one that refuses what is none.
      for (const answer of [{ status: 200, body: '{"reports":[]}' }, { status: 400 }]) {
        receiver.next = [answer];
        const { stdout, exitCode } = await run(`readiness --repo-id ${name}`);
        expect(exitCode).toBe(0);
        expect(stdout).toMatch(/^has-tests +1\/2/m);
        expect(stdout).not.toContain("acme/other");
      }
    },
  );

  it("says that there are none of a repository, and where to see which there are", async () => {
    const { stdout } = await run("readiness --repo-id acme/none");
    expect(stdout).toBe("there are no readiness reports of acme/none; hookbell readiness lists the repositories\n");
  });

  it("takes a report with an odd field, and notes the field once", async () => {
    const odd = { ...older, modelUsed: { id: "large", reasoningEffort: "none" } };
    receiver.reports = [odd, { ...odd, reportId: id(2) }, examples.exampleReadinessReport];
    const { stdout, stderr } = await run("readiness --json");
    expect((JSON.parse(stdout) as { reports: object[] }).reports).toEqual(receiver.reports);
    expect(stderr).toBe(
      "hookbell: the service's answer differs from its document: reports.*.modelUsed.reasoningEffort: " +
        'expected one of "low", "medium", "high", "off", got "none"; kept (2 times)\n',
    );
  });

  it("prints { reports } as JSON, of as many as are wanted", async () => {
    receiver.reports = Array.from({ length: 130 }, (_, index) => ({
      ...examples.exampleReadinessReport,
      reportId: id(index),
    }));
    const amountOf = async (line: string): Promise<number> =>
      (JSON.parse((await run(line)).stdout) as { reports: object[] }).reports.length;
    expect(await amountOf("readiness --json")).toBe(20);
    expect(await amountOf("readiness --limit 70 --format json")).toBe(70);
    expect(await amountOf("readiness --all --json")).toBe(130);
    expect(receiver.violations).toEqual([]);
  });

  it("prints one line of CSV for each criterion", async () => {
    const { stdout } = await run("readiness --format csv");
    expect(stdout.split("\n")).toHaveLength(4);
    expect(stdout).toContain("has-tests,1,2,apps/web has none");
  });

  it("says that there are none", async () => {
    receiver.reports = [];
    expect((await run("readiness")).stdout).toBe("there are no readiness reports\n");
  });

  it.each([
    ["readiness --limit 0", /invalid --limit/],
    ["readiness --limit x", /invalid --limit/],
    ["readiness --limit 10001", /invalid --limit/],
    ["readiness --limit 5 --all", /contradicts/],
    ["readiness extra", /unexpected argument/],
  ])("%s is refused before anything is sent", async (line, message) => {
    const result = await run(line);
    expect(result.exitCode).toBe(64);
    expect(result.error?.message).toMatch(message);
    expect(receiver.requests).toEqual([]);
  });
});

describe("computers install-deps", () => {
  it("shows the computer and its steps", async () => {
    const { exitCode, stdout } = await run("computers install-deps cmp_1");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Install session started on build box (cmp_1). Status: provisioning\n");
    expect(stdout).toMatch(/^Install dependencies +Running +ses_1 +the last one failed$/m);
  });

  it("prints the computer as JSON", async () => {
    const { stdout } = await run("computers install-deps cmp_1 --json");
    expect(JSON.parse(stdout)).toEqual(examples.exampleComputer);
  });

  it("takes a computer with more than the document allows, and names it", async () => {
    receiver.computers.cmp_1 = { ...examples.exampleComputer, region: "eu", hostname: null };
    const { exitCode, stdout, stderr } = await run("computers install-deps cmp_1");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("Install session started on build box (cmp_1)");
    expect(stderr).toContain('the document has no "region"; kept');
    expect(stderr).toContain("hostname: expected a text, got null");
  });

  it("exits with 1 where a session is running already", async () => {
    receiver.runningComputers.add("cmp_1");
    const { exitCode, error } = await run("computers install-deps cmp_1");
    expect(exitCode).toBe(1);
    expect(error?.message).toMatch(/^an install session is already running on this computer \(409\)/);
  });

  it.each([
    ["computers", 64],
    ["computers install-deps", 64],
    ["computers instal-deps cmp_1", 64],
    ["computers install-deps ..", 65],
  ])("%s is refused with %i", async (line, exitCode) => {
    expect((await run(line)).exitCode).toBe(exitCode);
    expect(receiver.requests).toEqual([]);
  });
});

describe("computers list", () => {
  it("says of a platform without such a list that only a server of one's own has it", async () => {
    const { exitCode, error } = await run("computers list");
    expect(exitCode).toBe(1);
    expect(error?.message).toMatch(/^this platform lists no computers \(404/);
    expect(error?.hint).toContain("hookbell serve");
  });
});

describe("computers add", () => {
  it("refuses a folder that is not there", async () => {
    const { exitCode, error } = await run("computers add build --cwd /nowhere -- npm ci", {
      isPersonPresent: true,
    } as Partial<CommandIo>);
    expect(exitCode).toBe(65);
    expect(error?.message).toBe(`there is no folder ${resolve("/nowhere")}, in which the command would run`);
  });
});

describe("the address and the key", () => {
  function writeRules(platform: object): void {
    const folder = join(home, ".config", "hookbell");
    mkdirSync(folder, { recursive: true });
    const rules = [{ when: { event: "Stop" }, notify: ["desktop"] }];
    writeFileSync(
      join(folder, "rules.jsonc"),
      JSON.stringify({ channels: { desktop: { type: "desktop" } }, rules, platform }),
    );
  }

  it("come from the rules file where no variable is set, and the key from a file", async () => {
    writeFileSync(join(home, "key"), "key-owner\n");
    writeRules({ baseUrl: receiver.origin, apiKey: { file: "~/key" } });
    env = { HOME: home, PATH: "" };
    expect((await run("usage tokens --json")).exitCode).toBe(0);
  });

  it("come from the variables first", async () => {
    writeRules({ baseUrl: "https://platform.example.com", appUrl: "https://app.example.com", apiKey: { env: "NONE" } });
    env.HOOKBELL_PLATFORM_APP_URL = receiver.origin;
    expect((await run("usage tokens --json")).exitCode).toBe(0);
    expect((await run("readiness --json")).exitCode).toBe(0);
  });

  it("come from one place: a key never goes to a host that it was not set for", async () => {
    const other = await startPlatformReceiver(today);
    try {
      writeFileSync(join(home, "key"), "key-owner\n");
      writeRules({ baseUrl: other.origin, appUrl: other.origin, apiKey: { file: "~/key" } });
      // The variables' address has no application of its own, so it gets the reports' request, too.
      expect((await run("readiness --json")).exitCode).toBe(0);
      const { length } = receiver.requests;
      expect(length).toBeGreaterThan(0);
      delete env.HOOKBELL_PLATFORM_KEY;
      for (const line of ["usage tokens --json", "readiness", "computers install-deps cmp_1"]) {
        const { exitCode, error } = await run(line);
        expect(exitCode).toBe(64);
        expect(error?.message).toBe(`the API key of the rules file is not for ${receiver.origin}`);
        expect(error?.hint).toContain("HOOKBELL_PLATFORM_KEY");
      }
      delete env.HOOKBELL_PLATFORM_URL;
      env.HOOKBELL_PLATFORM_APP_URL = receiver.origin;
      expect((await run("readiness")).exitCode).toBe(64);
      expect([receiver.requests.length, other.requests.length]).toEqual([length, 0]);
      expect((await run("usage tokens --json")).exitCode).toBe(0);
      expect(other.requests).toHaveLength(1);
    } finally {
      await other.close();
    }
  });

  it("may be a key of the rules file for an address of the variables, where the file names none", async () => {
    writeFileSync(join(home, "key"), "key-owner\n");
    writeRules({ apiKey: { file: "~/key" } });
    delete env.HOOKBELL_PLATFORM_KEY;
    expect((await run("usage tokens --json")).exitCode).toBe(0);
  });

  it.each([
    ["127.0.0.1:8765", "has no scheme; add http:// in front"],
    ["localhost:8765", "has no scheme; add http:// in front"],
    ["api.example.com/x", "has no scheme; add https:// in front"],
    ["ftp://api.example.com", "must start with https://, or http:// for this machine"],
  ])("%s as an address %s", async (address, problem) => {
    env.HOOKBELL_PLATFORM_URL = address;
    const { exitCode, error } = await run("usage tokens");
    expect(exitCode).toBe(64);
    expect(error?.message).toBe(`the platform's address ${problem}`);
    expect(error?.hint).toContain("HOOKBELL_PLATFORM_URL");
  });

  it.each([
    ["HOOKBELL_PLATFORM_KEY", /API key is not set/, /HOOKBELL_PLATFORM_KEY/],
    ["HOOKBELL_PLATFORM_URL", /address is not set/, /HOOKBELL_PLATFORM_URL/],
  ])("without %s are missing", async (name, message, hint) => {
    env[name] = "";
    const { exitCode, error } = await run("usage tokens");
    expect(exitCode).toBe(64);
    expect(error?.message).toMatch(message);
    expect(error?.hint).toMatch(hint);
  });
});
