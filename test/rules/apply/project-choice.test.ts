// What a repository's own file can choose among the user's channels, and what it cannot.
import fc from "fast-check";
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { createWords } from "../../../src/model/privacy/scrub-event.ts";
import { messageFor } from "../../../src/rules/apply/channel-message.ts";
import { selectDeliveries } from "../../../src/rules/apply/select.ts";
import { loadRules } from "../../../src/rules/load.ts";
import type { Channel, Rule, Rules } from "../../../src/rules/rules.ts";

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
const names = ["screen", "bell", "team", "spare"];

async function rulesOf(rules: unknown[], projectFiles?: unknown): Promise<Rules> {
  const channels = Object.fromEntries(names.map((name) => [name, { type: "desktop" }]));
  const loaded = await loadRules(JSON.stringify({ channels, rules, projectFiles }));
  if (loaded.status === "broken") throw new Error(JSON.stringify(loaded.problems));
  return loaded.rules;
}

const choose = (rules: Rules, notify?: string[]) => {
  const file = { path: "/srv/shop/.hookbell.jsonc", ...(notify === undefined ? {} : { notify }) };
  return selectDeliveries(rules, event, undefined, file);
};
const messageOf = (rule: Rule, channel: Channel) => messageFor(rule, channel, createWords(event, undefined)).message;
const chosenBy = (...given: Parameters<typeof choose>) =>
  choose(...given).chosen.map(({ channel, rule }) => `${channel.name} by ${rule.name}`);

const escalate = [{ after: "2m", notify: ["spare"] }];
const asks = { name: "asks", when: { level: "attention" }, notify: ["screen", "bell"], escalate };
const quiet = { name: "quiet", notify: [] };

it.each<[what: string, notify: string[] | undefined, projectFiles: unknown, expected: string[]]>([
  ["says nothing of channels", undefined, ["team"], ["screen by asks", "bell by asks"]],
  ["chooses one of the rule's", ["bell"], undefined, ["bell by asks"]],
  ["names one that no rule chose", ["bell", "team"], undefined, ["bell by asks"]],
  ["names only such", ["team", "__proto__"], undefined, ["screen by asks", "bell by asks"]],
  ["names one that the user opened", ["team"], ["team"], ["team by asks"]],
  ["names one where the user wants no files", ["team"], false, ["screen by asks", "bell by asks"]],
])("a file that %s", async (_what, notify, projectFiles, expected) => {
  const rules = await rulesOf([quiet, asks], projectFiles);
  expect(chosenBy(rules, notify)).toEqual(expected);
  expect(choose(rules, notify).steps.map(({ channel }) => channel.name)).toEqual(["spare"]);
});

it("says of each channel that it left out which file did", async () => {
  const { silent } = choose(await rulesOf([asks]), ["bell"]);
  expect(silent).toContainEqual({
    channel: "screen",
    why: "not chosen by /srv/shop/.hookbell.jsonc",
    by: "project",
  });
});

it("tells nothing that the rules do not tell", async () => {
  for (const rules of [[quiet], [{ ...asks, when: { event: "Stop" } }]]) {
    expect(chosenBy(await rulesOf(rules, ["team"]), ["team", "screen"])).toEqual([]);
  }
});

it("never silences an event, never sends to a channel that the user did not offer, and changes no word", async () => {
  const some = fc.subarray([...names, "unknown"]);
  await fc.assert(
    fc.asyncProperty(some, fc.subarray(names), fc.subarray(names), async (notify, opened, offered) => {
      const rules = await rulesOf([{ ...asks, escalate: undefined, notify: offered }], opened);
      const before = choose(rules);
      const after = choose(rules, notify);
      expect(after.chosen.length > 0).toBe(before.chosen.length > 0);
      const allowed = new Set([...offered, ...opened]);
      for (const { channel, rule } of after.chosen) {
        expect(allowed).toContain(channel.name);
        expect(messageOf(rule, channel)).toEqual(before.chosen.map((each) => messageOf(each.rule, each.channel))[0]);
      }
    }),
  );
});
