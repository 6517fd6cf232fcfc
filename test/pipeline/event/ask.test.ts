// Which channels ask the person, and what the hook is told where none of them can; what a session's next event makes out of date.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { maxPayloadBytes } from "../../../src/agents/read-payload.ts";
import { readAnswer, type Question } from "../../../src/answers/questions.ts";
import { cardInstead } from "../../../src/pipeline/answers/ask.ts";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import { recordEvent } from "../../../src/pipeline/event/record-event.ts";
import { processPayload } from "../../../src/pipeline/pipeline.ts";
import { readIncoming } from "../../../src/outbox/incoming.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import { hostName } from "../../../src/system/process/identity.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

const phone = { type: "telegram", token: "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_", chat: 77, answers: true };
const desk = { type: "webhook", url: "http://127.0.0.1:9/x" };

async function prepare(notify: readonly ("phone" | "desk" | "screen" | "toast")[], more: object = {}) {
  const running = prepareDispatcher();
  running.writeRules({
    answers: { allow: ["Bash"], hold: "always" },
    channels: { phone, desk, screen: { type: "ntfy", topic: "t" }, toast: { type: "desktop", answers: true } },
    rules: [{ name: "all", notify, ...more }],
  });
  const { dispatcher, clock } = running;
  const { layout } = dispatcher;
  await dispatcher.rereadRules();
  /** The event of a payload; `waits`: its hook waits for the answer. */
  const take = async (name: string, facts: object = {}, waits?: Partial<Question>) => {
    clock.turn(1000);
    const payload = { hook_event_name: name, session_id: "s1", cwd: "/srv/shop", ...facts };
    const file = writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", nowMs: clock.now() });
    const incoming = readIncoming(layout, file, maxPayloadBytes);
    if (incoming === undefined) throw new Error("it is gone");
    const { position: id, receivedAt: askedAt } = incoming;
    if (waits !== undefined)
      openQuestion(layout, { id, askedAt, expiresAt: askedAt + 300_000, host: "testhost", ...waits });
    const enqueued = await processPayload(dispatcher, incoming, () => true);
    if (enqueued === undefined) throw new Error("no lease");
    return {
      ...enqueued,
      id,
      kinds: enqueued.deliveries.map(({ delivery: { channel, kind } }) => `${channel} ${kind}`),
    };
  };
  const ask = async (waits?: Partial<Question>) =>
    await take("PermissionRequest", { tool_name: "Bash", tool_input: { command: "npm test" } }, waits);
  return { ...running, layout, take, ask, answerTo: ({ id }: { id: string }) => readAnswer(layout, id) };
}

describe("a question whose hook waits", () => {
  it("is asked where the channel carries answers, and told elsewhere", async () => {
    const { ask, routes, answerTo, journal } = await prepare(["phone", "desk"]);
    const asked = await ask({ routes: await routes() });
    expect(asked.kinds).toEqual(["phone question", "desk event"]);
    expect(asked.deliveries[0]?.delivery).toMatchObject({ question: asked.id });
    expect([answerTo(asked), journal("answer")]).toEqual([undefined, []]);
  });

  it("says where the channel cannot take its answer, in the message and in the journal", async () => {
    const { ask, routes, journal } = await prepare(["phone", "toast"]);
    const options = ["Lint", "Tests"].map((label) => ({ label, value: label }));
    const field = { name: "Which?", text: "Which?", options, takesOther: true, isMany: true, isOptional: false };
    const asked = await ask({ kind: "question", tool: "", fields: [field], routes: await routes() });
    expect(asked.kinds).toEqual(["phone question", "toast event"]);
    const why = "it is answered by a reply, which this channel does not take";
    expect(JSON.stringify(asked.deliveries[1]?.delivery.message)).toContain(`no buttons: ${why}`);
    expect(journal("answer")).toMatchObject([{ what: "not asked there", channel: "toast", why }]);
  });

  it("says why it can only be denied", async () => {
    const { ask, routes, layout, dispatcher } = await prepare(["phone"]);
    const [told] = (await ask({ routes: await routes() })).deliveries;
    const { phone: channel } = dispatcher.rules().rules.channels;
    if (told === undefined || channel === undefined) throw new Error("no message");
    const hintOf = (more: Partial<Question>): string | undefined => {
      const shown = cardInstead(openQuestion(layout, more), told.delivery, channel);
      const fields = "card" in shown ? shown.card.fields : [];
      return fields.find(({ label }) => label === "to allow it")?.value;
    };
    expect(hintOf({})).toBeUndefined();
    expect(hintOf({ isAllowable: false })).toBe('answer at the terminal: "answers.allow" does not list it');
    expect(hintOf({ isWhole: false })).toBe("answer at the terminal: a part of it is masked or left out");
    expect(hintOf({ text: "x".repeat(9000) })).toBe("answer at the terminal: this does not show all of it");
  });

  it("has no buttons where only its reminder comes, and says so", async () => {
    const { take } = await prepare(["phone"]);
    const reminder = { notification_type: "permission_prompt", message: "Claude needs your permission to use Bash" };
    const [reminded] = (await take("Notification", reminder)).deliveries;
    const why = "no buttons: no hook waits for an answer: hookbell doctor";
    expect(JSON.stringify(reminded?.delivery.message)).toContain(why);
  });

  it("is over at once where no channel can show it, so that the terminal asks", async () => {
    const { ask, clock, routes, answerTo } = await prepare(["desk"]);
    const asked = await ask({ routes: await routes() });
    expect(asked.kinds).toEqual(["desk event"]);
    const at = clock.now();
    expect(answerTo(asked)).toEqual({ choice: "none", by: "no channel shows it", isUnanswered: true, at });
  });

  it("stays open where the page shows it, or another machine of the fleet may", async () => {
    const page = await prepare(["desk"]);
    expect(page.answerTo(await page.ask({ isOnPage: true }))).toBeUndefined();
    const fleet = await prepare(["desk"]);
    const joined: ReturnType<Dispatcher["fleet"]> = {
      publish() {},
      sync: () => Promise.resolve(),
      reserve() {},
      turn: () => Promise.resolve({ next: "tell" }),
    };
    fleet.dispatcher.fleet = () => joined;
    expect(fleet.answerTo(await fleet.ask({}))).toBeUndefined();
    const alone = await prepare(["desk"]);
    expect(alone.answerTo(await alone.ask({ isOnPage: false }))?.choice).toBe("none");
  });

  it("has no buttons anywhere if another program has changed the hook, and is over, also for the page and the fleet", async () => {
    const { ask, answerTo, journal, layout, dispatcher } = await prepare(["phone", "desk"]);
    const published: unknown[] = [];
    const joined: ReturnType<Dispatcher["fleet"]> = {
      publish: (_incoming, _event, facts) => void published.push(facts),
      sync: () => Promise.resolve(),
      reserve() {},
      turn: () => Promise.resolve({ next: "tell" }),
    };
    dispatcher.fleet = () => joined;
    writeFileSync(join(layout.root, "hookbell-hook.sh"), "#!/bin/sh\nid\n");
    const asked = await ask({ host: hostName(), isOnPage: true });
    expect(asked.kinds).toEqual(["phone event", "desk event"]);
    const [onPhone, onDesk] = asked.deliveries.map(({ delivery }) => JSON.stringify(delivery.message));
    const why = "hookbell's hook script was changed by another program at";
    expect(onPhone).toContain(`no buttons: ${why}`);
    expect(onDesk).not.toContain("no buttons");
    expect(answerTo(asked)).toMatchObject({ choice: "none", isUnanswered: true });
    expect(journal("answer")).toMatchObject([{ what: "not asked there", channel: "phone" }, { what: "none" }]);
    expect(published).toEqual([{ question: undefined, silence: undefined }]);
  });

  it("is not asked through a channel that the hook would not reach, and the journal says why", async () => {
    const { ask, answerTo, journal } = await prepare(["phone", "desk"]);
    const asked = await ask({ routes: {} });
    expect(asked.kinds).toEqual(["phone event", "desk event"]);
    const why = "the dispatcher has other rules or another state folder than the hook that asks";
    expect(journal("answer")).toMatchObject([{ what: "not asked there", channel: "phone", why }, { what: "none" }]);
    expect(answerTo(asked)).toMatchObject({ by: "no channel shows it" });
  });

  it("has no buttons where no hook waits", async () => {
    const { ask } = await prepare(["phone", "desk"]);
    expect((await ask()).kinds).toEqual(["phone event", "desk event"]);
  });
});

describe("what a session's next event makes out of date", () => {
  it("is what channels show of it, but for those that show something newer at once", async () => {
    const { ask, take, writeRules, dispatcher } = await prepare(["desk"]);
    expect((await ask()).outdated).toEqual([]);
    writeRules({
      channels: { phone, desk, screen: { type: "ntfy", topic: "t" } },
      rules: [
        { name: "now", when: { event: "Stop" }, notify: ["desk"] },
        { name: "later", when: { event: "Stop" }, notify: ["screen"], group: { wait: "5m" } },
      ],
    });
    await dispatcher.rereadRules();
    const { outdated = [], kinds } = await take("Stop", { last_assistant_message: "Done." });
    expect(kinds).toEqual(["desk event", "screen event"]);
    expect(outdated).toHaveLength(1);
    expect(outdated[0]).toMatchObject({ event: { name: "Stop", session: "s1" }, retraction: { isAnswer: true } });
    const meant = ["desk", "screen", "phone"].filter((name) => outdated[0]?.isMeant(name));
    expect(meant).toEqual(["screen", "phone"]);
  });

  it("is also the list that had nothing but it, on the channel that shows one", async () => {
    const { ask, take, layout } = await prepare(["screen", "desk"]);
    await ask();
    noteList(layout, "screen", { reference: { id: "list" } });
    const { outdated = [] } = await take("PostToolUse", { tool_name: "Bash", tool_input: { command: "npm test" } });
    expect(outdated).toMatchObject([{ event: { session: "s1" } }, { owner: "list", event: { agent: "hookbell" } }]);
    expect(["screen", "desk"].filter((name) => outdated[1]?.isMeant(name))).toEqual(["screen"]);
  });
});

describe("the journal's line about an event", () => {
  it("says what is known of how it came, and nothing where nothing is", async () => {
    const { take, dispatcher, journal } = await prepare(["desk"]);
    const { deliveries } = await take("Stop");
    const [line] = journal("event");
    for (const field of ["calledAs", "drift", "isShortened"]) expect(line).not.toHaveProperty(field);
    const event = deliveries[0]?.delivery.event;
    if (event === undefined) throw new Error("nothing was told");
    const session = { agent: "claude-code", session: "s1", remembered: {}, lastSeenAt: 1, state: { kind: "unknown" } };
    const selection = { rules: [], chosen: [], steps: [], silent: [] };
    const diagnostics = { calledAs: "codex", drift: ["session_id"], isShortened: true } as never;
    recordEvent(dispatcher, { event, selection, session: session as never, planned: [], diagnostics });
    expect(journal("event").at(-1)).toMatchObject({ calledAs: "codex", drift: ["session_id"], isShortened: true });
  });
});
