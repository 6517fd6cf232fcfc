// Whatever an agent, a tool or a repository writes is shown as plain text by every channel, within its limits.
import { afterAll, describe, expect, it } from "vitest";
import type { Message } from "../../../src/model/message.ts";
import type { Block, Inline } from "../../../src/model/rich-text/rich-text.ts";
import { printableLine } from "../../../src/model/text.ts";
import { adversarialTexts } from "../../support/channels/adversarial-texts.ts";
import { shownTypes, stopShowing } from "../../support/channels/shown-types.ts";
import { expectSound, expectWithinLimits, isShown, ordinary, words } from "../../support/desktop/sound-text.ts";
import type { Told } from "../../support/channels/shown.ts";

afterAll(stopShowing);

/** A stranger's text at every place that a message and its event have. */
function told(text: string, more: Partial<Message> = {}): Told {
  const message = { ...ordinary, title: text, body: text, fields: [{ label: "Project", value: text }], ...more };
  const event = { message: text, title: text, reason: text, project: text, cwd: text, host: text, session: text };
  return { message, event: { ...event, notificationType: text, subagent: text } };
}

/** The same text at every place that is not code. */
function richText(line: string): Block[] {
  const children: Inline[] = [{ type: "text", text: line }];
  const formats = (["strong", "emphasis", "strike"] as const).map((type): Inline => ({ type, children }));
  const paragraph: Block = { type: "paragraph", children };
  return [
    { type: "heading", level: 2, children },
    ...formats.map((format): Block => ({ type: "paragraph", children: [format] })),
    { type: "paragraph", children: [{ type: "link", url: "https://evil.example/", children }] },
    { type: "quote", blocks: [paragraph] },
    { type: "list", items: [[paragraph], [paragraph]] },
    { type: "list", start: 1, items: [[paragraph]] },
  ];
}

function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}

describe.each(shownTypes)("untrusted text through $name", ({ show, isRetold, isPassedOn }) => {
  const usual = once(() => show({ message: ordinary, event: told("x").event }));
  const readers = adversarialTexts.filter((text) => text.length < 50_000);

  it("is plain text", async () => {
    for (const text of readers) {
      const name = JSON.stringify(text.slice(0, 50));
      const shown = await show(told(text));
      expectSound(shown);
      // Where there is nothing to say, there is less around it, too.
      if (words(text) !== "") expect(shown.around, name).toEqual((await usual()).around);
      if (isRetold) continue;
      for (const form of shown.forms)
        expect(isShown(printableLine(text).slice(0, 40), form.text), `${name} in ${form.text.slice(0, 300)}`).toBe(
          true,
        );
      const bodies = await show(told(text, { title: "t", fields: [] }));
      for (const form of bodies.forms)
        expect(isShown(text, form.text), `${name} in ${form.text.slice(0, 300)}`).toBe(true);
    }
  });

  it("adds no mark to a rich text", async () => {
    const marksOf = async (text: string): Promise<string[]> => {
      const { forms } = await show({ message: { ...ordinary, blocks: richText(text) } });
      // A format that a reader returns with its text is one that the text may have.
      return forms.flatMap(({ marks }) => marks).filter((mark) => !/^([*_~])[^]*\1$/.test(mark));
    };
    const usualMarks = await marksOf("word");
    for (const text of readers.map(printableLine).filter((line) => line !== "" && line.length < 200)) {
      const count = (marks: string[], mark: string): number => marks.filter((each) => each === mark).length;
      const marks = await marksOf(text);
      expect(
        marks.filter((mark) => count(marks, mark) > count(usualMarks, mark)),
        text,
      ).toEqual([]);
    }
  });

  it("keeps to the limits with 128 KiB of anything", async () => {
    await expectWithinLimits({ show, isRetold, isPassedOn }, 128 * 1024);
  });
});
