// What a person does about a notification ends its escalation: a receipt, a click, an answer.
import { expect, it, onTestFinished } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import { markObeyed } from "../../../src/answers/questions.ts";
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
