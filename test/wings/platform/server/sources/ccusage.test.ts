// Our tokens of each day and model beside those that ccusage counts in the same files.
import { execFileSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readTranscripts } from "../../../../../src/wings/platform/server/sources/transcripts.ts";
import { findCcusage } from "../../../../support/usage/ccusage.ts";
import { openStore, type TestStore } from "../../../../support/usage/open-store.ts";
import { capturedAgents, fillHome, writeTranscripts } from "../../../../support/usage/transcript-home.ts";

let store: TestStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.remove());

interface Tokens {
  input: number;
  output: number;
  read: number;
  write: number;
}
/** By day and model. */
type Totals = Record<string, Tokens>;

const ccusage = findCcusage();

interface CcusageDay {
  period: string;
  modelBreakdowns: {
    modelName: string;
    inputTokens: number;
    outputTokens: number;
    cacheReadTokens: number;
    cacheCreationTokens: number;
  }[];
  totalTokens: number;
}

function theirDays(): CcusageDay[] {
  const args = ["daily", "--json", "--offline", "--timezone", "UTC"];
  const env = { PATH: process.env.PATH, HOME: store.home };
  const text = execFileSync(ccusage, args, { env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  return (JSON.parse(text) as { daily?: CcusageDay[] }).daily ?? [];
}

function theirs(): Totals {
  const entries = theirDays().flatMap(({ period, modelBreakdowns }) =>
    modelBreakdowns.map((model): [string, Tokens] => [
      `${period} ${model.modelName}`,
      {
        input: model.inputTokens,
        output: model.outputTokens,
        read: model.cacheReadTokens,
        write: model.cacheCreationTokens,
      },
    ]),
  );
  return Object.fromEntries(entries);
}

async function ours(): Promise<Totals> {
  await readTranscripts(store.source);
  const totals: Totals = {};
  for (const { day, counts } of store.database.all("SELECT day, counts FROM session_days")) {
    const date = new Date(Number(day) * 86_400_000).toISOString().slice(0, 10);
    for (const [key, count] of Object.entries(JSON.parse(String(counts)) as Record<string, number>)) {
      const [, kind, model] = /^(input|output|read|write):(.*)$/.exec(key) ?? [];
      if (kind === undefined) continue;
      const total = (totals[`${date} ${model}`] ??= { input: 0, output: 0, read: 0, write: 0 });
      total[kind as keyof Tokens] += count;
    }
  }
  return totals;
}

const sum = ({ input, output, read, write }: Tokens): number => input + output + read + write;

describe("transcripts that real agents wrote", () => {
  // docs/reference/SERVER.md explains the differences of the other three.
  test.each(["claude-code", "codex", "droid"])("%s: the same", async (agent) => {
    await fillHome(store.home, agent);
    const counted = await ours();
    expect(Object.values(counted).map(sum)).not.toContain(0);
    expect(counted).toEqual(theirs());
  });

  test.each(["gemini-cli", "opencode"])(
    "%s: the same total, in which thoughts are output here and have no column there",
    async (agent) => {
      await fillHome(store.home, agent);
      const [counted, their] = [await ours(), theirs()];
      const withoutOutput = (totals: Totals) =>
        Object.entries(totals).map(([key, { output: _, ...others }]) => [key, others]);
      expect(withoutOutput(counted)).toEqual(withoutOutput(their));
      expect(Object.values(counted).reduce((all, tokens) => all + sum(tokens), 0)).toBe(
        theirDays().reduce((all, { totalTokens }) => all + totalTokens, 0),
      );
    },
  );

  test("qwen-code: the same, where tokens from the cache are not counted as input once more", async () => {
    await fillHome(store.home, "qwen-code");
    const their = Object.entries(theirs()).map(([key, { input, ...others }]) => [
      key,
      { ...others, input: input - others.read },
    ]);
    expect(await ours()).toEqual(Object.fromEntries(their));
  });

  test("every agent with transcripts is compared", () => {
    expect(capturedAgents).toEqual(["claude-code", "codex", "droid", "gemini-cli", "opencode", "qwen-code"]);
  });
});

const claudeFile = ".claude/projects/p/s1.jsonl";
const claude = (
  id: string,
  requestId: string | undefined,
  [input, output, write = 0, read = 0]: number[],
  more = {},
) => ({
  type: "assistant",
  timestamp: "2026-11-20T10:00:00.000Z",
  sessionId: "s1",
  requestId,
  message: {
    id,
    role: "assistant",
    model: "claude-sonnet-5",
    content: [],
    usage: {
      input_tokens: input,
      output_tokens: output,
      cache_creation_input_tokens: write,
      cache_read_input_tokens: read,
    },
  },
  ...more,
});

const codexFile = (n: number): string =>
  `.codex/sessions/2026/11/20/rollout-2026-11-20T10-00-00-aaaaaaaa-0000-7000-8000-00000000000${n}.jsonl`;
const codexUse = (input: number, cached: number, output: number, reasoning = 0) => ({
  input_tokens: input,
  cached_input_tokens: cached,
  output_tokens: output,
  reasoning_output_tokens: reasoning,
  total_tokens: input + output,
});
type CodexUse = ReturnType<typeof codexUse>;
const codexLine = (type: string, payload: object, timestamp: string) => ({ timestamp, type, payload });
const at = "2026-11-20T10:00:02.000Z";
const meta = (id: string, more = {}, timestamp = "2026-11-20T10:00:00.000Z") =>
  codexLine("session_meta", { id, session_id: id, ...more }, timestamp);
const model = (name: string, timestamp = at) => codexLine("turn_context", { model: name }, timestamp);
const counted = (last: CodexUse, total: CodexUse, timestamp = at) =>
  codexLine(
    "event_msg",
    { type: "token_count", info: { total_token_usage: total, last_token_usage: last } },
    timestamp,
  );
const recorded = (response_id: string, usage: CodexUse) => codexLine("token_usage_record", { response_id, usage }, at);
const first = codexUse(100, 40, 20, 5);
const both = codexUse(110, 44, 22, 5);

describe("made transcripts", () => {
  test.each<[string, Record<string, readonly object[]>]>([
    ["parts of one answer, growing", { [claudeFile]: [claude("m", "r", [10, 1]), claude("m", "r", [10, 50])] }],
    ["parts of one answer, shrinking", { [claudeFile]: [claude("m", "r", [10, 50]), claude("m", "r", [10, 1])] }],
    [
      "parts without a request's id",
      { [claudeFile]: [claude("m", undefined, [10, 1]), claude("m", undefined, [10, 50])] },
    ],
    [
      "a resumed session that repeats its past in another file",
      {
        [claudeFile]: [claude("m", "r", [10, 5])],
        ".claude/projects/p/s2.jsonl": [claude("m", "r", [10, 5], { sessionId: "s2" }), claude("n", "r2", [7, 3])],
      },
    ],
    [
      "a subagent's file",
      {
        [claudeFile]: [claude("m", "r", [1, 2])],
        ".claude/projects/p/s1/subagents/agent-1.jsonl": [
          claude("h", "r9", [10, 5], { isSidechain: true, agentId: "1" }),
        ],
      },
    ],
    [
      "a subagent inside of the session's lines",
      {
        [claudeFile]: [
          { type: "progress", timestamp: at, sessionId: "s1", data: { message: claude("h", "r9", [100, 5]) } },
          claude("m", "r", [1, 2]),
        ],
      },
    ],
    [
      "both sides of midnight",
      {
        [claudeFile]: [
          claude("m1", "r1", [10, 5], { timestamp: "2026-11-20T23:59:59.999Z" }),
          claude("m2", "r2", [10, 5], { timestamp: "2026-11-21T00:00:00.000Z" }),
        ],
      },
    ],
    ["the prompt cache", { [claudeFile]: [claude("m", "r", [10, 5, 100, 1000])] }],
    [
      "a torn line and one without a time",
      { [claudeFile]: [claude("m", "r", [1, 2]), claude("x", "y", [9, 9], { timestamp: null })] },
    ],
    ["Codex: counts", { [codexFile(1)]: [meta("a"), model("gpt-a"), counted(first, first)] }],
    [
      "Codex: the same counts again",
      { [codexFile(1)]: [meta("a"), model("gpt-a"), counted(first, first), counted(first, first)] },
    ],
    [
      "Codex: another model in the same thread",
      {
        [codexFile(1)]: [
          meta("a"),
          model("gpt-a"),
          counted(first, first),
          model("gpt-b"),
          counted(codexUse(10, 4, 2), both),
        ],
      },
    ],
    ["Codex: a release that does not name the model", { [codexFile(1)]: [meta("a"), counted(first, first)] }],
    [
      "Codex: records beside the counts",
      { [codexFile(1)]: [meta("a"), model("gpt-a"), recorded("r", first), counted(first, first)] },
    ],
    [
      "Codex: a fork that repeats the other thread as it was",
      {
        [codexFile(1)]: [meta("a"), model("gpt-a"), counted(first, first)],
        [codexFile(2)]: [
          meta("b", { forked_from_id: "a" }, "2026-11-20T11:00:00.000Z"),
          meta("a"),
          model("gpt-a"),
          counted(first, first),
          counted(codexUse(10, 4, 2), both, "2026-11-20T11:00:05.000Z"),
        ],
      },
    ],
    [
      "Codex: a fork that repeats the other thread with new times",
      {
        [codexFile(1)]: [meta("a"), model("gpt-a"), counted(first, first)],
        [codexFile(2)]: [
          meta("b", { forked_from_id: "a" }, "2026-11-20T11:00:00.000Z"),
          model("gpt-a", "2026-11-20T11:00:00.001Z"),
          counted(first, first, "2026-11-20T11:00:00.002Z"),
          counted(codexUse(10, 4, 2), both, "2026-11-20T11:00:05.000Z"),
        ],
      },
    ],
    [
      "Codex: an archived copy",
      {
        [codexFile(1)]: [meta("a"), model("gpt-a"), counted(first, first)],
        [codexFile(1).replace(/^.*\//, ".codex/archived_sessions/")]: [
          meta("a"),
          model("gpt-a"),
          counted(first, first),
        ],
      },
    ],
  ])("give the figures that ccusage gives: %s", async (_name, files) => {
    writeTranscripts(store.home, files);
    expect(await ours()).toEqual(theirs());
  });

  test("reading again, and everything from the start, adds nothing", async () => {
    for (const agent of capturedAgents) await fillHome(store.home, agent);
    const once = await ours();
    expect(await readTranscripts(store.source)).toBe(0);
    store.database.run("DELETE FROM cursors WHERE name LIKE 'transcript:%'");
    expect(await ours()).toEqual(once);
  });
});
