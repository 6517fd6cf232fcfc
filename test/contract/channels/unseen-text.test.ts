// No channel shows a character that cannot be seen, or that reorders a text, in any part of a message.
import { afterAll, describe, expect, it } from "vitest";
import type { RichMessage } from "../../../src/channels/channel-type.ts";
import { shownTypes, stopShowing } from "../../support/channels/shown-types.ts";
import type { Shown, Told } from "../../support/channels/shown.ts";
import { meantTexts, rawUnseen, unseenTexts } from "../../support/channels/unseen-texts.ts";

afterAll(stopShowing);

function told(text: string): Told {
  const paragraph = { type: "paragraph", children: [{ type: "text", text }] } as const;
  const message: RichMessage = {
    title: `shop: ${text}`,
    body: text,
    level: "attention",
    fields: [{ label: "Project", value: text }],
    blocks: [
      paragraph,
      { type: "code", language: "sh", text },
      { type: "list", items: [[paragraph]] },
      { type: "paragraph", children: [{ type: "code", text }] },
    ],
  };
  const event = { message: text, title: text, reason: text, project: text, cwd: text, host: text, session: text };
  return { message, event: { ...event, sessionName: text, notificationType: text, subagent: text } };
}

/** What a person sees, without the characters by which a channel takes the meaning out of a sign. */
function read({ forms, sizes }: Shown): string {
  const texts = [...forms.map(({ text }) => text), ...sizes.map(({ piece }) => piece)];
  return texts.join("\n").replace(/(?<!m)[\u200B\u2060]/g, "");
}

describe.each(shownTypes.filter(({ isPassedOn }) => !isPassedOn))("through $name", ({ show, isRetold }) => {
  it("nothing stays unseen", async () => {
    const missed: string[] = [];
    for (const text of unseenTexts) if (rawUnseen.test(read(await show(told(text))))) missed.push(JSON.stringify(text));
    expect(missed).toEqual([]);
  });

  it("joiners and emoji stay as people write them", async () => {
    for (const text of meantTexts) {
      const shown = read(await show(told(text)));
      expect(shown).not.toMatch(/⟨U\+/);
      if (!isRetold) expect(shown).toContain(text);
    }
  });
});
