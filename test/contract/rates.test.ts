// A channel type's own rate, which hands out the first messages at once, never makes more than the vendor takes.
import { expect, it } from "vitest";
import type { Rate } from "../../src/channels/channel-type.ts";
import { channelTypes } from "../../src/channels/all.ts";
import { openFrom, withRequest } from "../../src/dispatch/policy/endpoint-policy.ts";
import type { Endpoint } from "../../src/outbox/endpoints.ts";

const second = 1000;
const minute = 60 * second;

/** So many in any stretch of so long, as the vendor says it or is known for. */
const vendors: Readonly<Record<string, readonly Rate[]>> = {
  slack: [{ messages: 1, perMs: second }],
  discord: [
    { messages: 5, perMs: 2 * second },
    { messages: 30, perMs: minute },
  ],
  teams: [{ messages: 4, perMs: second }],
  "google-chat": [{ messages: 1, perMs: second }],
  telegram: [{ messages: 20, perMs: minute }],
  feishu: [
    { messages: 5, perMs: second },
    { messages: 100, perMs: minute },
  ],
  dingtalk: [{ messages: 20, perMs: minute }],
  wecom: [{ messages: 20, perMs: minute }],
  pagerduty: [{ messages: 120, perMs: minute }],
  // A bucket at the vendor, too: 60, and one more every five seconds.
  ntfy: [{ messages: 60 + 720, perMs: 60 * minute }],
};

/** When each of so many messages that all wait from the start may go. */
function times(rate: Rate, count: number): number[] {
  const start = 1_800_000_000_000;
  let endpoint: Endpoint = { channel: "one" };
  let now = start;
  return Array.from({ length: count }, () => {
    now = openFrom(endpoint, rate, now);
    endpoint = withRequest(endpoint, rate, now);
    return now - start;
  });
}

it("every type with a rate has its vendor's here", () => {
  const rated = channelTypes.filter(({ rate }) => rate !== undefined).map(({ type }) => type);
  expect(rated.toSorted()).toEqual(Object.keys(vendors).toSorted());
});

it.each(Object.entries(vendors).flatMap(([type, rules]) => rules.map((rule) => ({ type, rule }))))(
  "$type takes $rule.messages in $rule.perMs ms",
  ({ type, rule }) => {
    const rate = channelTypes.find((channel) => channel.type === type)?.rate as Rate;
    const sent = times(rate, 3 * rule.messages + 1);
    // The message that would be one too many comes when the stretch is over.
    const tooSoon = sent.filter((at, index) => at - (sent[index - rule.messages] ?? -Infinity) < rule.perMs);
    expect(tooSoon).toEqual([]);
  },
);
