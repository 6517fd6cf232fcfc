// The settings of e-mail.
import * as z from "zod";
import { mailboxSetting, parseMailbox, type Mailbox } from "./address.ts";
import { subjectStyles } from "./message.ts";
import { parseSmtpUrl } from "./server.ts";
import { expectedPath, isWholePath, secretSetting } from "../settings.ts";

/** Every server accepts this many: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.8 */
export const maxRecipients = 100;

export const emailSettings = z
  .strictObject({
    smtp: secretSetting(
      "The mail server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587 (STARTTLS)",
      (url) => smtpProblem(url, undefined),
    ),
    from: mailboxSetting('The sender: me@example.org or "Name <me@example.org>"'),
    to: recipientsSetting("The recipients: an address, or an array of addresses"),
    replyTo: mailboxSetting("Where answers go, if not to the sender").optional(),
    subject: z
      .enum(subjectStyles)
      .default("title")
      .describe(
        '"title": the message\'s title; "session": only the session, which Gmail needs to keep one conversation',
      ),
    ca: z
      .string()
      .refine(isWholePath, { error: expectedPath })
      .describe("A PEM file with the private CA of the mail server, instead of the public CAs")
      .optional(),
    withoutTls: z
      .literal("loopback")
      .describe('"loopback": no encryption to a server on this machine; never to another machine')
      .optional(),
  })
  .superRefine(({ smtp, withoutTls }, context) => {
    if (smtp.from !== "literal") return;
    const url = smtp.value.reveal();
    // Only what `withoutTls` adds: the URL's own problems are reported at `smtp`.
    const problem = smtpProblem(url, undefined) === undefined ? smtpProblem(url, withoutTls) : undefined;
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["withoutTls"], message: problem });
  });
export type EmailSettings = z.infer<typeof emailSettings>;

function smtpProblem(url: string, withoutTls: "loopback" | undefined): string | undefined {
  const server = parseSmtpUrl(url, withoutTls);
  return typeof server === "string" ? server : undefined;
}

function recipientsSetting(description: string): z.ZodType<Mailbox[]> {
  return z
    .union([z.string(), z.array(z.string()).min(1).max(maxRecipients)], {
      error: `expected an address, or an array of 1 to ${maxRecipients} addresses`,
    })
    .describe(description)
    .transform((texts, context) =>
      [texts].flat().map((text, index): Mailbox => {
        const mailbox = parseMailbox(text);
        if (typeof mailbox !== "string") return mailbox;
        const path = typeof texts === "string" ? [] : [index];
        context.addIssue({ code: "custom", path, message: mailbox, input: text });
        return z.NEVER;
      }),
    );
}
