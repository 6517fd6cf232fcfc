import * as z from "zod";
import { durationSetting } from "../../channels/settings.ts";
import { contents, summaryLength } from "../../model/content.ts";
import { levels } from "../../model/level.ts";
import { platformSettings } from "../../platform/settings.ts";
import { printableLine } from "../../model/text.ts";
import {
  compileRegex,
  compileText,
  conditionFields,
  maxPatternLength,
  type ConditionField,
  type Pattern,
} from "./condition.ts";
import { compileTemplate, maxTemplateLength, templateNames } from "./template.ts";

/** Where in a text a mistake stands, for `params` of a zod issue; in UTF-16 units. */
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
    not: oneOrMore(positive, wantedInNot).describe("holds when none of these does, or the event has no such field"),
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
  project: "the last part of the project folder's path",
  cwd: "the whole path of the project folder; * crosses slashes",
  host: "this machine's name",
  session: "the session's id",
  reason: "why a session ended, or what stopped a turn",
  notificationType: "what a notification is about, such as permission_prompt",
  message: "what the agent said",
  level: levels.join(", "),
  runningHelpers: "how many helpers (sub-agents) go on after the turn, where the agent says so",
};

/** What one field of `when` may be. */
export const condition = oneOrMore(pattern, wantedPatterns);

const conditions = Object.keys(conditionFields) as ConditionField[];
const whenSchema = z
  .strictObject(
    Object.fromEntries(conditions.map((field) => [field, condition.describe(meanings[field]).optional()])) as Record<
      ConditionField,
      z.ZodOptional<typeof condition>
    >,
  )
  .describe("all of these must hold; an array means any of; * and ? are globs. Without any, every event")
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

/** Names stand in the journal and on the command line, and in sentences there. */
const name = z
  .string()
  .min(1, { error: "a name cannot be empty" })
  .max(64, { error: "a name has at most 64 characters" })
  .refine((text) => printableLine(text) === text, {
    error: "a name has no control characters, no space at its ends, and single ones inside",
  });

const channelNames = z.array(z.string(), {
  error: ({ input }) => (input === undefined ? undefined : 'expected an array of channel names, such as ["desktop"]'),
});

/** One rule; a name is made up for those that have none. */
export const ruleSchema = z.strictObject({
  name: name.describe("shown by explain, log and status").optional(),
  when: whenSchema.optional(),
  notify: channelNames.describe("the channels to notify, by name; empty for nobody"),
  level: z.enum(levels).describe("instead of the event's own level").optional(),
  title: templateSchema.describe(`instead of the usual title. Filled in: ${fillable}; {{ is a brace`).optional(),
  body: templateSchema.describe(`instead of the usual body. Filled in: ${fillable}; {{ is a brace`).optional(),
  final: z.boolean().describe("whether no further rule is read when this one holds").optional(),
  fallback: channelNames.describe("channels that get the message when one of notify is unavailable here").optional(),
});

/** Settings that every channel has, whatever its type. */
export const commonSettings = z.object({
  type: z.string().describe("the kind of channel"),
  expireAfter: durationSetting("a message older than this is not sent any more; such as 10m, 6h or 1d")
    .refine((ms) => ms > 0, { error: "expected a duration longer than nothing" })
    .optional(),
  content: z
    .enum(contents)
    .describe(`how much of the agent's words it passes on: none, a summary of ${summaryLength} characters, or full`)
    .optional(),
  scrub: z
    .boolean()
    .describe("whether what looks like a token, key or password is taken out of what it passes on; yes unless said")
    .optional(),
  summary: z
    .union([z.literal(false), z.int().min(2)], { error: "expected false, or a whole number from 2 on" })
    .describe("when this many old messages have piled up, they are sent as one; false: each is sent by itself")
    .optional(),
});

/** The file's own shape; each channel and each rule is looked at by itself, so that one's mistake hides no other's. */
export const fileSchema = z.strictObject({
  $schema: z.string().describe("where an editor finds this schema").optional(),
  channels: z.record(z.string(), z.unknown()).describe("the destinations, by the names that rules use"),
  rules: z.array(z.unknown()).describe("read from top to bottom; every rule that holds adds its channels"),
  platform: platformSettings
    .describe("the agent platform whose usage, readiness reports and computers you are notified of")
    .optional(),
});

export const channelNameSchema = name;
