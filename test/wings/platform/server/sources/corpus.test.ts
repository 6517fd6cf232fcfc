// Transcripts with few entries, whose tokens were counted by hand: what hookbell counts in them, and what ccusage counts.
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import * as zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTranscripts, type UnreadFile } from "../../../../../src/wings/platform/server/sources/transcripts.ts";
import { findCcusage } from "../../../../support/usage/ccusage.ts";
import { openStore, type TestStore } from "../../../../support/usage/open-store.ts";
import { corpus, fillFromCorpus } from "../../../../support/usage/transcript-home.ts";

let store: TestStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.remove());

const hasZstd = "zstdDecompressSync" in zlib;

/** `theirs` is what ccusage 20.0.20 counts, where that is another number. */
const totals: Record<string, { tokens: number; theirs?: number }> = {
  // Three requests of 1,100; two events come again with the total of before.
  "codex-same-total-again": { tokens: 3300 },
  // Two requests in the first thread, one in the fork, which copies those two within seven seconds.
  "codex-slow-fork": { tokens: 3300 },
  "codex-slow-fork-without-turn-ids": { tokens: 3300 },
  // Two requests; ccusage does not read compressed files.
  "codex-compressed": { tokens: 2200, theirs: 0 },
  // 100 + 50 and 100 + 10; the first one comes again under another request's id, and ccusage counts both.
  "claude-code-same-message-again": { tokens: 260, theirs: 410 },
  // One request of the session, two and three of its subagents.
  "gemini-cli-subagents": { tokens: 6600 },
  // Three requests in the new tables, which ccusage does not read.
  "opencode-2": { tokens: 3300, theirs: 0 },
  // The same three, of which the old table has the first one, too.
  "opencode-2-after-upgrade": { tokens: 3300, theirs: 1100 },
  // One request in opencode-beta.db.
  "opencode-other-channel": { tokens: 1100 },
};

const needsZstd = new Set(["codex-compressed"]);

async function ours(): Promise<{ tokens: number; unread: UnreadFile[] }> {
  const unread: UnreadFile[] = [];
  await readTranscripts({ ...store.source, onUnread: (file) => unread.push(file) });
  const days = store.database.all("SELECT counts FROM session_days");
  const counts = days.flatMap((day) => Object.entries(JSON.parse(String(day.counts)) as Record<string, number>));
  const tokens = counts.filter(([key]) => /^(?:input|output|read|write):/.test(key));
  return { tokens: tokens.reduce((sum, [, count]) => sum + count, 0), unread };
}

function theirs(): number {
  const args = ["daily", "--json", "--offline", "--timezone", "UTC"];
  const env = { PATH: process.env.PATH, HOME: store.home };
  const text = execFileSync(findCcusage(), args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const days = (JSON.parse(text) as { daily?: { totalTokens: number }[] }).daily ?? [];
  return days.reduce((sum, { totalTokens }) => sum + totalTokens, 0);
}

describe("the corpus", () => {
  test("has a total for each folder", () => {
    expect(readdirSync(corpus).sort()).toEqual(Object.keys(totals).sort());
  });

  test.each(Object.entries(totals))("%s: tokens as counted by hand", async (name, { tokens }) => {
    await fillFromCorpus(store.home, name);
    const isRead = hasZstd || !needsZstd.has(name);
    const reason = "compressed with zstd, which needs Node 22.15 or newer";
    expect(await ours()).toEqual(
      isRead
        ? { tokens, unread: [] }
        : { tokens: 0, unread: [{ agentId: "codex", path: expect.stringMatching(/\.jsonl\.zst$/), reason }] },
    );
    await readTranscripts(store.source);
    expect((await ours()).tokens).toBe(isRead ? tokens : 0);
  });

  // npm has installed the ccusage of Linux.
  test.each(Object.entries(totals))(
    "%s: what ccusage counts is known (not under Wine)",
    async (name, { tokens, theirs: their = tokens }) => {
      await fillFromCorpus(store.home, name);
      expect(theirs()).toBe(their);
    },
  );
});
