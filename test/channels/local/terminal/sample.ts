// What the contract tests need to know about terminals.
import { terminalStyles } from "../../../../src/channels/local/terminal/style.ts";
import { localRequest, localTools } from "../../../support/channels/channel-request.ts";
import type { OtherSample } from "../../../support/channels/channel-sample.ts";
import type { Seen } from "../../../support/channels/read-markup.ts";
import { measureBy, type Sized } from "../../../support/channels/shown.ts";

export const sample: OtherSample = {
  settings: () => ({}),
  limits: [
    ["title", "title"],
    ["body", "body"],
  ],
  show(channel) {
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
  },
};

/** OSC 9, 777 and 99, one after the other; anything else is a mark. */
function readTerminal(bytes: string): Seen {
  const marks: string[] = [];
  const texts: string[] = [];
  const rest = bytes.replace(
    /\u001B\]9;(?!\d)([^\u0000-\u001F\u007F-\u009F]*)\u0007|\u001B\]777;notify;([^;\u0000-\u001F\u007F-\u009F]*);([^;\u0000-\u001F\u007F-\u009F]*)\u0007|\u001B\]99;[\w:=+/-]*;([A-Za-z0-9+/=]*)\u001B\\|\u0007/g,
    (_, nine: string | undefined, title: string | undefined, body: string | undefined, encoded: string | undefined) => {
      texts.push(nine ?? "", title ?? "", body ?? "", Buffer.from(encoded ?? "", "base64").toString("utf8"));
      return "";
    },
  );
  if (rest !== "") marks.push(rest);
  return { text: texts.filter((text) => text !== "").join("\n"), marks };
}
