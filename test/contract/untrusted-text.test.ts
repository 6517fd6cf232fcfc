import { afterAll, describe, expect, it } from "vitest";
import { channelTypes } from "../../src/channels/all.ts";
import type { Message } from "../../src/model/message.ts";
import { printableLine } from "../../src/model/text.ts";
import { adversarialTexts, enormousTexts } from "../support/channels/adversarial-texts.ts";
import { showBy } from "../support/channels/shown-by.ts";
import { stopShowing } from "../support/channels/shown-by-programs.ts";
import { expectSound, isShown, ordinary, words } from "../support/desktop/sound-text.ts";
import type { Told } from "../support/channels/shown.ts";

afterAll(stopShowing);

/** A stranger's text at every place that a message and its event have. */
function told(text: string, more: Partial<Message> = {}): Told {
  const message = { ...ordinary, title: text, body: text, fields: [{ label: "Project", value: text }], ...more };
  const event = { message: text, title: text, reason: text, project: text, cwd: text, host: text, session: text };
  return { message, event: { ...event, notificationType: text, subagent: text } };
}

it("every channel type says how it is to be read", () => {
  expect(Object.keys(showBy).toSorted()).toEqual(channelTypes.map(({ type }) => type).toSorted());
});

/** What programs get is JSON, to be made safe by themselves; speech leaves out what only the eye makes sense of. */
const passedOn = ["webhook", "command"];
const retold = ["speech"];
function once<Result>(make: () => Promise<Result>): () => Promise<Result> {
  let made: Promise<Result> | undefined;
  return () => (made ??= make());
}

const readable = Object.entries(showBy).flatMap(([type, show]) => (show === undefined ? [] : [{ type, show }]));

describe.each(readable)("what a stranger wrote, through $type", ({ type, show }) => {
  const usual = once(() => show({ message: ordinary, event: told("x").event }));
  const readers = adversarialTexts.filter((text) => text.length < 50_000);

  it.each(readers.map((text) => [JSON.stringify(text.slice(0, 50)), text]))("is plain text: %s", async (_, text) => {
    const shown = await show(told(text));
    expectSound(shown);
    // Where there is nothing to say, there is less around it, too.
    if (words(text) !== "") expect(shown.around).toEqual((await usual()).around);
    if (retold.includes(type)) return;
    for (const form of shown.forms)
      expect(isShown(printableLine(text).slice(0, 40), form.text), form.text.slice(0, 300)).toBe(true);
    const bodies = await show(told(text, { title: "t", fields: [] }));
    for (const form of bodies.forms) expect(isShown(text, form.text), form.text.slice(0, 300)).toBe(true);
  });

  it.each(enormousTexts.map((text) => [JSON.stringify(text.slice(0, 12)), text, words(text.slice(0, 1000)) === ""]))(
    "keeps to its limits with 10 MiB of %s",
    async (_, text, isNothing) => {
      // One place for most of them: to take in thirty megabytes for each channel costs the machine minutes.
      const everywhere = { title: text, fields: [{ label: "Project", value: text }] };
      const shown = await show({ message: { ...ordinary, body: text, ...(text.startsWith("<") ? everywhere : {}) } });
      expectSound(shown);
      const hasMore = !isNothing && !retold.includes(type) && !passedOn.includes(type);
      if (hasMore) for (const form of shown.forms) expect(form.text).toContain("…");
    },
  );
});
