import type { SMTPTransportOptions, Transporter, SMTPSentMessageInfo } from "nodemailer";
import { messageOf } from "../../model/errors.ts";
import { redact } from "../../model/privacy/redact.ts";
import { Secret } from "../../model/privacy/secret.ts";
import { readIfThere } from "../../system/files/files.ts";
import { expandHome } from "../../system/paths.ts";
import { parseSmtpUrl, type SmtpServer } from "./server.ts";

/** The longest silence of the server at each step; the library's own defaults go up to ten minutes. */
export const smtpStepTimeoutMs = 10_000;
/** How long the server has to close its side after we closed ours. */
const closeTimeoutMs = 1_000;
/** Shorter passwords stand in ordinary text by chance. */

export interface SmtpConnection {
  server: SmtpServer;
  transport: Transporter<SMTPSentMessageInfo, SMTPTransportOptions>;
  /** Whether the server has said that it takes the content; a broken line leaves open what became of it from then on. */
  isContentSent(): boolean;
  /** The text without the password, in whatever form it went over the line. */
  withoutSecrets(text: string): string;
}

/** A transport for one attempt, or the sentence that says which setting is wrong. Nothing is connected yet. */
export async function openSmtp(
  settings: { url: string; withoutTls: "loopback" | undefined; caFile: string | undefined },
  home: string,
): Promise<SmtpConnection | string> {
  const server = parseSmtpUrl(settings.url, settings.withoutTls);
  if (typeof server === "string") return `the setting "smtp" cannot be used: ${server}`;
  const authority = settings.caFile === undefined ? undefined : readAuthority(settings.caFile, home);
  if (authority !== undefined && "problem" in authority) return authority.problem;
  let isContentSent = false;
  const { createTransport } = await import("nodemailer");
  const transport = createTransport({
    ...transportOptions(server, authority?.pem),
    // The library hides passwords from its log and, without `debug`, the mail as well; we only look for this one reply.
    transactionLog: true,
    logger: {
      debug(entry: { tnx?: string }, reply?: unknown) {
        if (entry.tnx === "server" && typeof reply === "string" && reply.startsWith("354")) isContentSent = true;
      },
    },
  });
  const secrets = [settings.url, ...passwordForms(server.login)].map((form) => new Secret(form));
  return {
    server,
    transport,
    isContentSent: () => isContentSent,
    withoutSecrets: (text) => redact(text, secrets),
  };
}

function transportOptions(server: SmtpServer, ca: string | undefined): SMTPTransportOptions {
  const { host, port, encryption, login } = server;
  return {
    host,
    port,
    secure: encryption === "implicit",
    requireTLS: encryption === "startTls",
    // A mail server on this machine often offers STARTTLS with a certificate that nobody signed.
    ignoreTLS: encryption === "none",
    tls: ca === undefined ? {} : { ca },
    auth: login,
    // A server that offers no login would otherwise get the mail without one, and refuse it with a riddle.
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
    if (pem === undefined) return { problem: `there is no file ${file}, named in the setting "ca"` };
    if (pem.includes("-----BEGIN CERTIFICATE-----")) return { pem };
    return { problem: `the file ${file}, named in the setting "ca", holds no certificate in PEM form` };
  } catch (error) {
    return { problem: `the file ${file}, named in the setting "ca", cannot be read: ${messageOf(error)}` };
  }
}

function passwordForms(login: SmtpServer["login"]): string[] {
  if (login === undefined) return [];
  const forms = [login.pass, `\0${login.user}\0${login.pass}`];
  return [...forms, encodeURIComponent(login.pass), ...forms.map((form) => Buffer.from(form).toString("base64"))];
}
