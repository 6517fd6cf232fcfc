// Fits what a notification says into a limit: hookbell's own words stay whole, and others' texts share the rest.
import { shortenMiddle } from "../../model/text.ts";

export interface Line {
  /** This and `after` are hookbell's own words. */
  before?: string;
  /** The words of others are cut in their middle where they do not fit: a command can be padded at either end. */
  text?: string;
  after?: string;
  /** Left out if the texts of others, with its own, would be cut too short. The first ones are kept first. */
  isOptional?: boolean;
}

/** UTF-16 units: of so many, the texts of others keep at least as much as they need. */
const enoughForTexts = 120;
/** The end of a command is what runs last. */
const tailShare = 0.4;

/** In at most `most` UTF-16 units, where those of hookbell's own fit. */
export function fitLines(lines: readonly Line[], most: number): string {
  let kept = lines.filter(({ isOptional }) => isOptional !== true);
  for (const line of lines.filter(({ isOptional }) => isOptional === true)) {
    const more = lines.filter((each) => each === line || kept.includes(each));
    // Another text must not cut the ones that are there.
    const texts = line.text === undefined ? 1 : more.filter(({ text }) => text !== undefined).length;
    if (roomIn(more, most) >= Math.min(texts * enoughForTexts, needOf(more))) kept = more;
  }
  const shares = sharesOf(
    kept.map(({ text = "" }) => text.length),
    roomIn(kept, most),
  );
  return kept
    .map(({ before = "", text = "", after = "" }, nth) => {
      return `${before}${shortenMiddle(text, shares[nth] ?? 0, tailShare)}${after}`;
    })
    .join("\n");
}

/** Whether all that is not optional fits as it is. */
export function doFit(lines: readonly Line[], most: number): boolean {
  const required = lines.filter(({ isOptional }) => isOptional !== true);
  return roomIn(required, most) >= needOf(required);
}

function needOf(lines: readonly Line[]): number {
  return lines.reduce((sum, { text = "" }) => sum + text.length, 0);
}

function roomIn(lines: readonly Line[], most: number): number {
  return most - lines.reduce((sum, { before = "", after = "" }) => sum + before.length + after.length + 1, -1);
}

/** Short ones get what they need, and long ones the same of the rest. */
function sharesOf(needs: readonly number[], room: number): number[] {
  const shares = needs.map(() => 0);
  let left = Math.max(0, room);
  const byNeed = [...needs.keys()].toSorted((one, other) => (needs[one] ?? 0) - (needs[other] ?? 0));
  for (const [done, at] of byNeed.entries()) {
    const share = Math.min(needs[at] ?? 0, Math.floor(left / (byNeed.length - done)));
    shares[at] = share;
    left -= share;
  }
  return shares;
}
