import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listDeliveries, readDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { prepareDispatcher, type RunningDispatcher } from "../../support/project/running-dispatcher.ts";

// The dispatcher of these tests has no session bus in its environment, as a server has none.

const ntfy = (receiver: HttpReceiver, topic: string, more = {}): unknown => ({
  type: "ntfy",
  server: receiver.origin,
  topic,
  ...more,
});

const accepting = { answer: 200, body: '{"id":"1","event":"message"}' };

interface Pushed {
  topic: string;
  title: string;
  message: string;
}

function pushed(receiver: HttpReceiver): Pushed[] {
  return receiver.requests
    .filter(({ path }) => path === "/")
    .map(({ body }) => {
      const { topic, title, message } = JSON.parse(body) as Pushed;
      return { topic, title, message };
    });
}

function deadChannels({ dispatcher: { layout } }: RunningDispatcher): string[] {
  return listDeliveries(layout, "dead").flatMap((file) => {
    const reading = readDelivery(layout, "dead", file);
    return reading.status === "read" ? [reading.delivery.channel] : [];
  });
}

function acceptBroken({ dispatcher: { layout } }: RunningDispatcher, session: string): void {
  writeFileSync(join(layout.incoming, `sh-1-1-${session}.claude-code.-.json`), '{"session_id":"s","secret":"hunter2"}');
}

describe("hookbell's own notice where there is no desktop", () => {
  it("goes once to the channel that rules name for questions, and leaves no dead letter", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const running = prepareDispatcher();
    running.writeRules({
      channels: {
        first: ntfy(receiver, "first"),
        phone: ntfy(receiver, "phone"),
        ops: { type: "webhook", url: `${receiver.origin}/ops` },
      },
      rules: [
        { name: "done", when: { event: "Stop" }, notify: ["first"] },
        { name: "asks", when: { event: "Notification" }, notify: ["ops", "phone"] },
      ],
    });
    acceptBroken(running, "0");
    acceptBroken(running, "1");
    await running.run({ idleMs: 0 });
    expect(pushed(receiver)).toEqual([
      {
        topic: "phone",
        title: "hookbell: a payload of Claude Code did not validate",
        message: expect.stringContaining("You will not be notified of this problem again."),
      },
    ]);
    // What a program receives is what the rules say.
    expect(receiver.requests.filter(({ path }) => path === "/ops")).toEqual([]);
    expect(deadChannels(running)).toEqual([]);
    expect(running.journal("decision").at(-1)).toMatchObject({
      deliveries: [{ channel: "phone" }],
      why: '"desktop" is not available; the next channel gets the message',
    });
  });

  it("goes out for each payload that may be a question, because someone waits for its answer", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const running = prepareDispatcher();
    running.writeRules({ channels: { phone: ntfy(receiver, "phone") }, rules: [] });
    const accept = (session: string, payload: object): void =>
      writeFileSync(
        join(running.dispatcher.layout.incoming, `sh-1-1-${session}.droid.-.json`),
        JSON.stringify({ session_id: "s", ...payload }),
      );
    // Droid's payloads have to name a folder.
    for (const session of ["0", "1", "2"]) {
      accept(session, { hook_event_name: "Notification", message: "Droid needs your permission to use Execute" });
    }
    accept("3", { tool_name: "Execute", tool_input: { command: "npm test" } });
    for (const session of ["4", "5"]) accept(session, { hook_event_name: "Stop" });
    await running.run({ idleMs: 0 });
    const titles = pushed(receiver).map(({ title }) => title);
    expect(titles.filter((title) => title === "hookbell: Droid may wait for you").length).toBe(4);
    expect(titles.filter((title) => title === "hookbell: a payload of Droid did not validate").length).toBe(1);
    expect(pushed(receiver)[0]?.message).toMatch(/^Look at its terminal: /);
  });

  it.runIf(process.platform !== "win32")("tells once of a state folder that other users can change", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const running = prepareDispatcher();
    const { root } = running.dispatcher.layout;
    running.writeRules({ channels: { phone: ntfy(receiver, "phone") }, rules: [] });
    chmodSync(root, 0o777);
    await running.run({ idleMs: 0 });
    await running.run({ idleMs: 0 });
    expect(pushed(receiver)).toEqual([
      {
        topic: "phone",
        title: "hookbell: other users can change its files",
        message: expect.stringContaining(`${root} can be changed by other users (mode 777)`),
      },
    ]);
  });

  it("finds its way past a channel that refuses it, without a word about that one", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const refusing = await startHttpReceiver({ behaviour: { answer: 401 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { a: ntfy(refusing, "a"), b: ntfy(refusing, "b"), c: ntfy(receiver, "c") },
      rules: [{ name: "done", when: { event: "Stop" }, notify: ["a"] }],
    });
    running.accept("Stop");
    await running.run({ idleMs: 0 });
    expect(pushed(refusing).map(({ topic }) => topic)).toEqual(["a", "b"]);
    expect(pushed(receiver)).toMatchObject([{ topic: "c", title: 'hookbell: channel "a" is switched off' }]);
    expect(running.journal("notice").length).toBe(1);
    expect(deadChannels(running)).toEqual(["a"]);
  });

  it("does not ask a channel that is known to be switched off, nor one that it is about", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const refusing = await startHttpReceiver({ behaviour: { answer: 410 } });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { a: ntfy(refusing, "a"), b: ntfy(refusing, "b"), c: ntfy(receiver, "c") },
      rules: [{ name: "all", notify: ["b", "a"] }],
    });
    running.accept("Stop");
    await running.run({ idleMs: 0 });
    running.accept("Stop", { last_assistant_message: "again" });
    acceptBroken(running, "0");
    await running.run({ idleMs: 0 });
    const asked = pushed(refusing).filter(({ title }) => title.startsWith("hookbell: a payload"));
    expect(asked).toEqual([]);
    const titles = pushed(receiver).map(({ title }) => title);
    expect(titles).toContain("hookbell: a payload of Claude Code did not validate");
    for (const name of ["a", "b"])
      expect(titles.filter((title) => title === `hookbell: channel "${name}" is switched off`)).toHaveLength(1);
  });

  it("says nothing of a file, a payload or an answer to a channel that may pass on none of it", async () => {
    const receiver = await startHttpReceiver({ behaviour: accepting });
    const running = prepareDispatcher();
    running.writeRules({
      channels: { public: ntfy(receiver, "public", { content: "none" }) },
      rules: [{ notify: ["public"] }],
    });
    acceptBroken(running, "0");
    await running.run({ idleMs: 0 });
    expect(pushed(receiver)).toEqual([
      { topic: "public", title: "hookbell: a payload did not validate", message: "hookbell log --failed says why." },
    ]);
  });

  it("leaves no dead letter for a desktop that the rules do not name, where no one else can be told", async () => {
    const receiver = await startHttpReceiver({ behaviour: { answer: 404 } });
    const running = prepareDispatcher();
    running.writeRules({ channels: { only: ntfy(receiver, "only") }, rules: [{ notify: ["only"] }] });
    running.accept("Stop");
    await running.run({ idleMs: 0 });
    expect(pushed(receiver).length).toBe(1);
    expect(running.journal("notice").length).toBe(1);
    expect(deadChannels(running)).toEqual(["only"]);
  });
});

describe("a notice of a mistake in the rules file", () => {
  const rulesTo = (origin: string): object => ({
    channels: { phone: { type: "telegram", token: botToken, chat: 42, apiUrl: origin, allowHttp: true } },
    rules: [{ name: "asks", when: { event: "Notification" }, notify: ["phone"] }],
  });

  it("says that it is over once the file is valid again, and comes again with the same mistake", async () => {
    const telegram = await startPretendTelegram();
    onTestFinished(() => telegram.close());
    const running = prepareDispatcher();
    running.writeRules(rulesTo(telegram.origin));
    void running.run();
    const wake = (): void => running.accept("UserPromptSubmit");
    const textsAre = async (...expected: RegExp[]): Promise<void> =>
      await running.until(`messages like ${expected.join(", ")}`, () => {
        const { messages } = telegram;
        return messages.length === expected.length && expected.every((each, at) => each.test(messages[at]?.text ?? ""));
      });
    const broken = '{ "rules": [';
    wake();
    await running.until("good rules", () => running.journal("event").length === 1);
    running.writeRules(broken);
    wake();
    await textsAre(/the rules file has a mistake/);
    await running.until("its record", () => running.journal("attempt").some(({ channel }) => channel === "phone"));
    running.writeRules(rulesTo(telegram.origin));
    wake();
    await textsAre(/the rules file is valid again/);
    expect(telegram.messages[0]?.earlier[0]).toMatch(/the rules file has a mistake/);
    running.clock.turn(1000);
    running.writeRules(broken);
    wake();
    await textsAre(/the rules file is valid again/, /the rules file has a mistake/);
  });
});
