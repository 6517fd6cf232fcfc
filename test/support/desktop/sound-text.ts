// What has to hold for whatever a channel shows of a stranger's text.
import { expect } from "vitest";
import type { Message } from "../../../src/model/message.ts";
import { printable } from "../../../src/model/text.ts";
import { enormousTexts } from "../channels/adversarial-texts.ts";
import type { Show, Shown } from "../channels/shown.ts";

export const ordinary: Message = {
  title: "shop: done",
  body: "All tests pass.",
  level: "attention",
  fields: [{ label: "Project", value: "shop" }],
};

/** Without the characters of no width that take a meaning out of others, and with every white space as one space. */
export function words(text: string): string {
  // The first semicolon would end a title in a terminal, so that it shows commas.
  return printable(text.replace(/[\u200B\u2060]/g, ""))
    .replaceAll(";", ",")
    .replace(/⟨U\+(?:200B|2060)(?:, \d+ times)?⟩/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Whether this is in there: all of it, or as much as there was room for and an ellipsis. */
export function isShown(text: string, form: string): boolean {
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

/** Plain, well-formed, and within every limit that was measured. */
export function expectSound({ forms, sizes }: Shown): void {
  const marks = forms.flatMap((form) => form.marks);
  const malformed = forms.filter(({ text }) => !text.isWellFormed());
  // A size that is no number is within no limit.
  const tooLong = sizes.filter(({ size, most }) => !(size <= most)).map(({ what, size }) => `${what}: ${size}`);
  expect({ marks, malformed, tooLong }).toEqual({ marks: [], malformed: [], tooLong: [] });
}

/** Shows this many bytes of several enormous texts. */
export async function expectWithinLimits(
  { show, isRetold, isPassedOn }: { show: Show; isRetold: boolean; isPassedOn: boolean },
  bytes: number,
): Promise<void> {
  for (const enormous of enormousTexts) {
    const text = enormous.slice(0, bytes);
    // One place for most of them: to take in thirty megabytes for each channel costs the machine minutes.
    const everywhere = { title: text, fields: [{ label: "Project", value: text }] };
    const shown = await show({ message: { ...ordinary, body: text, ...(text.startsWith("<") ? everywhere : {}) } });
    expectSound(shown);
    const hasMore = words(text.slice(0, 1000)) !== "" && !isRetold && !isPassedOn;
    if (hasMore) for (const form of shown.forms) expect(form.text, text.slice(0, 12)).toContain("…");
  }
}
