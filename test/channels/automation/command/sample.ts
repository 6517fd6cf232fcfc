// What the contract tests need to know about the person's own programs.
import { join } from "node:path";
import type { Message } from "../../../../src/model/message.ts";
import type { OtherSample } from "../../../support/channels/channel-sample.ts";
import { readPlain } from "../../../support/channels/read-markup.ts";
import { sendWithProgram } from "../../../support/channels/send-with-program.ts";
import { measureBy, structureOf } from "../../../support/channels/shown.ts";

/** A shell starts in a twentieth of the time that Node needs; `$0` is where it writes what it was given. */
const tellAll = `env -0 >"$0.env"; printf '%s\\0' "$@" >"$0.argv"; exec cat >"$0"`;
const texts = "a text on standard input";

export const sample: OtherSample = {
  isPassedOn: true,
  settings: () => ({ argv: ["true"] }),
  limits: [
    ["title", texts],
    ["body", texts],
    ["value", texts],
    ["body", "one HOOKBELL_ variable"],
  ],
  otherLimits: ["the agent's payload on standard input"],
  isShownByShell: true,
  show(channel) {
    const measure = measureBy(channel);
    const settings = (folder: string) => ({
      argv: ["/bin/sh", "-c", tellAll, join(folder, "written"), "$(id)", "--x"],
    });
    return (told) =>
      sendWithProgram(channel, { settings, told }, (textOf) => {
        const { message } = JSON.parse(textOf("written")) as { message: Message };
        const variables = new Map(
          textOf("written.env")
            .split("\0")
            .filter((entry) => entry.startsWith("HOOKBELL_"))
            .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)] as const),
        );
        const values = [...variables.values()];
        const controls = values.flatMap((text) => text.match(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g) ?? []);
        const fields = message.fields.map(({ value }) => value);
        return {
          forms: [
            readPlain([message.title, message.body, ...fields].join("\n")),
            { text: `${variables.get("HOOKBELL_TITLE")}\n${variables.get("HOOKBELL_BODY")}`, marks: controls },
          ],
          around: [textOf("written.argv"), [...variables.keys()].toSorted(), structureOf(message)],
          sizes: [
            ...values.map((text) => measure("one HOOKBELL_ variable", text)),
            ...[message.title, message.body, ...fields].map((text) => measure(texts, text)),
          ],
        };
      });
  },
};
