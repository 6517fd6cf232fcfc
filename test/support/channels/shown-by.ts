// For every channel type: sends one message through it, and reads what has left by the vendor's own rules.
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import { writeBody, writeTitle } from "../../../src/channels/local/desktop/appearance.ts";
import { channelTypes } from "../../../src/channels/all.ts";
import { terminalStyles } from "../../../src/channels/local/terminal/style.ts";
import { httpSamples } from "../../contract/channel-samples.ts";
import { localRequest, localTools } from "./channel-request.ts";
import { readPango, readPlain, readTerminal, type Seen } from "./read-markup.ts";
import { joined, measureBy, type Show, type Sized } from "./shown.ts";
import { shownByMail, shownBySpeech, shownToCommand } from "./shown-by-programs.ts";
import { shownOverHttp } from "./shown-over-http.ts";

const servers = [
  { name: "GNOME", capabilities: ["body", "body-markup"], read: readPango },
  { name: "dunst", capabilities: ["body"], read: readPango },
  {
    name: "plain",
    capabilities: ["body"],
    read: (text: string): Seen => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] }),
  },
];

/** What each kind of notification daemon is given; test/contract/untrusted-desktop.test.ts asks real ones. */
const shownOnDesktop = (channel: ChannelType): Show => {
  const measure = measureBy(channel);
  return ({ message }) => {
    const title = writeTitle(message.title);
    const bodies = servers.map((server) => ({ ...server, body: writeBody(message.body, server) }));
    return Promise.resolve({
      forms: bodies.map(({ body, read }) => joined([readPlain(title), read(body)])),
      around: {},
      sizes: [measure("title", title), ...bodies.map(({ body }) => measure("body", body))],
    });
  };
};

const shownInTerminal = (channel: ChannelType): Show => {
  const measure = measureBy(channel);
  return async ({ message }) => {
    const forms: Seen[] = [];
    const sizes: Sized[] = [];
    for (const style of terminalStyles.filter((each) => each !== "bel")) {
      const said: string[] = [];
      const request = localRequest(message, channel.settings.parse({ style }));
      await channel.send(request, localTools({}, "/nowhere", { replyTerminal: (text) => said.push(text) }));
      const form = readTerminal(said.join(""));
      forms.push(form);
      if (style !== "osc777") continue;
      // The one in which both stand for themselves.
      const [title = "", body = ""] = form.text.split("\n");
      sizes.push(measure("title", title), measure("body", body));
    }
    return { forms, around: forms.length, sizes };
  };
};

const others: Record<string, ((channel: ChannelType) => Show) | undefined> = {
  desktop: shownOnDesktop,
  terminal: shownInTerminal,
  speech: shownBySpeech,
  email: shownByMail,
  command: shownToCommand,
};

/** By channel type; `undefined` for those that say nothing of the message. */
export const showBy: Readonly<Record<string, Show | undefined>> = Object.fromEntries(
  channelTypes.map((channel) => [
    channel.type,
    (Object.hasOwn(httpSamples, channel.type) ? shownOverHttp : others[channel.type])?.(channel),
  ]),
);
