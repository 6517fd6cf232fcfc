// What becomes of a payload: what is suppressed and why, what hookbell adds, and what is left on the disk.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import { processPayload } from "../../../src/pipeline/pipeline.ts";
import { verificationSession } from "../../../src/model/own-events.ts";
import { readBuckets } from "../../../src/outbox/attention.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { countRejected } from "../../../src/outbox/rejected.ts";
import { listSessions, readSession } from "../../../src/outbox/sessions.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const agent = "claude-code";
const desk = { type: "webhook", url: "http://127.0.0.1:9/x" };
const minute = 60_000;

async function prepare(rules: unknown[] = [{ name: "all", notify: ["desk"] }], more: object = {}) {
  const running = prepareDispatcher();
  running.writeRules({ channels: { desk, other: desk, phone: { type: "ntfy", topic: "t" } }, rules, ...more });
  const { dispatcher, clock } = running;
  const { layout } = dispatcher;
  await dispatcher.rereadRules();
  const put = (text: string) => {
    const file = writeIncoming(layout, text, { agentId: agent, nowMs: clock.now() });
    const incoming = readIncoming(layout, file, maxPayloadBytes);
    if (incoming === undefined) throw new Error("it is gone");
    return incoming;
  };
  const take = async (name: string, facts: object = {}, hasLease = true) => {
    clock.turn(1000);
    const payload = { hook_event_name: name, session_id: "s1", cwd: "/srv/shop", ...facts };
    return await processPayload(dispatcher, put(JSON.stringify(payload)), () => hasLease);
  };
  const told = async (name: string, facts: object = {}) =>
    (await take(name, facts))?.deliveries.map(({ delivery }) => `${delivery.channel} ${delivery.event.name}`);
  return { ...running, layout, put, take, told, outbox: () => listDeliveries(layout, "outbox") };
}

describe("a payload", () => {
  it("of a dispatcher that has lost the lease leaves no trace", async () => {
    const { take, outbox, journal, layout } = await prepare();
    expect(await take("Stop", {}, false)).toBeUndefined();
    expect([outbox(), journal(), listSessions(layout)]).toEqual([[], [], []]);
  });

  it("that is not valid is kept aside and told, by who has the lease", async () => {
    const { put, dispatcher, layout, journal } = await prepare();
    const broken = put('{"hook_event_name":"Stop"');
    expect(await processPayload(dispatcher, broken, () => false)).toBeUndefined();
    expect(countRejected(layout)).toBe(0);
    const rejected = await processPayload(dispatcher, broken, () => true);
    expect(rejected?.deliveries).toMatchObject([{ delivery: { kind: "notice" } }]);
    expect(countRejected(layout)).toBe(1);
    expect(journal("rejected")).toMatchObject([{ cameAs: broken.file }]);
  });

  it("that is larger than any agent's is not valid, and one that is just as large is", async () => {
    const { put, dispatcher, layout } = await prepare();
    const empty = JSON.stringify({ hook_event_name: "Stop", session_id: "s1", cwd: "/srv/shop", x: "" });
    const sized = (bytes: number) => empty.replace('"x":""', `"x":"${"y".repeat(bytes - empty.length)}"`);
    await processPayload(dispatcher, put(sized(maxPayloadBytes)), () => true);
    expect(countRejected(layout)).toBe(0);
    await processPayload(dispatcher, put(sized(maxPayloadBytes + 1)), () => true);
    expect(countRejected(layout)).toBe(1);
  });

  it("is told once, however often it is reported, and the journal names the first", async () => {
    const { told, journal, layout } = await prepare();
    const facts = { session_id: "s1", prompt_id: "p1", last_assistant_message: "Done." };
    expect(await told("Stop", facts)).toEqual(["desk Stop"]);
    const { stops } = readSession(layout, agent, "s1");
    expect(await told("Stop", facts)).toEqual([]);
    const [first, again] = journal("event") as { event?: { id: string }; duplicateOf?: string; ignored?: string }[];
    expect(again).toMatchObject({ duplicateOf: first?.event?.id });
    expect(again?.ignored).not.toBe("");
    expect(journal("decision")[1]).toMatchObject({ deliveries: [], silent: [{ channel: "desk" }, {}, {}] });
    expect(readSession(layout, agent, "s1").stops).toBe(stops);
  });

  it("of a verification is told to no one and makes no session, and the journal says whom it would reach", async () => {
    const { told, journal, layout } = await prepare();
    expect(await told("Stop", { session_id: verificationSession("0123456789abcdef01234567", false) })).toEqual([]);
    expect(journal("decision")).toMatchObject([{ wouldReach: [{ channel: "desk", rule: "all" }] }]);
    expect(listSessions(layout)).toEqual([]);
  });

  it("is placed with all of its deliveries or with none", async () => {
    const { take, layout, outbox, dispatcher } = await prepare([{ name: "all", notify: ["desk", "other"] }]);
    const broken = { ...layout, outbox: join(layout.outbox, "none") };
    Object.assign(dispatcher, { layout: broken });
    await expect(take("Stop")).rejects.toThrow("ENOENT");
    Object.assign(dispatcher, { layout });
    expect(outbox()).toEqual([]);
    expect((await take("Stop"))?.deliveries).toHaveLength(2);
    expect(outbox()).toHaveLength(2);
  });
});

describe("a turn that begins", () => {
  const rules = [
    { name: "stuck", when: { event: "Stuck" }, notify: ["desk"] },
    { name: "ends", when: { event: "Stop" }, notify: ["desk"] },
  ];

  it("is watched from then on, where a rule names that it is stuck", async () => {
    const { take } = await prepare(rules, { stuckAfter: "10m" });
    const begun = await take("UserPromptSubmit", { prompt: "go", prompt_id: "p1" });
    expect(begun?.deliveries).toMatchObject([
      {
        delivery: {
          kind: "stuck",
          channel: "desk",
          event: { name: "Stuck", message: "No sign of work for 10m." },
        },
      },
    ]);
    const { notBefore = 0, event } = begun?.deliveries[0]?.delivery ?? {};
    expect(notBefore - Date.parse(event?.at ?? "")).toBe(10 * minute);
    expect((await take("Stop"))?.deliveries).toMatchObject([{ delivery: { event: { name: "Stop" } } }]);
  });

  it("is not watched where no rule names it", async () => {
    const { take } = await prepare(rules.slice(1));
    expect((await take("UserPromptSubmit", { prompt: "go" }))?.deliveries).toEqual([]);
  });
});

it("a failure at a usage limit is told as the limit where a channel is told of that, and as the failure elsewhere", async () => {
  const { told, journal } = await prepare([
    { name: "limit", when: { event: "LimitReached" }, notify: ["desk", "phone"] },
    { name: "broke", when: { event: "StopFailure" }, notify: ["phone", "other"] },
  ]);
  await told("UserPromptSubmit", { prompt: "go" });
  const facts = { error: "rate_limit", last_assistant_message: "API Error: 429" };
  const heard = await told("StopFailure", facts);
  expect(heard?.toSorted()).toEqual(["desk LimitReached", "other StopFailure", "phone LimitReached"]);
  const broke = journal("decision").find(({ deliveries }) => JSON.stringify(deliveries).includes('"other"'));
  expect(broke).toMatchObject({ silent: expect.arrayContaining([expect.objectContaining({ channel: "phone" })]) });
});

it("only the channels that are told of a question may list it", async () => {
  const { told, layout } = await prepare([
    {
      name: "asks",
      when: { event: "PermissionRequest" },
      notify: ["desk"],
      escalate: [{ after: "5m", notify: ["phone"] }],
    },
  ]);
  await told("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } });
  expect(readSession(layout, agent, "s1").open).toMatchObject([{ channels: ["desk", "phone"] }]);
});

it("what is sent counts for the limit of its rule, and what is deferred or only verified does not", async () => {
  const limited = { notify: ["desk"], throttle: { messages: 5, per: "10m" } };
  const { told, layout } = await prepare([
    { name: "now", when: { event: "Stop" }, ...limited },
    { name: "later", when: { event: "StopFailure" }, ...limited, level: "info", group: { wait: "1m" } },
  ]);
  await told("StopFailure", { error: "server_error" });
  await told("Stop", { session_id: verificationSession("0123456789abcdef01234567", false) });
  expect(readBuckets(layout)).toEqual({});
  await told("Stop", { session_id: "s2" });
  expect(Object.keys(readBuckets(layout))).toHaveLength(1);
});

it("an event leaves what is known of the session's other questions as it is", async () => {
  const { told, layout } = await prepare([
    { name: "asks", when: { event: "PermissionRequest" }, notify: ["desk"] },
    { name: "notes", when: { event: "Notification" }, notify: ["other"] },
  ]);
  const call = (command: string) => ({ tool_name: "Bash", tool_input: { command } });
  await told("PermissionRequest", call("npm test"));
  await told("PermissionRequest", { ...call("npm run build"), agent_id: "sub" });
  const open = readSession(layout, agent, "s1").open ?? [];
  expect(open.map(({ channels }) => channels)).toEqual(open.map(() => ["desk"]));
  await told("Notification", { message: "hello" });
  expect(readSession(layout, agent, "s1").open?.map(({ channels }) => channels)).toContainEqual(["desk"]);
});
