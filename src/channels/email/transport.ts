// Connects to a mail server.
import type { SMTPTransportOptions, Transporter, SMTPSentMessageInfo } from "nodemailer";
import { messageOf } from "../../model/errors.ts";
import { redact } from "../../model/privacy/redact.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { readIfThere } from "../../system/files/read.ts";
import { expandHome } from "../../system/paths.ts";
import { parseSmtpUrl, type SmtpServer, tokenUrlOf } from "./server.ts";

/** The longest silence of the server at each step; the library's defaults go up to ten minutes. */
export const smtpStepTimeoutMs = 10_000;
const closeTimeoutMs = 1_000;

/** What a login with OAuth2 needs beside the user's name. */
export interface MailTokens {
  clientId: string;
  clientSecret: string | undefined;
  refreshToken: string;
  tokenUrl?: string | undefined;
}

export interface SmtpConnection {
  server: SmtpServer;
  transport: Transporter<SMTPSentMessageInfo, SMTPTransportOptions>;
  /** Whether the server has asked for the content: from then on, a broken connection may have delivered it. */
  isContentSent(): boolean;
  /** The text without the password in any form in which it is sent. */
  withoutSecrets(text: string): string;
}

/** A transport for one attempt, not connected yet; or what is wrong with a setting. */
export async function openSmtp(
  {
    url,
    withoutTls,
    caFile,
    tokens,
  }: { url: string; withoutTls: "loopback" | undefined; caFile: string | undefined; tokens: MailTokens | undefined },
  home: string,
): Promise<SmtpConnection | string> {
  const server = parseSmtpUrl(url, { withoutTls, hasTokens: tokens !== undefined });
  if (typeof server === "string") return `the setting "smtp" is invalid: ${server}`;
  const authority = caFile === undefined ? undefined : readAuthority(caFile, home);
  if (authority !== undefined && "problem" in authority) return authority.problem;
  let isContentSent = false;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...transportOptions(server, authority?.pem, tokens),
    // The library's log has no passwords and, without `debug`, no mail. Only this one reply matters.
    transactionLog: true,
    logger: {
      debug(entry: { tnx?: string }, reply?: unknown) {
        if (entry.tnx === "server" && typeof reply === "string" && reply.startsWith("354")) isContentSent = true;
      },
    },
  });
  const ofTokens = [tokens?.clientSecret, tokens?.refreshToken].filter((each) => each !== undefined);
  const secrets = [url, ...ofTokens, ...passwordForms(server.login)].map((form) => new Secret(form));
  return {
    server,
    transport,
    isContentSent: () => isContentSent,
    withoutSecrets: (text) => redact(text, secrets),
  };
}

/** https://nodemailer.com/smtp/oauth2/ */
function authOf({ host, login }: SmtpServer, tokens: MailTokens | undefined): SMTPTransportOptions["auth"] {
  if (tokens === undefined || login === undefined) return login;
  const { tokenUrl: accessUrl = tokenUrlOf(host), clientId, clientSecret, refreshToken } = tokens;
  return { type: "OAuth2", user: login.user, clientId, clientSecret, refreshToken, accessUrl };
}

function transportOptions(
  server: SmtpServer,
  ca: string | undefined,
  tokens: MailTokens | undefined,
): SMTPTransportOptions {
  const { host, port, encryption, login } = server;
  return {
    host,
    port,
    secure: encryption === "implicit",
    requireTLS: encryption === "startTls",
    // A mail server on this machine often offers STARTTLS with a self-signed certificate.
    ignoreTLS: encryption === "none",
    tls: ca === undefined ? {} : { ca },
    auth: authOf(server, tokens),
    // A server that offers no login would otherwise get the mail without one, and refuse it without a clear reason.
    forceAuth: login !== undefined,
    dnsTimeout: smtpStepTimeoutMs,
    connectionTimeout: smtpStepTimeoutMs,
    greetingTimeout: smtpStepTimeoutMs,
    socketTimeout: smtpStepTimeoutMs,
    socketCloseTimeout: closeTimeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
    pool: false,
  };
}

function readAuthority(file: string, home: string): { pem: string } | { problem: string } {
  try {
    const pem = readIfThere(expandHome(file, home));
    if (pem === undefined) return { problem: `the file ${file} in the setting "ca" does not exist` };
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return { pem };
    return { problem: `the file ${file} in the setting "ca" has no certificate in PEM format` };
  } catch (error) {
    return { problem: `the file ${file} in the setting "ca" cannot be read: ${messageOf(error)}` };
  }
}

function passwordForms(login: SmtpServer["login"]): string[] {
  if (login === undefined) return [];
  const forms = [login.pass, `\0${login.user}\0${login.pass}`];
  return [...forms, encodeURIComponent(login.pass), ...forms.map((form) => Buffer.from(form).toString("base64"))];
}
