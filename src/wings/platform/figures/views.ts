// What the usage tables show for each endpoint, as data: measures, how days add up, breakdowns, groups.

/**
 * How a period's days become one number. A `mean` is that of the days with sessions; a `ratio` is weighted by what it is
 * a ratio of; `last` is that of the newest day.
 */
export type Summing = "sum" | "mean" | "ratio" | "last";

/** What a ratio of a day is a ratio of. With `days`, each day with sessions weighs the same. */
export type RatioOf = "turns" | "sessions" | "calls" | "days";

export interface UsageMeasure {
  label: string;
  /** What it is called for a single day, if that is something else: a mean of medians is no median. */
  ofOneDay?: string;
  field: string;
  summing: Summing;
  of?: RatioOf;
}

/** A list (or an object of numbers) in each row that is added up over the days. */
export interface Breakdown {
  label: string;
  field: string;
  /** Fields that name an item. Without `isJoined`, the first one that is filled. */
  names: readonly string[];
  isJoined?: boolean;
  value: string;
  valueLabel: string;
  /** A `ratio` is a share of 1. */
  summing: Exclude<Summing, "last">;
  of?: RatioOf;
}

export interface UsageView {
  title: string;
  measures: readonly UsageMeasure[];
  breakdowns: readonly Breakdown[];
  /** Measures of rows with a `group_key`. */
  grouped?: { label: string; measures: readonly UsageMeasure[] };
}

const sum = (label: string, field: string): UsageMeasure => ({ label, field, summing: "sum" });
const mean = (label: string, field: string): UsageMeasure => ({ label, field, summing: "mean" });
const last = (label: string, field: string): UsageMeasure => ({ label, field, summing: "last" });
const ratio = (label: string, field: string, of: RatioOf): UsageMeasure => ({ label, field, summing: "ratio", of });

function list(label: string, field: string, name: string, value: string, valueLabel: string): Breakdown {
  return { label, field, names: [name], value, valueLabel, summing: "sum" };
}

const credits = sum("Credits", "billable_tokens");
const inputTokens = sum("Input tokens", "input_tokens");
const outputTokens = sum("Output tokens", "output_tokens");
const toolCalls = sum("Tool calls", "tool_calls");

export const usageViews = {
  tokens: {
    title: "Tokens and credits",
    measures: [
      credits,
      inputTokens,
      outputTokens,
      sum("Cache read", "cache_read_tokens"),
      sum("Cache write", "cache_write_tokens"),
    ],
    breakdowns: [
      list("Model", "by_model", "model_id", "billable_tokens", "Credits"),
      { ...list("User", "by_user", "user_email", "billable_tokens", "Credits"), names: ["user_email", "user_id"] },
    ],
    grouped: { label: "Model", measures: [credits, inputTokens, outputTokens] },
  },
  tools: {
    title: "Tools and autonomy",
    measures: [
      toolCalls,
      sum("Skills", "skills_invocations"),
      sum("Slash commands", "slash_commands_invocations"),
      sum("Hooks", "hooks_invocations"),
      mean("MCP users a day", "mcp_users_with_mcp"),
      mean("Web users a day", "web_users"),
      ratio("Autonomy", "autonomy_ratio_avg", "turns"),
      { ...ratio("Autonomy, mean of medians", "autonomy_ratio_p50", "days"), ofOneDay: "Autonomy, median" },
      {
        ...ratio("Autonomy, mean of 90th percentiles", "autonomy_ratio_p90", "days"),
        ofOneDay: "Autonomy, 90th percentile",
      },
      ratio("Tool calls a session", "tool_calls_per_session_avg", "sessions"),
      ratio("Turns a session", "user_turns_per_session_avg", "sessions"),
    ],
    breakdowns: [
      list("Tool", "by_tool", "tool", "invocations", "Calls"),
      list("MCP server", "mcp_by_server", "server", "invocations", "Calls"),
      list("Skill", "skills_by_name", "name", "count", "Uses"),
      list("Slash command", "slash_commands_by_name", "name", "count", "Uses"),
      {
        ...list("Hook", "hooks_by_event", "event", "count", "Runs"),
        names: ["event", "matcher", "command"],
        isJoined: true,
      },
      {
        ...list("Autonomy level", "tool_autonomy_level_ratio", "", "", "Share of tool calls"),
        summing: "ratio",
        of: "calls",
      },
    ],
    grouped: { label: "Tool", measures: [toolCalls] },
  },
  activity: {
    title: "Activity",
    measures: [
      mean("Active users a day", "daily_active_users"),
      last("Active users, last 7 days", "weekly_active_users"),
      last("Active users, last 30 days", "monthly_active_users"),
      sum("Sessions", "sessions"),
      sum("Messages", "messages"),
      sum("User messages", "user_messages"),
    ],
    breakdowns: [{ ...list("Client", "daily_active_users_by_client", "", "", "Active users a day"), summing: "mean" }],
    grouped: { label: "Client", measures: [mean("Active users a day", "daily_active_users")] },
  },
  productivity: {
    title: "Productivity",
    measures: [
      sum("Files edited", "files_edited"),
      sum("Files created", "files_created"),
      sum("Commits", "git_commits"),
      sum("Pull requests", "git_prs_created"),
    ],
    breakdowns: [
      list("Language", "by_language", "language", "count", "Files"),
      list("Extension", "by_extension", "extension", "count", "Files"),
    ],
  },
  users: {
    title: "Users",
    measures: [
      credits,
      toolCalls,
      sum("Sessions", "sessions"),
      sum("Messages", "messages"),
      sum("Files edited", "files_edited"),
      sum("Files created", "files_created"),
      sum("Commits", "git_commits"),
      sum("Pull requests", "git_prs_created"),
    ],
    breakdowns: [],
  },
} as const satisfies Record<string, UsageView>;

export type UsageName = keyof typeof usageViews;
export const usageNames = Object.keys(usageViews) as UsageName[];
