// What the errors of a mail server mean.
import { codeOf, messageOf } from "../../model/errors.ts";
import { failed, type Failed, type FailureReason } from "../../model/outcome.ts";
import { cut, printableLine } from "../../model/text.ts";

/** hookbell's own limit: how much of a server's answer a detail quotes. */
export const maxReplyCodePoints = 300;

export interface SmtpFailure {
  reason: FailureReason;
  detail: string;
  fix: string | undefined;
}

export function failedBy({ reason, detail, fix }: SmtpFailure): Failed {
  return failed(reason, fix === undefined ? detail : `${detail}; ${fix}`);
}

const urlFix = 'check the URL in "smtp"';
const privateCaFix = 'for a certificate of a private CA, set "ca" to the CA\'s PEM file';

/** Certificate and protocol faults by Node's code: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const tlsFaults: Record<string, { detail: string; fix: string }> = {
  ERR_TLS_CERT_ALTNAME_INVALID: {
    detail: "the certificate is for another host name",
    fix: 'use the host name of the certificate in "smtp"',
  },
  CERT_HAS_EXPIRED: { detail: "the certificate has expired", fix: "ask the server's owner to renew it" },
  CERT_NOT_YET_VALID: { detail: "the certificate is not valid yet", fix: "check this machine's clock" },
  ERR_SSL_WRONG_VERSION_NUMBER: {
    detail: "the server does not speak TLS from the start on this port",
    fix: 'in "smtp", write smtp:// for port 587 and smtps:// for port 465',
  },
};
for (const code of [
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
  "CERT_UNTRUSTED",
]) {
  tlsFaults[code] = { detail: "the certificate is not trusted", fix: privateCaFix };
}

/**
 * Reads an error of nodemailer. The server's code counts first: the library has one code for temporary and permanent
 * refusals. `isContentSent`: the server had asked for the message's content. Undefined for any other error: a bug.
 */
export function readSmtpError(error: unknown, isContentSent: boolean): SmtpFailure | undefined {
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const responseCode = numberIn(error, "responseCode");
  if (code === "ETLS") return readStartTlsError(error, responseCode);
  if (responseCode !== undefined && responseCode >= 400) return readReply(error, code, responseCode);
  if (code === "EOAUTH2" || (code === "EAUTH" && errorOfTokens.test(said(error)))) {
    const fix = 'check "oauth": the refresh token may have been revoked';
    return { reason: "unauthorized", detail: `no access token: ${said(error)}`, fix };
  }
  if (code === "EAUTH") return loginFailure(said(error));
  if (isContentSent) {
    const fix = "it may have arrived";
    return { reason: "unknown", detail: `no clear answer after the message was sent (${said(error)})`, fix };
  }
  if (/greeting never received/i.test(messageOf(error))) {
    const fix = "if this port is encrypted from the start, write smtps:// in place of smtp://";
    return { reason: "timeout", detail: "the server sent no greeting", fix };
  }
  if (code === "ETIMEDOUT" || code === "EABORT") {
    return { reason: "timeout", detail: "the server did not answer in time", fix: urlFix };
  }
  return readConnectionError(error, code);
}

/** https://www.rfc-editor.org/rfc/rfc6749#section-5.2, and what Microsoft adds. */
const errorOfTokens =
  /^(?:invalid_(?:request|client|grant|scope)|unauthorized_client|unsupported_grant_type|access_denied|(?:interaction|consent|login)_required)\b/;

function readReply(error: unknown, code: string, responseCode: number): SmtpFailure {
  const reply = said(error);
  if (responseCode < 500) return { reason: "serverError", detail: `the server answered ${reply}`, fix: undefined };
  // 530, 534 and 538 come at any step: https://www.rfc-editor.org/rfc/rfc4954#section-6
  if (code === "EAUTH" || [530, 534, 535, 538].includes(responseCode)) return loginFailure(reply);
  const refused = refusedSteps[textIn(error, "command") ?? ""] ?? "the server refused";
  return { reason: "rejected", detail: `${refused}: ${reply}`, fix: undefined };
}

const refusedSteps: Record<string, string> = {
  "MAIL FROM": "the sender was refused",
  "RCPT TO": "every recipient was refused",
  DATA: "the message was refused",
};

function loginFailure(reply: string): SmtpFailure {
  // Providers that have switched passwords off say so: 5.7.139, 5.7.3, "basic authentication is disabled".
  const needsTokens = /basic auth|oauth|xoauth2|5\.7\.139/i.test(reply);
  const fix = needsTokens
    ? 'this provider takes no password: set "oauth"'
    : 'check user and password in "smtp"; some providers need an app password or "oauth"';
  return { reason: "unauthorized", detail: `the server refused the login: ${reply}`, fix };
}

function readStartTlsError(error: unknown, responseCode: number | undefined): SmtpFailure {
  if (responseCode !== undefined && responseCode < 500) {
    return { reason: "serverError", detail: `the server answered ${said(error)}`, fix: undefined };
  }
  const fix =
    'in "smtp", write smtps:// if the server has a TLS port; only a server on this machine may go without TLS, with "withoutTls": "loopback"';
  return { reason: "network", detail: `the connection could not be encrypted: ${said(error)}`, fix };
}

function readConnectionError(error: unknown, code: string): SmtpFailure {
  const fault = tlsFaults[textIn(error, "originalCode") ?? code];
  if (fault !== undefined) return { reason: "network", ...fault };
  const reason = ["ECONNECTION", "ESOCKET", "EDNS", "EPROTOCOL"].includes(code) ? "network" : "rejected";
  return { reason, detail: said(error), fix: reason === "network" ? urlFix : undefined };
}

/** The server's words, else the library's, on one line. */
export function said(error: unknown): string {
  return cut(printableLine(textIn(error, "response") ?? messageOf(error)), maxReplyCodePoints);
}

function textIn(error: unknown, key: string): string | undefined {
  const value = (error as Record<string, unknown>)[key];
  return typeof value === "string" ? value : undefined;
}

function numberIn(error: unknown, key: string): number | undefined {
  const value = (error as Record<string, unknown>)[key];
  return typeof value === "number" ? value : undefined;
}
