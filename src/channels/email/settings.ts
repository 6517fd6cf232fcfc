// The settings of e-mail.
import * as z from "zod";
import { mailboxSetting, parseMailbox, type Mailbox } from "./address.ts";
import { subjectStyles } from "./message.ts";
import { type BesideUrl, isLoopback, parseSmtpUrl, tokenUrlOf } from "./server.ts";
import { expectedPath, isWholePath, secretSetting } from "../settings.ts";

/** Every server accepts this many: https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.8 */
export const maxRecipients = 100;

export const emailSettings = z
  .strictObject({
    smtp: secretSetting(
      "The mail server: smtps://USER:PASSWORD@HOST:465 or smtp://USER:PASSWORD@HOST:587 (STARTTLS)",
      // Whether it needs a password is known only with "oauth".
      (url) =>
        smtpProblem(url, { withoutTls: undefined }) && smtpProblem(url, { withoutTls: undefined, hasTokens: true }),
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
    oauth: z
      .strictObject({
        clientId: z.string().min(1).describe("The client id of the app that you registered with the provider"),
        clientSecret: secretSetting("Its secret, if the provider gave one").optional(),
        refreshToken: secretSetting("The refresh token that the provider gave for your mailbox"),
        tokenUrl: z
          .string()
          .refine(isTokenUrl, { error: "expected an https:// address" })
          .describe("Where access tokens come from; known for Gmail, Microsoft 365 and Outlook")
          .optional(),
      })
      .describe(
        "A login with OAuth2 (XOAUTH2), where the provider takes no password; smtp then has a user and no password",
      )
      .optional(),
    withoutTls: z
      .literal("loopback")
      .describe('"loopback": no encryption to a server on this machine; never to another machine')
      .optional(),
  })
  .superRefine(({ smtp, withoutTls, oauth }, context) => {
    if (smtp.from !== "literal") return;
    const url = smtp.value.reveal();
    const hasTokens = oauth !== undefined;
    const ofPassword = smtpProblem(url, { withoutTls: undefined });
    const ofTokens = smtpProblem(url, { withoutTls: undefined, hasTokens: true });
    // What is wrong in any case is reported at `smtp` already.
    if (ofPassword !== undefined && ofTokens !== undefined) return;
    const ofLogin = hasTokens ? ofTokens : ofPassword;
    if (ofLogin !== undefined) return context.addIssue({ code: "custom", path: ["smtp"], message: ofLogin });
    const server = parseSmtpUrl(url, { withoutTls, hasTokens });
    if (typeof server === "string") return context.addIssue({ code: "custom", path: ["withoutTls"], message: server });
    if (oauth === undefined || oauth.tokenUrl !== undefined || tokenUrlOf(server.host) !== undefined) return;
    const message = "set where the access tokens of this provider come from: its token endpoint";
    context.addIssue({ code: "custom", path: ["oauth", "tokenUrl"], message });
  });
export type EmailSettings = z.infer<typeof emailSettings>;

function isTokenUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

function smtpProblem(url: string, beside: BesideUrl): string | undefined {
  const server = parseSmtpUrl(url, beside);
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
