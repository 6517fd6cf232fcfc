// What programs on this machine get to see of a message: a person's own, a voice, a mail server, a toast's helper.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ChannelType } from "../../../src/channels/channel-type.ts";
import type { Message } from "../../../src/model/message.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { otherSamples } from "../../contract/channel-samples.ts";
import { localRequest, localTools } from "./channel-request.ts";
import { startMailSink, type MailSink } from "../mail/mail-sink.ts";
import { readMail, type ReadMail } from "../mail/read-mail.ts";
import { readHtml, readPlain } from "./read-markup.ts";
import { measureBy, structureOf, type Show, type Shown, type Sized, type Told } from "./shown.ts";

/** A shell needs a twentieth of the time that Node needs to start; `$0` is where it writes what it was given. */
const tellAll = `cat >"$0"; env -0 >"$0.env"; printf '%s\\0' "$@" >"$0.argv"`;

/** Runs the channel with a program of ours in a folder of its own; `read` gives what that has written there. */
async function withProgram<Result>(
  channel: ChannelType,
  settings: (folder: string) => Record<string, unknown>,
  { message, event }: Told,
  read: (textOf: (name: string) => string) => Result,
  prepare: (folder: string) => void = () => {},
): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-shown-"));
  try {
    prepare(folder);
    const sent = localRequest(message, await resolveSecrets(channel.settings.parse(settings(folder)), {}, "/"));
    const env = { PATH: `${folder}:${process.env.PATH ?? ""}`, HOME: folder };
    const outcome = await channel.send({ ...sent, event: { ...sent.event, ...event } }, localTools(env, folder));
    if (outcome.status !== "delivered") throw new Error(JSON.stringify(outcome));
    return read((name) => readFileSync(join(folder, name), "utf8"));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const shownToCommand = (channel: ChannelType): Show => {
  const measure = measureBy(channel);
  const argv = (folder: string): string[] => ["/bin/sh", "-c", tellAll, join(folder, "written"), "$(id)", "--x"];
  return (told) =>
    withProgram(
      channel,
      (folder) => ({ argv: argv(folder) }),
      told,
      (textOf) => {
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
            ...[message.title, message.body, ...fields].map((text) => measure("a text on standard input", text)),
          ],
        };
      },
    );
};

export const shownBySpeech = (channel: ChannelType): Show => {
  const measure = measureBy(channel);
  const script = `#!/bin/sh\nd=\${0%/*}\ncat >"$d/written"\nprintf '%s\\0' "$@" >"$d/argv"\nenv -0 >"$d/env"\n`;
  return (told) =>
    withProgram(
      channel,
      () => ({ programs: ["espeak-ng"] }),
      told,
      (textOf): Shown => {
        const said = textOf("written");
        // Two brackets enclose phonemes and commands for a reader, three signs begin a command, and angle brackets are SSML.
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
      },
      (folder) => writeFileSync(join(folder, "espeak-ng"), script, { mode: 0o755 }),
    );
};

let sink: Promise<MailSink> | undefined;

/** Ends what was started to look at messages. */
export async function stopShowing(): Promise<void> {
  await (await sink)?.stop();
  sink = undefined;
}

const mailTags = ["body", "html", "div", "p", "h1", "table", "tr", "td"].flatMap((tag) => [
  `<${tag}`,
  `<${tag}>`,
  `</${tag}>`,
]);

export const shownByMail = (channel: ChannelType): Show => {
  const measure = measureBy(channel);
  return async ({ message, event }) => {
    sink ??= startMailSink();
    const { port, mails } = await sink;
    const settings = { ...otherSamples.email?.settings, smtp: `smtp://127.0.0.1:${port}`, withoutTls: "loopback" };
    const sent = localRequest(message, await resolveSecrets(channel.settings.parse(settings), {}, "/"));
    const outcome = await channel.send({ ...sent, event: { ...sent.event, ...event } }, localTools({}, "/nowhere"));
    if (outcome.status !== "delivered") throw new Error(JSON.stringify(outcome));
    const { source, envelope } = mails.shift() ?? { source: "", envelope: undefined };
    const mail = readMail(source);
    const part = (type: string): string =>
      mail.parts.find(({ headers }: ReadMail) => headers.get("content-type")?.[0]?.startsWith(type))?.text ?? "";
    const subject = mail.headers.get("subject")?.join("|") ?? "";
    const text = part("text/plain");
    const html = part("text/html").replace(/^[^]*?<body[^>]*>/, "");
    const seen = readHtml(html, mailTags);
    // Behind the whole of a title that the subject has no room for, above the fields and the signature.
    const start = subject.endsWith("…") ? text.indexOf("\n\n") + 2 : 0;
    const bodies = [
      text.slice(start, text.lastIndexOf("\n\n-- \n")).replace(/(?:^|\n\n)Project: [^\n]*$/, ""),
      /<p dir="auto" style="margin:8px[^>]*>([^]*?)<\/p>/.exec(html)?.[1] ?? "",
    ];
    return {
      forms: [
        { text: `${subject}\n${text}`, marks: [] },
        { text: `${subject}\n${seen.text}`, marks: seen.marks },
      ],
      around: {
        envelope,
        headers: [...mail.headers.keys()],
        parts: mail.parts.map(({ headers }) => [...headers.keys()]),
      },
      sizes: [
        measure("subject", subject),
        ...bodies.map((body) => measure("body, each of the text and the HTML part", body)),
        ...(/Project: (.*)\n\n-- \n/.exec(text)?.slice(1) ?? []).map((value) =>
          measure("a field's label or value", value),
        ),
        longestLine(source, measure),
      ],
    };
  };
};

/** Of thousands of lines only one has to be measured. */
function longestLine(source: string, measure: (what: string, piece: string) => Sized): Sized {
  const [longest = ""] = source.split("\r\n").toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a));
  return measure("a line", longest);
}
