// What a delivery takes from the rule that chose its channel, and from what attention says of it.
import { expect, it } from "vitest";
import { composeFor } from "../../../src/pipeline/event/compose-for.ts";
import type { Decision } from "../../../src/policies/decision.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { selectDeliveries } from "../../../src/rules/apply/select.ts";
import { localRequest } from "../../support/channels/channel-request.ts";

const { event } = localRequest({}, {});
const at = Date.parse(event.at);
const minuteMs = 60_000;

/** The deliveries of a rule; a step of its escalation is decided about by itself. */
async function composed(rule: Record<string, unknown>, decision: Decision = { action: "send" }, nowMs = at) {
  const loaded = await loadRules(
    JSON.stringify({
      channels: {
        desktop: { type: "desktop" },
        sound: { type: "sound" },
        chat: { type: "slack", url: "https://hooks.example", expireAfter: "2h" },
        hook: { type: "webhook", url: "https://in.example", payload: true },
      },
      rules: [{ name: "all", ...rule }],
    }),
  );
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  const selection = selectDeliveries(loaded.rules, event, (_rule, _channel, step) =>
    step === undefined ? decision : { action: "defer", by: "escalation", until: at + step.afterMs, why: "no answer" },
  );
  return composeFor({ event, payload: { said: "hello" }, selection }, loaded.rules, nowMs).map(
    ({ delivery }) => delivery,
  );
}

it("a decision's level replaces the rule's, which replaces the event's", async () => {
  const levels = async (rule: object, decision: Decision) =>
    (await composed({ notify: ["chat"], ...rule }, decision)).map(({ message }) => message.level);
  const deferred: Decision = { action: "defer", by: "presence", until: at + 1, why: "you are there" };
  expect(await levels({ level: "error" }, { action: "send", level: "info", why: "its subagents run on" })).toEqual([
    "info",
  ]);
  expect(await levels({ level: "error" }, { action: "send" })).toEqual(["error"]);
  expect(await levels({ level: "error" }, deferred)).toEqual(["error"]);
  expect(await levels({}, { action: "send" })).toEqual([event.level]);
  const [first] = await composed(
    { notify: ["chat"], fallback: ["hook"], level: "error" },
    { action: "send", level: "info", why: "its subagents run on" },
  );
  expect(first?.fallback).toMatchObject([{ channel: "hook", message: { level: "info" } }]);
});

it("a message expires by the time of its event, however late it is composed, and waits only if it is deferred", async () => {
  const [late] = await composed({ notify: ["chat"] }, { action: "send" }, at + 90 * minuteMs);
  expect(late).toMatchObject({
    createdAt: at + 90 * minuteMs,
    notBefore: at + 90 * minuteMs,
    expiresAt: at + 120 * minuteMs,
  });
  expect(late?.hold).toBeUndefined();
  const until = at + 60 * minuteMs;
  const [deferred] = await composed(
    { notify: ["chat"] },
    { action: "defer", by: "quietHours", until, why: "night", key: "g" },
  );
  expect(deferred).toMatchObject({ notBefore: until, expiresAt: until + 120 * minuteMs });
  expect(deferred?.hold).toEqual({ by: "quietHours", why: "night", gather: "g" });
});

it("a question that joins others says which it joins", async () => {
  const joins = { agent: "claude-code", session: "s0" };
  const [joined] = await composed({ notify: ["chat"] }, { action: "send", joins });
  expect(joined?.joins).toEqual(joins);
});

it("the steps of an escalation come after the messages that they repeat, each with an id of its own", async () => {
  const escalate = [
    { after: "5m", notify: ["chat"] },
    { after: "10m", notify: ["chat", "hook"], level: "error" },
  ];
  const all = await composed({ notify: ["chat"], level: "attention", escalate });
  expect(all.map((each) => [each.channel, each.kind === "event" && each.escalatesAfterMs, each.message.level])).toEqual(
    [
      ["chat", undefined, "attention"],
      ["chat", 5 * minuteMs, "attention"],
      ["chat", 10 * minuteMs, "error"],
      ["hook", 10 * minuteMs, "error"],
    ],
  );
  expect(new Set(all.map(({ id }) => id)).size).toBe(4);
  const again = await composed({ notify: ["chat"], level: "attention", escalate });
  expect(again.map(({ id }) => id)).toEqual(all.map(({ id }) => id));
});

it("a fallback stands by only where its channel is not notified anyway and is there", async () => {
  const fallbacks = async (rule: Record<string, unknown>) =>
    (await composed(rule)).map(({ fallback }) => fallback.map(({ channel }) => channel));
  expect(await fallbacks({ notify: ["chat"], fallback: ["hook"] })).toEqual([["hook"]]);
  expect(await fallbacks({ notify: ["chat", "hook"], fallback: ["hook", "sound"] })).toEqual([["sound"], ["sound"]]);
});

it("only a channel that passes payloads gets one", async () => {
  const [chat, hook] = await composed({ notify: ["chat", "hook"] });
  expect([chat?.payload, hook?.payload]).toEqual([undefined, { said: "hello" }]);
});

it("one message is kept where nothing but this machine's own screen and speakers is told", async () => {
  const kept = async (notify: string[]) =>
    (await composed({ notify })).map((each) => (each.kind === "event" ? each.isOnlyHere : "no event"));
  expect(await kept(["desktop", "sound"])).toEqual([true, undefined]);
  expect(await kept(["desktop", "chat"])).toEqual([undefined, undefined]);
  expect(await kept(["chat"])).toEqual([undefined]);
});
