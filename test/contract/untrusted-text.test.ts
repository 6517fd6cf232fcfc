import { describe, expect, it } from "vitest";
import { channelTypes } from "../../src/channels/index.ts";
import type { Message } from "../../src/model/message.ts";
import { printable, printableLine } from "../../src/model/text.ts";
import { adversarialTexts, enormousTexts } from "../support/adversarial-texts.ts";
import { showBy, type Shown, type Told } from "../support/shown-by.ts";

const ordinary: Message = {
  title: "shop: done",
  body: "All tests pass.",
  level: "attention",
  fields: [{ label: "Project", value: "shop" }],
};

/** A stranger's text at every place that a message and its event have. */
function told(text: string, more: Partial<Message> = {}): Told {
  const message = { ...ordinary, title: text, body: text, fields: [{ label: "Project", value: text }], ...more };
  const event = { message: text, title: text, reason: text, project: text, cwd: text, host: text, session: text };
  return { message, event: { ...event, notificationType: text, subagent: text } };
}

/** Without the characters of no width that take a meaning out of others, and with every white space as one space. */
function words(text: string): string {
  // The first semicolon would end a title in a terminal, so that it shows commas.
  return printable(text)
    .replaceAll(";", ",")
    .replace(/[\u200B\u2060]/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether this is in there: all of it, or as much as there was room for and an ellipsis. */
function isShown(text: string, form: string): boolean {
  const whole = words(text);
  const shown = words(form);
  if (shown.includes(whole)) return true;
  for (let end = shown.indexOf("…"); end !== -1; end = shown.indexOf("…", end + 1)) {
    // From wherever it begins up to this ellipsis; never less than a few letters of it.
    for (let start = shown.indexOf(whole.slice(0, 5)); start !== -1 && start < end;) {
      if (whole.startsWith(shown.slice(start, end).trimEnd())) return true;
      start = shown.indexOf(whole.slice(0, 5), start + 1);
    }
  }
  return false;
}

function expectSound({ forms, sizes }: Shown): void {
  for (const { text, marks } of forms) {
    expect(marks).toEqual([]);
    expect(text.isWellFormed()).toBe(true);
  }
  for (const { what, size, most } of sizes) expect(size, what).toBeLessThanOrEqual(most);
}

it("every channel type says how it is to be read", () => {
  expect(Object.keys(showBy).toSorted()).toEqual(channelTypes.map(({ type }) => type).toSorted());
});

/** What programs get is JSON, to be made safe by themselves; speech leaves out what only the eye makes sense of. */
const passedOn = ["webhook", "command"];
const retold = ["speech"];
/** What starts a process or a server for each message, or parses it twice, has fewer of them. */
const units = ["x", "😀", "<", "&", '"', "*", "👩‍👩‍👧‍👦"];
const fewUnits: Record<string, string[]> = {
  command: ["x", "😀"],
  email: ["x", "😀", "<"],
  mattermost: ["x", "😀", "*"],
};

const readable = Object.entries(showBy).flatMap(([type, show]) => (show === undefined ? [] : [{ type, show }]));

describe.each(readable)("what a stranger wrote, through $type", ({ type, show }) => {
  const readers = adversarialTexts.filter((text) => text.length < 50_000);

  it.each(readers.map((text) => [JSON.stringify(text.slice(0, 50)), text]))("is plain text: %s", async (_, text) => {
    const shown = await show(told(text));
    expectSound(shown);
    // Where there is nothing to say, there is less around it, too.
    if (words(text) !== "")
      expect(shown.around).toEqual((await show({ message: ordinary, event: told("x").event })).around);
    if (retold.includes(type)) return;
    for (const form of shown.forms)
      expect(isShown(printableLine(text).slice(0, 40), form.text), form.text.slice(0, 300)).toBe(true);
    const bodies = await show(told(text, { title: "t", fields: [] }));
    for (const form of bodies.forms) expect(isShown(text, form.text), form.text.slice(0, 300)).toBe(true);
  });

  it.each(enormousTexts.map((text) => [JSON.stringify(text.slice(0, 12)), text]))(
    "keeps to its limits with 10 MiB of %s",
    async (_, text) => {
      // One place for most of them: to take in thirty megabytes for each channel costs the machine minutes.
      const everywhere = { title: text, fields: [{ label: "Project", value: text }] };
      const shown = await show({ message: { ...ordinary, body: text, ...(text.startsWith("<") ? everywhere : {}) } });
      expectSound(shown);
      const isNothing = words(text) === "" || retold.includes(type);
      if (!isNothing && !passedOn.includes(type)) for (const form of shown.forms) expect(form.text).toContain("…");
    },
  );

  it.each(["title", "body", "value"])(
    "is cut in the %s where the room ends, not before, and never within a character",
    async (place) => {
      if (retold.includes(type)) return;
      for (const unit of fewUnits[type] ?? units) {
        const at = async (count: number): Promise<Shown> => {
          const text = unit.repeat(count);
          const fields = place === "value" ? [{ label: "Project", value: text }] : [];
          return show({
            message: { ...ordinary, title: "t", body: "b", fields, ...(place === "value" ? {} : { [place]: text }) },
          });
        };
        const isCut = async (count: number): Promise<boolean> =>
          (await at(count)).forms.some(({ text }) => text.includes("…"));
        let fits = 1;
        let tooLong = 110_000;
        if (!(await isCut(tooLong))) continue;
        while (tooLong - fits > 1) {
          const middle = Math.floor((fits + tooLong) / 2);
          if (await isCut(middle)) tooLong = middle;
          else fits = middle;
        }
        for (const count of [fits, tooLong]) {
          const shown = await at(count);
          expectSound(shown);
          // Some forms have no room for fields at all.
          const texts = shown.forms
            .map(({ text }) => text)
            .filter((text) => words(text).includes(words(unit.repeat(3))));
          expect(texts.length).toBeGreaterThan(0);
          for (const text of texts) expect(isShown(unit.repeat(count), text), `${count} of ${unit}`).toBe(true);
        }
      }
    },
  );
});
