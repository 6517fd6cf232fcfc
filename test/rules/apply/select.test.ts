import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { notificationTypeOf } from "../../../src/agents/dialect/notification-types.ts";
import { levelOfEvent } from "../../../src/model/level.ts";
import { builtInRules } from "../../../src/rules/built-in.ts";
import { loadRules } from "../../../src/rules/load.ts";
import type { Rules } from "../../../src/rules/rules.ts";
import { messageFor } from "../../../src/rules/apply/channel-message.ts";
import { createWords } from "../../../src/model/privacy/scrub-event.ts";
import { selectDeliveries, type Selection } from "../../../src/rules/apply/select.ts";
import { everyRow } from "../../support/rows.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "droid",
  session: "s-1",
  cwd: "/srv/shop-web",
  project: "shop-web",
  host: "box",
  at: "2026-11-21T12:00:00.000Z",
  level: "success",
  message: "All tests pass.",
};

async function rulesOf(rules: unknown[]): Promise<Rules> {
  const channels = { screen: { type: "desktop" }, bell: { type: "sound" }, spare: { type: "desktop" } };
  const loaded = await loadRules(JSON.stringify({ channels, rules }));
  if (loaded.status === "broken") throw new Error(JSON.stringify(loaded.problems));
  return loaded.rules;
}

/** Channel, rule and title of each delivery. */
const told = (selection: Selection, payload?: Record<string, unknown>) =>
  selection.chosen.map((each) => [each.channel.name, each.rule.name, messageOf(each, payload).title]);
const messageOf = ({ rule, channel }: Selection["chosen"][number], payload?: Record<string, unknown>, of = event) =>
  messageFor(rule, channel, createWords(of, payload)).message;
const heldOf = ({ rules }: Selection) => rules.map(({ name, held, why }) => `${name}: ${held ? "yes" : "no"}, ${why}`);
const silentOf = ({ silent }: Selection) =>
  silent.map(({ channel, rule, why }) => `${channel ?? `rule ${rule ?? ""}`}: ${why}`);

it("says nothing against a channel that an escalation will notify", async () => {
  const rules = await rulesOf([
    { name: "asks", notify: ["screen"], escalate: [{ after: "10m", notify: ["bell"] }] },
    { name: "other", when: { event: "SessionEnd" }, notify: ["bell", "spare"] },
  ]);
  const selection = selectDeliveries(rules, { ...event, name: "PermissionRequest", level: "attention" });
  expect(selection.steps.map(({ channel }) => channel.name)).toEqual(["bell"]);
  expect(silentOf(selection)).toEqual(['spare: only "other" names it, and does not match']);
});

describe("the rules, from top to bottom", () => {
  it("each add their channels; a channel has the text of the first that named it", async () => {
    const selection = selectDeliveries(
      await rulesOf([
        { name: "one", when: { event: "Stop" }, notify: ["screen"], title: "first" },
        { name: "two", when: { event: "Notification" }, notify: ["spare"] },
        { name: "three", notify: ["bell", "screen"], title: "third", level: "error" },
      ]),
      event,
    );
    expect(told(selection)).toEqual([
      ["screen", "one", "first"],
      ["bell", "three", "third"],
    ]);
    expect(selection.chosen.map((each) => messageOf(each).level)).toEqual(["success", "error"]);
    expect(heldOf(selection)).toEqual([
      `one: yes, event is "Stop"`,
      `two: no, event is "Stop", wanted "Notification"`,
      "three: yes, it has no conditions",
    ]);
    expect(silentOf(selection)).toEqual([`spare: only "two" names it, and does not match`]);
  });

  it("end at a final one that holds", async () => {
    const selection = selectDeliveries(
      await rulesOf([
        { name: "other project", when: { project: "api" }, notify: ["spare"], final: true },
        { name: "quiet", when: { event: "Stop" }, notify: [], final: true },
        { name: "loud", notify: ["screen", "bell"] },
        { name: "louder", notify: ["spare", "bell"] },
      ]),
      event,
    );
    expect(told(selection)).toEqual([]);
    expect(heldOf(selection)).toEqual([
      `other project: no, project is "shop-web", wanted "api"`,
      `quiet: yes, event is "Stop"`,
      `loud: no, skipped: "quiet" is final`,
      `louder: no, skipped: "quiet" is final`,
    ]);
    expect(silentOf(selection)).toEqual([
      "rule quiet: it matches, and notifies no channel",
      `screen: "quiet" is final, so "loud" was skipped`,
      `bell: "quiet" is final, so "loud", "louder" was skipped`,
      `spare: none of "other project", "louder" matches`,
    ]);
  });

  it("that are final still notify their own channels", async () => {
    const selection = selectDeliveries(
      await rulesOf([
        { name: "only", notify: ["bell", "bell"], final: true, fallback: ["spare"] },
        { name: "never", notify: ["screen"] },
      ]),
      event,
    );
    expect(told(selection).map(([channel]) => channel)).toEqual(["bell"]);
    expect(silentOf(selection)).toEqual([
      `screen: "only" is final, so "never" was skipped`,
      "spare: it is only a fallback",
    ]);
  });

  it("say of a channel that no one names that no one does", async () => {
    const selection = selectDeliveries(await rulesOf([{ notify: ["screen"] }]), event);
    expect(silentOf(selection)).toEqual(["bell: no rule names it", "spare: no rule names it"]);
  });

  it("give the payload to the texts", async () => {
    const rules = await rulesOf([{ notify: ["screen"], title: "{payload.tool_name}" }]);
    expect(told(selectDeliveries(rules, event), { tool_name: "Bash" })).toEqual([["screen", "rule 1", "Bash"]]);
  });
});

describe("the built-in rules", () => {
  it("notify the channels that each event is for", () =>
    everyRow<[name: string, more: Partial<AgentEvent>, channels: string[], level?: string]>(
      [
        ["Notification", {}, ["desktop", "sound"], "attention"],
        ["Notification", { notificationType: "permission_prompt" }, ["desktop", "sound"], "attention"],
        ["Notification", { notificationType: "idle_prompt" }, ["desktop", "sound"], "attention"],
        ["Notification", { notificationType: "auth_success" }, []],
        ["Notification", { notificationType: "agent_completed" }, []],
        ["Notification", { notificationType: "shell_completed" }, []],
        ["Notification", { notificationType: "shell_detached_completed" }, []],
        ["Notification", { notificationType: "elicitation_complete" }, []],
        ["Notification", { notificationType: "elicitation_response" }, []],
        ["Notification", { notificationType: "task_completed" }, []],
        ["Notification", { notificationType: "task_killed" }, []],
        ["Notification", { notificationType: "task_failed" }, ["desktop", "sound"], "error"],
        ["Notification", { notificationType: "push_notification" }, ["desktop"], "info"],
        ["Stuck", {}, ["desktop", "sound"], "attention"],
        // Attention holds it.
        ["Stop", { runningHelpers: 1 }, ["desktop", "sound"], "success"],
        ["Stop", { runningHelpers: 0 }, ["desktop", "sound"], "success"],
        ["Notification", { notificationType: "elicitation_dialog" }, ["desktop", "sound"], "attention"],
        ["Notification", { notificationType: "agent_needs_input" }, ["desktop", "sound"], "attention"],
        ["PermissionRequest", {}, ["desktop", "sound"], "attention"],
        ["Stop", {}, ["desktop", "sound"], "success"],
        ["StopFailure", {}, ["desktop", "sound"], "error"],
        ["SubagentStop", {}, []],
        ["SessionEnd", { reason: "prompt_input_exit" }, []],
        ["SessionEnd", { reason: "other" }, []],
        ["SessionEnd", { reason: "error" }, ["desktop", "sound"], "error"],
        ["SessionEnd", { reason: "Failed to connect" }, ["desktop", "sound"], "error"],
        ["SessionStart", {}, []],
        ["UserPromptSubmit", {}, []],
        ["SomethingNew", {}, []],
      ],
      async ([name, more, channels, level]) => {
        const usual = notificationTypeOf(more.notificationType, undefined)?.level ?? levelOfEvent(name, more.reason);
        const seen = { ...event, name, level: usual, ...more };
        const { chosen } = selectDeliveries(await builtInRules(), seen);
        expect(chosen.map(({ channel }) => channel.name)).toEqual(channels);
        expect(chosen.every((each) => messageOf(each, undefined, seen).level === level)).toBe(true);
      },
      ([name, more]) => `${name} ${JSON.stringify(more)}`,
    ));
});
