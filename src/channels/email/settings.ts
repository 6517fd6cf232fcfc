import * as z from "zod";
import type { SecretSource } from "../../model/privacy/secret.ts";
import { mailboxSetting, parseMailbox, type Mailbox } from "./address.ts";
import { subjectStyles } from "./message.ts";
import { parseSmtpUrl } from "./server.ts";
import { expectedPath, isWholePath, secretSetting } from "../settings.ts";

/** What every server takes in one mail: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.8 */
export const maxRecipients = 100;

export const emailSettings = z
  .strictObject({
    smtp: secretSetting(
      "the mail server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587 (STARTTLS)",
    ).superRefine((source, context) => {
      const problem = problemOf(source, undefined);
      if (problem !== undefined) context.addIssue({ code: "custom", message: problem });
    }),
    from: mailboxSetting('the sender: me@example.org or "Name <me@example.org>"'),
    to: recipientsSetting("who gets the mail: an address, or an array of them"),
    replyTo: mailboxSetting("where answers go, if not to the sender").optional(),
    subject: z
      .enum(subjectStyles)
      .default("title")
      .describe(
        "what the subject says: the message's title, or only the session, which Gmail needs to keep one conversation",
      ),
    ca: z
      .string()
      .refine(isWholePath, { error: expectedPath })
      .describe("a PEM file with the private CA of the mail server, in place of the public ones")
      .optional(),
    withoutTls: z
      .literal("loopback")
      .describe('"loopback": talk to a server on this machine without encryption; never to another one')
      .optional(),
  })
  .superRefine(({ smtp, withoutTls }, context) => {
    // Only what `withoutTls` adds to the URL's own problems, which are told at `smtp` already.
    const problem = problemOf(smtp, undefined) === undefined ? problemOf(smtp, withoutTls) : undefined;
    if (problem !== undefined) context.addIssue({ code: "custom", path: ["withoutTls"], message: problem });
  });
export type EmailSettings = z.infer<typeof emailSettings>;

/** A URL that stands in the rules file can be judged at once; one from elsewhere only when it is resolved. */
function problemOf(smtp: SecretSource, withoutTls: "loopback" | undefined): string | undefined {
  if (smtp.from !== "literal") return undefined;
  const server = parseSmtpUrl(smtp.value.reveal(), withoutTls);
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
