import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { factsOf, matchRule, maxMatchedLength } from "../../../src/rules/apply/match.ts";
import type { Rule } from "../../../src/rules/rules.ts";
import { everyRow } from "../../support/rows.ts";

async function ruleWhen(when: unknown): Promise<Rule> {
  const text = JSON.stringify({ channels: { a: { type: "desktop" } }, rules: [{ when, notify: ["a"] }] });
  const loaded = await loadRules(text);
  const [rule] = loaded.status === "good" ? loaded.rules.rules : [];
  if (rule === undefined) throw new Error(`a broken rule: ${JSON.stringify(loaded)}`);
  return rule;
}

const facts = {
  event: "Stop",
  agent: "claude-code",
  project: "shop-web",
  cwd: "/srv/code/shop-web",
  host: "box",
  session: "s-1",
  message: "All 12 tests pass.\nNothing is left.",
  level: "success",
};

const plainEvent: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "droid",
  session: "s",
  cwd: "/c",
  project: "p",
  host: "h",
  at: "2026-11-21T12:00:00.000Z",
  level: "info",
};

describe("a folder in a rule", () => {
  const event: AgentEvent = {
    ...plainEvent,
    message: "Wrote re\u0301sume\u0301.md",
  };

  it("is the same in each way to write it", () =>
    everyRow<[when: unknown, cwd: string, held: boolean]>(
      [
        [{ cwd: "/tmp/*" }, "/private/tmp/shop", true],
        [{ cwd: "/private/tmp/*" }, "/tmp/shop", true],
        [{ cwd: "/private/tmp/shop" }, "/tmp/shop", true],
        [{ cwd: { not: "/tmp/*" } }, "/private/tmp/shop", false],
        [{ cwd: { not: "/private/tmp/*" } }, "/tmp/shop", false],
        [{ cwd: { matches: "^/private/var/" } }, "/var/folders/a", true],
        [{ cwd: { matches: "^/var/" } }, "/private/var/folders/a", true],
        [{ cwd: "*private*" }, "/tmp/shop", false],
        [{ cwd: "*/zo\u00EB/*" }, "/Users/zoe\u0308/shop", true],
        [{ cwd: "*/zoe\u0308/*" }, "/Users/zo\u00EB/shop", true],
        [{ cwd: { matches: "/zoe\u0308/" } }, "/Users/zo\u00EB/shop", true],
        [{ cwd: "*/zo?/*" }, "/Users/zoe\u0308/shop", true],
        [{ message: "*r\u00E9sum\u00E9*" }, "/srv", true],
      ],
      async ([when, cwd, held]) => {
        const result = matchRule(await ruleWhen(when), factsOf({ ...event, cwd }));
        expect(result.held, `${JSON.stringify(when)}: ${cwd}`).toBe(held);
      },
    ));

  it("names its project in either form", async () => {
    const rule = await ruleWhen({ project: "re\u0301sume\u0301" });
    expect(matchRule(rule, factsOf({ ...event, project: "r\u00E9sum\u00E9" }))).toEqual({
      held: true,
      why: 'project is "r\u00E9sum\u00E9"',
    });
  });
});

describe("a rule's conditions", () => {
  it("hold or not, and the reason is said", () =>
    everyRow<[when: unknown, held: boolean, why: string]>(
      [
        [{}, true, "it has no conditions"],
        [undefined, true, "it has no conditions"],
        [{ event: "Stop" }, true, `event is "Stop"`],
        [{ event: "Notification" }, false, `event is "Stop", wanted "Notification"`],
        [{ event: "stop" }, false, `event is "Stop", wanted "stop"`],
        [{ event: ["Notification", "Stop"] }, true, `event is "Stop"`],
        [
          { event: ["Notification", "SessionEnd"] },
          false,
          `event is "Stop", wanted one of "Notification", "SessionEnd"`,
        ],
        [{ project: "shop-*" }, true, `project "shop-web" matches "shop-*"`],
        [{ project: "shop" }, false, `project is "shop-web", wanted "shop"`],
        [{ project: "*" }, true, `project "shop-web" matches "*"`],
        [{ project: "shop-???" }, true, `project "shop-web" matches "shop-???"`],
        [{ project: "shop-??" }, false, `project is "shop-web", wanted "shop-??"`],
        [{ project: "Shop-*" }, false, `project is "shop-web", wanted "Shop-*"`],
        [{ project: "hop-*" }, false, `project is "shop-web", wanted "hop-*"`],
        [{ project: "s.op-*" }, false, `project is "shop-web", wanted "s.op-*"`],
        [{ project: ["api", "s*b"] }, true, `project "shop-web" matches "s*b"`],
        [{ cwd: "/srv/*-web" }, true, `cwd "/srv/code/shop-web" matches "/srv/*-web"`],
        [{ cwd: "*/clients/*" }, false, `cwd is "/srv/code/shop-web", wanted "*/clients/*"`],
        [{ agent: { matches: "^claude" } }, true, `agent "claude-code" matches /^claude/`],
        [{ agent: { matches: "^code" } }, false, `agent is "claude-code", wanted /^code/`],
        [{ agent: { matches: "CODE" } }, false, `agent is "claude-code", wanted /CODE/`],
        [{ agent: { matches: "(?i)CODE" } }, true, `agent "claude-code" matches /(?i)CODE/`],
        [
          { message: { matches: "\\d+ tests pass\\.$" } },
          false,
          `message is "All 12 tests pass. Nothing is left.", wanted /\\d+ tests pass\\.$/`,
        ],
        [
          { message: { matches: "(?m)pass\\.$" } },
          true,
          `message "All 12 tests pass. Nothing is left." matches /(?m)pass\\.$/`,
        ],
        [{ message: "All*left." }, true, `message "All 12 tests pass. Nothing is left." matches "All*left."`],
        [{ host: { not: "build-*" } }, true, `host is "box", not "build-*"`],
        [{ host: { not: ["box", "build-*"] } }, false, `host is "box", wanted anything but one of "box", "build-*"`],
        [{ host: { not: { matches: "o" } } }, false, `host is "box", wanted anything but /o/`],
        [{ host: ["tower", { not: "build-*" }] }, true, `host is "box", not "build-*"`],
        [{ reason: "other" }, false, `the event has no reason, wanted "other"`],
        [{ reason: "*" }, false, `the event has no reason, wanted "*"`],
        [{ reason: { matches: ".*" } }, false, `the event has no reason, wanted /.*/`],
        [{ reason: { not: "other" } }, true, `the event has no reason`],
        [{ notificationType: { not: ["auth_success", { matches: "x" }] } }, true, `the event has no notificationType`],
        [{ level: "success", session: "s-?" }, true, `session "s-1" matches "s-?"; level is "success"`],
        [
          { event: "Stop", project: "api", level: ["attention", "error"] },
          false,
          `project is "shop-web", wanted "api"; level is "success", wanted one of "attention", "error"`,
        ],
      ],
      async ([when, held, why]) => {
        expect(matchRule(await ruleWhen(when), facts)).toEqual({ held, why });
      },
      ([when, , why]) => `${JSON.stringify(when)}: ${why}`,
    ));

  it("mean a folder of Windows however it is spelled", () => {
    const here = { project: "Acme", cwd: String.raw`C:\Users\Ann\clients\Acme` };
    return everyRow<[when: unknown, held: boolean, at?: { project: string; cwd: string }]>(
      [
        [{ cwd: "*/clients/acme" }, true],
        [{ cwd: "*/clients/*" }, true],
        [{ cwd: "c:/users/ann/clients/acme" }, true],
        [{ cwd: String.raw`C:\Users\Ann\*` }, true],
        [{ cwd: { matches: "/clients/acme$" } }, true],
        [{ cwd: { matches: String.raw`\\clients\\Acme$` } }, true],
        [{ cwd: { not: "*/clients/*" } }, false],
        [{ project: "acme" }, true],
        [{ project: { not: "a*" } }, false],
        [{ cwd: "*/clients/shop" }, false],
        [{ cwd: "//nas/work/*" }, true, { project: "shop", cwd: String.raw`\\NAS\Work\shop` }],
        [{ cwd: "/srv/Shop" }, false, { project: "shop", cwd: "/srv/shop" }],
        [{ project: "Shop" }, false, { project: "shop", cwd: "/srv/shop" }],
      ],
      async ([when, held, at = here]) => expect(matchRule(await ruleWhen(when), { ...facts, ...at }).held).toBe(held),
      ([when]) => JSON.stringify(when),
    );
  });

  it.each<[when: unknown, held: boolean]>([
    [{}, false],
    [{ agent: "claude-code" }, false],
    [{ event: "*" }, false],
    [{ event: { matches: "PostToolUse" } }, false],
    [{ event: { not: "Stop" } }, false],
    [{ event: "PostToolUseFailure" }, false],
    [{ event: "PostToolUse" }, true],
    [{ event: ["*", "PostToolUse"], agent: "claude-*" }, true],
    [{ event: "PostToolUse", agent: "codex" }, false],
  ])("hear of a call of a tool only where they name it: %j", async (when, held) => {
    const result = matchRule(await ruleWhen(when), { ...facts, event: "PostToolUse" });
    expect(result.held).toBe(held);
  });

  it("read what the event has under these names", () => {
    const event: AgentEvent = {
      ...plainEvent,
      name: "SessionEnd",
      reason: "other",
      notificationType: "idle_prompt",
      message: "m",
    };
    expect(factsOf(event)).toEqual({
      event: "SessionEnd",
      headless: "false",
      agent: "droid",
      session: "s",
      cwd: "/c",
      project: "p",
      host: "h",
      level: "info",
      reason: "other",
      notificationType: "idle_prompt",
      message: "m",
    });
  });
});

describe("an event written by a stranger", () => {
  it("cannot make an expression or a glob run for ever", async () => {
    const message = `${"a".repeat(1_000_000)}!`;
    // Cut to its limit, the message is nothing but "a".
    const wanted = [{ matches: "^(a+)+$" }, { matches: "(a|aa)+b" }, { matches: "(.*)*x" }, `${"*a".repeat(100)}b`];
    const rules = await Promise.all(wanted.map((pattern) => ruleWhen({ message: pattern })));
    expect(rules.map((rule) => matchRule(rule, { message }).held)).toEqual([true, false, false, false]);
  });

  it("is looked at up to a limit", async () => {
    const message = `${"x".repeat(maxMatchedLength - 3)}endmore`;
    expect(matchRule(await ruleWhen({ message: { matches: "end$" } }), { message }).held).toBe(true);
    expect(matchRule(await ruleWhen({ message: { matches: "more" } }), { message }).held).toBe(false);
  });

  it("is quoted on one line, without controls, short", async () => {
    const { why } = matchRule(await ruleWhen({ message: "x" }), { message: `a\u001B[31mb\n\u202Ec${"d".repeat(200)}` });
    expect(why).toBe(`message is "ab c${"d".repeat(75)}…", wanted "x"`);
  });

  it("is matched by characters, not by halves of them", async () => {
    expect(matchRule(await ruleWhen({ message: "?" }), { message: "🔔" }).held).toBe(true);
    expect(matchRule(await ruleWhen({ message: "?" }), { message: "\n" }).held).toBe(true);
    expect(matchRule(await ruleWhen({ message: "\\E*\\Q" }), { message: "\\E and \\Q" }).held).toBe(true);
  });
});
