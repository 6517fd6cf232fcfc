// How transcripts are read on: what an earlier release has counted, what is not known, what is too large, what is compressed later.
import { mkdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as zlib from "node:zlib";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../../../../support/fake-clock.ts";
import { openDatabase } from "../../../../../src/wings/platform/server/store/database.ts";
import { ingest } from "../../../../../src/wings/platform/server/store/ingest.ts";
import { followSources } from "../../../../../src/wings/platform/server/sources/follow.ts";
import { readTranscripts, type UnreadFile } from "../../../../../src/wings/platform/server/sources/transcripts.ts";
import { openStore, type TestStore } from "../../../../support/usage/open-store.ts";
import { writeTranscripts } from "../../../../support/usage/transcript-home.ts";

let store: TestStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.remove());

/** All tokens that are counted, and what was not read. */
async function read(): Promise<{ tokens: number; unread: string[] }> {
  const unread: UnreadFile[] = [];
  await readTranscripts({ ...store.source, onUnread: (file) => unread.push(file) });
  const counts = store.database
    .all("SELECT counts FROM session_days")
    .flatMap((day) => Object.entries(JSON.parse(String(day.counts)) as Record<string, number>))
    .filter(([key]) => /^(?:input|output|read|write):/.test(key));
  return {
    tokens: counts.reduce((sum, [, count]) => sum + count, 0),
    unread: unread.map(({ path, reason }) => `${path.slice(store.home.length + 1).replaceAll("\\", "/")}: ${reason}`),
  };
}

const at = "2026-11-20T10:00:00Z";
const claudeFile = ".claude/projects/shop/s1.jsonl";

function answer(n: number, more: object = {}): object {
  return {
    type: "assistant",
    sessionId: "s1",
    uuid: `u${n}`,
    requestId: `req_${n}`,
    timestamp: at,
    message: { id: `msg_${n}`, role: "assistant", model: "large", usage: { input_tokens: 100, output_tokens: 10 } },
    ...more,
  };
}

describe("what an earlier release has counted under the id of its request", () => {
  const earlier = (id: string): void => {
    const counts = { "input:large": 100, "output:large": 10 };
    const seen = { id, atMs: Date.parse(at), source: "transcript", agent: "claude-code", session: "s1", user: "ann" };
    ingest(store.database, [{ ...seen, counts, isGrowing: true } as const as Parameters<typeof ingest>[1][number]], []);
  };

  test("is not counted again", async () => {
    earlier("msg_1:req_1");
    writeTranscripts(store.home, { [claudeFile]: [answer(1), answer(2)] });
    expect((await read()).tokens).toBe(220);
  });

  test("grows, where the message was not whole", async () => {
    earlier("msg_1:req_1");
    const message = { id: "msg_1", role: "assistant", model: "large", usage: { input_tokens: 100, output_tokens: 40 } };
    writeTranscripts(store.home, { [claudeFile]: [answer(1, { message })] });
    expect((await read()).tokens).toBe(140);
  });

  test("is another message under another id", async () => {
    earlier("msg_1:req_9");
    writeTranscripts(store.home, { [claudeFile]: [answer(1)] });
    expect((await read()).tokens).toBe(220);
  });
});

describe("what is not known", () => {
  test("is named once for each kind of entry that has tokens, and everything else is counted", async () => {
    const unknown = { type: "thought_summary", sessionId: "s1", timestamp: at, usage: { input_tokens: 7 } };
    const silent = { type: "file-history-snapshot", snapshot: { files: 3 } };
    writeTranscripts(store.home, { [claudeFile]: [unknown, answer(1), unknown, silent] });
    const reason = 'with entries that hookbell does not know: "thought_summary"';
    expect(await read()).toEqual({ tokens: 110, unread: [`${claudeFile}: ${reason}`] });
    expect((await read()).unread).toEqual([]);
  });

  test("is named for tables that may have tokens, if they have rows", async () => {
    const path = join(store.home, ".local/share/opencode/opencode.db");
    mkdirSync(dirname(path), { recursive: true });
    const database = await openDatabase(path, Date.now());
    for (const table of ["message_v3", "token_ledger", "usage_empty", "theme"]) {
      database.exec(`CREATE TABLE ${table} (id TEXT)`);
      if (table !== "usage_empty") database.run(`INSERT INTO ${table} VALUES ('x')`);
    }
    database.close();
    const reason = "with tables that hookbell does not know: message_v3, token_ledger";
    expect(await read()).toEqual({ tokens: 0, unread: [`.local/share/opencode/opencode.db: ${reason}`] });
  });

  test("is said of a database that is none", async () => {
    writeTranscripts(store.home, { ".local/share/opencode/opencode.db": [{}], [claudeFile]: [answer(1)] });
    const unread = [".local/share/opencode/opencode.db: which SQLite cannot read"];
    expect(await read()).toEqual({ tokens: 110, unread });
  });
});

const rollout = ".codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-01a1f866-0d00-7000-8000-000000000001.jsonl";
const packed = `${rollout}.zst`;

describe("what is too large", () => {
  const message = (id: string): object => ({
    id,
    sessionID: "s1",
    role: "assistant",
    modelID: "large",
    time: { created: Date.parse(at) },
    tokens: { input: 100, output: 10, reasoning: 0, cache: { read: 0, write: 0 } },
  });

  test("is a document of more than 64 MiB, and it hides no other", async () => {
    const [small, large] = ["a", "b"].map((id) => `.local/share/opencode/storage/message/s1/${id}.json`);
    writeTranscripts(store.home, { [small ?? ""]: [message("a")], [large ?? ""]: [message("b")] });
    truncateSync(join(store.home, large ?? ""), 64 * 1024 * 1024 + 1);
    expect(await read()).toEqual({ tokens: 110, unread: [`${large}: too large`] });
  });

  test("is a line of more than 16 MiB, which is passed over", async () => {
    const picture = { type: "user", sessionId: "s1", timestamp: at, data: "x".repeat(16 * 1024 * 1024 + 1) };
    writeTranscripts(store.home, { [claudeFile]: [answer(1), picture, answer(2)] });
    expect(await read()).toEqual({ tokens: 220, unread: [] });
  });
});

const zstdCompressSync = (zlib as { zstdCompressSync?: (bytes: Buffer) => Buffer }).zstdCompressSync;

function codexLines(requests: number): object[] {
  const id = "01a1f866-0d00-7000-8000-000000000001";
  const total = (n: number): object => ({ input_tokens: 1000 * n, output_tokens: 100 * n, total_tokens: 1100 * n });
  return [
    { timestamp: at, type: "session_meta", payload: { id, source: "cli", originator: "codex_cli_rs" } },
    { timestamp: at, type: "turn_context", payload: { model: "large", turn_id: id } },
    ...Array.from({ length: requests }, (_, index) => ({
      timestamp: new Date(Date.parse(at) + index * 60_000).toISOString(),
      type: "event_msg",
      payload: { type: "token_count", info: { total_token_usage: total(index + 1), last_token_usage: total(1) } },
    })),
  ];
}

function compress(bytes: Buffer): void {
  rmSync(join(store.home, rollout), { force: true });
  mkdirSync(dirname(join(store.home, packed)), { recursive: true });
  writeFileSync(join(store.home, packed), zstdCompressSync?.(bytes) ?? bytes);
}

const bytesOf = (lines: readonly object[]): Buffer =>
  Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""));

describe.skipIf(zstdCompressSync === undefined)("a rollout that Codex compresses", () => {
  test("counts nothing twice, and goes on where the reading of the plain file ended", async () => {
    writeTranscripts(store.home, { [rollout]: codexLines(2) });
    expect(await read()).toEqual({ tokens: 2200, unread: [] });
    compress(bytesOf(codexLines(2)));
    expect(await read()).toEqual({ tokens: 2200, unread: [] });
  });

  test("counts what was written after the last reading, by what the lines before say", async () => {
    writeTranscripts(store.home, { [rollout]: codexLines(1) });
    await read();
    compress(bytesOf(codexLines(3)));
    expect(await read()).toEqual({ tokens: 3300, unread: [] });
    const models = store.database.all("SELECT counts FROM session_days").map(({ counts }) => String(counts));
    expect(models.join()).not.toContain("gpt-5");
  });

  test("is counted from its start where the plain file was never seen", async () => {
    compress(bytesOf(codexLines(3)));
    expect(await read()).toEqual({ tokens: 3300, unread: [] });
  });

  test("is not read beyond 256 MiB", async () => {
    compress(Buffer.alloc(256 * 1024 * 1024 + 1, "\n"));
    expect(await read()).toEqual({ tokens: 0, unread: [`${packed}: too large`] });
  });

  test("is damaged where it has no end", async () => {
    compress(bytesOf(codexLines(3)));
    truncateSync(join(store.home, packed), 40);
    expect(await read()).toEqual({ tokens: 0, unread: [`${packed}: damaged`] });
  });
});

test("the server names in its log what it cannot read, once a file and reason", async () => {
  const path = join(store.home, packed);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "?");
  const clock = createFakeClock(Date.parse("2026-11-21T09:00:00Z"));
  const stop = new AbortController();
  const notes: string[] = [];
  const { home, folder } = store;
  const options = { dataDir: folder, isBackfill: true, user: "ann", stateDir: folder, home, env: {}, clock };
  const following = followSources({ ...options, onNote: (text) => notes.push(text) }, store.database, stop.signal);
  const next = async (): Promise<void> => {
    await expect.poll(() => clock.nextAt()).toBeDefined();
    clock.turn(61_000);
  };
  for (let round = 0; round < 3; round += 1) await next();
  const damaged = zstdCompressSync === undefined ? "compressed with zstd, which needs Node 22.15 or newer" : "damaged";
  expect(notes).toEqual([`${path}: not counted, or only in part: ${damaged}`]);
  const second = path.replace("0001.jsonl", "0002.jsonl");
  writeFileSync(second, "?");
  utimesSync(second, 1, 1);
  for (let round = 0; round < 2; round += 1) await next();
  expect(notes.slice(1)).toEqual([`${second}: not counted, or only in part: ${damaged}`]);
  stop.abort();
  await following;
});

describe("a count of tokens that is no number", () => {
  test("is named, and the counts beside it are counted", async () => {
    const usage = { input_tokens: "many", output_tokens: 10, cache_read_input_tokens: null };
    const odd = answer(2, { message: { id: "msg_2", role: "assistant", model: "large", usage } });
    writeTranscripts(store.home, { [claudeFile]: [answer(1), odd] });
    const unread = [`${claudeFile}: with token counts that are no numbers: input`];
    expect(await read()).toEqual({ tokens: 120, unread });
  });

  test("in a sum of Codex leaves the next sum to begin anew", async () => {
    const text = JSON.stringify(codexLines(3)).replace('"input_tokens":2000', '"input_tokens":"many"');
    writeTranscripts(store.home, { [rollout]: JSON.parse(text) as object[] });
    expect((await read()).tokens).toBe(3300);
  });
});

test("a slash command that goes to the model is a prompt, and one that Claude Code carries out is none", async () => {
  const typed = (n: number, content: string, more: object = {}): object => ({
    type: "user",
    sessionId: "s1",
    uuid: `p${n}`,
    timestamp: at,
    message: { role: "user", content },
    ...more,
  });
  writeTranscripts(store.home, {
    [claudeFile]: [
      typed(1, "fix the login"),
      typed(2, "<command-message>review</command-message>\n<command-name>/review</command-name>"),
      typed(3, "Review the last change ...", { isMeta: true }),
      typed(4, "<command-name>/clear</command-name>\n            <command-message>clear</command-message>"),
      typed(5, "<local-command-stdout></local-command-stdout>"),
      typed(6, "what does <command-name>/init</command-name> mean in a transcript?"),
    ],
  });
  await readTranscripts(store.source);
  const [day] = store.database.all("SELECT counts FROM session_days");
  expect(JSON.parse(String(day?.counts))).toEqual({ prompt: 3, "slash:review": 1, "slash:clear": 1 });
});

describe("a file that is damaged", () => {
  const write = (name: string, text: string): void => {
    const path = join(store.home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  };

  test("is named, and what can be read of it is counted", async () => {
    write(claudeFile, `${JSON.stringify(answer(1))}\nno JSON\n\n${JSON.stringify(answer(2))}\n`);
    expect(await read()).toEqual({ tokens: 220, unread: [`${claudeFile}: with lines that are no JSON`] });
  });

  test("is not called so while its last line is still being written", async () => {
    write(claudeFile, `${JSON.stringify(answer(1))}\n{"type":"assis`);
    expect(await read()).toEqual({ tokens: 110, unread: [] });
  });
});
