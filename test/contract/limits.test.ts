// Every limit that a channel type declares: the text that just fits goes out whole, one sign more is cut there and not before.
import { afterAll, describe, expect, it } from "vitest";
import { channelTypes } from "../../src/channels/all.ts";
import { showBy } from "../support/channels/shown-by.ts";
import { stopShowing } from "../support/channels/shown-by-programs.ts";
import type { Show, Shown, Sized } from "../support/channels/shown.ts";
import { expectSound, isShown, ordinary, words } from "../support/desktop/sound-text.ts";

afterAll(stopShowing);

type Place = "title" | "body" | "value";

/** By type: which limit is reached when the text in this place grows. */
const reached: Record<string, [Place, limit: string][]> = {
  slack: [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  discord: [
    ["title", "title"],
    ["body", "body"],
    ["value", "a shown field's value"],
  ],
  telegram: [
    ["title", "title"],
    ["body", "all text"],
    ["value", "one field"],
  ],
  teams: [
    ["title", "title"],
    ["body", "body"],
    ["value", "one field"],
  ],
  "google-chat": [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  mattermost: [
    ["title", "title"],
    ["body", "body"],
    ["body", "text of a phone's notification"],
    ["value", "one field"],
  ],
  matrix: [
    ["title", "title of a plain text, as JSON"],
    ["title", "the title in HTML, as JSON"],
    ["body", "the plain form, as JSON"],
    ["body", "the body in HTML, as JSON"],
    ["value", "one field of a plain text, as JSON"],
    ["value", "one field in HTML, as JSON"],
  ],
  feishu: [
    ["title", "title, as JSON"],
    ["body", "body, as JSON"],
    ["value", "one field, as JSON"],
  ],
  dingtalk: [
    ["title", "title of a plain text, as JSON"],
    ["body", "text, as JSON"],
    ["value", "one field of a plain text, as JSON"],
  ],
  wecom: [
    ["title", "title of a plain text"],
    ["body", "text"],
    ["value", "one field of a plain text"],
  ],
  ntfy: push(""),
  pushover: push(""),
  gotify: push(""),
  bark: push(", as JSON"),
  pagerduty: [
    ["title", "summary"],
    ["body", "summary"],
    ["body", "message among the details"],
    ["value", "every other text"],
  ],
  "home-assistant": [
    ["title", "every other text"],
    ["body", "message"],
  ],
  email: [
    ["title", "subject"],
    ["body", "body, each of the text and the HTML part"],
    ["value", "a field's label or value"],
  ],
  webhook: everywhere("title, body and every other text"),
  command: [...everywhere("a text on standard input"), ["body", "one HOOKBELL_ variable"]],
  desktop: [
    ["title", "title"],
    ["body", "body"],
  ],
  terminal: [
    ["title", "title"],
    ["body", "body"],
  ],
  speech: [["body", "what is said"]],
};

function push(how: string): [Place, string][] {
  return [
    ["title", `title${how}`],
    ["body", `body${how}`],
    ["value", `fields${how}`],
  ];
}

function everywhere(limit: string): [Place, string][] {
  return [
    ["title", limit],
    ["body", limit],
    ["value", limit],
  ];
}

/** Limits of what is no text of a message. */
const elsewhere: Record<string, string[]> = {
  email: ["an address", "the server's answer kept"],
  webhook: ["one attribute of a CloudEvent", "the agent's payload"],
  command: ["the agent's payload on standard input"],
  // Heard as one with the rest; test/channels/local/speech/text.test.ts has it.
  speech: ["title"],
};

/** One unit of most measures, two or four of others, and what several vendors escape. */
const signs = ["x", "😀", "👩‍👩‍👧‍👦", "<", '"', "*"];
/** Each mail takes a connection of its own. */
const fewSigns: Record<string, string[]> = { email: ["x", "😀", "<"] };

const shown = Object.entries(showBy).flatMap(([type, show]) => (show === undefined ? [] : [{ type, show }]));

it("every type whose message is shown says which limits its texts reach", () => {
  expect(Object.keys(reached).toSorted()).toEqual(shown.map(({ type }) => type).toSorted());
});

describe.each(shown)("the limits of $type", ({ type, show }) => {
  const { limits = [] } = channelTypes.find((channel) => channel.type === type) ?? {};

  it("are all measured", async () => {
    const { sizes } = await show({ message: ordinary });
    const measured = new Set([...sizes.map(({ what }) => what), ...(elsewhere[type] ?? [])]);
    const texts = limits.filter(({ unit }) => unit !== "items" && unit !== "milliseconds");
    expect(texts.map(({ what }) => what).filter((what) => !measured.has(what))).toEqual([]);
  });

  it.each(reached[type] ?? [])("a %s as long as there is room (%s), and one sign longer", async (place, what) => {
    for (const sign of fewSigns[type] ?? signs) {
      const told = (count: number) => showOf(show, place, sign.repeat(count));
      const [one, two] = [measured(await told(1), what), measured(await told(2), what)];
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
        expect(texts.length === 0 && type !== "speech").toBe(false);
        if (type === "speech") continue;
        // A long body is shown in several blocks.
        for (const text of texts)
          expect(isShown(sign.repeat(count), text.replaceAll("\n", "")), `${count} ${sign}`).toBe(true);
      }
    }
  });

  const { most: mostFields } = limits.find((limit) => limit.what === "fields" && limit.unit === "items") ?? {};
  if (mostFields === undefined) return;
  it("show so many fields, and no more", async () => {
    for (const count of [mostFields, mostFields + 1]) {
      const fields = Array.from({ length: count }, (_, index) => ({ label: `l${index}`, value: `value${index}` }));
      const { forms } = await show({ message: { ...ordinary, fields } });
      expect(forms[0]?.text.match(/value\d+/g)).toHaveLength(mostFields);
    }
  });
});

function showOf(show: Show, place: Place, text: string): Promise<Shown> {
  const fields = place === "value" ? [{ label: "Project", value: text }] : [];
  const own = place === "value" ? {} : { [place]: text };
  return show({ message: { ...ordinary, title: "t", body: "b", fields, ...own } });
}

function measured({ sizes }: Shown, what: string): Sized[] {
  return sizes.filter((each) => each.what === what);
}
