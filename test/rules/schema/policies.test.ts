// What a rules file may say about attention, and what it becomes.
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { policyFields, policySettingsOf, policiesOfFile, throttle } from "../../../src/rules/schema/policies.ts";

const rule = z.strictObject(policyFields);
const { defaults, quietHours, stuckAfter, digest } = policiesOfFile;
const everyDay = [0, 1, 2, 3, 4, 5, 6];

describe("what is read", () => {
  it.each<[what: string, schema: z.ZodType, given: unknown, expected: unknown]>([
    ["nothing", rule, {}, {}],
    ["a digest", digest, { at: "18:00" }, { at: 1080, days: everyDay }],
    ["a duration", rule, { longerThan: "1m30s" }, { longerThan: 90_000 }],
    ["away", rule, { away: "60s" }, { away: { afterMs: 60_000, isWanted: true } }],
    ["here", rule, { away: { not: "60s" } }, { away: { afterMs: 60_000, isWanted: false } }],
    ["a group as it comes", rule, { group: {} }, { group: { by: ["project"], waitMs: 10_000 } }],
    ["a group", rule, { group: { by: ["agent"], wait: "1m" } }, { group: { by: ["agent"], waitMs: 60_000 } }],
    ["a throttle", throttle, { messages: 3 }, { messages: 3, perMs: 600_000, by: [] }],
    [
      "an escalation",
      rule,
      { escalate: [{ after: "2m", notify: ["phone"], level: "error" }] },
      { escalate: [{ afterMs: 120_000, notify: ["phone"], level: "error" }] },
    ],
    [
      "quiet hours",
      quietHours,
      { ranges: [{ from: "22:00", to: "07:00" }] },
      { ranges: [{ from: 1320, to: 420, days: everyDay }], breakThrough: [] },
    ],
    [
      "quiet weekends",
      quietHours,
      {
        ranges: [{ from: "0:00", to: "24:00", days: ["sat", "sun"] }],
        timeZone: "Europe/Berlin",
        breakThrough: ["error"],
      },
      { ranges: [{ from: 0, to: 1440, days: [6, 0] }], timeZone: "Europe/Berlin", breakThrough: ["error"] },
    ],
    ["a stuck turn", stuckAfter, "10m", 600_000],
  ])("%s means what was written", (_what, schema, given, expected) => {
    expect(schema.parse(given)).toEqual(expected);
  });
});

describe("what is refused", () => {
  it.each<[what: string, schema: z.ZodType, given: unknown, message: RegExp]>([
    ["no time", rule, { longerThan: "0s" }, /greater than 0/],
    ["a number", rule, { away: 60 }, /expected a duration such as 60s/],
    ["an escalation to no one", rule, { escalate: [{ after: "2m", notify: [] }] }, /notifies no one/],
    ["an escalation without steps", rule, { escalate: [] }, /at least one step/],
    ["no messages at all", throttle, { messages: 0 }, />=1/],
    ["an unknown field to group by", rule, { group: { by: ["message"] } }, /Invalid option/],
    ["25 o'clock", quietHours, { ranges: [{ from: "25:00", to: "07:00" }] }, /expected a time of day/],
    ["no range", quietHours, { ranges: [] }, /at least one range/],
    ["no day", quietHours, { ranges: [{ from: "1:00", to: "2:00", days: [] }] }, /at least one weekday/],
    ["an unknown zone", quietHours, { ranges: [{ from: "1:00", to: "2:00" }], timeZone: "Mars" }, /Europe\/Berlin/],
    ["escalation for every rule", defaults, { escalate: [{ after: "2m", notify: ["phone"] }] }, /escalate/],
  ])("%s is a problem that says what to write", (_what, schema, given, message) => {
    expect(schema.safeParse(given).error?.message).toMatch(message);
  });
});

it("prefers what a rule says to what the file says for all", () => {
  const forAll = defaults.parse({ longerThan: "20s", focused: false });
  expect(policySettingsOf(rule.parse({ longerThan: "1m" }), forAll)).toMatchObject({
    longerThanMs: 60_000,
    focused: false,
  });
  expect(policySettingsOf(rule.parse({ focused: true }), forAll)).toMatchObject({
    longerThanMs: 20_000,
    focused: true,
  });
  expect(policySettingsOf(rule.parse({ defaults: false }), forAll)).toEqual({});
});
