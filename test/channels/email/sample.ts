// What the contract tests need to know about e-mail.
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import type { OtherSample } from "../../support/channels/channel-sample.ts";
import { readHtml } from "../../support/channels/read-markup.ts";
import { measureBy, type Sized } from "../../support/channels/shown.ts";
import { startMailSink, type MailSink } from "../../support/mail/mail-sink.ts";
import { readMail, type ReadMail } from "../../support/mail/read-mail.ts";

let sink: Promise<MailSink> | undefined;

const mailTags = ["body", "html", "div", "p", "h1", "table", "tr", "td"].flatMap((tag) => [
  `<${tag}`,
  `<${tag}>`,
  `</${tag}>`,
]);
const bodyLimit = "body, each of the text and the HTML part";

export const sample: OtherSample = {
  settings: () => ({
    smtp: "smtps://me:s3cret@mail.example.org",
    from: "me@example.org",
    to: ["me@example.org"],
  }),
  limits: [
    ["title", "subject"],
    ["body", bodyLimit],
    ["value", "a field's label or value"],
  ],
  otherLimits: ["an address", "the server's answer kept"],
  // Each mail takes a connection of its own.
  signs: ["x", "😀", "<"],
  async stopShowing() {
    await (await sink)?.stop();
    sink = undefined;
  },
  show(channel) {
    const measure = measureBy(channel);
    return async ({ message, event }) => {
      sink ??= startMailSink();
      const { port, mails } = await sink;
      const settings = { ...sample.settings(""), smtp: `smtp://127.0.0.1:${port}`, withoutTls: "loopback" };
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
      const start = subject.includes("…") ? text.indexOf("\n\n") + 2 : 0;
      const bodies = [
        text.slice(start, text.lastIndexOf("\n\n-- \n")).replace(/(?:^|\n\n)Project: [^\n]*$/, ""),
        /<div dir="auto" style="margin:8px[^>]*>([^]*?)<\/div>/.exec(html)?.[1] ?? "",
      ];
      const values = /Project: (.*)\n\n-- \n/.exec(text)?.slice(1) ?? [];
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
          ...bodies.map((body) => measure(bodyLimit, body)),
          ...values.map((value) => measure("a field's label or value", value)),
          longestLine(source, measure),
        ],
      };
    };
  },
};

/** Of thousands of lines only one has to be measured. */
function longestLine(source: string, measure: (what: string, piece: string) => Sized): Sized {
  const [longest = ""] = source.split("\r\n").toSorted((a, b) => Buffer.byteLength(b) - Buffer.byteLength(a));
  return measure("a line", longest);
}
