// A person is offered "Allow" only where the request that goes out shows all of the call, by the vendor's own rules.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { visible } from "../../../src/answers/card/card.ts";
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { allOf, askOn, hidingCalls, type HidingCall } from "../../support/channels/hiding-texts.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import type { Body, HttpSample } from "../../support/channels/channel-sample.ts";
import { httpTypes } from "../../support/channels/channel-samples.ts";
import type { Seen } from "../../support/channels/read-markup.ts";
import { slowRuns } from "../../support/random/slow-runs.ts";
import { rawUnseen, unseenTexts } from "../../support/channels/unseen-texts.ts";

const answering = httpTypes.filter(({ channel }) => channel.answers !== undefined);

/** Rows and columns of a notification with buttons, where the phone shows no more. */
const screens: Readonly<Record<string, { rows: number; columns: number }>> = {
  ntfy: { rows: 9, columns: 40 },
  "home-assistant-app": { rows: 9, columns: 40 },
};
/** Of one text in the vendor's unit: https://core.telegram.org/bots/api#sendmessage and the others' pages. */
const limits: Readonly<Record<string, (body: Body, forms: Seen[]) => readonly (readonly [number, number])[]>> = {
  telegram: (_, [{ text } = { text: "" }]) => [[text.length, 4096]],
  slack: ({ blocks }) => (blocks as { text?: { text: string } }[]).map(({ text }) => [text?.text.length ?? 0, 3000]),
  discord: ({ embeds }) => [[(embeds as { description: string }[])[0]?.description.length ?? Infinity, 4096]],
  matrix: (body) => [[Buffer.byteLength(JSON.stringify({ ...body, again: body })), 65_536]],
  ntfy: (body) => [
    [Buffer.byteLength(String(body.message)), 4096],
    [Buffer.byteLength(JSON.stringify(body)), 8192],
  ],
  "home-assistant-app": ({ message }) => [[Buffer.byteLength(String(message)), 2500]],
};

async function send(channel: ChannelType, sample: HttpSample, call: HidingCall) {
  const { question, shown } = askOn(channel, call);
  const way = sample.otherWays?.["a bot"] ?? sample;
  const origin = "https://vendor.example";
  const more = channel.type === "ntfy" ? { replyTopic: "replies", replyToken: "tk_reply" } : {};
  const settings = await resolveSecrets(channel.settings.parse({ ...way.settings(origin), ...more }), {}, "/");
  const bodies: Body[] = [];
  const http = ({ body = "" }: { body?: string }) => {
    if (!body.startsWith("{")) return Promise.resolve({ status: 403, headers: {}, body: "" });
    bodies.push(JSON.parse(body) as Body);
    return Promise.resolve({ status: 200, headers: {}, body: way.okBody });
  };
  const request = { ...localRequest(shown.message, settings), question: shown.asked };
  const outcome = await channel.send(request, localTools({}, "/nowhere", { http: http as never }));
  expect(outcome.status).toBe("delivered");
  // Matrix sends reactions after it.
  const [body = {}] = bodies;
  const forms = sample.forms(body);
  return { question, body, forms, buttons: shown.asked.buttons.map(({ choice }) => choice) };
}

/** Signs of no width split what would have a meaning; some blanks are written otherwise. */
const plain = (text: string): string => text.replace(/[\u200B\u2060]/g, "").replaceAll("\u00A0", " ");

/** As a screen breaks a line: at ordinary blanks, and within a word that is longer than a row. A wide sign takes two columns. */
function rowsOf(line: string, columns: number): number {
  const widths = line
    .split(" ")
    .map((word) => [...word.replaceAll("\u2060", "")].length + (word.match(wide)?.length ?? 0));
  let [rows, used] = [1, 0];
  for (const width of widths) {
    const isFirst = used === 0;
    const fits = isFirst ? width <= columns : used + 1 + width <= columns;
    if (fits) {
      used += width + (isFirst ? 0 : 1);
      continue;
    }
    rows += (isFirst ? 0 : 1) + Math.max(0, Math.ceil(width / columns) - 1);
    used = width % columns || columns;
  }
  return rows;
}
const wide = /[\uFF01-\uFF5E\u3041-\u9FFF\uAC00-\uD7A3]/g;

describe.each(answering)("a question on $type", ({ type, channel, sample }) => {
  it('shows all of a call with "Allow", and is within the limits', async () => {
    let allowed = 0;
    await fc.assert(
      fc.asyncProperty(hidingCalls, async (call) => {
        const { question, body, forms, buttons } = await send(channel, sample, call);
        for (const [size, most] of limits[type]?.(body, forms) ?? []) expect(size).toBeLessThanOrEqual(most);
        expect(buttons).toContain("deny");
        if (!buttons.includes("allow")) return;
        allowed += 1;
        // Slack's second form is the line of a push, which has no buttons.
        const readable = type === "slack" ? forms.slice(0, 1) : forms;
        for (const { text } of readable) {
          for (const part of allOf(question, visible)) expect(plain(text)).toContain(plain(part));
        }
        const { rows, columns } = screens[type] ?? { rows: Infinity, columns: 1 };
        const lines = String(body.message).split("\n");
        expect(lines.reduce((sum, line) => sum + rowsOf(line, columns), 0)).toBeLessThanOrEqual(rows);
      }),
      { seed: 18, numRuns: slowRuns(60) },
    );
    expect(allowed).toBeGreaterThan(5);
  });

  it.each([
    ["signs that become wider", `cat ${"<".repeat(150)}; rm -rf ~/TAIL`],
    ["ampersands", `${"&".repeat(110)} rm`],
    ["blanks that no longer break", `npm test ${"aaaaaaaaaa  bbbbbbbbb ".repeat(7)}--TAIL`],
    ["elements of HTML", `${"<b><i></i></b>".repeat(11)} rm`],
  ])("offers Allow for %s only where all of it is on the screen", async (_, command) => {
    const { body, buttons } = await send(channel, sample, { command, tool: "Bash", cwd: "/home/u/shop" });
    const { rows, columns } = screens[type] ?? { rows: Infinity, columns: 1 };
    const used = String(body.message)
      .split("\n")
      .reduce((sum, line) => sum + rowsOf(line, columns), 0);
    if (buttons.includes("allow")) expect(used).toBeLessThanOrEqual(rows);
    else expect(buttons).toEqual(["deny"]);
  });

  it("shows nothing unseen in the card, nor in the title above it", async () => {
    for (const text of unseenTexts) {
      const call = { command: text, tool: `Bash${text}`, cwd: `/home/u/${text}`, title: `shop: run \`${text}\`?` };
      const { forms } = await send(channel, sample, call);
      const shown = forms.map((form) => form.text).join("\n");
      expect(shown.replace(/(?<!m)[\u200B\u2060]/g, ""), JSON.stringify(text)).not.toMatch(rawUnseen);
      expect(shown).toContain("⟨U+");
    }
  });

  it("offers to allow an ordinary command in a deep folder", async () => {
    const cwd = "/home/u/code/customers/shop/packages/shop-web/src/checkout";
    const { buttons } = await send(channel, sample, { command: "npm run test -- --coverage", tool: "Bash", cwd });
    expect(buttons).toEqual(["allow", "deny"]);
  });

  it("names a limit of this vendor", () => {
    expect(Object.keys(limits)).toContain(type);
  });
});
