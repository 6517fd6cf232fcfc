// The life of a question in the dispatcher: shown late, shown while it ends, answered at once, never shown.
import { expect, it, onTestFinished } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import { markObeyed, readQuestion, type Question } from "../../../src/answers/questions.ts";
import { waitForAnswer } from "../../../src/answers/wait-for-answer.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { openQuestion } from "../../answers/sample.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { botToken, startPretendTelegram } from "../../support/receivers/pretend-telegram.ts";

const holdMs = 300_000;

async function prepared() {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const running = prepareDispatcher();
  const { layout, tools } = running.dispatcher;
  const sendHttp = tools.http;
  const line = { isCut: false, gate: Promise.resolve() };
  tools.http = async (request, options) => {
    if (line.isCut) return { failure: "network", detail: "no route" };
    if (request.url.endsWith("/sendMessage")) await line.gate;
    return await sendHttp(request, options);
  };
  running.writeRules({
    answers: { allow: ["Bash"], hold: "always" },
    channels: { phone: { type: "telegram", token: botToken, chat: 77, apiUrl: telegram.origin, answers: true } },
    rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
  });
  const routes = await running.routes();
  let count = 0;
  /** As a hook does: the question first, then the payload of the same name. */
  const ask = (command: string, more: object = {}): Question => {
    const now = running.clock.now();
    const id = `${now}-00000000000${(count += 1).toString(16).padStart(3, "0")}-1`;
    const session = `s${count}`;
    const asked = { id, host: "testhost", session, text: command, askedAt: now, expiresAt: now + holdMs, routes };
    const question = openQuestion(layout, { ...asked, ...more });
    const payload = {
      hook_event_name: "PermissionRequest",
      session_id: question.session,
      cwd: question.cwd,
      tool_name: "Bash",
      tool_input: { command },
      prompt_id: "p1",
    };
    writeIncoming(layout, JSON.stringify(payload), { agentId: "claude-code", unique: id, nowMs: now });
    return question;
  };
  const wait = (question: Question) =>
    waitForAnswer(layout, question, { clock: running.clock, stop: new AbortController().signal, wake: () => {} });
  return { ...running, layout, telegram, line, ask, wait };
}

it("questions that no channel showed within twenty seconds are told as ordinary messages, all of them", async () => {
  const { layout, telegram, line, ask, wait, run, clock, until } = await prepared();
  line.isCut = true;
  const questions = Array.from({ length: 12 }, (_, index) => ask(`touch file-${String.fromCodePoint(97 + index)}`));
  let ended = 0;
  const waits = questions.map((question) => wait(question).finally(() => (ended += 1)));
  void run();
  await until("their deliveries", () => listDeliveries(layout, "outbox").length === 12);
  await until("the end of the hooks' patience", () => {
    clock.turn(1000);
    return ended === questions.length;
  });
  expect(await Promise.all(waits)).toEqual(questions.map(() => undefined));
  line.isCut = false;
  await until("all messages", () => (clock.turn(1000), telegram.messages.length === 12));
  expect(telegram.messages.flatMap(({ buttons }) => buttons)).toEqual([]);
  for (const { text } of questions)
    expect(telegram.messages.filter((each) => each.text.includes(text))).toHaveLength(1);
});

it("a card whose first send was under way at the answer loses its buttons", async () => {
  const { layout, telegram, line, ask, run, clock, until } = await prepared();
  let open = (): void => {};
  line.gate = new Promise((resolve) => (open = resolve));
  const question = ask("touch made");
  void run();
  await until("buttons on their way", () => (readQuestion(layout, question.id)?.nonces.length ?? 0) > 0);
  give(layout, question, { choice: "deny", by: "Ann", at: clock.now() });
  markObeyed(layout, question.id, clock.now());
  await until("the listener", telegram.isPolled);
  open();
  await until("the end on the card", () => telegram.messages[0]?.earlier.length === 1);
  expect(telegram.messages[0]?.text).toMatch(/denied by Ann after/);
  expect(telegram.messages[0]?.buttons).toEqual([]);
});

it("an ended question stays for twenty seconds, so that a late answer is told how it ended", async () => {
  const { layout, ask, run, clock, until } = await prepared();
  const question = ask("touch made");
  void run();
  await until("its card", () => readQuestion(layout, question.id)?.shown.length === 1);
  give(layout, question, { choice: "allow", by: "Ann", channel: "phone", at: clock.now() });
  markObeyed(layout, question.id, clock.now());
  clock.turn(2000);
  const late = give(layout, question, { choice: "deny", by: "Bob", at: clock.now() });
  expect(late).toEqual({ what: "refused", text: "Too late: allowed by Ann in phone after 0s." });
  await until("its removal", () => (clock.turn(5000), readQuestion(layout, question.id) === undefined));
});

it("two equal calls of a tool within a second are two questions, each with its card", async () => {
  const { telegram, ask, run, until } = await prepared();
  ask("touch made", { session: "s1" });
  ask("touch made", { session: "s1" });
  void run();
  await until("both cards", () => telegram.messages.length === 2);
  expect(telegram.messages.map(({ buttons }) => buttons.length)).toEqual([2, 2]);
});
