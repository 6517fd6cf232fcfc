import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { decisionFor } from "../../src/answers/decision.ts";
import { give } from "../../src/answers/give-answer.ts";
import {
  createAnswer,
  isObeyed,
  openQuestions,
  questionsFolder,
  readAnswer,
  readQuestion,
  removeQuestion,
} from "../../src/answers/questions.ts";
import { noteShown } from "../../src/pipeline/answers/ask.ts";
import { waitForAnswer } from "../../src/answers/wait-for-answer.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { askedAt, openQuestion } from "./sample.ts";
import { everyRow } from "../support/rows.ts";

const shown = [{ channel: "phone", place: { message: "1" } }];
const noWake = (): void => {};
const permission = { agent: "claude-code", kind: "permission", fields: [] } as const;

function waiting(more: Parameters<typeof openQuestion>[1] = { shown }) {
  const layout = temporaryState();
  const question = openQuestion(layout, more);
  const clock = createFakeClock(askedAt);
  const stop = new AbortController();
  const answered = waitForAnswer(layout, question, { clock, stop: stop.signal, wake: noWake });
  return { layout, question, clock, stop, answered };
}

describe("the hook's wait", () => {
  it("ends with the answer, which is marked as obeyed before the agent hears of it", async () => {
    const { layout, question, answered } = waiting();
    give(layout, question, { choice: "deny", message: "no", by: "Ann", at: askedAt + 1 });
    expect(await answered).toMatchObject({ choice: "deny", message: "no" });
    expect(isObeyed(layout, question.id)).toBe(true);
    // Another hook that finds the same answer obeys nothing.
    const again = { clock: createFakeClock(askedAt), stop: new AbortController().signal, wake: noWake };
    expect(await waitForAnswer(layout, question, again)).toBeUndefined();
  });

  it("ends without a decision, and says why", () =>
    everyRow(
      [
        ["the agent ends the hook", "answered at the terminal", { shown }, 0],
        ["the time is up", "no answer came", { shown }, 300_000],
        ["the time is up to the millisecond", "no answer came", { shown, expiresAt: askedAt + 5000 }, 5000],
        ["no channel shows it", "no channel could show it", {}, 20_000],
      ],
      async ([_what, by, more, afterMs]) => {
        const { layout, question, clock, stop, answered } = waiting(more);
        if (afterMs === 0) stop.abort();
        else clock.turn(afterMs);
        expect(await answered).toBeUndefined();
        const isUnanswered = by === "answered at the terminal" ? undefined : true;
        expect(readAnswer(layout, question.id)).toMatchObject({ choice: "none", by });
        expect(readAnswer(layout, question.id)?.isUnanswered).toBe(isUnanswered);
        expect(give(layout, question, { choice: "allow", by: "Ann", at: askedAt + 2 }).text).toMatch(`Too late: ${by}`);
      },
    ));

  it("goes on where the terminal asks as well, until a channel shows the question when the user has left", () =>
    everyRow(
      // Left 5 to 60 seconds after the question; the phone is told a minute after that.
      Array.from({ length: 56 }, (_, index) => (5 + index) * 1000 + 60_000),
      async (shownAfterMs) => {
        const nine = askedAt + 9 * 60_000;
        const { layout, question, clock, answered } = waiting({ showsDialog: true, expiresAt: nine });
        for (let at = 0; at < shownAfterMs; at += 5000) {
          clock.turn(Math.min(5000, shownAfterMs - at));
          await new Promise(setImmediate);
        }
        expect(readAnswer(layout, question.id)).toBeUndefined();
        const until = clock.now() + 300_000;
        noteShown(layout, question.id, { channel: "phone", place: { message: "1" }, until });
        // The time counts from here.
        clock.turn(299_000);
        await new Promise(setImmediate);
        expect(openQuestions(layout, clock.now())).toHaveLength(1);
        give(layout, question, { choice: "allow", by: "Ann", at: until - 1500 });
        clock.turn(500);
        expect(await answered).toMatchObject({ choice: "allow" });
      },
      (row) => `${row} ms`,
    ));

  it("ends when its time is up that counts from being shown, and takes no answer then", async () => {
    const { layout, question, clock, answered } = waiting({ showsDialog: true, expiresAt: askedAt + 9 * 60_000 });
    noteShown(layout, question.id, { channel: "desktop", place: { id: "1" }, until: askedAt + 60_000 });
    noteShown(layout, question.id, { channel: "phone", place: { message: "1" }, until: askedAt + 90_000 });
    clock.turn(60_000);
    expect(await answered).toBeUndefined();
    expect(readAnswer(layout, question.id)).toMatchObject({ by: "no answer came" });
    const now = readQuestion(layout, question.id) ?? question;
    expect(give(layout, now, { choice: "allow", by: "Ann", at: askedAt + 60_000 }).text).toMatch("Too late");
  });

  it("goes on where the page alone shows the question", async () => {
    const { layout, question, clock, answered } = waiting({ isOnPage: true });
    clock.turn(21_000);
    await new Promise(setImmediate);
    give(layout, question, { choice: "allow", by: "Ann", at: askedAt + 22_000 });
    clock.turn(1000);
    expect(await answered).toMatchObject({ choice: "allow" });
  });

  it("obeys no answer that it finds as its time is up, and none that says that there is none", async () => {
    const late = waiting({ shown, expiresAt: askedAt + 60_000 });
    give(late.layout, late.question, { choice: "allow", by: "Ann", at: askedAt + 1000 });
    late.clock.step(60_000);
    expect(await late.answered).toBeUndefined();
    expect(isObeyed(late.layout, late.question.id)).toBe(false);
    const { layout, question, answered } = waiting();
    give(layout, question, { choice: "none", by: "no channel shows it", at: askedAt + 1 });
    expect(await answered).toBeUndefined();
    expect(isObeyed(layout, question.id)).toBe(false);
  });

  it("ends without a word where another process is to wait, and the question stays open for that one", async () => {
    const layout = temporaryState();
    const question = openQuestion(layout, { shown });
    const [stop, leave] = [new AbortController(), new AbortController()];
    const wait = { clock: createFakeClock(askedAt), stop: stop.signal, leave: leave.signal, wake: noWake };
    const answered = waitForAnswer(layout, question, wait);
    leave.abort();
    expect(await answered).toBeUndefined();
    expect(readAnswer(layout, question.id)).toBeUndefined();
    expect(give(layout, question, { choice: "allow", by: "Ann", at: askedAt + 1 }).what).toBe("answered");
  });

  it("takes no broken answer for a decision", () =>
    everyRow(
      [
        ["an unreadable answer", "not json"],
        ["an answer without a choice", '{"by":"Ann","at":1}'],
        ["an answer with an unknown choice", '{"choice":"allowAll","by":"Ann","at":1}'],
      ],
      async ([_what, text]) => {
        const { layout, question, answered } = waiting();
        writeFileSync(join(questionsFolder(layout), `${question.id}.answer`), text);
        expect(await answered).toBeUndefined();
      },
    ));

  it("obeys no answer that the user's list does not have, whichever process wrote it", async () => {
    const { layout, question, answered } = waiting({ shown, isAllowable: false });
    writeFileSync(join(questionsFolder(layout), `${question.id}.answer`), '{"choice":"allow","by":"Ann","at":1}');
    expect(await answered).toBeUndefined();
    expect(isObeyed(layout, question.id)).toBe(false);
  });

  it("ends without a decision when the question is gone, or the answer cannot be read", async () => {
    const gone = waiting();
    removeQuestion(gone.layout, gone.question.id);
    expect(await gone.answered).toBeUndefined();
    expect(existsSync(join(questionsFolder(gone.layout), `${gone.question.id}.answer`))).toBe(false);
    const { layout, question, answered } = waiting();
    mkdirSync(join(questionsFolder(layout), `${question.id}.answer`));
    expect(await answered).toBeUndefined();
  });
});

/** The order of the turns, and the pauses before them, repeat after 24 rounds. */
const races = 4 * 24;

it("of races between the phone, the shell and the terminal each has one winner, and everybody hears of that one", async () => {
  const layout = temporaryState();
  const figures = { obeyed: 0, none: 0, invented: 0, twice: 0 };
  for (let round = 0; round < races; round += 1) {
    const question = openQuestion(layout, { shown });
    const stop = new AbortController();
    const clock = createFakeClock(askedAt);
    const answered = waitForAnswer(layout, question, { clock, stop: stop.signal, wake: noWake });
    const given = { phone: false, shell: false };
    const turns = [
      () =>
        (given.phone = give(layout, question, { choice: "allow", by: "phone", at: askedAt + 5 }).what === "answered"),
      () =>
        (given.shell = give(layout, question, { choice: "deny", by: "shell", at: askedAt + 5 }).what === "answered"),
      () => stop.abort(),
      () => createAnswer(layout, question.id, { choice: "none", by: "another process", at: askedAt }),
    ];
    const first = round % turns.length;
    const order = [...turns.slice(first), ...turns.slice(0, first)];
    await Promise.all(
      order.map(async (turn, index) => {
        for (let wait = 0; wait < (round >> index) % 3; wait += 1) await new Promise(setImmediate);
        turn();
      }),
    );
    const answer = await answered;
    const winner = readAnswer(layout, question.id);
    if (given.phone && given.shell) figures.twice += 1;
    if (answer === undefined) {
      figures.none += 1;
      if (given.phone || given.shell) figures.invented += 1;
    } else {
      figures.obeyed += 1;
      const isTrue = answer.by === "phone" ? given.phone : given.shell;
      if (!isTrue || answer.choice !== winner?.choice) figures.invented += 1;
    }
    removeQuestion(layout, question.id);
  }
  expect(figures).toMatchObject({ invented: 0, twice: 0 });
  expect(figures.obeyed + figures.none).toBe(races);
  expect(figures.obeyed).toBeGreaterThan(races / 10);
  expect(figures.none).toBeGreaterThan(races / 10);
});

it("tells the agent what was decided", () =>
  everyRow(
    [
      [{ choice: "allow" }, { behavior: "allow" }],
      [{ choice: "deny" }, { behavior: "deny", message: "The user denied this." }],
      [
        { choice: "deny", message: "later" },
        { behavior: "deny", message: "later" },
      ],
      [{ choice: "allowForSession" }, { behavior: "allow", updatedPermissions: [{ destination: "session" }] }],
    ] as const,
    ([answer, decision]) => {
      const told = decisionFor(
        { ...permission, forSession: { destination: "session" } },
        { ...answer, by: "Ann", at: 1 },
        {},
      );
      expect(told).toEqual({ hookSpecificOutput: { hookEventName: "PermissionRequest", decision } });
    },
    (row) => JSON.stringify(row),
  ));

it("tells the agent nothing without a decision", () => {
  expect(decisionFor(permission, { choice: "none", by: "the clock", at: 1 }, {})).toBeUndefined();
  expect(decisionFor(permission, { choice: "allowForSession", by: "Ann", at: 1 }, {})).toBeUndefined();
  const forSession = { destination: "session" };
  const reply = { choice: "reply", message: "yes", by: "Ann", at: 1 } as const;
  expect(decisionFor({ ...permission, forSession }, reply, {})).toBeUndefined();
});
