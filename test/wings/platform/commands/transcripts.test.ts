// `usage` without a platform: the figures of this machine's own transcripts, today included.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as zlib from "node:zlib";
import { afterEach, beforeEach, expect, test } from "vitest";
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

async function run(...args: string[]): Promise<{ stdout: string; stderr: string; error?: UserError }> {
  const [stdout, stderr]: [string[], string[]] = [[], []];
  const io = commandIo(home, {
    env: { HOME: home, PATH: "", USER: "ann" },
    clock: createFakeClock(Date.parse(`${today}T12:00:00Z`)),
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
