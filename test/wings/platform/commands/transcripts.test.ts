// `usage` without a platform: the figures of this machine's own transcripts, today included.
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { usage } from "../../../../src/wings/platform/commands/usage.ts";
import { UserError } from "../../../../src/model/errors.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { fillFromCorpus, writeTranscripts } from "../../../support/usage/transcript-home.ts";

const today = "2026-03-10";
let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "hookbell-usage-"));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

async function run(...args: string[]): Promise<Said> {
  return await runAt(Date.parse(`${today}T12:00:00Z`), ...args);
}

interface Said {
  stdout: string;
  stderr: string;
  error?: UserError;
}

async function runAt(nowMs: number, ...args: string[]): Promise<Said> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const io = commandIo(home, {
    env: { HOME: home, PATH: "", USER: "ann" },
    clock: createFakeClock(nowMs),
    stdout: (text) => stdout.push(text),
    stderr: (text) => stderr.push(text),
  });
  const said = (): { stdout: string; stderr: string } => ({ stdout: stdout.join(""), stderr: stderr.join("") });
  try {
    await usage(args, io);
    return said();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { ...said(), error };
  }
}

const answer = (id: string, timestamp: string, output_tokens: number): object => ({
  type: "assistant",
  sessionId: "s1",
  uuid: id,
  requestId: `req_${id}`,
  timestamp,
  message: {
    id: `msg_${id}`,
    role: "assistant",
    model: "claude-opus-4-6",
    content: [],
    usage: { input_tokens: 10, output_tokens },
  },
});

function writeTwoDays(): void {
  writeTranscripts(home, {
    ".claude/projects/shop/s1.jsonl": [answer("a", "2026-03-09T10:00:00Z", 5), answer("b", `${today}T10:00:00Z`, 7)],
  });
}

test("the figures are those of the transcripts up to now, and the table says so", async () => {
  writeTwoDays();
  const { stdout, stderr } = await run("tokens");
  expect(stderr).toBe("");
  expect(stdout).toMatch(/2026-03-04 to 2026-03-10 \(UTC\)/);
  expect(stdout).toMatch(/^Output tokens +12 /m);
  expect(stdout).toContain("from the transcripts of agents on this machine, since no platform is configured");
  expect(stdout).toContain("2026-03-10 is not over yet (UTC), so its figures are incomplete.");
});

test("groups, users and JSON are as the platform's", async () => {
  writeTwoDays();
  const grouped = JSON.parse((await run("tokens", "--group-by", "model", "--from", "1d", "--json")).stdout) as object;
  expect(grouped).toEqual({
    data: [{ date: today, group_key: "claude-opus-4-6", billable_tokens: 17, input_tokens: 10, output_tokens: 7 }],
    meta: { org_id: "local", start_date: today, end_date: today, so_far: today },
  });
  const users = JSON.parse((await run("users", "--json")).stdout) as { data: { date: string; sessions: number }[] };
  expect(users.data.map(({ date, sessions }) => [date, sessions])).toEqual([
    ["2026-03-09", 1],
    [today, 0],
  ]);
});

test.each([
  [["tokens", "--to", "2026-03-11"], /2026-03-11 is in the future/],
  [["tokens", "--group-by", "client"], /the only group is model/],
  [["users", "--group-by", "model"], /no groups/],
])("%j is refused as the platform would refuse it", async (args, message) => {
  expect((await run(...args)).error?.message).toMatch(message);
});

test("a machine without transcripts has zeros, and the same explanation", async () => {
  const { stdout } = await run("activity");
  expect(stdout).toContain("since no platform is configured");
});

test("what was found and could not be counted is named, and stands in --json", async () => {
  await fillFromCorpus(home, "codex-same-total-again");
  const folder = join(home, ".codex/sessions/2026/03/10");
  mkdirSync(folder, { recursive: true });
  for (const name of ["1", "2"]) {
    writeFileSync(
      join(folder, `rollout-2026-03-10T00-00-00-01a1f866-0d00-7000-8000-00000000000${name}.jsonl.zst`),
      "?",
    );
  }
  const reason = "zstdDecompressSync" in zlib ? "damaged" : "compressed with zstd, which needs Node 22.15 or newer";
  const { stdout, stderr } = await run("tokens", "--json");
  expect(stderr).toBe(`hookbell: not counted, or only in part: 2 files of Codex, ${reason}\n`);
  expect(JSON.parse(stdout)).toMatchObject({ meta: { not_counted: [{ agent: "codex", files: 2, reason }] } });
});

/** Answers at these moments, of 1, 2, 4, ... output tokens, so that a sum says which of them it is of. */
function writeAnswers(...moments: string[]): void {
  const lines = moments.map((moment, index) => answer(`t${index}`, new Date(moment).toISOString(), 2 ** index));
  writeTranscripts(home, { ".claude/projects/shop/s1.jsonl": lines });
}

async function outputOf(nowMs: number, ...args: string[]): Promise<string[]> {
  const { stdout } = await runAt(nowMs, "tokens", "--json", ...args);
  const { data } = JSON.parse(stdout) as { data: { date: string; output_tokens: number }[] };
  return data.filter((row) => row.output_tokens > 0).map((row) => `${row.date} ${row.output_tokens}`);
}

describe("with --timezone, days are the person's", () => {
  const timeZone = process.env.TZ;
  afterEach(() => {
    if (timeZone === undefined) delete process.env.TZ;
    else process.env.TZ = timeZone;
  });

  // Berlin's clock goes from 02:00 to 03:00 on 29 March 2026, and from 03:00 to 02:00 on 25 October.
  const spring = [
    "2026-03-28T23:59:59+01:00",
    "2026-03-29T00:00+01:00",
    "2026-03-29T23:59+02:00",
    "2026-03-30T00:00+02:00",
  ];
  const autumn = [
    "2026-10-24T23:59+02:00",
    "2026-10-25T00:00+02:00",
    "2026-10-25T23:59:59+01:00",
    "2026-10-26T00:00+01:00",
  ];
  const rows: [string, string[], string[], string[]][] = [
    [
      "2026-03-31T12:00:00Z",
      spring,
      ["2026-03-28 1", "2026-03-29 6", "2026-03-30 8"],
      ["2026-03-28 3", "2026-03-29 12"],
    ],
    [
      "2026-10-27T12:00:00Z",
      autumn,
      ["2026-10-24 1", "2026-10-25 6", "2026-10-26 8"],
      ["2026-10-24 3", "2026-10-25 12"],
    ],
  ];
  test.each(rows)("around the change of clocks before %s", async (now, moments, ownDays, utcDays) => {
    process.env.TZ = "Europe/Berlin";
    writeAnswers(...moments);
    const nowMs = Date.parse(now);
    expect(await outputOf(nowMs, "--timezone", "local")).toEqual(ownDays);
    expect(await outputOf(nowMs, "--timezone", "Europe/Berlin")).toEqual(ownDays);
    expect(await outputOf(nowMs)).toEqual(utcDays);
    expect(await outputOf(nowMs, "--timezone", "utc")).toEqual(utcDays);
  });

  test.each([
    ["Pacific/Auckland", "2026-03-10T11:30:00Z", "2026-03-11"],
    ["America/Los_Angeles", "2026-03-10T06:30:00Z", "2026-03-09"],
    ["Asia/Kabul", "2026-03-10T19:29:59Z", "2026-03-10"],
    ["Asia/Kabul", "2026-03-10T19:30:00Z", "2026-03-11"],
    ["Pacific/Kiritimati", "2026-03-10T10:00:00Z", "2026-03-11"],
  ])("in %s, at %s today is %s", async (zone, now, date) => {
    process.env.TZ = zone;
    writeAnswers(now);
    const { stdout } = await runAt(Date.parse(now), "tokens", "--timezone", "local");
    expect(stdout).toContain(`to ${date} (${zone}), this machine\n`);
    expect(stdout).toMatch(new RegExp(`^${date} +11 `, "m"));
    expect(stdout).toContain(`${date} is not over yet (${zone}), so its figures are incomplete.`);
  });

  test("a person counts on the days of the last 30, also where their first day begins before that of UTC", async () => {
    writeAnswers("2026-02-09T10:30:00Z", "2026-03-10T12:00:00Z");
    const file = join(home, ".claude/projects/shop/s1.jsonl");
    const before = new Date("2026-02-09T10:30:00Z");
    utimesSync(file, before, before);
    const { stdout } = await run("activity", "--from", "1d", "--json", "--timezone", "Pacific/Kiritimati");
    expect(JSON.parse(stdout)).toMatchObject({
      data: [{ date: "2026-03-11", monthly_active_users: 1 }],
      meta: { timezone: "Pacific/Kiritimati", so_far: "2026-03-11" },
    });
  });

  test("the rules file can make it usual", async () => {
    process.env.TZ = "Europe/Berlin";
    writeAnswers("2026-03-08T23:30:00Z");
    const folder = join(home, ".config", "hookbell");
    mkdirSync(folder, { recursive: true });
    const channels = { desktop: { type: "desktop" } };
    const rules = { channels, rules: [{ notify: ["desktop"] }], platform: { timezone: "local" } };
    writeFileSync(join(folder, "rules.jsonc"), JSON.stringify(rules));
    const nowMs = Date.parse(`${today}T12:00:00Z`);
    expect(await outputOf(nowMs)).toEqual(["2026-03-09 1"]);
    expect(await outputOf(nowMs, "--timezone", "utc")).toEqual(["2026-03-08 1"]);
  });
});
