// The schema of the rules file: its parts, their meanings, and what they accept.
import * as z from "zod";
import { durationSetting, expectedPath, isWholePath, optionalSetting } from "../../channels/settings.ts";
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
  headless:
    "whether a script or a program has started the session, as with claude -p or codex exec, so that no person is before it",
  runningSubagents: "how many subagents are still running after the turn, if the agent reports it",
};

export const condition = oneOrMore(pattern, wantedPatterns);

const flag = z.boolean().transform((value): Pattern[] => [{ kind: "literal", source: String(value) }]);
const formOf = (field: ConditionField): z.ZodType<Pattern[]> => (field === "headless" ? flag : condition);

const conditions = Object.keys(conditionFields) as ConditionField[];
const whenSchema = z
  .strictObject(
    Object.fromEntries(
      conditions.map((field) => [field, formOf(field).describe(meanings[field]).optional()]),
    ) as Record<ConditionField, z.ZodOptional<z.ZodType<Pattern[]>>>,
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
  name: optionalSetting(() => name.describe("shown by explain, log and status")),
  when: optionalSetting(() => whenSchema),
  notify: channelNames.describe("the channels to notify, by name; an empty array notifies none"),
  level: optionalSetting(() => z.enum(levels).describe("replaces the event's own level")),
  title: optionalSetting(() =>
    templateSchema.describe(`replaces the default title. Placeholders: ${fillable}; {{ is a brace`),
  ),
  body: optionalSetting(() =>
    templateSchema.describe(`replaces the default body. Placeholders: ${fillable}; {{ is a brace`),
  ),
  final: optionalSetting(() => z.boolean().describe("whether the rules after this one are skipped when it matches")),
  fallback: optionalSetting(() =>
    channelNames.describe("channels that get the message when one of notify is unavailable on this machine"),
  ),
  ...policyFields,
});

/** Settings of every channel, whatever its type. */
export const commonSettings = z.object({
  type: z.string().describe("the kind of channel"),
  expireAfter: optionalSetting(() =>
    durationSetting("the age at which a message is no longer sent, such as 10m, 6h or 1d").refine((ms) => ms > 0, {
      error: "expected a duration greater than 0",
    }),
  ),
  content: optionalSetting(() =>
    z
      .enum(contents)
      .describe(`how much of the agent's words is sent: none, a summary of ${summaryLength} characters, or full`),
  ),
  scrub: optionalSetting(() =>
    z.boolean().describe("whether tokens, keys and passwords are removed from messages (default: true)"),
  ),
  answers: optionalSetting(() =>
    z.boolean().describe('whether questions can be answered here; needs "answers" in the rules file'),
  ),
  summary: optionalSetting(() =>
    z
      .union([z.literal(false), z.int().min(2)], { error: "expected false, or a whole number from 2 on" })
      .describe("when this many old messages are waiting, they are sent as one; false sends each by itself"),
  ),
  throttle: optionalSetting(() => throttle),
});

/** The file's outer shape. Channels and rules are checked one by one, so that no problem hides another. */
export const fileSchema = z.strictObject({
  $schema: optionalSetting(() => z.string().describe("where editors find this schema")),
  channels: z.record(z.string(), z.unknown()).describe("the destinations, by the names that rules use"),
  rules: z.array(z.unknown()).describe("read from top to bottom; every rule that matches adds its channels"),
  answers: optionalSetting(() =>
    answersSchema.describe('answers to an agent\'s questions, through channels with "answers": true'),
  ),
  ...partsOfFile,
  promptInTitle: optionalSetting(() =>
    z
      .boolean()
      .describe(
        "whether the start of your prompt tells sessions of one project apart in titles, and shows on the board (default: true)",
      ),
  ),
  idle: optionalSetting(() =>
    z
      .enum(["once", "remind"])
      .describe(
        'whether you get an agent\'s "waiting for input" reminder after a notification that its turn ended: "once" (default): no; "remind": yes',
      ),
  ),
  projectFiles: optionalSetting(() =>
    z
      .union([z.literal(false), z.array(z.string())], { error: "expected false, or an array of channel names" })
      .describe(
        "channels that a repository's .hookbell.jsonc may choose besides those that your rules notify; false: such files are not read",
      ),
  ),
  presenceFile: optionalSetting(() =>
    z
      .string()
      .refine(isWholePath, { error: expectedPath })
      .describe(
        "a file that hookbell keeps in place only while you are at the computer; name it in CLAUDE_CLIENT_PRESENCE_FILE of Claude Code",
      ),
  ),
  ...policiesOfFile,
});

export const channelNameSchema = name;
