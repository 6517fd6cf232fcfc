// The e-mail channel against a server that breaks the rules on purpose.
import { afterEach, describe, expect, it } from "vitest";
import { email } from "../../../src/channels/email/email.ts";
import { emailTools, resolveEmail, sendEmail } from "../../support/mail/email-request.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { drop, silence, startScriptedSmtp, type Answer, type ScriptedSmtp } from "../../support/mail/scripted-smtp.ts";

const password = "hunter-two+2";
const onLoopback = { from: "alice@test.local", to: "bob@test.local", withoutTls: "loopback" };
const anyAuth = "250-test\r\n250 AUTH PLAIN";

describe("e-mail to a server that breaks the rules", () => {
  let server: ScriptedSmtp | undefined;
  afterEach(() => server?.stop());

  const url = (): string => `smtp://alice:${encodeURIComponent(password)}@127.0.0.1:${server?.port}`;
  const withoutLogin = (): string => `smtp://127.0.0.1:${server?.port}`;

  const cases: [string, Record<string, Answer>, string, RegExp][] = [
    ["never greets", { "": silence }, "timeout", /did not answer in time; .*"smtp"/],
    ["hangs up at once", { "": drop }, "network", /closed|ECONNRESET/],
    ["greets with 421", { "": { last: "421 4.3.2 too busy" } }, "serverError", /421 4\.3\.2 too busy/],
    ["greets with 554", { "": { last: "554 5.7.1 go away" } }, "rejected", /554 5\.7\.1 go away/],
    ["speaks HTTP", { "": { last: "HTTP/1.1 400 Bad Request" } }, "network", /HTTP\/1\.1 400/],
    ["hangs up after MAIL", { MAIL: drop }, "network", /"smtp"/],
    ["refuses the sender", { MAIL: "550 5.7.1 not you" }, "rejected", /the sender was refused: 550 5\.7\.1 not you/],
    ["wants a login first", { MAIL: "530 5.7.0 Authentication required" }, "unauthorized", /530 5\.7\.0.*"smtp"/],
    ["refuses DATA for now", { DATA: "452 4.3.1 full" }, "serverError", /452 4\.3\.1 full/],
    ["stays silent on RCPT", { RCPT: silence }, "timeout", /did not answer in time/],
    ["refuses the content", { ".": "554 5.6.0 looks like spam" }, "rejected", /the message was refused: 554 5\.6\.0/],
    ["puts the content off", { ".": "451 4.3.0 later" }, "serverError", /451 4\.3\.0 later/],
    ["dies after the content", { ".": drop }, "unknown", /after the message was sent.*may have arrived/],
    ["stays silent after the content", { ".": silence }, "unknown", /after the message was sent/],
    ["says nonsense after the content", { ".": "Segmentation fault" }, "unknown", /Segmentation fault/],
  ];
  it.each(cases)("that %s is a failure with its reason", async (_, script, reason, detail) => {
    server = await startScriptedSmtp(script);
    const signal = deadlineAtSilence(server);
    const outcome = await sendEmail({ settings: { ...onLoopback, smtp: withoutLogin() }, signal });
    expect(outcome).toEqual({ status: "failed", reason, detail: expect.stringMatching(detail) });
  });

  const logins: [string, Record<string, Answer>, string][] = [
    ["offers no login", {}, "unauthorized"],
    ["does not know logins for now", { EHLO: anyAuth, AUTH: "454 4.7.0 Temporary failure" }, "serverError"],
    ["repeats the password", { EHLO: anyAuth, AUTH: `535 5.7.8 no ${password}` }, "unauthorized"],
    [
      "repeats the whole login",
      { EHLO: anyAuth, AUTH: `535 5.7.8 no ${Buffer.from(`\0alice\0${password}`).toString("base64")}` },
      "unauthorized",
    ],
  ];
  it.each(logins)("that %s, without telling the password", async (_, script, reason) => {
    server = await startScriptedSmtp(script);
    const settings = { ...onLoopback, smtp: url() };
    const outcome = await sendEmail({ settings });
    expect(outcome).toMatchObject({ status: "failed", reason });
    const probed = await email.probe?.(await resolveEmail(settings), emailTools());
    expect(probed?.status).toBe("broken");
    for (const secret of [
      password,
      encodeURIComponent(password),
      Buffer.from(`\0alice\0${password}`).toString("base64"),
    ]) {
      expect(JSON.stringify([outcome, probed])).not.toContain(secret);
    }
    expect(server.lines.some((line) => line.startsWith("MAIL"))).toBe(false);
  });

  describe("with tokens in place of a password", () => {
    const oauth = { clientId: "app-1", clientSecret: "secret-of-app-1", refreshToken: "1//refresh-token-of-alice" };
    const withTokens = "250-test\r\n250 AUTH PLAIN XOAUTH2";
    const attempt = async (script: Record<string, Answer>, behaviour: object) => {
      server = await startScriptedSmtp({ EHLO: withTokens, ...script });
      const tokens = await startHttpReceiver({ behaviour: behaviour as never });
      const settings = {
        ...onLoopback,
        smtp: `smtp://alice@127.0.0.1:${server.port}`,
        oauth: { ...oauth, tokenUrl: `${tokens.origin}/token` },
      };
      return { outcome: await sendEmail({ settings }), tokens };
    };

    it("logs in with an access token that it has asked for", async () => {
      const body = JSON.stringify({ access_token: "access-7", token_type: "Bearer", expires_in: 3600 });
      const { outcome, tokens } = await attempt({ AUTH: "235 2.7.0 Accepted" }, { answer: 200, body });
      expect(outcome).toMatchObject({ status: "delivered" });
      const asked = new URLSearchParams(tokens.requests[0]?.body);
      expect(Object.fromEntries(asked)).toEqual({
        client_id: "app-1",
        client_secret: oauth.clientSecret,
        refresh_token: oauth.refreshToken,
        grant_type: "refresh_token",
      });
      const [, , said = ""] = server?.lines.find((line) => line.startsWith("AUTH"))?.split(" ") ?? [];
      expect(Buffer.from(said, "base64").toString()).toBe("user=alice\u0001auth=Bearer access-7\u0001\u0001");
    });

    it("says of a token that was revoked what to do, without telling it", async () => {
      const body = JSON.stringify({ error: "invalid_grant", error_description: `revoked ${oauth.refreshToken}` });
      const { outcome } = await attempt({}, { answer: 400, body });
      expect(outcome).toMatchObject({ status: "failed", reason: "unauthorized" });
      expect(JSON.stringify(outcome)).toMatch(/no access token: .*check \\"oauth\\"/);
      expect(JSON.stringify(outcome)).not.toContain(oauth.refreshToken);
    });
  });

  const encryption: [string, Record<string, Answer>, string, RegExp][] = [
    ["has no STARTTLS", {}, "network", /could not be encrypted: 502 .*"withoutTls"/],
    ["has no certificate for now", { STARTTLS: "454 4.7.0 TLS not available" }, "serverError", /454 4\.7\.0/],
    ["hangs up in the handshake", { STARTTLS: { last: "220 go" } }, "network", /before secure TLS connection/],
  ];
  it.each(encryption)("that %s: nothing goes out unencrypted", async (_, script, reason, detail) => {
    server = await startScriptedSmtp(script);
    const outcome = await sendEmail({ settings: { ...onLoopback, withoutTls: undefined, smtp: url() } });
    expect(outcome).toEqual({ status: "failed", reason, detail: expect.stringMatching(detail) });
    expect(server.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });

  it("that is not there is a network failure", async () => {
    server = await startScriptedSmtp({});
    await server.stop();
    const outcome = await sendEmail({ settings: { ...onLoopback, smtp: withoutLogin() } });
    expect(outcome).toEqual({ status: "failed", reason: "network", detail: expect.stringContaining("ECONNREFUSED") });
  });

  it("that never answers a probe is broken", async () => {
    server = await startScriptedSmtp({ "": silence });
    const settings = await resolveEmail({ ...onLoopback, smtp: withoutLogin() });
    const probed = await email.probe?.(settings, emailTools(deadlineAtSilence(server)));
    expect(probed).toMatchObject({ status: "broken", detail: expect.stringContaining("did not answer in time") });
  });

  it("gives up before connecting when the deadline has passed already", async () => {
    server = await startScriptedSmtp({});
    const outcome = await sendEmail({ settings: { ...onLoopback, smtp: withoutLogin() }, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ status: "failed", reason: "timeout" });
    expect(server.lines).toEqual([]);
  });
});

/** A deadline that passes when the server has fallen silent, so that no test waits for a clock. */
function deadlineAtSilence(server: ScriptedSmtp): AbortSignal {
  const deadline = new AbortController();
  void server.silenced.then(() => deadline.abort());
  return deadline.signal;
}
