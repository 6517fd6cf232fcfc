import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { give, receiveReply, makeButtons, type Given } from "../../src/answers/give-answer.ts";
import { questionsFolder, readAnswer, readQuestion, removeQuestion } from "../../src/answers/questions.ts";
import { addSender, removeSenders } from "../../src/answers/senders.ts";
import type { Button, Choice } from "../../src/model/answer.ts";
import { listJournal, readJournal, type JournalEntry } from "../../src/outbox/journal.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import { formatLocalMinute } from "../../src/model/figures/duration.ts";
import { hostName } from "../../src/system/process/identity.ts";
import { randomNonce } from "../../src/system/crypto.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { askedAt, openQuestion } from "./sample.ts";

const phone = { name: "phone", type: "telegram", namesSender: true, hears: () => true };
const sender = { id: "1001", name: "Ann" };
const now = askedAt + 41_000;
const answered = (text: string): Given => ({ what: "answered", text });
const refused = (text: string): Given => ({ what: "refused", text });
const ignored = { what: "ignored" };
const notOpen = refused("Too late, or meant for another computer: no such question is open here.");

function asked(more: Parameters<typeof openQuestion>[1] = {}, isWhole = true) {
  const layout = temporaryState();
  addSender(layout, "phone", { type: "telegram", ...sender, pairedAt: 0 });
  const question = openQuestion(layout, more);
  const buttons = makeButtons(layout, question, "phone", isWhole);
  const nonceOf = (choice: Choice): string => buttons.find((button) => button.choice === choice)?.nonce ?? "";
  return { layout, question, buttons, nonceOf };
}

function answers(layout: Layout): JournalEntry[] {
  return listJournal(layout)
    .flatMap((file) => readJournal(layout, file))
    .filter(({ kind }) => kind === "answer");
}

const choicesIn = (buttons: readonly Button[]): Choice[] => buttons.map(({ choice }) => choice);

describe("an answer to a hook that another program has changed", () => {
  const changedAt = new Date(now);
  function changed(more: Parameters<typeof openQuestion>[1] = {}) {
    const made = asked({ host: hostName(), ...more });
    const script = join(made.layout.root, "hookbell-hook.sh");
    writeFileSync(script, "#!/bin/sh\nid\n");
    utimesSync(script, changedAt, changedAt);
    return made;
  }

  it("is not taken, and the question is over", () => {
    const { layout, question, nonceOf } = changed();
    const why = `hookbell's hook script was changed by another program at ${formatLocalMinute(now)}`;
    for (const choice of ["allow", "deny"] as const) {
      const press = receiveReply(layout, [phone], { sender, nonce: nonceOf(choice) }, now);
      expect(press).toEqual(
        refused(
          choice === "allow"
            ? `Not taken: ${why}; answer at the agent's terminal.`
            : `Too late: ended, since ${why}, after 41s; answer at the terminal.`,
        ),
      );
    }
    const end = { choice: "none", by: `ended, since ${why},`, isUnanswered: true, at: now };
    expect(readAnswer(layout, question.id)).toEqual(end);
    expect(answers(layout).map(({ what }) => what)).toEqual(["none"]);
  });

  it("is taken where the hook is another machine's", () => {
    for (const more of [{ host: "devbox" }, { isElsewhere: true }]) {
      const { layout, question, nonceOf } = changed(more);
      expect(receiveReply(layout, [phone], { sender, nonce: nonceOf("allow") }, now).what).toBe("answered");
      expect(readAnswer(layout, question.id)?.choice).toBe("allow");
    }
  });
});

describe("an answer", () => {
  it("counts once, is on the disk and in the journal", () => {
    const { layout, question, nonceOf } = asked();
    expect(receiveReply(layout, [phone], { sender, nonce: nonceOf("allow") }, now)).toEqual(
      answered("Allowed by Ann in phone after 41s."),
    );
    expect(readAnswer(layout, question.id)).toEqual({ choice: "allow", by: "Ann", channel: "phone", at: now });
    expect(answers(layout)).toEqual([
      expect.objectContaining({ what: "allow", by: "Ann", channel: "phone", afterMs: 41_000, digest: question.digest }),
    ]);
    // A replayed tap, and the other button.
    for (const choice of ["allow", "deny"] as const) {
      expect(receiveReply(layout, [phone], { sender, nonce: nonceOf(choice) }, now + 1)).toEqual(
        refused("Too late: allowed by Ann in phone after 41s."),
      );
    }
    expect(readAnswer(layout, question.id)?.choice).toBe("allow");
    removeQuestion(layout, question.id);
    expect(receiveReply(layout, [phone], { sender, nonce: nonceOf("deny") }, now)).toEqual(notOpen);
  });

  it("in words denies, and never means yes", () => {
    const { layout, question } = asked({ shown: [{ channel: "phone", place: { message: "5", chat: "77" } }] });
    const reply = (text: string, message = "5") =>
      receiveReply(layout, [phone], { sender, reply: { text, to: { message, chat: "77" } } }, now);
    expect(reply("Yes!")).toEqual(refused("To allow it, press a button. Any other text denies it."));
    expect(reply("no", "6")).toEqual(notOpen);
    expect(receiveReply(layout, [phone], { sender, reply: { text: "hello", to: {} } }, now)).toEqual(ignored);
    expect(readAnswer(layout, question.id)).toBeUndefined();
    expect(reply("Use a temporary folder.")).toEqual(answered("Denied by Ann in phone after 41s."));
    expect(readAnswer(layout, question.id)).toMatchObject({ choice: "deny", message: "Use a temporary folder." });
  });

  it.each([
    ["a stranger with the same name", { id: "6666", name: "Ann" }],
    ["no person at all", undefined],
  ])("of %s is refused, and noted", (_who, by) => {
    const { layout, question, nonceOf } = asked();
    expect(receiveReply(layout, [phone], { sender: by, nonce: nonceOf("allow") }, now)).toEqual(
      refused("This account may not answer."),
    );
    expect(readAnswer(layout, question.id)).toBeUndefined();
    expect(answers(layout)).toEqual([expect.objectContaining({ what: "refused", why: "not paired" })]);
  });

  it("of an account that is paired for another service, or no more, is refused", () => {
    const { layout, nonceOf } = asked();
    const heard = { sender, nonce: nonceOf("allow") };
    expect(receiveReply(layout, [{ ...phone, type: "slack" }], heard, now)).toEqual(
      refused("This account may not answer."),
    );
    removeSenders(layout, "phone");
    expect(receiveReply(layout, [phone], heard, now)).toEqual(refused("This account may not answer."));
  });

  it("with a guessed nonce, or that of another channel, is refused", () => {
    const { layout, question, nonceOf } = asked();
    const { nonces } = readQuestion(layout, question.id) ?? question;
    const guesses = ["", "x", randomNonce(), nonces[0]?.hash ?? "", question.digest, question.id];
    for (const nonce of guesses) expect(receiveReply(layout, [phone], { sender, nonce }, now)).toEqual(notOpen);
    const desktop = { name: "desktop", type: "desktop", namesSender: false, hears: () => true };
    expect(receiveReply(layout, [desktop], { nonce: nonceOf("allow") }, now)).toEqual(notOpen);
    expect(readAnswer(layout, question.id)).toBeUndefined();
  });

  it("by a press that carries no nonce counts for the message that shows the button, once, for what it offers", () => {
    const place = { message: "5", chat: "77" };
    const { layout, question } = asked({ shown: [{ channel: "phone", place }] }, false);
    const press = (choice: Choice, to: Record<string, string> = place, by = sender) =>
      receiveReply(layout, [phone], { sender: by, pressed: { choice, to } }, now);
    expect(press("allow")).toEqual(refused("Not accepted: this message does not offer that."));
    expect(press("deny", { ...place, message: "6" })).toEqual(notOpen);
    expect(press("deny", {})).toEqual(ignored);
    expect(press("deny", place, { id: "6666", name: "Ann" })).toEqual(ignored);
    expect(readAnswer(layout, question.id)).toBeUndefined();
    expect(press("deny")).toEqual(answered("Denied by Ann in phone after 41s."));
    expect(press("deny")).toEqual(refused("Too late: denied by Ann in phone after 41s."));
  });

  it("of a stranger in words is noted only where it is about a question", () => {
    const place = { message: "5", chat: "77" };
    const { layout } = asked({ shown: [{ channel: "phone", place }] });
    const write = (message: string) =>
      receiveReply(
        layout,
        [phone],
        { sender: { id: "6666", name: "Eve" }, reply: { text: "no", to: { ...place, message } } },
        now,
      );
    expect(write("6")).toEqual(ignored);
    expect(answers(layout)).toEqual([]);
    expect(write("5")).toEqual(ignored);
    expect(answers(layout)).toEqual([expect.objectContaining({ what: "refused", why: "not paired" })]);
  });

  it("stores no nonce, only its hash", () => {
    const { layout, question, buttons } = asked();
    const text = readFileSync(join(questionsFolder(layout), `${question.id}.json`), "utf8");
    for (const { nonce } of buttons) {
      expect(nonce).toMatch(/^[\w-]{22}$/);
      expect(text).not.toContain(nonce);
    }
    expect(new Set(buttons.map(({ nonce }) => nonce)).size).toBe(buttons.length);
  });

  it("to a question that was changed since counts for nothing", () => {
    const { layout, question, nonceOf } = asked();
    const path = join(questionsFolder(layout), `${question.id}.json`);
    writeFileSync(path, readFileSync(path, "utf8").replace('"npm test"', '"rm -rf ~"'));
    expect(receiveReply(layout, [phone], { sender, nonce: nonceOf("allow") }, now)).toEqual(notOpen);
  });

  it("comes too late when the question went while the answer was on its way, and leaves nothing", () => {
    const { layout, question } = asked();
    removeQuestion(layout, question.id);
    expect(give(layout, question, { choice: "deny", by: "ann", at: now })).toEqual({
      what: "refused",
      text: "Too late: this question is over.",
    });
    expect(readdirSync(questionsFolder(layout))).toEqual([]);
  });

  it("ends before the hook does", () => {
    const { layout, question, nonceOf } = asked();
    const heard = { sender, nonce: nonceOf("allow") };
    for (const leftMs of [500, 1000]) {
      const given = receiveReply(layout, [phone], heard, question.expiresAt - leftMs);
      expect(given).toEqual(refused("Too late: this question is over."));
    }
    expect(readAnswer(layout, question.id)).toBeUndefined();
    expect(receiveReply(layout, [phone], heard, question.expiresAt - 1001)).toMatchObject({ what: "answered" });
  });
});

describe("buttons", () => {
  const forSession = { type: "addRules", rules: [], behavior: "allow", destination: "session" };

  it("allow only what the list allows, and only what is shown whole", () => {
    expect(choicesIn(asked().buttons)).toEqual(["allow", "deny"]);
    expect(choicesIn(asked({ forSession }).buttons)).toEqual(["allow", "allowForSession", "deny"]);
    expect(choicesIn(asked({ isAllowable: false, forSession }).buttons)).toEqual(["deny"]);
    expect(choicesIn(asked({}, false).buttons)).toEqual(["deny"]);
  });

  it("say what they do", () => {
    const labelsIn = (buttons: readonly Button[]): string[] => buttons.map(({ label }) => label);
    expect(labelsIn(asked({ forSession }).buttons)).toEqual(["Allow", "Allow for this session", "Deny"]);
  });

  it("are no way around the list", () => {
    const { layout, question } = asked({ isAllowable: false });
    const given = give(layout, question, { choice: "allow", by: "ann", at: now });
    expect(given).toEqual({ what: "refused", text: expect.stringContaining("answers.allow") });
    expect(existsSync(join(questionsFolder(layout), `${question.id}.answer`))).toBe(false);
  });
});
