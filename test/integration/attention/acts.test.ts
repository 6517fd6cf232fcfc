// What a person does about a notification ends its escalation: a receipt, a click, an answer.
import { describe, expect, it, onTestFinished } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import { markObeyed } from "../../../src/answers/questions.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareDispatcher, runDispatcherOf } from "../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { pushoverToken, startPretendPushover } from "../../support/receivers/pretend-pushover.ts";
import { ann, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";
import { askWithin, onlyQuestion, printed, telegramProject } from "../answers/asking.ts";

const minute = 60_000;
const permission = { notification_type: "permission_prompt", message: "May I run npm test?" };

async function start() {
  const pushover = await startPretendPushover();
  const team = await startHttpReceiver({ behaviour: { answer: 200, body: '{"id":"x"}' } });
  onTestFinished(async () => {
    await Promise.all([pushover.close(), team.close()]);
  });
  const running = prepareDispatcher();
  const phone = {
    type: "pushover",
    token: pushoverToken,
    user: "u".repeat(30),
    server: pushover.origin,
    emergency: true,
  };
  running.writeRules({
    channels: { phone, team: { type: "ntfy", server: team.origin, topic: "team" } },
    rules: [
      {
        name: "needs me",
        when: { event: "Notification" },
        notify: ["phone"],
        escalate: [{ after: "10m", notify: ["team"] }],
      },
    ],
  });
  void running.run();
  running.accept("Notification", permission);
  await running.until("a receipt", () => pushover.receipts[0] !== undefined && running.requestsUnderWay() === 0);
  const weighed = (): string[] =>
    running
      .journal("attention")
      .map(({ channel, verdict, why }) => `${String(channel)} ${String(verdict)}: ${String(why)}`);
  return { ...running, pushover, team, weighed };
}

it("a receipt is asked for while the escalation waits, and stops it", async () => {
  const { clock, pushover, team, until, weighed, dispatcher, requestsUnderWay } = await start();
  const [receipt] = pushover.receipts;
  for (const times of [1, 2]) {
    clock.turn(6000);
    await until("a look", () => receipt?.asked === times && requestsUnderWay() === 0);
  }
  pushover.acknowledge(receipt, "anns_phone");
  clock.turn(6000);
  await until("the end", () => listDeliveries(dispatcher.layout, "outbox").length === 0 && requestsUnderWay() === 0);
  expect(weighed()).toEqual([expect.stringMatching(/^team drop: acknowledged on anns_phone after \d/)]);
  clock.turn(30 * minute);
  expect([team.requests.length, receipt?.asked]).toEqual([0, 3]);
});

it("the phone stops ringing when the session goes on, or the person acts elsewhere", async () => {
  for (const act of ["prompt", "answer"] as const) {
    const { pushover, until, accept, dispatcher, clock } = await start();
    expect(pushover.receipts[0]?.isRinging).toBe(true);
    if (act === "prompt") accept("UserPromptSubmit", { prompt: "go on" });
    else {
      const now = clock.now();
      const asked = { agent: "generic", session: "s1", host: "testhost", askedAt: now, expiresAt: now + minute };
      const question = openQuestion(dispatcher.layout, asked);
      give(dispatcher.layout, question, { choice: "deny", by: "Ann", at: now });
      markObeyed(dispatcher.layout, question.id, now);
      // The dispatcher watches the folder of questions once it has seen one.
      accept("SessionStart", { session_id: "s2" });
    }
    await until("silence", () => pushover.receipts[0]?.isRinging === false);
    await until("the end", () => listDeliveries(dispatcher.layout, "outbox").length === 0);
  }
});

describe("three questions at once", () => {
  const others = ["s2", "s3"];

  /** The first has rung, and the message that lists the others. */
  async function askThree() {
    const started = await start();
    const { accept, until, clock, pushover, requestsUnderWay, dispatcher, journal } = started;
    const isQuiet = (): boolean => listIncoming(dispatcher.layout).length === 0 && requestsUnderWay() === 0;
    for (const session of others) accept("Notification", { ...permission, session_id: session });
    await until("three questions", () => journal("event").length === 3 && isQuiet());
    const answer = async (session: string): Promise<void> => {
      const count = journal("event").length;
      accept("UserPromptSubmit", { prompt: "go on", session_id: session });
      await until(`${session} on record`, () => journal("event").length > count && isQuiet());
    };
    const list = async (): Promise<void> => {
      clock.turn(5000);
      await until("the list", () => pushover.receipts.length === 2 && isQuiet());
    };
    const ringing = (): boolean[] => pushover.receipts.map(({ isRinging }) => isRinging);
    return { ...started, answer, list, ringing };
  }

  it("go on ringing until the last is answered, each for as long as it waits", async () => {
    const { answer, list, ringing, until, pushover } = await askThree();
    await list();
    expect(pushover.titles).toEqual([expect.stringContaining("shop-web"), "shop-web: 2 sessions wait"]);
    expect(ringing()).toEqual([true, true]);
    await answer("s1");
    await until("the end of the first", () => ringing()[0] === false);
    await answer("s3");
    expect(ringing()).toEqual([false, true]);
    await answer("s2");
    await until("silence", () => ringing()[1] === false);
    expect(pushover.titles).toHaveLength(2);
  });

  it("go on ringing where the first is answered before the others are listed", async () => {
    const { answer, list, ringing, until } = await askThree();
    await answer("s1");
    await until("the end of the first", () => ringing()[0] === false);
    await list();
    expect(ringing()).toEqual([false, true]);
  });

  it("are acknowledged together, where one message lists them", async () => {
    const { list, pushover, until, weighed, clock, requestsUnderWay } = await askThree();
    await list();
    pushover.acknowledge(pushover.receipts[1], "anns_phone");
    clock.turn(6000);
    const ends = (): string[] => weighed().filter((each) => each.startsWith("team drop: acknowledged on anns_phone"));
    await until("both ends", () => ends().length === 2 && requestsUnderWay() === 0);
    expect(pushover.receipts[0]?.isRinging).toBe(true);
  });
});

it("an answer from the phone ends it before the agent shows a sign of life", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram, {}, { escalate: [{ after: "2m", notify: ["phone"] }] });
  runDispatcherOf(project);
  const hook = askWithin(project);
  await project.until("the question", () => onlyQuestion(project)?.shown.length === 1 && telegram.isPolled());
  const [message] = telegram.messages;
  if (message === undefined) throw new Error("no message");
  telegram.tap(ann, message, message.buttons[0]?.callback_data ?? "");
  await printed(hook);
  const reasons = (): string[] =>
    project.journal().flatMap(({ kind, why }) => (kind === "attention" ? [String(why)] : []));
  // The dispatcher removes the delivery first, and says why afterwards.
  await project.until("its end", () => reasons().length > 0);
  expect(reasons()).toEqual([expect.stringMatching(/^answered by Ann after /)]);
  expect(listDeliveries(project.layout, "outbox")).toEqual([]);
});
