import { describe, expect, it } from "vitest";
import * as z from "zod";
import { parseMailbox } from "../../../src/channels/email/address.ts";
import { parseSmtpUrl } from "../../../src/channels/email/server.ts";
import { emailSettings } from "../../../src/channels/email/settings.ts";
import { email, threadOf } from "../../../src/channels/email/email.ts";
import { everyRow } from "../../support/rows.ts";

describe("parseMailbox", () => {
  it("takes an address with and without a name", () =>
    everyRow(
      [
        ["me@example.org", { name: "", address: "me@example.org" }],
        ["me+hooks@mail.example.org", { name: "", address: "me+hooks@mail.example.org" }],
        ["root@localhost", { name: "", address: "root@localhost" }],
        ["Me <me@example.org>", { name: "Me", address: "me@example.org" }],
        ['"Me, myself" <me@example.org>', { name: "Me, myself", address: "me@example.org" }],
        ["Bøb ✓ <me@bücher.example>", { name: "Bøb ✓", address: "me@xn--bcher-kva.example" }],
        ["me@EXAMPLE.org", { name: "", address: "me@example.org" }],
      ],
      ([text, mailbox]) => {
        expect(parseMailbox(text)).toEqual(mailbox);
      },
      (row) => JSON.stringify(row),
    ));

  it("says what is wrong with a text that is none", () =>
    everyRow(
      [
        ["", /one @/],
        ["me", /one @/],
        ["@example.org", /one @/],
        ["me@", /one @/],
        ["a@b@example.org", /one @/],
        ["a@example.org, b@example.org", /write an array/],
        ["a@example.org;b@example.org", /write an array/],
        ["me@example.org\r\nBcc: eve@example.org", /one line/],
        ["Me\u0000 <me@example.org>", /one line/],
        ["a b@example.org", /"a b" is not allowed before the @/],
        [".me@example.org", /is not allowed before/],
        ['"a b"@example.org', /is not allowed before/],
        ["mé@example.org", /is not allowed before/],
        ["me@exa mple.org", /not a domain name/],
        ["me@-example.org", /not a domain name/],
        ["me@example..org", /not a domain name/],
        ["me@127.0.0.1", /not a domain name/],
        ["me@[127.0.0.1]", /not a domain name/],
        [`${"a".repeat(65)}@example.org`, /at most 64 bytes/],
        [`me@${"a.".repeat(126)}org`, /at most 254 bytes/],
        ["<me@example.org> <eve@example.org>", /one @|cannot stand/],
      ],
      ([text, problem]) => {
        expect(parseMailbox(text)).toEqual(expect.stringMatching(problem));
      },
      (row) => JSON.stringify(row),
    ));
});

describe("parseSmtpUrl", () => {
  const login = { user: "me@example.org", pass: "p@ss/w:rd%" };
  it("reads schemes, ports and logins", () =>
    everyRow(
      [
        ["smtp://mail.example.org", { host: "mail.example.org", port: 587, encryption: "startTls", login: undefined }],
        [
          "smtps://mail.example.org/",
          { host: "mail.example.org", port: 465, encryption: "implicit", login: undefined },
        ],
        [
          "smtp://mail.example.org:2525",
          { host: "mail.example.org", port: 2525, encryption: "startTls", login: undefined },
        ],
        [
          "SMTPS://me%40example.org:p%40ss%2Fw%3Ard%25@mail.example.org:4650",
          { host: "mail.example.org", port: 4650, encryption: "implicit", login },
        ],
        // An unescaped @ is forgiven, as browsers do.
        [
          "smtps://me@example.org:x@mail.example.org",
          { host: "mail.example.org", port: 465, encryption: "implicit", login: { user: "me@example.org", pass: "x" } },
        ],
        ["smtp://[::1]:25", { host: "::1", port: 25, encryption: "startTls", login: undefined }],
        [
          "smtp://bücher.example",
          { host: "xn--bcher-kva.example", port: 587, encryption: "startTls", login: undefined },
        ],
      ],
      ([url, server]) => {
        expect(parseSmtpUrl(url, { withoutTls: undefined })).toEqual(server);
      },
      (row) => JSON.stringify(row),
    ));

  it.each(["smtp://localhost:25", "smtp://127.0.0.1:25", "smtp://127.9.9.9:25", "smtp://[::1]:25"])(
    "goes without TLS to %s when asked to",
    (url) => {
      expect(parseSmtpUrl(url, { withoutTls: "loopback" })).toMatchObject({ encryption: "none" });
      expect(parseSmtpUrl(url, { withoutTls: undefined })).toMatchObject({ encryption: "startTls" });
    },
  );

  it("never goes without TLS beyond this machine", () =>
    everyRow(
      [
        "smtp://mail.example.org",
        "smtp://10.0.0.1",
        "smtp://127.0.0.1.example.org",
        "smtp://localhost.example.org",
        "smtp://0.0.0.0",
      ],
      (url) => {
        expect(parseSmtpUrl(url, { withoutTls: "loopback" })).toMatch(/only for a server on this machine/);
      },
    ));

  it("keeps TLS where the URL asks for it", () => {
    expect(parseSmtpUrl("smtps://mail.example.org", { withoutTls: "loopback" })).toMatchObject({
      encryption: "implicit",
    });
  });

  it("says what is wrong with a URL without repeating it", () =>
    everyRow(
      [
        ["mail.example.org:587", /expected a URL/],
        ["https://user:s3cret@mail.example.org", /expected a URL/],
        ["smtp://", /expected a/],
        ["smtp://user:s3cret@", /expected a/],
        ["smtp://user:s3cret@mail.example.org:99999", /expected a URL/],
        ["smtp://user:s3cret@mail.example.org:0", /port from 1/],
        ["smtp://user:s3c/ret@mail.example.org", /%2F/],
        ["smtp://user:s3c#ret@mail.example.org", /%23/],
        ["smtp://user:s3cret@mail.example.org?tls.rejectUnauthorized=false", /nothing after the host/],
        ["smtp://user:s3cret@mail.example.org/path", /nothing after the host/],
        ["smtp://user:s3cret%@mail.example.org", /percent-encoded/],
        ["smtp://user:s3cret%0D%0A@mail.example.org", /percent-encoded/],
        ["smtp://user@mail.example.org", /both a user and a password/],
        ["smtp://:s3cret@mail.example.org", /both a user and a password/],
        ["smtp://user:s3cret@mail.example.org:465", /write smtps:/],
      ],
      ([url, problem]) => {
        const said = parseSmtpUrl(url, { withoutTls: undefined });
        expect(said).toEqual(expect.stringMatching(problem));
        expect(said).not.toMatch(/s3c|ret@|rejectUnauthorized/);
      },
      (row) => JSON.stringify(row),
    ));
});

describe("the settings", () => {
  const sound = { smtp: { file: "~/.config/hookbell/smtp-url" }, from: "me@example.org", to: ["me@example.org"] };

  it("takes one address or several", () => {
    expect(email.settings.parse({ ...sound, to: "a@example.org" })).toMatchObject({
      to: [{ address: "a@example.org" }],
      subject: "title",
    });
    expect(email.settings.parse({ ...sound, to: ["a@example.org", "B <b@example.org>"] })).toMatchObject({
      to: [{ address: "a@example.org" }, { name: "B", address: "b@example.org" }],
    });
  });

  it("refuses what it cannot send with, and says where", () =>
    everyRow(
      [
        ["no recipient", { to: [] }, ["to"]],
        ["too many recipients", { to: Array.from({ length: 101 }, (_, index) => `a${index}@example.org`) }, ["to"]],
        ["a bad recipient among good ones", { to: ["a@example.org", "b", "c@example.org", "d"] }, ["to.1", "to.3"]],
        ["a bad single recipient", { to: "nobody" }, ["to"]],
        ["a recipient that is no text", { to: 7 }, ["to"]],
        ["no sender", { from: undefined }, ["from"]],
        ["a bad answer address", { replyTo: "x" }, ["replyTo"]],
        ["a relative CA file", { ca: "ca.pem" }, ["ca"]],
        ["no encryption elsewhere", { smtp: "smtp://mail.example.org", withoutTls: "loopback" }, ["withoutTls"]],
        ["no encryption at all", { withoutTls: true }, ["withoutTls"]],
        ["a setting that is not there", { bcc: "eve@example.org" }, [""]],
        ["several at once", { smtp: "mail.example.org", from: "x", to: "y" }, ["smtp", "from", "to"]],
      ],
      ([_, change, paths]) => {
        const { error } = email.settings.safeParse({ ...sound, ...change });
        expect(error?.issues.map((issue) => issue.path.join("."))).toEqual(paths);
      },
    ));

  it("never repeats the URL in a problem", () => {
    const { error } = email.settings.safeParse({ ...sound, smtp: "smtp://me:s3cret@mail.example.org:465" });
    expect(error?.issues).toHaveLength(1);
    expect(z.prettifyError(error!)).not.toContain("s3cret");
  });
});

describe("threadOf", () => {
  const root = (agent: string, session: string): string =>
    threadOf({ agent, session }, "msg_1", "me@example.org").rootId;

  it("has one root for a session and another for every other", () => {
    expect(root("droid", "a")).toBe(root("droid", "a"));
    expect(
      new Set([root("droid", "a"), root("droid", "b"), root("codex", "a"), root("droida", ""), root("", "droida")])
        .size,
    ).toBe(5);
  });

  it("makes a message id of any session", () =>
    everyRow(["a>\r\nBcc: eve@example.org", "<>", "", "é\u0000", "x".repeat(10_000)], (session) => {
      const { rootId, messageId } = threadOf({ agent: session, session }, "msg_1", "me@example.org");
      expect(rootId).toMatch(/^<session-[0-9a-f]{32}@example\.org>$/);
      expect(messageId).toBe("<msg_1@example.org>");
    }));
});

describe("a login with OAuth2", () => {
  const tokens = { clientId: "app", refreshToken: { env: "TOKEN" } };
  const problemsOf = (smtp: string, oauth?: object): string[] => {
    const settings = { smtp, from: "me@example.org", to: "me@example.org", ...(oauth && { oauth }) };
    const { error } = emailSettings.safeParse(settings);
    return (error?.issues ?? []).map(({ path, message }) => `${path.join(".")}: ${message}`);
  };

  it("has a user and no password in the URL, and knows where the tokens of large providers come from", () => {
    expect(problemsOf("smtps://me%40gmail.com@smtp.gmail.com", tokens)).toEqual([]);
    expect(problemsOf("smtp://me%40example.com@smtp.office365.com", tokens)).toEqual([]);
    expect(problemsOf("smtp://me@mail.example.org", { ...tokens, tokenUrl: "https://id.example.org/token" })).toEqual(
      [],
    );
  });

  it.each([
    ["smtps://me:pass@smtp.gmail.com", tokens, 'smtp: with "oauth", the URL has a user and no password'],
    ["smtps://smtp.gmail.com", tokens, 'smtp: with "oauth", the URL has a user and no password'],
    ["smtps://me@mail.example.org", tokens, "oauth.tokenUrl: set where the access tokens of this provider come from"],
    [
      "smtps://me@mail.example.org",
      { ...tokens, tokenUrl: "http://id.example.org" },
      "oauth.tokenUrl: expected an https",
    ],
    ["smtps://me@smtp.gmail.com", undefined, "smtp: expected both a user and a password in the URL"],
    ["smtps://me@smtp.gmail.com", { clientId: "" }, "oauth."],
  ])("%s with %j: %s", (smtp, oauth, problem) => {
    expect(problemsOf(smtp, oauth)[0]).toContain(problem);
  });
});
