// What throttles and questions that ring together keep in their buckets, and what they say of a message that waits.
import { expect, it } from "vitest";
import { bucketsAfter, groupPolicy, throttlePolicy, type Throttle } from "../../src/policies/throttle.ts";
import { togetherPolicy, ringingAfter } from "../../src/policies/together.ts";
import { done, messageOf, minute, noon, question, second } from "./messages.ts";

const once: Throttle = { messages: 1, perMs: 10 * minute, by: [] };
const thrice: Throttle = { messages: 3, perMs: 10 * minute, by: [] };

it("a group takes over nothing that quiet hours still hold", () => {
  const held = messageOf(done, { deferred: { by: "quietHours", until: noon + minute } });
  expect(groupPolicy(held, { by: [], waitMs: second }, noon)).toBeUndefined();
});

it("a rule's throttle counts for each rule and channel, a channel's for all its messages", () => {
  const both = { rule: once, channel: once };
  const sent = [messageOf(done), messageOf(done, { rule: "other" }), messageOf(done, { channel: "desk" })];
  const buckets = sent.reduce((all, message) => bucketsAfter(message, both, all, noon), {});
  expect(Object.keys(buckets)).toHaveLength(5);
});

it("the throttle that lets go last decides, and what both hold is gathered by it", () => {
  const longer: Throttle = { ...once, perMs: 20 * minute };
  const buckets = bucketsAfter(messageOf(done), { rule: once, channel: longer }, {}, noon);
  const decision = throttlePolicy(messageOf(done), { rule: once, channel: longer }, buckets, noon + second);
  expect(decision).toMatchObject({ action: "defer", by: "throttle", until: noon + 20 * minute });
  const swapped = bucketsAfter(messageOf(done), { rule: longer, channel: once }, {}, noon);
  const other = throttlePolicy(messageOf(done), { rule: longer, channel: once }, swapped, noon + second);
  expect(other).toMatchObject({ until: noon + 20 * minute });
  const gathers = [decision, other].map((each) => (each?.action === "defer" ? each.key : undefined));
  expect(gathers[0]).toMatch(/^throttle ./);
  expect(gathers[1]).not.toBe(gathers[0]);
});

it("a throttle says how much it lets through", () => {
  const whyOf = (throttle: Throttle): string | undefined => {
    const buckets = [1, 2, 3].reduce((all) => bucketsAfter(messageOf(done), { rule: throttle }, all, noon), {});
    return throttlePolicy(messageOf(done), { rule: throttle }, buckets, noon)?.why;
  };
  expect([once, thrice].map(whyOf)).toEqual([
    "throttled: more than 1 message in 10m",
    "throttled: more than 3 messages in 10m",
  ]);
});

it("a bucket that is full again is forgotten, and no other", () => {
  const before = { full: noon - second, "full now": noon, "not yet": noon + second };
  expect(bucketsAfter(messageOf(done), {}, before, noon)).toEqual({ "not yet": noon + second });
});

const other = { ...question, id: "evt_other", session: "s2" };
const rang = ringingAfter(question, "phone", [], noon);

it("a question joins another session's within five seconds, also one with the same id of another agent", () => {
  const joined = { action: "defer", by: "several", until: noon + 5 * second, key: "several phone" };
  const joins = { agent: "claude-code", session: "s1" };
  expect(togetherPolicy(messageOf(other), rang, noon)).toMatchObject({ ...joined, joins });
  expect(togetherPolicy(messageOf({ ...question, agent: "codex" }), rang, noon)).toMatchObject({ ...joined, joins });
  expect(togetherPolicy(messageOf(question), rang, noon)).toBeUndefined();
  expect(togetherPolicy(messageOf(other), rang, noon + 5 * second)).toBeUndefined();
  // The clock was set back since.
  expect(togetherPolicy(messageOf(other), rang, noon - second)).toBeUndefined();
});

it("a question that waits with others keeps its time, and then leaves", () => {
  const held = (until: number) => messageOf(other, { deferred: { by: "several", until } });
  expect(togetherPolicy(held(noon + second), rang, noon)).toMatchObject({ action: "defer", until: noon + second });
  expect(togetherPolicy(held(noon), rang, noon)).toBeUndefined();
});
