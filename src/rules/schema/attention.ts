// What a rules file says about attention: when a message is wanted, when it waits, and how many come at once.
import * as z from "zod";
import { groupFields } from "../../attention/grouping.ts";
import { whileHelpersRun } from "../../attention/turn-end.ts";
import { isTimeZone, parseTimeOfDay } from "../../attention/wall-clock.ts";
import type { AttentionSettings } from "../../attention/weigh.ts";
import { durationSetting } from "../../channels/settings.ts";
import { levels } from "../../model/level.ts";

const usualGroupWait = "10s";
const usualThrottleTime = "10m";

function positiveDuration(description: string) {
  return durationSetting(description).refine((ms) => ms > 0, { error: "expected a duration longer than nothing" });
}

const fields = (description: string) => z.array(z.enum(groupFields)).describe(description);

const escalation = z
  .array(
    z.strictObject({
      after: positiveDuration("how long after the event, such as 2m"),
      notify: z.array(z.string()).min(1, { error: "a step without channels notifies no one" }),
      level: z.enum(levels).describe("instead of the message's own level").optional(),
    }),
  )
  .min(1, { error: "expected at least one step" })
  .describe("further channels that are notified when you have not reacted after some time")
  .transform((steps) => steps.map(({ after, ...step }) => ({ ...step, afterMs: after })));

/** Of a rule, or of a channel for all rules. */
export const throttle = z
  .strictObject({
    messages: z.int().min(1).describe("how many may come at once"),
    per: positiveDuration(`in which time as many may come again; ${usualThrottleTime} by default`).optional(),
    by: fields("a limit for each value of these, such as session; by default one for everything").optional(),
  })
  .describe("how many messages may come in a time; more than that come later, as one")
  .transform(({ messages, per = 10 * 60_000, by = [] }) => ({ messages, perMs: per, by }));

const wishes = {
  longerThan: positiveDuration(
    "only when the turn took as long, such as 30s; questions and errors come anyway",
  ).optional(),
  whileHelpersRun: z
    .enum(whileHelpersRun)
    .describe(
      "the end of a turn whose helpers go on: hold it until the last one ends (for people by default), soften it to info, or tell it",
    )
    .optional(),
  away: z
    .union(
      [
        positiveDuration("only when there was no input for so long, or the screen is locked").transform((afterMs) => ({
          afterMs,
          isWanted: true,
        })),
        z
          .strictObject({ not: positiveDuration("only when there was input within this time") })
          .transform(({ not }) => ({ afterMs: not, isWanted: false })),
      ],
      { error: 'expected a duration such as 60s, or { "not": "60s" }' },
    )
    .describe('only when you are away for so long; { "not": "60s" } only when you are here')
    .optional(),
  focused: z
    .boolean()
    .describe("false: only when you do not look at the session's terminal; true: only when you do")
    .optional(),
  locked: z.boolean().describe("true: only while the screen is locked; false: only while it is not").optional(),
  group: z
    .strictObject({
      by: fields("together are events that are alike in these; by default project").optional(),
      wait: positiveDuration(`how long the first one waits for others; ${usualGroupWait} by default`).optional(),
    })
    .describe("events that come together are one message; questions and errors do not wait")
    .transform(({ by = ["project" as const], wait = 10_000 }) => ({ by, waitMs: wait }))
    .optional(),
  throttle: throttle.optional(),
};

export const attentionFields = { ...wishes, escalate: escalation.optional() };

const defaults = z.strictObject(wishes).describe("what every rule says about attention that does not say it itself");

const timeOfDay = (description: string) =>
  z
    .string()
    .describe(description)
    .transform((text, context) => {
      const minutes = parseTimeOfDay(text);
      if (minutes !== undefined) return minutes;
      context.addIssue({ code: "custom", message: "expected a time of day such as 22:00" });
      return z.NEVER;
    });

const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

const everyDay = weekdays.map((_, day) => day);

const days = z
  .array(z.enum(weekdays))
  .min(1, { error: "without a day it would never be" })
  .transform((names) => names.map((name) => weekdays.indexOf(name)));

const timeZone = z
  .string()
  .refine(isTimeZone, { error: "this machine does not know the time zone; expected a name such as Europe/Berlin" })
  .describe("the time zone of these times; this machine's by default");

const quietHours = z
  .strictObject({
    ranges: z
      .array(
        z.strictObject({
          from: timeOfDay("when they begin, such as 22:00"),
          to: timeOfDay("when they end; on the next day when that is earlier"),
          days: days.describe("the weekdays on which they begin; every day by default").optional(),
        }),
      )
      .min(1, { error: "expected at least one range" })
      .transform((ranges) => ranges.map(({ days: on = everyDay, ...range }) => ({ ...range, days: on }))),
    timeZone: timeZone.optional(),
    breakThrough: z.array(z.enum(levels)).describe("levels that come all the same; none by default").optional(),
    channels: z
      .array(z.string())
      .describe("the channels that keep them; by default those that a person reads")
      .optional(),
  })
  .describe("times at which messages wait; at their end they come as one summary")
  .transform(({ breakThrough = [], ...hours }) => ({ ...hours, breakThrough }));

const stuckAfter = positiveDuration(
  "a turn without any sign of work for so long is the event Stuck, for rules that ask for it",
);

const digest = z
  .strictObject({
    at: timeOfDay("the time of day, such as 18:00"),
    days: days.describe("the weekdays; every day by default").optional(),
    timeZone: timeZone.optional(),
  })
  .describe("when the event Digest happens: what ran, how long, what failed and what still waits")
  .transform(({ days: on = everyDay, ...time }) => ({ ...time, days: on }));

/** What a rules file may say about attention beside its rules. */
export const attentionOfFile = {
  defaults: defaults.optional(),
  quietHours: quietHours.optional(),
  stuckAfter: stuckAfter.optional(),
  digest: digest.optional(),
};

type RuleFields = z.output<z.ZodObject<typeof attentionFields>>;

/** What the rule says comes before what the file says for all. */
export function attentionOf(rule: RuleFields, forAll: z.output<typeof defaults> = {}): AttentionSettings {
  const { longerThan: longerThanMs, escalate, ...wishes } = { ...forAll, ...rule };
  return { ...wishes, longerThanMs, escalate };
}
