import { expect, it, onTestFinished } from "vitest";
import { give } from "../../src/answers/give-answer.ts";
import { isObeyed, readAnswer, readQuestion } from "../../src/answers/questions.ts";
import { addSender } from "../../src/answers/senders.ts";
import { waitForAnswer } from "../../src/answers/wait-for-answer.ts";
import { createSteadyTime } from "../../src/system/clock.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { prepareDispatcher } from "../support/project/running-dispatcher.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { ann, botToken, startPretendTelegram } from "../support/receivers/pretend-telegram.ts";
import { askedAt, openQuestion } from "./sample.ts";

const hour = 60 * 60_000;
const holdMs = 300_000;
const shown = [{ channel: "phone", place: { bot: "123456789", message: "41", chat: "77" } }];

function waiting() {
  const layout = temporaryState();
  const question = openQuestion(layout, { shown });
  const clock = createFakeClock(askedAt);
  const wait = { clock, stop: new AbortController().signal, wake: () => {} };
  return { layout, question, clock, answered: waitForAnswer(layout, question, wait) };
}

it("a hook that slept past the question's end obeys no answer that was given before", async () => {
  const { layout, question, clock, answered } = waiting();
  expect(give(layout, question, { choice: "allow", by: "Ann", at: askedAt + 1000 }).what).toBe("answered");
  clock.step(hour);
  expect(await answered).toBeUndefined();
  expect(isObeyed(layout, question.id)).toBe(false);
});

it("a hook that wakes after an hour ends at once, without a decision", async () => {
  const { layout, question, clock, answered } = waiting();
  clock.step(hour);
  clock.turn(1000);
  expect(await answered).toBeUndefined();
  expect(readAnswer(layout, question.id)).toMatchObject({ choice: "none", by: "no answer came" });
});

it("a clock that is set back makes the hook wait no longer", async () => {
  const layout = temporaryState();
  const question = openQuestion(layout, { shown });
  const fake = createFakeClock(askedAt);
  let wallMs = 0;
  const clock = {
    ...fake,
    now: createSteadyTime(
      () => fake.now() + wallMs,
      () => fake.now(),
    ),
  };
  const answered = waitForAnswer(layout, question, { clock, stop: new AbortController().signal, wake: () => {} });
  wallMs = -hour;
  for (let passed = 0; passed <= holdMs; passed += 1000) {
    fake.turn(1000);
    await new Promise(setImmediate);
  }
  expect(await answered).toBeUndefined();
  expect(readAnswer(layout, question.id)).toMatchObject({ by: "no answer came" });
});

it("a dispatcher that slept while it listened ends the question, and hears the next one's answer", async () => {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const running = prepareDispatcher();
  const { layout } = running.dispatcher;
  running.writeRules({
    answers: { allow: ["Bash"], hold: "always" },
    channels: { phone: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true } },
    rules: [{ name: "none", notify: [] }],
  });
  addSender(layout, "phone", { type: "telegram", id: String(ann.id), name: "Ann", pairedAt: 0 });
  const routes = await running.routes();
  const ask = () => {
    const now = running.clock.now();
    return openQuestion(layout, { shown, host: "testhost", askedAt: now, expiresAt: now + holdMs, routes });
  };
  const first = ask();
  void running.run();
  await running.until("its listener", telegram.isPolled);
  running.clock.step(hour);
  running.clock.turn(2000);
  await running.until("the end", () => readAnswer(layout, first.id) !== undefined);
  expect(running.journal("answer")).toEqual([expect.objectContaining({ what: "none", by: "no answer came" })]);
  await running.until("its removal", () => (running.clock.turn(20_000), readQuestion(layout, first.id) === undefined));
  const second = ask();
  await running.until("its listener", telegram.isPolled);
  telegram.write(ann, 77, "not now", { id: 41, chat: 77, text: "", buttons: [], earlier: [] });
  await running.until("the answer", () => readAnswer(layout, second.id)?.choice === "deny");
});
