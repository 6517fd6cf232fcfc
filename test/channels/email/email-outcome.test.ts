import { describe, expect, it } from "vitest";
import { failedBy, maxReplyCodePoints, readSmtpError } from "../../../src/channels/email/errors.ts";
import { everyRow } from "../../support/rows.ts";

/** An error as nodemailer makes them. */
function smtpError(message: string, more: Record<string, unknown>): Error {
  return Object.assign(new Error(message), more);
}

function replied(code: string, response: string, command?: string): Error {
  return smtpError(`failed: ${response}`, { code, response, responseCode: Number(response.slice(0, 3)), command });
}

describe("readSmtpError", () => {
  const before: [string, Error, string, RegExp][] = [
    [
      "refused",
      smtpError("connect ECONNREFUSED 127.0.0.1:587", { code: "ESOCKET", originalCode: "ECONNREFUSED" }),
      "network",
      /ECONNREFUSED.*"smtp"/,
    ],
    [
      "no such host",
      smtpError("getaddrinfo ENOTFOUND mail.example.org", { code: "EDNS", originalCode: "ENOTFOUND" }),
      "network",
      /ENOTFOUND/,
    ],
    ["closed", smtpError("Connection closed unexpectedly", { code: "ECONNECTION" }), "network", /closed/],
    [
      "no SMTP",
      smtpError("Invalid greeting", { code: "EPROTOCOL", response: "SSH-2.0-OpenSSH" }),
      "network",
      /SSH-2\.0/,
    ],
    [
      "self-signed",
      smtpError("x", { code: "ESOCKET", originalCode: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
      "network",
      /not trusted.*"ca"/,
    ],
    [
      "private CA",
      smtpError("x", { code: "ESOCKET", originalCode: "SELF_SIGNED_CERT_IN_CHAIN" }),
      "network",
      /not trusted/,
    ],
    ["expired", smtpError("x", { code: "ESOCKET", originalCode: "CERT_HAS_EXPIRED" }), "network", /has expired/],
    [
      "other name",
      smtpError("x", { code: "ESOCKET", originalCode: "ERR_TLS_CERT_ALTNAME_INVALID" }),
      "network",
      /another host name/,
    ],
    ["connect timeout", smtpError("Connection timeout", { code: "ETIMEDOUT" }), "timeout", /in time/],
    ["aborted", smtpError("Message sending aborted", { code: "EABORT" }), "timeout", /in time/],
    ["STARTTLS refused", replied("ETLS", "502 5.5.1 unknown", "STARTTLS"), "network", /could not be encrypted/],
    ["STARTTLS not now", replied("ETLS", "454 4.7.0 later", "STARTTLS"), "serverError", /454/],
    [
      "a port that is encrypted from the start",
      smtpError("Greeting never received", { code: "ETIMEDOUT" }),
      "timeout",
      /no greeting; .*smtps:\/\/ in place of smtp:/,
    ],
    ["basic auth off", replied("EAUTH", "535 5.7.139 basic authentication is disabled"), "unauthorized", /set "oauth"/],
    ["no access token", smtpError("invalid_grant", { code: "EOAUTH2" }), "unauthorized", /revoked/],
    ["wrong password", replied("EAUTH", "535 5.7.8 bad", "AUTH PLAIN"), "unauthorized", /535.*"smtp".*app password/],
    ["password too weak", replied("EAUTH", "534 5.7.9 app password needed", "AUTH PLAIN"), "unauthorized", /534/],
    ["login not now", replied("EAUTH", "454 4.7.0 later", "AUTH PLAIN"), "serverError", /454/],
    [
      "no login method in common",
      smtpError('Unknown authentication method "X"', { code: "EAUTH" }),
      "unauthorized",
      /"smtp"/,
    ],
    ["login needed", replied("EENVELOPE", "530 5.7.0 authenticate first", "MAIL FROM"), "unauthorized", /530/],
    ["greylisted", replied("EENVELOPE", "450 4.2.0 Greylisted", "RCPT TO"), "serverError", /450/],
    [
      "no such person",
      replied("EENVELOPE", "550 5.1.1 unknown", "RCPT TO"),
      "rejected",
      /every recipient was refused: 550/,
    ],
    ["relaying denied", replied("EENVELOPE", "554 5.7.1 relay", "RCPT TO"), "rejected", /554/],
    ["closing", replied("ECONNECTION", "421 4.3.2 closing", "CONN"), "serverError", /421/],
    ["bad envelope", smtpError('Invalid recipient "x"', { code: "EENVELOPE" }), "rejected", /Invalid recipient/],
  ];
  it("is told where the server refused before the content", () =>
    everyRow(before, ([_, error, reason, detail]) => {
      const failure = readSmtpError(error, false);
      expect(failure?.reason).toBe(reason);
      expect(failedBy(failure!)).toEqual({ status: "failed", reason, detail: expect.stringMatching(detail) });
    }));

  const after: [string, Error, string][] = [
    ["closed", smtpError("Connection closed unexpectedly", { code: "ECONNECTION" }), "unknown"],
    ["reset", smtpError("read ECONNRESET", { code: "ESOCKET", originalCode: "ECONNRESET" }), "unknown"],
    ["silent", smtpError("Timeout", { code: "ETIMEDOUT" }), "unknown"],
    ["aborted", smtpError("Message sending aborted", { code: "EABORT" }), "unknown"],
    ["too big", replied("EMESSAGE", "552 5.3.4 too big", "DATA"), "rejected"],
    ["full", replied("EMESSAGE", "452 4.3.1 full", "DATA"), "serverError"],
  ];
  it("is told where the connection broke after the content", () =>
    everyRow(after, ([_, error, reason]) => {
      expect(readSmtpError(error, true)?.reason).toBe(reason);
    }));

  it.each([[new TypeError("x is not a function")], ["text"], [undefined], [null]])(
    "leaves a bug alone: %s",
    (thrown) => {
      expect(readSmtpError(thrown, false)).toBeUndefined();
    },
  );

  it("keeps a server's answer short and on one line", () => {
    const failure = readSmtpError(replied("EMESSAGE", `554-a\r\n554 \u001b[31m${"b".repeat(5_000)}`, "DATA"), true);
    expect(failure?.detail).toMatch(/^the message was refused: 554-a 554 b+…$/);
    expect(failure?.detail.length).toBeLessThan(maxReplyCodePoints + 40);
  });
});
