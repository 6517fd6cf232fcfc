import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { give, makeButtons, receiveReply } from "../../src/answers/give-answer.ts";
import {
  questionsFolder,
  readAnswer,
  readQuestion,
  removeQuestion,
  writeQuestion,
  type Question,
} from "../../src/answers/questions.ts";
import { addSender, removeSenders } from "../../src/answers/senders.ts";
import { newSnooze } from "../../src/answers/snooze.ts";
import { formatTime } from "../../src/model/figures/wall-clock.ts";
import { addMute, endMutes, readMutes } from "../../src/outbox/attention.ts";
import { listJournal, readJournal, type JournalEntry } from "../../src/outbox/journal.ts";
import type { Layout } from "../../src/outbox/layout.ts";
import type { Mute } from "../../src/policies/mute.ts";
import { everyRow } from "../support/rows.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { askedAt, openQuestion } from "./sample.ts";

const phone = { name: "phone", type: "telegram", namesSender: true, hears: () => true };
const sender = { id: "1001", name: "Ann" };
const now = askedAt + 41_000;
const hourMs = 60 * 60_000;
const clockAt = (ms: number): string => formatTime(ms, now, undefined);
const waits = "This question still waits for an answer.";
const mutedByAnn = { scope: "project", name: "shop-web", until: now + hourMs, by: "Ann in phone" };

function asked(more: Partial<Question> = {}, project = "shop-web") {
  const layout = temporaryState();
  addSender(layout, "phone", { type: "telegram", ...sender, pairedAt: 0 });
  const question = openQuestion(layout, more);
  const { button, stored } = newSnooze(question, { channel: "phone", project });
  const buttons = makeButtons(layout, { ...question, snoozes: [stored] }, "phone", true);
  const press = (at = now, by: typeof sender | null = sender, channels = [phone]) =>
    receiveReply(layout, channels, { sender: by ?? undefined, nonce: button.nonce }, at);
  return { layout, question, button, buttons, press };
}

function journalOf(layout: Layout): JournalEntry[] {
  return listJournal(layout).flatMap((file) => readJournal(layout, file));
}

describe("the button that mutes", () => {
  it("silences the project for an hour, says so, and answers nothing", () => {
    const { layout, question, buttons, press } = asked();
    expect(press()).toEqual({
      what: "muted",
      text: `shop-web is silent until ${clockAt(now + hourMs)}. ${waits} To end the silence: hookbell unmute --project shop-web`,
    });
    expect(readMutes(layout, now)).toEqual([mutedByAnn]);
    expect(journalOf(layout)).toEqual([expect.objectContaining({ kind: "muted", ...mutedByAnn })]);
    expect(readAnswer(layout, question.id)).toBeUndefined();
    const [allow] = buttons;
    expect(receiveReply(layout, [phone], { sender, nonce: allow?.nonce }, now + 1)).toMatchObject({ what: "answered" });
  });

  it("counts once: a second press says how long the silence lasts, and neither extends it nor brings it back", () => {
    const { layout, press } = asked();
    press();
    const used = { what: "refused", text: "Not muted: this button has been used." };
    expect(press(now + 60_000)).toEqual({
      what: "muted",
      text: `shop-web is already silent until ${clockAt(now + hourMs)}. ${waits} To end the silence: hookbell unmute --project shop-web`,
    });
    expect(readMutes(layout, now)).toEqual([mutedByAnn]);
    endMutes(layout, [mutedByAnn as Mute], now);
    expect(press(now + 120_000)).toEqual(used);
    expect(readMutes(layout, now)).toEqual([]);
  });

  it("has an end of its own", () => {
    const { layout, question, press } = asked();
    expect(press(question.expiresAt)).toEqual({ what: "refused", text: "Not muted: this button no longer counts." });
    expect(readMutes(layout, now)).toEqual([]);
    expect(press(question.expiresAt - 1)).toMatchObject({ what: "muted" });
  });

  it("mutes after the question's end as well, and says that it is over; once the question is gone, it does nothing", () => {
    const { layout, question, press } = asked();
    give(layout, question, { choice: "deny", by: "ann", at: now });
    expect(press()).toMatchObject({ what: "muted", text: expect.stringContaining(". This question is over. ") });
    const other = asked();
    removeQuestion(other.layout, other.question.id);
    expect(other.press()).toEqual({
      what: "refused",
      text: "Too late, or meant for another computer: no such question is open here.",
    });
    expect(readMutes(other.layout, now)).toEqual([]);
  });

  it("shortens no mute that is longer, and lengthens a shorter one", () =>
    everyRow(
      [
        {
          known: { scope: "project", name: "shop-web", until: now + 2 * hourMs },
          says: `already silent until ${clockAt(now + 2 * hourMs)}`,
        },
        { known: { scope: "project", name: "shop-web" }, says: "shop-web is already silent. " },
        { known: { scope: "all", name: "" }, says: "To end the silence: hookbell unmute" },
        { known: { scope: "project", name: "shop-web", until: now + 60_000 }, mutes: [mutedByAnn] },
        {
          known: { scope: "session", name: "s1" },
          mutes: [{ scope: "session", name: "s1" }, mutedByAnn],
        },
        {
          known: { scope: "channel", name: "phone" },
          mutes: [{ scope: "channel", name: "phone" }, mutedByAnn],
        },
      ] as { known: Mute; says?: string; mutes?: Mute[] }[],
      ({ known, says = "shop-web is silent until", mutes = [known] }) => {
        const { layout, press } = asked();
        addMute(layout, known, now);
        const text = press();
        expect(text).toMatchObject({ what: "muted", text: expect.stringContaining(says) });
        expect(readMutes(layout, now)).toEqual(mutes);
      },
    ));

  it.each([
    ["a stranger with the same name", { id: "6666", name: "Ann" }],
    ["no person at all", null],
  ])("is refused to %s, which is noted", (_who, by) => {
    const { layout, press } = asked();
    const refusal = { what: "refused", text: "This account may not answer." };
    expect(press(now, by)).toEqual(refusal);
    expect(readMutes(layout, now)).toEqual([]);
    expect(journalOf(layout)).toEqual([
      expect.objectContaining({ kind: "answer", what: "refused", why: "not paired", channel: "phone" }),
    ]);
  });

  it("does nothing for an account that is paired no more, on another channel, or where the service names no one", () => {
    const { layout, press } = asked();
    addSender(layout, "other", { type: "telegram", id: "7", name: "Bob", pairedAt: 0 });
    const channels = [phone, { ...phone, name: "other" }];
    expect(press(now, { id: "7", name: "Bob" }, channels)).toMatchObject({ what: "refused" });
    expect(press(now, sender, [{ ...phone, type: "ntfy", namesSender: false }])).toMatchObject({ what: "refused" });
    removeSenders(layout, "phone");
    expect(press()).toMatchObject({ what: "refused" });
    expect(readMutes(layout, now)).toEqual([]);
  });

  it("cannot answer, and no button that answers can mute", () => {
    const { layout, question, button, buttons } = asked();
    const nonces = readQuestion(layout, question.id)?.nonces ?? [];
    expect(nonces.map(({ choice }) => choice)).toEqual(["allow", "deny"]);
    expect(buttons.map(({ nonce }) => nonce)).not.toContain(button.nonce);
    for (const nonce of ["", nonces[0]?.hash ?? "", question.id]) {
      expect(receiveReply(layout, [phone], { sender, nonce }, now)).toMatchObject({ what: "refused" });
    }
    receiveReply(layout, [phone], { sender, nonce: buttons[1]?.nonce }, now);
    expect(readMutes(layout, now)).toEqual([]);
  });

  it("is kept as a hash, outside of the question's seal", () => {
    const { layout, question, button } = asked();
    const text = readFileSync(join(questionsFolder(layout), `${question.id}.json`), "utf8");
    expect(text).not.toContain(button.nonce);
    const { snoozes, ...without } = readQuestion(layout, question.id) ?? question;
    expect(snoozes).toHaveLength(1);
    // As a program that does not know these buttons writes it.
    writeQuestion(layout, without);
    expect(readQuestion(layout, question.id)?.seal).toBe(question.seal);
  });

  it("names the project as a shell takes it", () => {
    const { press } = asked({}, "my shop");
    expect(press()).toMatchObject({ text: expect.stringMatching(/^my shop is silent .* --project "my shop"$/) });
  });
});
