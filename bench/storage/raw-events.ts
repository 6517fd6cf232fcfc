// A year of made events, and a database that keeps each as a row: what the server's counts are compared with.
import type { Database } from "../../src/wings/platform/server/store/database.ts";
import { dateOf, dayOf } from "../../src/wings/platform/server/store/ingest.ts";

export const users = 1000;
export const days = 365;
/** The first day that may be asked for. */
export const firstDay = dayOf(Date.parse("2026-01-14"));

const tools = ["Bash", "Read", "Edit", "Write", "Grep", "Glob", "mcp__github__get_pr", "mcp__jira__search"];
const models = ["opus", "sonnet", "haiku"];
const extensions = [".ts", ".py", ".md", ".css"];

/** One thing that happened, as a row of what a database without counts would keep. */
export interface RawEvent {
  user: number;
  kind: "prompt" | "answer" | "tool" | "edited" | "commit";
  name: string;
  input: number;
  output: number;
}

/** The same events at every run. */
export function* eventsOfDay(day: number, perUser: number): Generator<RawEvent> {
  let state = (day * 2_654_435_761) >>> 0;
  const pick = (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
  for (let user = 0; user < users; user += 1) {
    // Some rest on some days.
    const count = pick(7) === 0 ? 0 : Math.round((perUser * 7) / 6);
    for (let index = 0; index < count; index += 1) {
      const one = (kind: RawEvent["kind"], name = "", input = 0, output = 0): RawEvent => ({
        user,
        kind,
        name,
        input,
        output,
      });
      const chance = pick(20);
      if (index === 0 || chance === 0) yield one("prompt");
      else if (chance < 5) yield one("answer", models[pick(models.length)], pick(5000), pick(2000));
      else if (chance < 8) yield one("edited", extensions[pick(extensions.length)]);
      else if (chance === 8) yield one("commit");
      else yield one("tool", tools[pick(tools.length)]);
    }
  }
}

export function nameOf(user: number): string {
  return `user${String(user).padStart(4, "0")}@example.org`;
}

export function createRawTable(raw: Database): void {
  raw.exec("CREATE TABLE raw (day INT, user INT, kind TEXT, name TEXT, input INT, output INT)");
}

export function insertRaw(raw: Database, day: number, rows: readonly RawEvent[]): void {
  raw.transaction(() => {
    for (const { user, kind, name, input, output } of rows)
      raw.run("INSERT INTO raw VALUES (?, ?, ?, ?, ?, ?)", day, user, kind, name, input, output);
  });
}

export type Data = readonly Record<string, unknown>[];
interface RawQuery {
  /** Part of what the server answers, from raw rows. */
  ask(raw: Database): unknown;
  /** The same part of the answer. */
  of(data: Data): unknown;
}

/** By the name of the server's endpoint. */
export const rawQueries: Readonly<Record<string, RawQuery>> = {
  tokens: {
    ask: (raw) =>
      raw
        .all("SELECT day, SUM(input) AS i, SUM(output) AS o FROM raw WHERE kind = 'answer' GROUP BY day ORDER BY day")
        .map(({ day, i, o }) => [dateOf(Number(day)), i, o]),
    of: (data) => data.map(({ date, input_tokens, output_tokens }) => [date, input_tokens, output_tokens]),
  },
  tools: {
    ask: (raw) =>
      raw
        .all(
          "SELECT day, COUNT(*) AS n, SUM(name = 'Bash') AS b FROM raw WHERE kind = 'tool' GROUP BY day ORDER BY day",
        )
        .map(({ day, n, b }) => [dateOf(Number(day)), n, b]),
    of: (data) =>
      data.map(({ date, tool_calls, by_tool }) => [
        date,
        tool_calls,
        (by_tool as { tool: string; invocations: number }[]).find(({ tool }) => tool === "Bash")?.invocations,
      ]),
  },
  activity: {
    ask: (raw) =>
      raw
        .all("SELECT day, COUNT(DISTINCT user) AS n, SUM(kind = 'prompt') AS p FROM raw GROUP BY day ORDER BY day")
        .map(({ day, n, p }) => [dateOf(Number(day)), n, p]),
    of: (data) => data.map(({ date, daily_active_users, user_messages }) => [date, daily_active_users, user_messages]),
  },
  productivity: {
    ask: (raw) =>
      raw
        .all("SELECT day, SUM(kind = 'edited') AS e, SUM(kind = 'commit') AS c FROM raw GROUP BY day ORDER BY day")
        .map(({ day, e, c }) => [dateOf(Number(day)), e, c]),
    of: (data) => data.map(({ date, files_edited, git_commits }) => [date, files_edited, git_commits]),
  },
  users: {
    ask: (raw) =>
      raw
        .all(
          `SELECT user, day, SUM(kind = 'tool') AS t, SUM(kind = 'answer') AS a FROM raw WHERE user < 100
            GROUP BY user, day ORDER BY user, day`,
        )
        .map(({ user, day, t, a }) => [nameOf(Number(user)), dateOf(Number(day)), t, a]),
    of: (data) =>
      data.map(({ user_id, date, tool_calls, assistant_messages }) => [user_id, date, tool_calls, assistant_messages]),
  },
};
