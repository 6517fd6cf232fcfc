// Questions of several sessions within seconds ring once: the dispatcher in this process, with receivers that act as the services do.
import { describe, expect, it, onTestFinished } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

const second = 1000;

interface Push {
  title: string;
  message: string;
  priority: number;
  sequence_id?: string;
}

/** ntfy, which replaces messages, Telegram, which edits them, and Pushover, which does neither. */
async function start() {
  const telegram = await startPretendTelegram();
  onTestFinished(() => telegram.close());
  const answer = { answer: 200, body: '{"id":"x","sequence_id":"x","status":1}' };
  const ntfy = await startHttpReceiver({ behaviour: answer });
  const pushover = await startHttpReceiver({ behaviour: answer });
  const webhook = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" } });
  const running = prepareDispatcher();
  const channels = {
    ntfy: { type: "ntfy", server: ntfy.origin, topic: "agents", content: "full" },
    telegram: { type: "telegram", token: botToken, chat: 42, apiUrl: telegram.origin, allowHttp: true },
    pushover: { type: "pushover", token: "t", user: "u", server: pushover.origin, content: "full" },
    team: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, allowHttp: true },
    log: { type: "webhook", url: `${webhook.origin}/`, allowHttp: true },
  };
  running.writeRules({
    channels,
    rules: [
      { name: "asks", when: { event: "Notification" }, notify: ["ntfy", "telegram", "pushover", "log"] },
      { name: "team", when: { event: "Notification", project: "open" }, notify: ["team"] },
    ],
  });
  void running.run();
  const pushesOf = (receiver: typeof ntfy): Push[] => receiver.requests.map(({ body }) => JSON.parse(body) as Push);
  const isQuiet = (): boolean =>
    listIncoming(running.dispatcher.layout).length === 0 && running.requestsUnderWay() === 0;
  return {
    ...running,
    telegram,
    programs: () => webhook.requests.length,
    ntfy: () => pushesOf(ntfy),
    pushover: () => pushesOf(pushover),
    shownIn: (chat: number) => telegram.messages.filter((each) => each.chat === chat),
    async ask(session: string, message = `may ${session} go?`): Promise<void> {
      running.accept("Notification", {
        session_id: session,
        cwd: `/srv/${session}`,
        notification_type: "permission_prompt",
        message,
      });
      const count = running.journal("event").length;
      await running.until(`${session} on record`, () => running.journal("event").length > count - 1 && isQuiet());
    },
    async answered(session: string): Promise<void> {
      running.accept("UserPromptSubmit", { session_id: session, cwd: `/srv/${session}` });
      await running.until(`${session} answered`, isQuiet);
    },
    async waiting(count: number): Promise<void> {
      await running.until(
        `${count} deliveries`,
        () => listDeliveries(running.dispatcher.layout, "outbox").length === count && isQuiet(),
      );
    },
  };
}

describe("five questions of five sessions within seconds", () => {
  it("ring once, and are one message that is updated, or one more where a message stays as it is", async () => {
    const running = await start();
    for (const session of ["a", "b", "c", "d", "e"]) await running.ask(session);
    // Pushover's four wait for each other.
    await running.waiting(4);
    expect(running.programs()).toBe(5);
    const priorities = running.ntfy().map(({ priority }) => priority);
    expect(priorities[0]).toBe(4);
    expect(new Set(priorities.slice(1))).toEqual(new Set([2]));
    expect(new Set(running.ntfy().map(({ sequence_id: id }) => id)).size).toBe(1);
    expect(running.ntfy().at(-1)).toMatchObject({ title: expect.stringContaining("5 sessions wait for you") });
    for (const session of ["a", "b", "c", "d", "e"]) {
      expect(running.ntfy().at(-1)?.message).toMatch(
        new RegExp(`^${session} \\(\\d\\d:\\d\\d\\): may ${session} go\\?`, "m"),
      );
    }
    const [shown, ...others] = running.shownIn(42);
    expect(others).toEqual([]);
    expect(shown?.earlier[0]).toContain("may a go?");
    expect(shown?.text).toContain("5 sessions wait for you");

    expect(running.pushover()).toHaveLength(1);
    running.clock.turn(5 * second);
    await running.waiting(0);
    expect(running.pushover()).toHaveLength(2);
    const [first, rest] = running.pushover();
    expect([first?.priority, rest?.priority]).toEqual([1, -1]);
    expect(rest?.title).toContain("4 sessions wait for you");
    expect(rest?.message).not.toContain("may a go?");
    expect(rest?.message).toContain("may b go?");
    expect(rest?.message).toContain("may e go?");

    const why = "asked within seconds of another question";
    const notes = JSON.stringify(running.journal("decision"));
    expect(notes.split(why)).toHaveLength(1 + 4 * 3);
  });

  it("leave the list as they are answered, and the next question is a message of its own", async () => {
    const running = await start();
    await running.ask("a");
    await running.ask("b");
    running.clock.turn(5 * second);
    await running.waiting(0);
    await running.answered("a");
    const isShorter = (text: string | undefined): boolean => text?.includes("1 session waits") === true;
    await running.until(
      "the shorter list",
      () => isShorter(running.shownIn(42)[0]?.text) && isShorter(running.ntfy().at(-1)?.title),
    );
    expect(running.ntfy().at(-1)).toMatchObject({ priority: 2, sequence_id: running.ntfy()[0]?.sequence_id });
    const about = { agent: "hookbell", event: "the list of waiting sessions" };
    await running.until("its record", () => JSON.stringify(running.journal("attempt")).includes(JSON.stringify(about)));
    await running.answered("b");
    await running.until("the end", () => running.shownIn(42)[0]?.text.includes("answered at the terminal") === true);
    running.clock.turn(5 * second);
    await running.ask("c");
    await running.waiting(0);
    expect(running.shownIn(42)).toHaveLength(2);
    expect(running.ntfy().find(({ message }) => message.includes("may c go?"))).toMatchObject({ priority: 4 });
    await running.ask("d");
    await running.waiting(1);
    expect(running.shownIn(42)).toHaveLength(2);
    expect(running.shownIn(42)[1]?.text).toContain("2 sessions wait for you");
    expect(running.ntfy().at(-1)?.sequence_id).not.toBe(running.ntfy()[0]?.sequence_id);
  });

  it("one alone says in its place that it is answered, where an edit is silent, and the next one is a new message", async () => {
    const running = await start();
    await running.ask("a", "may a go?");
    await running.until("the question", () => running.shownIn(42)[0]?.text.includes("may a go?") === true);
    await running.answered("a");
    await running.until("the edit", () => /a: answered at the terminal/.test(running.shownIn(42)[0]?.text ?? ""));
    running.clock.turn(10 * second);
    await running.ask("a", "may a go on?");
    await running.until("the next question", () => running.shownIn(42).length === 2);
    await running.answered("a");
    await running.until("its edit", () => /a: answered at the terminal/.test(running.shownIn(42)[1]?.text ?? ""));
    expect(running.shownIn(42)[0]?.earlier).toHaveLength(1);
    // An iPhone shows each change of ntfy's as a message.
    expect(running.ntfy()).toHaveLength(2);
  });

  it("are never listed on a channel that is not told of them", async () => {
    const running = await start();
    await running.ask("open");
    await running.ask("secret");
    await running.waiting(1);
    expect(running.shownIn(77)).toHaveLength(1);
    expect(running.shownIn(77)[0]?.text).not.toContain("secret");
  });
});

describe("questions that need no list", () => {
  it("ring each, where one session asks them, or seconds lie between", async () => {
    const running = await start();
    await running.ask("a", "may I run npm test?");
    await running.ask("a", "may I run npm publish?");
    running.clock.turn(6 * second);
    await running.ask("b");
    await running.waiting(0);
    expect(running.ntfy().map(({ priority }) => priority)).toEqual([4, 4, 4]);
    expect(running.shownIn(42)).toHaveLength(3);
    expect(running.pushover()).toHaveLength(3);
  });
});
