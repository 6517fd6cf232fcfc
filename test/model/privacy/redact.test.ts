import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { delivered, failed } from "../../../src/model/outcome.ts";
import { maxDetailLength, redact, withoutSecrets } from "../../../src/model/privacy/redact.ts";
import { Secret } from "../../../src/model/privacy/secret.ts";

describe("redact", () => {
  const url = "https://hooks.example.org/services/T0AAA111/B0BBB222/xoxSecretToken?key=abc+123/x";
  const ampersands = "https://in.example.org/a?one=1x1x&two=2y2y";
  const settings = {
    url: new Secret(url),
    headers: { a: new Secret("Bearer tok3n-value"), b: new Secret(ampersands) },
    name: "plain",
  };
  const rows: [string, string][] = [
    [`no ${url} here`, "no [secret] here"],
    ["POST /services/T0AAA111/B0BBB222/xoxSecretToken failed", "POST [secret] failed"],
    ["team T0AAA111 unknown", "team [secret] unknown"],
    ["key abc 123/x", "key [secret]"],
    ["bad token tok3n-value", "bad token [secret]"],
    [JSON.stringify({ u: url }).replaceAll("/", "\\/"), '{"u":"[secret]"}'],
    [encodeURIComponent(url), "[secret]"],
    ["the services are plain", "the services are plain"],
    ["BAD TOKEN TOK3N-VALUE", "BAD TOKEN [secret]"],
    [encodeURIComponent(url).toLowerCase(), "[secret]"],
    [`auth ${Buffer.from("Bearer tok3n-value").toString("base64")} unknown`, "auth [secret] unknown"],
    [`<b>${ampersands.replaceAll("&", "&amp;").replaceAll("/", "&#x2F;")}</b>`, "<b>[secret]</b>"],
    [`{"url":"${ampersands.replaceAll("&", "\\u0026")}"}`, '{"url":"[secret]"}'],
  ];
  it.each(rows)("leaves no secret in %s", (text, expected) => {
    expect(redact(text, settings)).toBe(expected);
  });

  it.each([
    [
      "https://gotify.example.org",
      "could not reach https://gotify.example.org",
      "could not reach https://gotify.example.org",
    ],
    ["http://127.0.0.1:8080/", "could not reach http://127.0.0.1:8080", "could not reach http://127.0.0.1:8080"],
    [
      "https://hooks.slack.com/services/T0/B0/xyz",
      "could not reach https://hooks.slack.com",
      "could not reach https://hooks.slack.com",
    ],
    // A login and a name that is given to one user are secrets.
    ["https://bob:hunter2x@mail.example.org", "https://bob:hunter2x@mail.example.org: hunter2x", "[secret]: [secret]"],
    [
      "https://eo1a2b3c4d5e6f7.m.example.net",
      "could not reach https://eo1a2b3c4d5e6f7.m.example.net",
      "could not reach https://[secret].m.example.net",
    ],
    ["https://example.org/?a=b", "https://example.org/?a=b failed", "[secret] failed"],
  ])("names the server of %s, but no secret part", (url, text, expected) => {
    expect(redact(text, { url: new Secret(url) })).toBe(expected);
  });

  it.each(["a", "ab", "abc", "bot@example.org"])("knows the password in a Basic login of %s", (name) => {
    const login = Buffer.from(`${name}:tok3n-value`);
    for (const encoding of ["base64", "base64url"] as const) {
      const said = redact(`${login.toString(encoding)} is not known`, { password: new Secret("tok3n-value") });
      expect(said).toMatch(/\[secret\].{0,4} is not known$/);
      const [before = ""] = said.split("[secret]");
      expect(Buffer.from(before, encoding).toString()).not.toContain("to");
    }
  });

  it("knows the login in a URL, also decoded", () => {
    const smtp = { smtp: new Secret("smtps://me%40x:p%40ss%2Fword@mail.example.org") };
    expect(redact("535 p@ss/word is wrong, p%40ss%2Fword too", smtp)).toBe("535 [secret] is wrong, [secret] too");
  });

  it("leaves no secret whole, whatever characters it has", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 4 }), fc.string(), (secret, around) => {
        fc.pre(!"[secret]".includes(secret) && !around.includes(secret));
        const text = redact(`${around}${secret}`, { deep: [{ token: new Secret(secret) }] });
        // What is left of the secret could only be put together anew by the placeholder and its neighbours.
        expect(text.replaceAll("[secret]", "\0").includes(secret)).toBe(false);
        expect(text).toContain("[secret]");
      }),
    );
  });
});

const settings = { token: new Secret("s3cr3t-t0ken") };

describe("what is said about an attempt", () => {
  it.each([
    ["bad s3cr3t-t0ken", "bad [secret]"],
    // Without what cannot be printed, a secret may be whole again.
    ["bad s3cr3t-\u0000t0ken", "bad [secret]"],
    ["two\nlines", "two lines"],
  ])("is one line without secrets: %j", (detail, expected) => {
    expect(withoutSecrets(failed("rejected", detail, 5), settings)).toEqual(failed("rejected", expected, 5));
    expect(withoutSecrets(delivered({ detail, remember: { a: "b" } }), settings)).toEqual(
      delivered({ detail: expected, remember: { a: "b" } }),
    );
  });

  it("is cut behind the secret, not in it", () => {
    const { detail } = withoutSecrets(failed("rejected", `${"x".repeat(maxDetailLength - 5)} s3cr3t-t0ken`), settings);
    expect(detail.length).toBe(maxDetailLength);
    expect(detail).not.toContain("s3c");
  });

  it("stays nothing where nothing was said", () => {
    expect(withoutSecrets(delivered(), settings)).toEqual(delivered());
  });
});
