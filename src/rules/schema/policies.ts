// What a rules file says to the policies: when a message is wanted, when it waits, and how many come at once.
import * as z from "zod";
import { groupFields } from "../../policies/throttle.ts";
import { whileSubagentsRun } from "../../policies/turn-end.ts";
import { isTimeZone, parseTimeOfDay } from "../../model/figures/wall-clock.ts";
import type { PolicySettings } from "../../policies/policies.ts";
import { durationSetting, optionalSetting } from "../../channels/settings.ts";
import { levels } from "../../model/level.ts";

const usualGroupWait = "10s";
const usualThrottleTime = "10m";

function positiveDuration(description: string) {
  return durationSetting(description).refine((ms) => ms > 0, { error: "expected a duration greater than 0" });
}

const fields = (description: string) => z.array(z.enum(groupFields)).describe(description);

const escalation = () =>
  z
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

/** The limit of a rule, or of a channel for all rules. */
export const throttle = z.lazy(() =>
  z
    .strictObject({
      messages: z.int().min(1).describe("how many messages may be sent at once"),
      per: positiveDuration(
        `the time after which this many may be sent again; ${usualThrottleTime} by default`,
      ).optional(),
      by: fields("a limit for each value of these, such as session; by default one for everything").optional(),
    })
    .describe("how many messages may be sent within a time; the others are sent later as one")
    .transform(({ messages, per = 10 * 60_000, by = [] }) => ({ messages, perMs: per, by })),
);

const wishes = {
  longerThan: optionalSetting(() =>
    positiveDuration("only if the turn took at least this long, such as 30s; questions and errors are always sent"),
  ),
  whileSubagentsRun: optionalSetting(() =>
    z
      .enum(whileSubagentsRun)
      .describe(
        "when a turn ends while its subagents still run: defer the message until the last one ends (the default for channels that people read), soften it to info, or notify at once",
      ),
  ),
  away: optionalSetting(() =>
    z
      .union(
        [
          positiveDuration("only if there was no input for this long, or the screen is locked").transform(
            (afterMs) => ({
              afterMs,
              isWanted: true,
            }),
          ),
          z
            .strictObject({ not: positiveDuration("only if there was input within this time") })
            .transform(({ not }) => ({ afterMs: not, isWanted: false })),
        ],
        { error: 'expected a duration such as 60s, or { "not": "60s" }' },
      )
      .describe('only if you have been away for this long; { "not": "60s" }: only if you are here'),
  ),
  focused: optionalSetting(() =>
    z.boolean().describe("false: only if you are not looking at the session's terminal; true: only if you are"),
  ),
  locked: optionalSetting(() =>
    z.boolean().describe("true: only while the screen is locked; false: only while it is not"),
  ),
  group: optionalSetting(() =>
    z
      .strictObject({
        by: fields("events with the same values of these are one group; by default project").optional(),
        wait: positiveDuration(`how long the first one waits for others; ${usualGroupWait} by default`).optional(),
      })
      .describe("events in quick succession become one message; questions and errors are not delayed")
      .transform(({ by = ["project" as const], wait = 10_000 }) => ({ by, waitMs: wait })),
  ),
  throttle: optionalSetting(() => throttle),
};

export const policyFields = {
  ...wishes,
  defaults: optionalSetting(() =>
    z.literal(false, { error: "expected false" }).describe('false: the file\'s "defaults" do not apply to this rule'),
  ),
  escalate: optionalSetting(escalation),
};

const defaults = () =>
  z.strictObject(wishes).describe("the attention settings of every rule that does not set its own");

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

const days = () =>
  z
    .array(z.enum(weekdays))
    .min(1, { error: "expected at least one weekday" })
    .transform((names) => names.map((name) => weekdays.indexOf(name)));

const timeZone = () =>
  z
    .string()
    .refine(isTimeZone, { error: "this machine does not know the time zone; expected a name such as Europe/Berlin" })
    .describe("the time zone of these times; this machine's by default");

const quietHours = () =>
  z
    .strictObject({
      ranges: z
        .array(
          z.strictObject({
            from: timeOfDay("when they begin, such as 22:00"),
            to: timeOfDay("when they end; on the next day when that is earlier"),
            days: days().describe("the weekdays on which they begin; every day by default").optional(),
          }),
        )
        .min(1, { error: "expected at least one range" })
        .transform((ranges) => ranges.map(({ days: on = everyDay, ...range }) => ({ ...range, days: on }))),
      timeZone: timeZone().optional(),
      breakThrough: z.array(z.enum(levels)).describe("levels that are sent anyway; none by default").optional(),
      channels: z
        .array(z.string())
        .describe("the channels that keep quiet; by default those that a person reads")
        .optional(),
    })
    .describe("times during which messages wait; at the end they are sent as one summary")
    .transform(({ breakThrough = [], ...hours }) => ({ ...hours, breakThrough }));

const stuckAfter = () =>
  positiveDuration("after this long without a sign of work, a turn causes the event Stuck, for rules that name it");

const digest = () =>
  z
    .strictObject({
      at: timeOfDay("the time of day, such as 18:00"),
      days: days().describe("the weekdays; every day by default").optional(),
      timeZone: timeZone().optional(),
    })
    .describe("when the event Digest happens: what ran, how long, what failed and what still waits")
    .transform(({ days: on = everyDay, ...time }) => ({ ...time, days: on }));

/** What a rules file may say to the policies beside its rules. */
export const policiesOfFile = {
  defaults: optionalSetting(defaults),
  quietHours: optionalSetting(quietHours),
  stuckAfter: optionalSetting(stuckAfter),
  digest: optionalSetting(digest),
};

type RuleFields = z.output<z.ZodObject<typeof policyFields>>;

/** What the rule says comes before what the file says for all. */
export function policySettingsOf(rule: RuleFields, forAll: z.output<ReturnType<typeof defaults>> = {}): PolicySettings {
  const { defaults: usesDefaults, ...own } = rule;
  const { longerThan: longerThanMs, escalate, ...wishes } = { ...(usesDefaults === false ? {} : forAll), ...own };
  return { ...wishes, longerThanMs, escalate };
}
