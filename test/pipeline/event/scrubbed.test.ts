import { describe, expect, it } from "vitest";
import { asObject } from "../../../src/model/json.ts";
import { composeFor } from "../../../src/pipeline/event/compose-for.ts";
import type { AgentEvent } from "../../../src/model/event.ts";
import { loadSummaries, summaryLength } from "../../../src/model/privacy/content.ts";
import { loadRules } from "../../../src/rules/load.ts";
import { selectDeliveries } from "../../../src/rules/apply/select.ts";
import type { Rules } from "../../../src/rules/rules.ts";
import { localRequest } from "../../support/channels/channel-request.ts";
import { madeUpSecrets } from "../../support/channels/made-up-secrets.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { everyRow } from "../../support/rows.ts";

function planEvent(told: AgentEvent, payload: Record<string, unknown> | undefined, rules: Rules, now: number) {
  const composed = composeFor({ event: told, payload, selection: selectDeliveries(rules, told) }, rules, now);
  return { deliveries: composed.map(({ delivery }) => delivery), scrubbed: composed.map((each) => each.scrubbed) };
}

const { event } = localRequest({}, {});
const nowMs = Date.parse(event.at);
const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";

await loadSummaries();

async function rulesOf(channels: Record<string, unknown>, rules: unknown[]): Promise<Rules> {
  const loaded = await loadRules(JSON.stringify({ channels, rules }));
  if (loaded.status !== "good") throw new Error(JSON.stringify(loaded.problems));
  return loaded.rules;
}

const everywhere = await rulesOf(
  {
    screen: { type: "desktop" },
    chat: { type: "slack", url: "https://hooks.example" },
    hook: { type: "webhook", url: "https://in.example", content: "full" },
    script: { type: "command", argv: ["true"] },
    instead: { type: "desktop" },
  },
  [
    {
      title: "{payload.tool_input.command}",
      body: "{message} {cwd} {project} {reason} {title} {session} {host} {payload.deep}",
      notify: ["screen", "chat", "hook", "script"],
      fallback: ["instead"],
    },
  ],
);

describe("nothing that looks like a credential gets into a delivery", () => {
  it("from any part of the event", () =>
    everyRow(
      ["name", "session", "cwd", "project", "host", "message", "title", "reason", "notificationType", "subagent"],
      (field) => {
        const { deliveries } = planEvent({ ...event, [field]: `x ${token}` }, { a: 1 }, everywhere, nowMs);
        expect(deliveries.map(({ channel }) => channel)).toEqual(["screen", "chat", "hook", "script"]);
        for (const delivery of deliveries) {
          expect(JSON.stringify(delivery)).not.toContain(token);
          expect(JSON.stringify([delivery.event])).toContain("[redacted: GitHub token]");
        }
      },
    ));

  it("from the payload, however deep, from its keys, and by the names of its fields", () => {
    const payload = {
      tool_input: { command: `git push https://${token}@github.com/acme/shop` },
      deep: [[{ a: [token], [token]: 1, password: "hunter2", api_key: "0a1b2c3d4e5f" }]],
    };
    const { deliveries, scrubbed } = planEvent(event, payload, everywhere, nowMs);
    for (const delivery of deliveries) expect(JSON.stringify(delivery)).not.toMatch(/hunter2|0a1b2c3d4e5f|gh[p]_/);
    expect(deliveries[0]?.message.title).toBe("git push https://[redacted: GitHub token]@github.com/acme/shop");
    expect(deliveries.find(({ channel }) => channel === "hook")?.payload).toEqual({
      tool_input: { command: "git push https://[redacted: GitHub token]@github.com/acme/shop" },
      deep: [
        [
          {
            a: ["[redacted: GitHub token]"],
            "[redacted: GitHub token]": 1,
            password: "[redacted: password]",
            api_key: "[redacted: key]",
          },
        ],
      ],
    });
    expect(scrubbed).toEqual(Array.from({ length: 4 }, () => ["GitHub token", "password", "key"]));
  });

  it("by half, where a summary, a title or a value is cut", () => {
    for (let before = summaryLength - token.length - 3; before <= summaryLength; before += 1) {
      const message = `${"a ".repeat(before).slice(0, before - 1)} ${token} and more`;
      const { deliveries } = planEvent({ ...event, message }, undefined, everywhere, nowMs);
      for (const delivery of deliveries) expect(JSON.stringify(delivery)).not.toContain(token.slice(0, 4));
    }
    for (const most of [500, 10_000, 20_000]) {
      const payload = {
        tool_input: { command: `${"a ".repeat(most).slice(0, most - 10)} ${token}` },
        deep: `${"b ".repeat(most / 2 - 5)} ${token}`,
      };
      const { deliveries } = planEvent(event, payload, everywhere, nowMs);
      for (const delivery of deliveries) expect(JSON.stringify(delivery)).not.toContain(token.slice(0, 4));
    }
  });

  it("by what a template puts together", async () => {
    const rules = await rulesOf({ screen: { type: "desktop" } }, [
      { title: "Authorization: Bearer {payload.a}", body: "{payload.b}{payload.c}", notify: ["screen"] },
    ]);
    const payload = { a: "0a1b2c3d4e5f", b: token.slice(0, 12), c: token.slice(12) };
    const [delivery] = planEvent(event, payload, rules, nowMs).deliveries;
    expect(delivery?.message.title).toBe("Authorization: Bearer [redacted: authorization]");
    expect(delivery?.message.body).toBe("[redacted: GitHub token]");
  });

  it("from a part of the working directory that means nothing alone", () => {
    const secret = madeUpSecrets.find(({ kind }) => kind === "Slack webhook")?.text ?? "";
    const cwd = `/srv/${secret}`;
    const project = cwd.split("/").at(-1) ?? "";
    for (const delivery of planEvent({ ...event, cwd, project }, undefined, everywhere, nowMs).deliveries) {
      expect(JSON.stringify(delivery)).not.toContain(project);
    }
  });

  it("of a fallback", () => {
    const [delivery] = planEvent({ ...event, message: token }, undefined, everywhere, nowMs).deliveries;
    expect(delivery?.fallback.map(({ channel }) => channel)).toEqual(["instead"]);
    expect(JSON.stringify(delivery?.fallback)).toContain("[redacted: GitHub token]");
  });
});

it("a channel that says so gets everything, and only that channel", async () => {
  const rules = await rulesOf(
    { one: { type: "command", argv: ["true"], scrub: false }, two: { type: "command", argv: ["true"] } },
    [{ body: "{message}", notify: ["one", "two"] }],
  );
  const { deliveries, scrubbed } = planEvent({ ...event, message: token }, { token }, rules, nowMs);
  const [one, two] = deliveries;
  expect([one?.message.body, one?.event.message, one?.payload]).toEqual([token, token, { token }]);
  expect(JSON.stringify(two)).not.toContain(token);
  expect(scrubbed).toEqual([[], ["token", "GitHub token"].toReversed()]);
});

it("what is chosen goes by what the agent said, not by what is left of it", async () => {
  const rules = await rulesOf({ screen: { type: "desktop" } }, [
    { when: { message: `*${token}*` }, notify: ["screen"] },
  ]);
  expect(planEvent({ ...event, message: `x ${token}` }, undefined, rules, nowMs).deliveries.length).toBe(1);
});

describe("the journal's decision", () => {
  it("says of each channel what kinds were taken out, and of those without any nothing", async () => {
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        told: { type: "command", argv: ["true"] },
        trusted: { type: "command", argv: ["true"], scrub: false },
      },
      rules: [{ name: "all", title: "t", body: "{message}", notify: ["told", "trusted"] }],
    });
    running.accept("Notification", { message: `use ${token}` });
    void running.run();
    await running.until("the decision", () => running.journal("decision").length === 1);
    expect(running.journal("decision")[0]?.deliveries).toEqual([
      { id: expect.any(String), channel: "told", rule: "all", scrubbed: ["GitHub token"] },
      { id: expect.any(String), channel: "trusted", rule: "all" },
    ]);
    expect(JSON.stringify(running.journal("decision"))).not.toContain(token);
  });
});

it("the journal holds no credential of an event, nor does the quote of it that says why a rule held", async () => {
  const running = prepareDispatcher();
  running.writeRules({
    channels: { trusted: { type: "command", argv: ["true"], scrub: false } },
    rules: [
      { name: "raw", when: { message: `*${token.slice(0, 4)}*` }, notify: ["trusted"] },
      { name: "other", when: { message: "other" }, notify: ["trusted"] },
    ],
  });
  running.accept("Notification", { message: `use ${token}`, cwd: `/x/${token}` });
  void running.run();
  await running.until("the attempt", () => running.journal("attempt").length === 1);
  expect(running.journal("event")[0]?.event).toMatchObject({
    message: "use [redacted: GitHub token]",
    project: "[redacted: GitHub token]",
  });
  // It held, by what was really said.
  expect(running.journal("decision")[0]?.deliveries).toHaveLength(1);
  expect(JSON.stringify(running.journal("decision"))).toContain("use [redacted: GitHub token]");
  for (const kind of ["event", "decision", "attempt"] as const) {
    expect(JSON.stringify(running.journal(kind))).not.toContain(token);
  }
});

it("the journal holds no credential that stands where an agent writes ids, and no words beside the event's own", async () => {
  const running = prepareDispatcher();
  running.writeRules({
    channels: { one: { type: "command", argv: ["true"] } },
    rules: [{ name: "all", when: { event: "PermissionRequest" }, notify: ["one"], away: "1h" }],
  });
  running.dispatcher.observePresence = () => Promise.resolve({ idleMs: 1000, isLocked: false, isFocused: false });
  const words = "the words of the input";
  const ids = { tool_use_id: token, question_id: token, agent_id: `helper ${token}` };
  running.accept("PermissionRequest", {
    ...ids,
    tool_name: `mcp__${token}`,
    tool_input: { command: `${words} ${token}` },
  });
  void running.run();
  await running.until("the decision", () => running.journal("decision").length === 1);
  const [entry] = running.journal("event");
  // SECURITY.md says what these are.
  const known = asObject(entry?.known) ?? {};
  expect(Object.keys(known).sort()).toEqual(["call", "isOfManySessions", "payload", "presence"]);
  expect(Object.keys(asObject(known.call) ?? {}).sort()).toEqual(["call", "helper", "question"]);
  expect(known.presence).toEqual({ idleMs: 1000, isLocked: false, isFocused: false });
  expect(JSON.stringify(running.journal())).not.toContain(token);
  expect(JSON.stringify(known)).not.toContain(words);
});
