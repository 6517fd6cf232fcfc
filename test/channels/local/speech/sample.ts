// What the contract tests need to know about speech.
import type { OtherSample } from "../../../support/channels/channel-sample.ts";
import { sendWithProgram } from "../../../support/channels/send-with-program.ts";
import { measureBy, type Shown } from "../../../support/channels/shown.ts";

const program = {
  name: "espeak-ng",
  script: `#!/bin/sh\nd=\${0%/*}\nenv -0 >"$d/env"\nprintf '%s\\0' "$@" >"$d/argv"\nexec cat >"$d/written"\n`,
};

export const sample: OtherSample = {
  isRetold: true,
  settings: () => ({}),
  limits: [["body", "what is said"]],
  // Heard as one with the rest; message.test.ts beside this file has it.
  otherLimits: ["title"],
  isShownByShell: true,
  show(channel) {
    const measure = measureBy(channel);
    const settings = () => ({ programs: ["espeak-ng"] });
    return (told) =>
      sendWithProgram(channel, { settings, told, program }, (textOf): Shown => {
        const said = textOf("written");
        // Two brackets enclose phonemes and commands for a reader, three signs begin a command, angle brackets are SSML.
        const marks = said.match(/\[\[|\]\]|!-!|[<>\u0000-\u0009\u000B-\u001F\u007F-\u009F]/g) ?? [];
        return {
          forms: [{ text: said, marks }],
          around: [
            textOf("argv"),
            textOf("env")
              .replaceAll(/\/hookbell-shown-\w+/g, "/folder")
              .split("\0")
              .toSorted(),
          ],
          sizes: [measure("what is said", said.trimEnd())],
        };
      });
  },
};
