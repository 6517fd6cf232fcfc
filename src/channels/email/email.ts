// E-mail through your own SMTP server.
import { messageOf } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { delivered, failed, type Outcome } from "../../model/outcome.ts";
import { cut, printableLine } from "../../model/text.ts";
import { sha256 } from "../../system/crypto.ts";
import { defineChannel, lifetimeMs, type SendRequest } from "../channel-type.ts";
import { levelLooks } from "../rendering/levels.ts";
import { maxAddressBytes } from "./address.ts";
import { failedBy, maxReplyCodePoints, readSmtpError, said, type SmtpFailure } from "./errors.ts";
import * as body from "./message.ts";
import { emailSettings, type EmailSettings, maxRecipients } from "./settings.ts";
import { openSmtp, type SmtpConnection, smtpStepTimeoutMs } from "./transport.ts";
import { untilAborted } from "../../system/clock.ts";

const attemptTimeoutMs = 30_000;

/** The sender's name in an inbox, where `from` has none. */
const defaultSenderName = "hookbell";

/** Only the text comes from the event; recipients and headers come from the settings. */
function composeMail(request: SendRequest<EmailSettings>, nowMs: number) {
  const { settings, event, message } = request;
  const { messageId, rootId } = threadOf(event, request.deliveryId, settings.from.address);
  return {
    ...body.writeMail(message, event, settings.subject),
    from: { name: settings.from.name || defaultSenderName, address: settings.from.address },
    to: settings.to,
    replyTo: settings.replyTo,
    // The attempt's time: servers distrust old mails. The text has the event's time.
    date: new Date(nowMs),
    messageId,
    inReplyTo: rootId,
    references: [rootId],
    priority: levelLooks[message.level].isImportant ? ("high" as const) : undefined,
    // One List-Id for all, for a filter: https://www.rfc-editor.org/rfc/rfc2919
    list: { id: { url: `hookbell.${domainOf(settings.from.address)}`, comment: "hookbell" } },
    headers: {
      // No out-of-office answers to a program: https://www.rfc-editor.org/rfc/rfc3834#section-5
      "Auto-Submitted": "auto-generated",
      "X-Auto-Response-Suppress": "All",
      "X-Hookbell-Level": message.level,
    },
    xMailer: false as const,
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function open(settings: SendRequest<EmailSettings>["settings"], home: string): Promise<SmtpConnection | string> {
  const { smtp, withoutTls, ca: caFile, oauth } = settings;
  const tokens = oauth && {
    ...oauth,
    clientSecret: oauth.clientSecret?.reveal(),
    refreshToken: oauth.refreshToken.reveal(),
  };
  return openSmtp({ url: smtp.reveal(), withoutTls, caFile, tokens }, home);
}

function withoutSecrets(failure: SmtpFailure, connection: SmtpConnection): SmtpFailure {
  return { ...failure, detail: connection.withoutSecrets(failure.detail) };
}

export const email = defineChannel<EmailSettings>({
  docs: "https://nodemailer.com/smtp/",
  settings: emailSettings,
  limits: [
    { what: "subject", most: body.maxSubjectCodePoints, unit: "codePoints", source: "ours" },
    { what: "body, each of the text and the HTML part", most: body.maxBodyBytes, unit: "bytes", source: "ours" },
    { what: "fields", most: body.maxFields, unit: "items", source: "ours" },
    { what: "a field's label or value", most: body.maxFieldCodePoints, unit: "codePoints", source: "ours" },
    // The library folds headers at 76 bytes and encodes longer lines of the body.
    { what: "a line", most: 998, unit: "bytes", source: "https://www.rfc-editor.org/rfc/rfc5322#section-2.1.1" },
    {
      what: "recipients",
      most: maxRecipients,
      unit: "items",
      source: "https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1.8",
    },
    {
      what: "an address",
      most: maxAddressBytes,
      unit: "bytes",
      source: "https://www.rfc-editor.org/rfc/rfc5321#section-4.5.3.1",
    },
    { what: "the server's answer kept", most: maxReplyCodePoints, unit: "codePoints", source: "ours" },
    { what: "one step of the server", most: smtpStepTimeoutMs, unit: "milliseconds", source: "ours" },
  ],
  expiresAfterMs: lifetimeMs.day,
  timeoutMs: attemptTimeoutMs,
  summaryFrom: 4,
  // The Message-ID is the same on every attempt, and two mails are better than none.
  isRepeatHarmless: true,
  content: "summary",

  async send(request, tools) {
    const connection = await open(request.settings, tools.home);
    if (typeof connection === "string") return failed("rejected", connection);
    try {
      const mail = composeMail(request, tools.clock.now());
      const info = await connection.transport.sendMail({ ...mail, signal: tools.signal });
      return accepted(info.response, info.rejectedErrors ?? [], connection);
    } catch (error) {
      const failure = readSmtpError(error, connection.isContentSent());
      if (failure === undefined) throw error;
      return failedBy(withoutSecrets(failure, connection));
    }
  },

  setUp: { smtpUrl: "smtp" },
  noticing: {
    how: "see",
    otherwise: [
      "wait a minute: some servers accept a mail of a new sender only at the second or third try",
      "look in the spam folder, and in the sender's inbox for a bounce",
      'make sure that the server may send for the sender in "from"',
    ],
  },
  async probe(settings, tools) {
    const connection = await open(settings, tools.home);
    if (typeof connection === "string") return { status: "broken", detail: connection, fix: "correct that setting" };
    const { host, port, encryption, login } = connection.server;
    try {
      await orAborted(connection.transport.verify(), tools.signal);
      const safety = encryption === "none" ? "without encryption" : "with encryption";
      return {
        status: "ok",
        detail: `${host}:${port} answers ${safety} and ${login ? "accepts the login" : "needs no login"}`,
      };
    } catch (error) {
      const failure = readSmtpError(error, false) ?? { reason: "network", detail: messageOf(error), fix: undefined };
      const { detail, fix } = withoutSecrets(failure, connection);
      return { status: "broken", detail: `${host}:${port}: ${detail}`, fix: fix ?? 'check "smtp"' };
    }
  },
});

/** One recipient is enough: another attempt would reach the others twice. The detail names those that were refused. */
function accepted(
  response: string,
  refusals: readonly { recipient?: string | undefined }[],
  connection: SmtpConnection,
): Outcome {
  const refused = refusals.map((refusal) => `${refusal.recipient ?? "a recipient"} (${said(refusal)})`);
  const note = refused.length === 0 ? "" : `; refused: ${refused.join(", ")}`;
  return delivered({ detail: connection.withoutSecrets(cut(printableLine(response), maxReplyCodePoints) + note) });
}

/** The library's verify() has no signal; it ends by its own timeouts. */
function orAborted(verified: Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  const aborted = untilAborted(signal).then(() => {
    throw Object.assign(new Error("aborted"), { code: "EABORT" });
  });
  return Promise.race([verified, aborted]);
}

/**
 * Header values, each with its angle brackets. A session's mails refer to one root message that is never sent, so mail
 * programs show them as a conversation. What is of no session stands alone.
 */
export function threadOf(
  event: Pick<AgentEvent, "agent" | "session">,
  deliveryId: string,
  fromAddress: string,
): { messageId: string; rootId: string } {
  const domain = domainOf(fromAddress);
  const digest = sha256(JSON.stringify([event.agent, event.session || deliveryId])).slice(0, 32);
  return { messageId: `<${deliveryId}@${domain}>`, rootId: `<session-${digest}@${domain}>` };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf("@") + 1);
}
