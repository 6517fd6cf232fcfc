// The schema of the rules file: its parts, their meanings, and what they accept.
import * as z from "zod";
import { durationSetting, expectedPath, isWholePath } from "../../channels/settings.ts";
import { contents, summaryLength } from "../../model/privacy/content.ts";
import { policyFields, policiesOfFile, throttle } from "./policies.ts";
import { partsOfFile } from "./wing-parts.ts";
import { printableLine } from "../../model/text.ts";
import { answersSchema } from "./answers.ts";
import {
  compileRegex,
  compileText,
  conditionFields,
  maxPatternLength,
  type ConditionField,
  type Pattern,
} from "./condition.ts";
import { compileTemplate, maxTemplateLength, templateNames } from "./template.ts";
import { levels } from "../../model/level.ts";

/** Where in a text a problem is, for `params` of a zod issue; in UTF-16 units. */
export interface TextPlace {
  index: number;
  length: number;
  hint?: string | undefined;
}

const forms = 'a text such as "shop-*", { "matches": REGEX }';
const wantedPatterns = { error: `expected ${forms}, { "not": ... }, or an array of these` };
const wantedInNot = { error: `expected ${forms}, or an array of these` };

const textPattern = z
  .string()
  .min(1, { error: "an empty text matches nothing" })
  .max(maxPatternLength)
  .transform((text): Pattern => compileText(text));

const regexPattern = z
  .strictObject({
    matches: z
      .string()
      .min(1, { error: "an empty expression matches everything" })
      .max(maxPatternLength)
      .describe("a regular expression in RE2's syntax, found anywhere in the text; (?i) ignores case")
      .transform((source, context): Pattern => {
        const compiled = compileRegex(source);
        if ("pattern" in compiled) return compiled.pattern;
        const { message, ...params } = compiled;
        context.addIssue({ code: "custom", message, params });
        return z.NEVER;
      }),
  })
  .transform(({ matches }): Pattern => matches);

const positive = z.union([textPattern, regexPattern], wantedInNot);
const notPattern = z
  .strictObject({
    not: oneOrMore(positive, wantedInNot).describe("matches when none of these does, or the event has no such field"),
  })
  .transform(({ not }): Pattern => ({ kind: "not", anyOf: not }));

const pattern = z.union([textPattern, regexPattern, notPattern], wantedPatterns);

function oneOrMore<T>(item: z.ZodType<T>, wanted: { error: string }) {
  return z
    .union([item, z.array(item).min(1, { error: "an empty array matches nothing" })], wanted)
    .transform((value) => (Array.isArray(value) ? value : [value]));
}

const meanings: Record<ConditionField, string> = {
  event: "the event's name, such as Stop or Notification",
  agent: "the coding agent's id, such as droid or claude-code",
  project: "the repository, else the last part of the project folder's path",
  cwd: "the whole path of the folder that the agent is in; * crosses slashes",
  host: "this machine's name",
  session: "the session's id",
  reason: "why a session ended, or what stopped a turn",
  notificationType: "the kind of notification, such as permission_prompt",
  message: "what the agent said",
  level: levels.join(", "),
  runningSubagents: "how many subagents are still running after the turn, if the agent reports it",
};

export const condition = oneOrMore(pattern, wantedPatterns);

const conditions = Object.keys(conditionFields) as ConditionField[];
const whenSchema = z
  .strictObject(
    Object.fromEntries(conditions.map((field) => [field, condition.describe(meanings[field]).optional()])) as Record<
      ConditionField,
      z.ZodOptional<typeof condition>
    >,
  )
  .describe(
    "all of these must match; an array means any of them; * and ? are wildcards. Without it, every event matches",
  )
  .transform((when) =>
    conditions.flatMap((field) => (when[field] === undefined ? [] : [{ field, anyOf: when[field] }])),
  );

const templateSchema = z
  .string()
  .max(maxTemplateLength)
  .transform((text, context) => {
    const { template, problems } = compileTemplate(text);
    for (const { message, ...params } of problems) context.addIssue({ code: "custom", message, params });
    return template;
  });
const fillable = `${Object.keys(templateNames)
  .map((name) => `{${name}}`)
  .join(" ")} {payload.FIELD}`;

const name = z
  .string()
  .min(1, { error: "a name cannot be empty" })
  .max(64, { error: "a name has at most 64 characters" })
  .refine((text) => printableLine(text) === text, {
    error: "a name has no control characters and no leading, trailing or double spaces",
  });

const channelNames = z.array(z.string(), {
  error: ({ input }) => (input === undefined ? undefined : 'expected an array of channel names, such as ["desktop"]'),
});

/** A rule without a name gets one from its position. */
export const ruleSchema = z.strictObject({
  name: name.describe("shown by explain, log and status").optional(),
  when: whenSchema.optional(),
  notify: channelNames.describe("the channels to notify, by name; an empty array notifies none"),
  level: z.enum(levels).describe("replaces the event's own level").optional(),
  title: templateSchema.describe(`replaces the default title. Placeholders: ${fillable}; {{ is a brace`).optional(),
  body: templateSchema.describe(`replaces the default body. Placeholders: ${fillable}; {{ is a brace`).optional(),
  final: z.boolean().describe("whether the rules after this one are skipped when it matches").optional(),
  fallback: channelNames
    .describe("channels that get the message when one of notify is unavailable on this machine")
    .optional(),
  ...policyFields,
});

/** Settings of every channel, whatever its type. */
export const commonSettings = z.object({
  type: z.string().describe("the kind of channel"),
  expireAfter: durationSetting("a message older than this is not sent, such as 10m, 6h or 1d")
    .refine((ms) => ms > 0, { error: "expected a duration greater than 0" })
    .optional(),
  content: z
    .enum(contents)
    .describe(`how much of the agent's words is sent: none, a summary of ${summaryLength} characters, or full`)
    .optional(),
  scrub: z
    .boolean()
    .describe("whether tokens, keys and passwords are removed from messages (default: true)")
    .optional(),
  answers: z.boolean().describe('whether questions can be answered here; needs "answers" in the rules file').optional(),
  summary: z
    .union([z.literal(false), z.int().min(2)], { error: "expected false, or a whole number from 2 on" })
    .describe("when this many old messages are waiting, they are sent as one; false sends each by itself")
    .optional(),
  throttle: throttle.optional(),
});

/** The file's outer shape. Channels and rules are checked one by one, so that no problem hides another. */
export const fileSchema = z.strictObject({
  $schema: z.string().describe("where editors find this schema").optional(),
  channels: z.record(z.string(), z.unknown()).describe("the destinations, by the names that rules use"),
  rules: z.array(z.unknown()).describe("read from top to bottom; every rule that matches adds its channels"),
  answers: answersSchema.describe('answers to an agent\'s questions, through channels with "answers": true').optional(),
  ...partsOfFile,
  promptInTitle: z
    .boolean()
    .describe(
      "whether the start of your prompt tells sessions of one project apart in titles, and shows on the board (default: true)",
    )
    .optional(),
  idle: z
    .enum(["once", "remind"])
    .describe(
      'whether you get an agent\'s "waiting for input" reminder after a notification that its turn ended: "once" (default): no; "remind": yes',
    )
    .optional(),
  projectFiles: z
    .union([z.literal(false), z.array(z.string())], { error: "expected false, or an array of channel names" })
    .describe(
      "channels that a repository's .hookbell.jsonc may choose besides those that your rules notify; false: such files are not read",
    )
    .optional(),
  presenceFile: z
    .string()
    .refine(isWholePath, { error: expectedPath })
    .describe("a file that is there while you are at the computer, for CLAUDE_CLIENT_PRESENCE_FILE of Claude Code")
    .optional(),
  ...policiesOfFile,
});

export const channelNameSchema = name;
