// The rows, envelopes and error body of the five analytics endpoints. Extra fields pass.
import * as z from "zod";
import { autonomyLevels, clientTypes } from "../../../model/usage.ts";

const date = z.iso.date();
const namedCount = z.looseObject({ name: z.string(), count: z.number() });

export const tokensRowSchema = z.looseObject({
  date,
  /** Standard credits: raw tokens with the cache's discounts. */
  billable_tokens: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
  cache_read_tokens: z.number(),
  cache_write_tokens: z.number(),
  by_model: z.array(
    z.looseObject({
      model_id: z.string(),
      model_tier: z.string(),
      billable_tokens: z.number(),
      input_tokens: z.number(),
      output_tokens: z.number(),
    }),
  ),
  by_user: z.array(
    z.looseObject({
      user_id: z.string(),
      user_email: z.string(),
      billable_tokens: z.number(),
      /** The document does not show the fields of these items. */
      by_model: z.array(z.unknown()),
    }),
  ),
});
export type TokensRow = z.infer<typeof tokensRowSchema>;

export const tokensByModelRowSchema = z.looseObject({
  date,
  group_key: z.string(),
  billable_tokens: z.number(),
  input_tokens: z.number(),
  output_tokens: z.number(),
});
export type TokensByModelRow = z.infer<typeof tokensByModelRowSchema>;

export const toolsRowSchema = z.looseObject({
  date,
  tool_calls: z.number(),
  by_tool: z.array(z.looseObject({ tool: z.string(), invocations: z.number() })),
  mcp_users_with_mcp: z.number(),
  mcp_by_server: z.array(z.looseObject({ server: z.string(), invocations: z.number() })),
  skills_invocations: z.number(),
  skills_by_name: z.array(namedCount),
  slash_commands_invocations: z.number(),
  slash_commands_by_name: z.array(namedCount),
  hooks_invocations: z.number(),
  hooks_by_event: z.array(
    z.looseObject({ event: z.string(), matcher: z.string(), command: z.string(), count: z.number() }),
  ),
  web_users: z.number(),
  /** Tool calls for one message of a user. */
  autonomy_ratio_avg: z.number(),
  autonomy_ratio_p50: z.number(),
  autonomy_ratio_p90: z.number(),
  tool_calls_per_session_avg: z.number(),
  user_turns_per_session_avg: z.number(),
  /** A level that nothing used may be absent. */
  tool_autonomy_level_ratio: z
    .object({
      auto_high: z.number().optional(),
      auto_medium: z.number().optional(),
      auto_low: z.number().optional(),
      manual: z.number().optional(),
    })
    .catchall(z.number()),
});
export type ToolsRow = z.infer<typeof toolsRowSchema>;

export const toolsByNameRowSchema = z.looseObject({ date, group_key: z.string(), tool_calls: z.number() });
export type ToolsByNameRow = z.infer<typeof toolsByNameRowSchema>;

export const activityRowSchema = z.looseObject({
  date,
  daily_active_users: z.number(),
  /** The users of the trailing 7 days. */
  weekly_active_users: z.number(),
  /** The users of the trailing 30 days. */
  monthly_active_users: z.number(),
  /** A user of several clients counts once in each; a client without users may be absent. */
  daily_active_users_by_client: z
    .object({
      "terminal-ui": z.number().optional(),
      web: z.number().optional(),
      "non-interactive-cli": z.number().optional(),
    })
    .catchall(z.number()),
  sessions: z.number(),
  messages: z.number(),
  user_messages: z.number(),
});
export type ActivityRow = z.infer<typeof activityRowSchema>;

export const activityByClientRowSchema = z.looseObject({
  date,
  group_key: z.enum(clientTypes),
  daily_active_users: z.number(),
});
export type ActivityByClientRow = z.infer<typeof activityByClientRowSchema>;

export const productivityRowSchema = z.looseObject({
  date,
  files_created: z.number(),
  files_edited: z.number(),
  by_extension: z.array(z.looseObject({ extension: z.string(), count: z.number() })),
  by_language: z.array(z.looseObject({ language: z.string(), count: z.number() })),
  git_commits: z.number(),
  git_prs_created: z.number(),
});
export type ProductivityRow = z.infer<typeof productivityRowSchema>;

export const usersRowSchema = z.looseObject({
  user_id: z.string(),
  user_email: z.string().nullable(),
  date,
  tool_calls: z.number(),
  billable_tokens: z.number(),
  primary_model: z.string(),
  primary_model_tier: z.enum(["standard", "thinking"]),
  files_created: z.number(),
  files_edited: z.number(),
  git_commits: z.number(),
  git_prs_created: z.number(),
  mcp_calls: z.number(),
  skill_calls: z.number(),
  slash_commands: z.number(),
  hooks: z.number(),
  sessions: z.number(),
  messages: z.number(),
  user_messages: z.number(),
  assistant_messages: z.number(),
  autonomy_ratio: z.number(),
  delegation_level: z.enum(autonomyLevels),
  languages: z.array(z.string()),
});

export const metaSchema = z.looseObject({ org_id: z.string(), start_date: date, end_date: date });
export type Meta = z.infer<typeof metaSchema>;

/** On the last page `next_cursor` may be absent or null. */
export const usersMetaSchema = metaSchema.extend({ has_more: z.boolean(), next_cursor: z.string().nullish() });

/** The success answer of an endpoint whose rows are of this shape. */
export function envelopeOf<Row extends z.ZodType>(row: Row) {
  return z.looseObject({ data: z.array(row), meta: metaSchema });
}
export interface Envelope<Row> {
  data: Row[];
  meta: Meta;
}

export const usersEnvelopeSchema = z.looseObject({ data: z.array(usersRowSchema), meta: usersMetaSchema });
export type UsersEnvelope = z.infer<typeof usersEnvelopeSchema>;

export const analyticsErrorSchema = z.looseObject({
  title: z.string(),
  detail: z.string(),
  status: z.number(),
  requestId: z.string(),
});
