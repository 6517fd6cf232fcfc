// What the contract tests need to know about the desktop.
import { writeFor } from "../../../../src/channels/local/desktop/appearance.ts";
import type { OtherSample } from "../../../support/channels/channel-sample.ts";
import { readPango, readPlain, type Seen } from "../../../support/channels/read-markup.ts";
import { joined, measureBy } from "../../../support/channels/shown.ts";

const servers = [
  { name: "GNOME", capabilities: ["body", "body-markup"], read: readPango },
  { name: "dunst", capabilities: ["body"], read: readPango },
  {
    name: "plain",
    capabilities: ["body"],
    read: (text: string): Seen => ({ text, marks: text.match(/<(?!\u200B)/g) ?? [] }),
  },
];

export const sample: OtherSample = {
  settings: () => ({}),
  // The title's limit is measured in columns; desktop.test.ts beside this file has it.
  limits: [["body", "body"]],
  // What each kind of notification daemon is given; untrusted-desktop.test.ts beside this file asks real ones.
  show(channel) {
    const measure = measureBy(channel);
    return ({ message }) => {
      const shown = servers.map((server) => ({ read: server.read, ...writeFor(message, server) }));
      return Promise.resolve({
        forms: shown.map(({ title, body, read }) => joined([readPlain(title), read(body)])),
        around: {},
        sizes: shown.flatMap(({ title, body }) => [measure("title", title), measure("body", body)]),
      });
    };
  },
};
