// Makes the rows of one UTC day. Pure, so that a recount gives the same rows.
import type * as z from "zod";
import type { AutonomyLevel, ClientType } from "../../../../model/usage.ts";
import type {
  ActivityByClientRow,
  ActivityRow,
  ProductivityRow,
  TokensByModelRow,
  TokensRow,
  ToolsByNameRow,
  ToolsRow,
  usersRowSchema,
} from "../../contract/analytics.ts";
import { addCounts, ofKind, sumOfKind, type Counts } from "./counts.ts";
import { languageOf } from "./languages.ts";
import { delegationLevel, modelRows, percentile, primaryModel, ratio } from "./measures.ts";

type UsersRow = z.infer<typeof usersRowSchema>;

/** What one session did on the day, from hooks and transcript together. */
export interface SessionDay {
  user: string;
  client: ClientType;
  /** Whether this is the first day of the session. */
  isStart: boolean;
  counts: Counts;
}

export interface DayRows {
  tokens: TokensRow;
  tokensByModel: TokensByModelRow[];
  tools: ToolsRow;
  toolsByName: ToolsByNameRow[];
  /** Without the trailing windows, which other days decide. */
  activity: Omit<ActivityRow, "weekly_active_users" | "monthly_active_users">;
  activityByClient: ActivityByClientRow[];
  productivity: ProductivityRow;
  /** The list is sorted by user. */
  users: UsersRow[];
}

/** The event is a call of hookbell's own hook; the agent's other hooks are not known. */
const ownHook = { matcher: "", command: "hookbell hook" } as const;

export function summariseDay(date: string, sessions: readonly SessionDay[]): DayRows {
  const total: Counts = {};
  const byUser = new Map<string, SessionDay[]>();
  for (const session of sessions) {
    addCounts(total, session.counts);
    const known = byUser.get(session.user);
    if (known === undefined) byUser.set(session.user, [session]);
    else known.push(session);
  }
  const users = [...byUser].sort(([a], [b]) => (a < b ? -1 : 1)).map(([user, days]) => userRow(date, user, days));
  const models = modelRows(total);
  const usersBy = (client: ClientType): number =>
    new Set(sessions.filter((session) => session.client === client).map(({ user }) => user)).size;
  const clients = {
    "terminal-ui": usersBy("terminal-ui"),
    web: usersBy("web"),
    "non-interactive-cli": usersBy("non-interactive-cli"),
  };
  return {
    tokens: {
      date,
      billable_tokens: sum(models, "billable_tokens"),
      input_tokens: sum(models, "input_tokens"),
      output_tokens: sum(models, "output_tokens"),
      cache_read_tokens: sumOfKind(total, "read"),
      cache_write_tokens: sumOfKind(total, "write"),
      by_model: models,
      by_user: [...byUser].flatMap(([user, days]) => tokensOfUser(user, days)).sort(byText("user_id")),
    },
    tokensByModel: models.map(({ model_id, model_tier: _, ...tokens }) => ({ date, group_key: model_id, ...tokens })),
    tools: toolsRow(date, total, sessions, clients.web),
    toolsByName: sorted(total, "tool").map(([tool, tool_calls]) => ({ date, group_key: tool, tool_calls })),
    activity: {
      date,
      daily_active_users: byUser.size,
      daily_active_users_by_client: clients,
      sessions: sessions.filter(({ isStart }) => isStart).length,
      messages: (total.prompt ?? 0) + (total.answer ?? 0),
      user_messages: total.prompt ?? 0,
    },
    activityByClient: Object.entries(clients)
      .filter(([, count]) => count > 0)
      .map(([client, count]) => ({ date, group_key: client as ClientType, daily_active_users: count })),
    productivity: productivityRow(date, total),
    users,
  };
}

function toolsRow(date: string, total: Counts, sessions: readonly SessionDay[], webUsers: number): ToolsRow {
  const calls = sumOfKind(total, "tool");
  const prompts = total.prompt ?? 0;
  const ratios = sessions
    .filter(({ counts }) => (counts.prompt ?? 0) > 0)
    .map(({ counts }) => ratio(sumOfKind(counts, "tool"), counts.prompt ?? 0));
  const levels = Object.fromEntries(ofKind(total, "level")) as Partial<Record<AutonomyLevel, number>>;
  const ranked = (["auto-high", "auto-medium", "auto-low", "manual"] as const).map((level) => levels[level] ?? 0);
  const known = ranked.reduce((all, count) => all + count, 0);
  const [high = 0, medium = 0, low = 0, manual = 0] = ranked.map((count) => ratio(count, known));
  const named = (kind: string) => sorted(total, kind).map(([name, count]) => ({ name, count }));
  return {
    date,
    tool_calls: calls,
    by_tool: sorted(total, "tool").map(([tool, invocations]) => ({ tool, invocations })),
    mcp_users_with_mcp: new Set(
      sessions.filter(({ counts }) => sumOfKind(counts, "server") > 0).map(({ user }) => user),
    ).size,
    mcp_by_server: sorted(total, "server").map(([server, invocations]) => ({ server, invocations })),
    skills_invocations: sumOfKind(total, "skill"),
    skills_by_name: named("skill"),
    slash_commands_invocations: sumOfKind(total, "slash"),
    slash_commands_by_name: named("slash"),
    hooks_invocations: sumOfKind(total, "hook"),
    hooks_by_event: sorted(total, "hook").map(([event, count]) => ({ event, ...ownHook, count })),
    web_users: webUsers,
    autonomy_ratio_avg: ratio(calls, prompts),
    autonomy_ratio_p50: percentile(ratios, 50),
    autonomy_ratio_p90: percentile(ratios, 90),
    tool_calls_per_session_avg: ratio(calls, sessions.length),
    user_turns_per_session_avg: ratio(prompts, sessions.length),
    tool_autonomy_level_ratio: { auto_high: high, auto_medium: medium, auto_low: low, manual },
  };
}

function productivityRow(date: string, total: Counts): ProductivityRow {
  const files = [...ofKind(total, "created"), ...ofKind(total, "edited")];
  const languages = files.map(([extension, count]): [string, number] => [languageOf(extension), count]);
  return {
    date,
    files_created: sumOfKind(total, "created"),
    files_edited: sumOfKind(total, "edited"),
    by_extension: ranked(summed(files)).map(([extension, count]) => ({ extension, count })),
    by_language: ranked(summed(languages)).map(([language, count]) => ({ language, count })),
    git_commits: total.commit ?? 0,
    git_prs_created: total.pullRequest ?? 0,
  };
}

function userRow(date: string, user: string, days: readonly SessionDay[]): UsersRow {
  const total: Counts = {};
  for (const { counts } of days) addCounts(total, counts);
  const main = primaryModel(total);
  const files = [...ofKind(total, "created"), ...ofKind(total, "edited")];
  const calls = sumOfKind(total, "tool");
  const [prompts, answers] = [total.prompt ?? 0, total.answer ?? 0];
  return {
    user_id: user,
    user_email: emailOf(user) ?? null,
    date,
    tool_calls: calls,
    billable_tokens: sum(modelRows(total), "billable_tokens"),
    primary_model: main?.model_id ?? "",
    primary_model_tier: main?.model_tier ?? "standard",
    files_created: sumOfKind(total, "created"),
    files_edited: sumOfKind(total, "edited"),
    git_commits: total.commit ?? 0,
    git_prs_created: total.pullRequest ?? 0,
    mcp_calls: sumOfKind(total, "server"),
    skill_calls: sumOfKind(total, "skill"),
    slash_commands: sumOfKind(total, "slash"),
    hooks: sumOfKind(total, "hook"),
    sessions: days.filter(({ isStart }) => isStart).length,
    messages: prompts + answers,
    user_messages: prompts,
    assistant_messages: answers,
    autonomy_ratio: ratio(calls, prompts),
    delegation_level: delegationLevel(total),
    languages: [...new Set(files.map(([extension]) => languageOf(extension)))]
      .filter((name) => name !== "Other")
      .sort(),
  };
}

function tokensOfUser(user: string, days: readonly SessionDay[]): TokensRow["by_user"] {
  const total: Counts = {};
  for (const { counts } of days) addCounts(total, counts);
  const by_model = modelRows(total);
  if (by_model.length === 0) return [];
  return [
    { user_id: user, user_email: emailOf(user) ?? "", billable_tokens: sum(by_model, "billable_tokens"), by_model },
  ];
}

/** A user's name that is an address is the address, too. */
function emailOf(user: string): string | undefined {
  return /^[^\s@]+@[^\s@]+$/.test(user) ? user : undefined;
}

/** The most frequent first. */
function sorted(total: Counts, kind: string): [string, number][] {
  return ranked(ofKind(total, kind));
}

/** One entry for each name. A name may be that of a member that every object has. */
function summed(entries: readonly [string, number][]): [string, number][] {
  const sums = new Map<string, number>();
  for (const [name, count] of entries) sums.set(name, (sums.get(name) ?? 0) + count);
  return [...sums];
}

function ranked(entries: [string, number][]): [string, number][] {
  return entries.sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}

function byText<Key extends string>(key: Key) {
  return (a: Record<Key, string>, b: Record<Key, string>): number => (a[key] < b[key] ? -1 : 1);
}

/** Credits have parts of tokens, and sums of them the rounding errors of such numbers. */
function sum<Key extends string>(rows: readonly Record<Key, number>[], key: Key): number {
  return Math.round(rows.reduce((all, row) => all + row[key], 0) * 100) / 100;
}
