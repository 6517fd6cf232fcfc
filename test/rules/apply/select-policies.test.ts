// Which rule speaks to a channel when policies defer or suppress some messages, and which steps of an escalation wait.
import { expect, it } from "vitest";
import { suppress, defer, type Decision } from "../../../src/policies/decision.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { selectDeliveries, type DecideChannel, type Selection } from "../../../src/rules/apply/select.ts";
import { everyRow } from "../../support/rows.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "Notification",
  agent: "droid",
  session: "s",
  cwd: "/srv/shop",
  project: "shop",
  host: "box",
  at: "2026-11-21T12:00:00.000Z",
  level: "attention",
};

const send: Decision = { action: "send" };
const later = (by: "mute" | "group" = "group"): Decision => defer(by, 1, "later");
const never: Decision = suppress("longerThan", "too short");

/** Each rule notifies `screen`, and by an escalation `bell`, louder. */
async function choose(
  verdicts: Record<string, Decision>,
  decideChannel: DecideChannel = ({ name }) => verdicts[name] ?? send,
) {
  const channels = { screen: { type: "desktop" }, bell: { type: "sound" } };
  const escalate = [{ after: "10m", notify: ["bell"], level: "error" }];
  const rules = Object.keys(verdicts).map((name) => ({ name, notify: ["screen"], escalate }));
  const loaded = await loadRules(JSON.stringify({ channels, rules }));
  if (loaded.status === "broken") throw new Error(JSON.stringify(loaded.problems));
  return selectDeliveries(loaded.rules, event, decideChannel);
}

const told = ({ chosen }: Selection) => chosen.map(({ rule, decision }) => `${rule.name} ${decision.action}`);

it("a channel is told by the first rule that may go at once, else by the first that waits, else by none", () =>
  everyRow<[what: string, verdicts: Record<string, Decision>, expected: string[]]>(
    [
      ["all may go", { a: send, b: send }, ["a send"]],
      ["the first waits", { a: later(), b: send }, ["b send"]],
      ["the first is suppressed", { a: never, b: later(), c: later() }, ["b defer"]],
      ["the first waits, the other is suppressed", { a: later(), b: never }, ["a defer"]],
      ["all are suppressed", { a: never, b: never }, []],
    ],
    async ([_what, verdicts, expected]) => {
      expect(told(await choose(verdicts))).toEqual(expected);
    },
  ));

it("a channel that is kept silent says by which rule and which policy", async () => {
  const { silent } = await choose({ a: never, b: suppress("mute", "muted") });
  expect(silent).toContainEqual({ channel: "screen", rule: "a", why: "too short", by: "longerThan" });
  expect(silent.filter(({ channel }) => channel === "screen")).toHaveLength(1);
});

it("an escalation waits where its rule speaks, and for the channels that the policies let it", async () => {
  const steps = async (onStep: Decision, own: Decision = send) => {
    const selection = await choose({ a: own }, (rule, _channel, step) => {
      if (step !== undefined) expect(rule.level).toBe("error");
      return step === undefined ? own : onStep;
    });
    return selection.steps.map(({ channel, rule, decision, step }) => [
      channel.name,
      decision.action,
      rule.level,
      step.afterMs,
    ]);
  };
  expect(await steps(later("mute"))).toEqual([["bell", "defer", "error", 600_000]]);
  expect(await steps(send)).toEqual([["bell", "send", "error", 600_000]]);
  expect(await steps(never)).toEqual([]);
  // What the person is not told is not escalated either.
  expect(await steps(later(), never)).toEqual([]);
  expect(await steps(later(), later())).toHaveLength(1);
});

it("each rule that notifies a channel which another has told escalates too", async () => {
  const { steps } = await choose({ a: send, b: send });
  expect(steps.map(({ rule }) => rule.name)).toEqual(["a", "b"]);
});
