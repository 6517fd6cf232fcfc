// Every limit that a channel type declares: the text that just fits goes out whole, one sign more is cut there and not before.
import { afterAll, describe, expect, it } from "vitest";
import type { Place } from "../../support/channels/channel-sample.ts";
import { isHttp, sampleFileOf } from "../../support/channels/channel-samples.ts";
import { shownTypes, stopShowing } from "../../support/channels/shown-types.ts";
import type { Show, Shown, Sized } from "../../support/channels/shown.ts";
import { expectSound, isShown, ordinary, words } from "../../support/desktop/sound-text.ts";
import { everyRow } from "../../support/rows.ts";

afterAll(stopShowing);

/** One unit of most measures, two or four of others, and what several vendors escape. */
const signs = ["x", "😀", "👩‍👩‍👧‍👦", "<", '"', "*"];
describe("the limits of every channel type", () => {
  const everyType = (check: (row: (typeof shownTypes)[number]) => unknown): Promise<void> =>
    everyRow(shownTypes, check);
  const places = shownTypes.flatMap((each) =>
    (each.sample.limits ?? []).map(([place, what]) => ({
      ...each,
      place,
      what,
      name: `${each.name}, ${place} (${what})`,
    })),
  );

  it("are all measured", () =>
    everyType(async ({ channel: { limits }, sample, show }) => {
      const { sizes } = await show({ message: ordinary });
      const measured = new Set([...sizes.map(({ what }) => what), ...(sample.otherLimits ?? [])]);
      const texts = limits.filter(({ unit }) => unit !== "items" && unit !== "milliseconds");
      expect(texts.map(({ what }) => what).filter((what) => !measured.has(what))).toEqual([]);
    }));

  it("are reached by a growing text", () =>
    everyType(({ type, sample }) => {
      const reached = new Set((sample.limits ?? []).map(([place]) => place));
      const expected = isHttp(sample) ? (["title", "body"] as const) : (["body"] as const);
      const missing = expected.filter((place) => !reached.has(place));
      expect(missing, `places that "limits" of ${sampleFileOf(type)} lacks`).toEqual([]);
    }));

  it("let a text be as long as there is room, and cut it one sign longer", () => {
    const short = new Map<string, Promise<Shown>>();
    return everyRow(places, async ({ type, sample, show, isRetold, place, what }) => {
      for (const sign of sample.signs ?? signs) {
        const told = (count: number) => showOf(show, place, sign.repeat(count));
        // Several limits of one place are measured on the same messages.
        const toldShort = (count: number) => {
          const key = JSON.stringify([type, place, sign, count]);
          const shown = short.get(key) ?? told(count);
          short.set(key, shown);
          return shown;
        };
        const [one, two] = [measured(await toldShort(1), what), measured(await toldShort(2), what)];
        const growth = two.map((piece, at) => piece.size - (one[at]?.size ?? 0));
        const each = Math.max(...growth);
        // Some say nothing of this sign.
        if (each === 0) continue;
        const index = growth.indexOf(each);
        const pieceOf = (all: Shown): Sized => measured(all, what)[index] as Sized;
        const { size, most } = one[index] as Sized;
        const fitting = Math.floor((most - (size - each)) / each);
        const whole = await told(fitting);
        const cut = await told(fitting + 1);
        expect(pieceOf(whole).piece, `${fitting} ${sign}`).not.toContain("…");
        expect(pieceOf(cut).piece, `${fitting + 1} ${sign}`).toContain("…");
        for (const [all, count] of [
          [whole, fitting],
          [cut, fitting + 1],
        ] as const) {
          expectSound(all);
          // What stands for a sign may lean on its neighbour.
          expect(pieceOf(all).size, `${count} ${sign}`).toBeGreaterThan(most - 2 * each);
          const texts = all.forms.map(({ text }) => text).filter((text) => words(text).includes(words(sign.repeat(3))));
          expect(texts.length === 0 && !isRetold).toBe(false);
          if (isRetold) continue;
          // A long body is shown in several blocks.
          for (const text of texts)
            expect(isShown(sign.repeat(count), text.replaceAll("\n", "")), `${count} ${sign}`).toBe(true);
        }
      }
    });
  });

  it("show as many fields as there is room for, and no more", () =>
    everyRow(
      shownTypes.flatMap((each) => {
        const limit = each.channel.limits.find(({ what, unit }) => what === "fields" && unit === "items");
        return limit === undefined ? [] : [{ ...each, mostFields: limit.most }];
      }),
      async ({ show, mostFields }) => {
        for (const count of [mostFields, mostFields + 1]) {
          const fields = Array.from({ length: count }, (_, index) => ({ label: `l${index}`, value: `value${index}` }));
          const { forms } = await show({ message: { ...ordinary, fields } });
          expect(forms[0]?.text.match(/value\d+/g)).toHaveLength(mostFields);
        }
      },
      ({ type }) => type,
    ));
});

function showOf(show: Show, place: Place, text: string): Promise<Shown> {
  const fields = place === "value" ? [{ label: "Project", value: text }] : [];
  const own = place === "value" ? {} : { [place]: text };
  return show({ message: { ...ordinary, title: "t", body: "b", fields, ...own } });
}

function measured({ sizes }: Shown, what: string): Sized[] {
  return sizes.filter((each) => each.what === what);
}
