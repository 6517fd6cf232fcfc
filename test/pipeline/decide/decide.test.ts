// How much may go at once: which messages count, for which limit, and how long a deferred one is kept.
import { expect, it } from "vitest";
import { joinedAs } from "../../../src/pipeline/coalescer/joined-as.ts";
import { deferredBy, takeTokens } from "../../../src/pipeline/decide/decide.ts";
import { readBuckets, readRinging } from "../../../src/outbox/attention.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { eventOf, hour, minute } from "../../policies/messages.ts";

async function prepare() {
  const running = prepareDispatcher();
  running.writeRules({
    channels: {
      plain: { type: "ntfy", topic: "t" },
      limited: { type: "ntfy", topic: "u", throttle: { messages: 1, per: "1h" } },
      program: { type: "command", argv: ["true"] },
    },
    rules: [
      { name: "all", notify: ["plain"] },
      { name: "few", notify: ["plain"], throttle: { messages: 1, per: "10m" } },
    ],
  });
  const { dispatcher, clock } = running;
  await dispatcher.rereadRules();
  const { rules, channels } = dispatcher.rules().rules;
  const now = clock.now();
  return {
    /** What is used up after one message, or rings, and for how long. */
    taken(name: string, rule: "all" | "few" | undefined, channel: "plain" | "limited" | "program") {
      const chosen = channels[channel];
      if (chosen === undefined) throw new Error("no such channel");
      takeTokens(
        dispatcher,
        eventOf(name, {}, now),
        rules.find((each) => each.name === rule),
        chosen,
      );
      const rings = readRinging(dispatcher.layout).map(({ until }) => until);
      return [...Object.values(readBuckets(dispatcher.layout)), ...rings].map((until) => until - now);
    },
  };
}

it.each([
  ["a message that nothing limits takes nothing", "SessionStart", "all", "plain", []],
  ["a rule's limit counts", "SessionStart", "few", "plain", [10 * minute]],
  ["a channel's limit counts, also where the rule is gone", "SessionStart", undefined, "limited", [hour]],
  ["both count", "SessionStart", "few", "limited", [10 * minute, hour]],
  ["a question rings without any limit", "PermissionRequest", "all", "plain", [5000]],
  ["a question that a program gets does not ring", "PermissionRequest", "all", "program", []],
  ["the end of a turn rings, and counts for a limit as well", "Stop", "few", "plain", [5000, 10 * minute]],
] as const)("%s", async (_what, name, rule, channel, left) => {
  const { taken } = await prepare();
  expect(taken(name, rule, channel).toSorted((a, b) => a - b)).toEqual([...left]);
});

it("a message that waits for the person expires as usual, and any other gets its time after the wait", () => {
  const now = Date.UTC(2026, 10, 28, 12);
  const held = { action: "defer", until: now + hour, why: "it waits", key: "g" } as const;
  const usual = { expiresAt: now + 2 * hour };
  expect(deferredBy({ ...held, by: "presence" }, usual, 3 * hour)).toEqual({
    hold: { by: "presence", why: "it waits", gather: "g" },
    notBefore: now + hour,
    expiresAt: now + 2 * hour,
  });
  expect(deferredBy({ ...held, by: "mute" }, usual, 3 * hour).expiresAt).toBe(now + 4 * hour);
  expect(deferredBy({ ...held, by: "mute" }, usual, minute).expiresAt).toBe(now + 2 * hour);
});

it("how a channel shows what joins another message follows from what it can show", async () => {
  const running = prepareDispatcher();
  running.writeRules({
    channels: {
      sound: { type: "sound" },
      terminal: { type: "terminal" },
      desk: { type: "desktop" },
      mail: { type: "webhook", url: "https://in.example" },
      phone: { type: "telegram", token: "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_", chat: 77, answers: true },
      chat: { type: "discord", url: "https://discord.com/api/webhooks/1/TOKEN", update: "replace" },
    },
    answers: {},
    rules: [],
  });
  await running.dispatcher.rereadRules();
  const { channels } = running.dispatcher.rules().rules;
  const whatOf = (name: string, isAsked: boolean, what: string) =>
    channels[name] && joinedAs(channels[name], eventOf(what), isAsked);
  const all = (what: string, isAsked: boolean) =>
    ["sound", "terminal", "desk", "mail", "phone", "chat"].map((name) => whatOf(name, isAsked, what));
  const [ends, lists] = ["summary", "silentMessage"] as const;
  expect(all("PermissionRequest", true)).toEqual(["nothing", "ownMessage", lists, "summary", lists, lists]);
  expect(all("Stop", false)).toEqual(["nothing", "ownMessage", ends, ends, ends, "silentMessage"]);
});
