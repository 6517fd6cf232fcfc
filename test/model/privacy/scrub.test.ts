// Credentials are taken out of any text, and what people and agents write every day stays.
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { scrub, searchedExpressions } from "../../../src/model/privacy/scrub.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";
import { innocentTexts } from "./innocent-texts.ts";
import { finalMessages } from "../rich-text/final-messages.ts";
import { disguisedSecrets, madeUpSecrets } from "../../support/channels/made-up-secrets.ts";
import { everyRow } from "../../support/rows.ts";

/** What agents say at the end of a turn, with words that credentials have too. */
const ordinaryMessages = [
  "Renamed `getToken` to `fetchToken` and updated 14 call sites. All 212 tests pass.",
  'The login form now shows "password is required" when the field is empty.',
  "I set `password=None` as the default, so that existing callers keep working.",
  "Added `--password-stdin` to the docker login step, since `-p` leaks it to the process list.",
  "The test failed because `token=expired` is rejected with 401 before the refresh runs.",
  "Use mysql -p and type the password when it asks; docker login -u bob asks as well.",
  '`<input type="password" name="pass">` needs a label; I added one.',
  "password_hash = bcrypt.hash(password, 10); then password=password_hash goes into the row.",
  "The migration adds the column `api_key text not null` and an index on it.",
  "Fixed: the secret=... in the sample .env was missing its quotes.",
  "I ran `redis-cli ping` and `redis-cli -h cache info`, both answered.",
  "Permission needed: run `npm publish --access public` in packages/token-utils?",
  "The header is `Authorization: Bearer <token>`, as before.",
  "set PASSWORD=<your password> in .env.local, then restart the server",
  "Waiting for your input: shall I rotate the signing key, or leave it?",
  "docs: explain how `X-Amz-Signature` is computed for presigned URLs",
  "Branch TOKEN_refresh merged; 3 files changed, 41 insertions(+), 7 deletions(-).",
  "`machine` and `login` in .netrc are read by curl; we do not parse password lines.",
  "The snapshot contains Z2VuZXJhdGVkIHRleHQgb25seQ== which decodes to plain text.",
  'private val password: String = prefs.getString("password", "")',
  "if (user.password === input.password) return next(); // compared by hash",
  '`password=""` is allowed in development only; CI sets it from the vault.',
  "The chart mounts secret: tls-cert-2023 and configMap: app-settings-12.",
  "The job ran with token=expired-since-2023 and got a 401.",
];

describe("a credential is taken out", () => {
  const nameOf = ({ kind, text }: { kind: string; text: string }): string => `${kind}: ${text}`;

  it("of every kind, and what stands around it stays", () =>
    everyRow(
      madeUpSecrets,
      ({ kind, text, secret }) => {
        const scrubbed = scrub(`I used ${text} for it, and it works.`);
        expect(scrubbed.found).toEqual([kind]);
        expect(scrubbed.text).not.toContain(secret);
        expect(scrubbed.text).toMatch(/^I used .*\[redacted: .*for it, and it works\.$/s);
        expect(scrub(scrubbed.text)).toEqual({ text: scrubbed.text, found: [] });
      },
      nameOf,
    ));

  it("of every kind in colours, in quotes, in brackets, at both ends of a text", () =>
    everyRow(
      madeUpSecrets,
      ({ kind, text, secret }) => {
        for (const around of [
          `\u001B[31m${text}\u001B[0m`,
          `"${text}"`,
          `(${text})`,
          `\`${text}\``,
          text,
          `a\n${text}\nb`,
          `→${text}…`,
        ]) {
          const scrubbed = scrub(around);
          expect(scrubbed.found, around).toEqual([kind]);
          expect(scrubbed.text).not.toContain(secret);
        }
      },
      nameOf,
    ));

  it("though it is disguised", () =>
    everyRow(
      disguisedSecrets,
      ({ kind, text, secret }) => {
        for (const around of [`I used ${text} for it.`, text, `a\n${text}\nb`]) {
          const scrubbed = scrub(around);
          expect(scrubbed.found, around).toEqual([kind]);
          expect(scrubbed.text).not.toContain(secret);
        }
      },
      nameOf,
    ));

  it("wherever a run of base64 begins, and in none of binary data", () => {
    const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";
    for (const glued of ["", "a", "ab", "abc"]) {
      expect(scrub(`${glued}${Buffer.from(`x ${token} y`).toString("base64")}`).found).toEqual(["encoded credential"]);
    }
    const bytes = createHash("shake256", { outputLength: 65_536 }).update("x").digest();
    expect(scrub(bytes.toString("base64")).found).toEqual([]);
    expect(scrub(bytes.toString("base64url")).found).toEqual([]);
  });

  it("whatever invisible character stands in it", () => {
    const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";
    for (const hidden of [
      "\u0000",
      "\u0007",
      "\u00AD",
      "\u200B",
      "\u200D",
      "\u2060",
      "\u200E",
      "\u202E",
      "\u001B[1m",
      "\u001B]8;;\u0007",
    ]) {
      expect(scrub(`x ${token.slice(0, 9)}${hidden}${token.slice(9)} y`).text).toBe("x [redacted: GitHub token] y");
    }
  });

  const github = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";

  it.each([
    "[](x)",
    "![](x)",
    "[](<x> 'title')",
    "[](a(b)c)",
    "[![](x)](y)",
    "&ZeroWidthSpace;",
    "&NegativeThinSpace;",
    "&InvisibleComma;",
    "&#8203;",
    "&NewLine;",
    "&#10;",
  ])("with %s in it, which a renderer leaves out", (hidden) => {
    expect(scrub(`x ${github.slice(0, 9)}${hidden}${github.slice(9)} y`).text).toBe("x [redacted: GitHub token] y");
  });

  it("with half of it as the words of a link", () => {
    const { text, found } = scrub(`x ${github.slice(0, 9)}[${github.slice(9, 20)}](y)${github.slice(20)} z`);
    expect(found).toEqual(["GitHub token"]);
    expect(text).not.toContain(github.slice(20));
  });

  it.each(["&UnderBar;", "&lowbar;", "&#95;", "&#x5f;"])("with %s for a sign", (name) => {
    expect(scrub(`x ${github.replace("_", name)} y`).text).toBe("x [redacted: GitHub token] y");
  });

  it.each([
    ["half in a terminal's title", "\u001B]0;", "\u0007", ""],
    ["half in a string that ST ends", "\u001B]0;", "\u001B\\", ""],
    ["half in a device control string", "\u001BP", "\u0007", ""],
    ["split behind an unfinished title", "\u001B]", "\u200B", "\u200B"],
    ["split behind an unfinished device control string", "a \u001BP", "&shy;", ""],
  ])("%s", (_name, before, between, after) => {
    const { text, found } = scrub(`x ${before}${github.slice(0, 20)}${between}${github.slice(20)}${after} y`);
    expect(found).toEqual(["GitHub token"]);
    expect(text).not.toContain(github.slice(20));
    expect(text).not.toContain(github.slice(0, 20));
  });

  it("with the escapes of Markdown", () => {
    const token = madeUpSecrets.find(({ kind }) => kind === "GitHub token")?.text ?? "";
    expect(scrub(`x ${token.replace("_", "\\_")} y`).text).toBe("x [redacted: GitHub token] y");
  });

  it.each([
    ["a table", "| ", " | ", " |"],
    ["a CSV file", "", ",", ""],
    ["quotes", '"', '","', '"'],
  ])("with the secret beside its key, in %s", (_name, before, between, after) => {
    const key = madeUpSecrets.find(({ kind }) => kind === "AWS token")?.text ?? "";
    const scrubbed = scrub(`${before}${key}${between}wJalrXUtnFEMI/K7MDENG/bPxRfiCYabcdefghij${after}`);
    expect(scrubbed.text).toBe(`${before}[redacted: AWS token]${between}[redacted: AWS secret key]${after}`);
  });

  it("every one of many", () => {
    const scrubbed = scrub(madeUpSecrets.map(({ text }) => text).join("\n"));
    expect(scrubbed.found.toSorted()).toEqual(madeUpSecrets.map(({ kind }) => kind).toSorted());
    for (const { secret } of madeUpSecrets) expect(scrubbed.text).not.toContain(secret);
  });

  it("however long it is", () => {
    const long = ["ey", "J", "aB3".repeat(300_000)].join("");
    expect(scrub(`x ${long}.${long}.${long} y`).text).toBe("x [redacted: JSON web token] y");
  });
});

describe("what people and agents write every day stays", () => {
  const digest = createHash("sha256").update("x").digest();
  const everyday = [
    `Committed ${digest.toString("hex").slice(0, 40)} (${digest.toString("hex").slice(0, 7)}) on main.`,
    `sha256:${digest.toString("hex")} sha512-${digest.toString("base64")} etag "${digest.toString("base64url")}"`,
    "Session 3f2b1c9a-5d4e-4f60-8a7b-9c0d1e2f3a4b, request req_011CVfT2kq, build 20261121.4, v1.2.3-rc.1+build.7",
    `![plot](data:image/png;base64,iVBORw0KGgo${digest.toString("base64").repeat(40)})`,
    "/home/bob/src/shop-web/node_modules/.pnpm/@types+node@20.19.43/node_modules/@types/node/index.d.ts:120:8",
    "C:\\Users\\bob\\AppData\\Local\\Temp\\shop-1a2b3c\\password_reset.spec.ts",
    "https://github.com/acme/shop/pull/214#discussion_r1234567890 and https://example.org:8443/a?b=c@d",
    "git clone git@github.com:acme/shop.git; ssh://git@host:22/x; npm i @acme/shop@1.2.3; docker run -u 1000:1000 x",
    "Password: required. Token: invalid or expired. secret: none. api_key: missing. tokens: 12,345; max_token: 4096",
    "The token is refreshed by refreshToken(user), password = hash(password, salt), api_key=process.env.API_KEY2,",
    "token=$GITHUB_TOKEN password=${DB_PASSWORD} secret={{ vault.secret }} key=<your key here> token=xxxxxxxxxxxx",
    "secret: /run/secrets/db_password1, token_file=./tokens/ci-2.txt, --token-file a1 --password-stdin",
    "bearer authentication, basic auth since 2026-11-21, authorization: none; risk-adjusted task-force desk-bound-workers",
    "class sk-loading-spinner-container-wrapper-small, fk-order-customer-constraint-name-here, SK and AKIA and ghp_ alone",
    "<App x-index-key={row.id} x-sort-key='created-at' />; figd_ and dapi alone; ?auth=required; api.day.app/register",
    "interface Config { password: string; token?: string; apiKey: number; secret: Buffer }",
    ...innocentTexts,
    "Der Schlüssel: geheim. 密码：没有。パスワード: なし 👩‍👩‍👧‍👦",
    "",
  ];

  it("to the letter", () =>
    everyRow(everyday, (text) => {
      expect(scrub(text)).toEqual({ text, found: [] });
    }));

  it("and with it nearly all that agents say about passwords and keys", () => {
    const changed = ordinaryMessages.filter((text) => scrub(text).found.length > 0);
    expect(changed.length / ordinaryMessages.length).toBeLessThan(0.05);
  });

  it("and all of the last messages of a turn", () => {
    expect(finalMessages.filter(({ text }) => scrub(text).found.length > 0)).toEqual([]);
  });

  it("and in every payload that an agent was seen to send", async () => {
    expect(capturedPayloads.length).toBeGreaterThan(20);
    await everyRow(
      capturedPayloads,
      ({ text }) => {
        expect(scrub(text)).toEqual({ text, found: [] });
      },
      ({ agentId, file }) => `${agentId}/${file}`,
    );
  });
});

describe("the time grows with the text alone", () => {
  /** Classes and escapes say one character, whatever stands in them. */
  const skeleton = (source: string): string => source.replace(/\\./g, "x").replace(/\[[^\]]*\]/g, "x");

  it("since no expression that is searched for repeats anything without end", () => {
    const searched = searchedExpressions();
    expect(searched.length).toBe(14);
    for (const { source } of searched) expect(skeleton(source)).not.toMatch(/[*+]|\{\d*,\}/);
    for (const endless of ["a+", "[ab]*", "\\w{3,}"]) expect(skeleton(endless)).toMatch(/[*+]|\{\d*,\}/);
  });
});
