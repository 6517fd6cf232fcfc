// A click on a message leads to the page of its session, where the vendor has a place for that.
import { describe, expect, it } from "vitest";
import { push, type PushCase } from "../../support/channels/pushed.ts";
import { httpTypes } from "../../support/channels/channel-samples.ts";

const link = "https://claude.ai/code/session_01CcrTtsFbisnKXY7WEZdsQX";

/** The vendors' names of that place. */
const places: Readonly<Record<string, object>> = {
  ntfy: { click: link },
  pushover: { url: link, url_title: "Open the session" },
  bark: { url: link },
  gotify: { extras: { "client::notification": { click: { url: link } } } },
  "home-assistant-app": { data: { url: link, clickAction: link } },
  discord: { embeds: [{ url: link }] },
  slack: {
    attachments: [
      {
        blocks: [
          { type: "section" },
          {
            type: "context",
            elements: [{ type: "mrkdwn", text: `<${link}|Open the session>`, verbatim: true }],
          },
        ],
      },
    ],
  },
  telegram: { text: expect.stringContaining(`<a href="${link}"><b>shop: done</b></a>`) as unknown },
};
const shown = httpTypes.filter(({ type }) => Object.hasOwn(places, type));

async function bodyFor({ channel, sample }: (typeof shown)[number], more: PushCase): Promise<Record<string, unknown>> {
  const made = await push(channel, sample.settings("https://example.org"), more);
  return made.body;
}

describe("the page that opens a session elsewhere", () => {
  it.each(shown)("is what a click on a message of $type opens", async (each) => {
    const body = await bodyFor(each, { message: { link } });
    expect(body).toMatchObject(places[each.type] ?? {});
  });

  it.each(shown)("leaves the request of $type as it is where there is none", async (each) => {
    const body = await bodyFor(each, {});
    expect(JSON.stringify(body)).not.toMatch(/claude\.ai|click|"url"|Open the session/i);
    expect(Object.keys(places)).toHaveLength(shown.length);
  });
});
