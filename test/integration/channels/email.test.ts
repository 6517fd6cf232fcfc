// The e-mail channel against a real Postfix and a real Maildir.
import { afterAll, beforeAll, expect, it } from "vitest";
import { email } from "../../../src/channels/email/email.ts";
import { emailTools, resolveEmail, sampleMessage, sendEmail } from "../../support/mail/email-request.ts";
import {
  mailPassword,
  mailServerParts,
  maxMailBytes,
  startMailServer,
  type MailServer,
} from "../../support/mail/mail-server.ts";
import { describeWithParts } from "../../support/parts.ts";
import { onlyHeader, readMail } from "../../support/mail/read-mail.ts";

describeWithParts("e-mail through Postfix", mailServerParts, () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server?.stop());

  const login = (password: string): string => `alice:${encodeURIComponent(password)}`;
  const startTls = (more: Record<string, unknown> = {}): Record<string, unknown> => ({
    smtp: `smtp://${login(mailPassword)}@localhost:${server.startTlsPort}`,
    from: "alice@test.local",
    to: ["bob@test.local"],
    ca: server.caFile,
    ...more,
  });
  const implicitTls = (host: string): string => `smtps://${login(mailPassword)}@${host}:${server.implicitTlsPort}`;
  let bobHas = 0;
  /** Bob's newest mail, after one more was delivered to him. */
  const bobsNext = async (): Promise<ReturnType<typeof readMail>> => {
    bobHas += 1;
    const mails = await server.mailsOf("bob", bobHas);
    return readMail(mails.at(-1) ?? "");
  };

  it("sends over STARTTLS with a login, and the mail arrives as it was meant", async () => {
    const body = `May I run <b>npm publish</b> & more?\n  indented ✓ 日本語\n${"long line ".repeat(600)}`;
    const outcome = await sendEmail({ settings: startTls(), message: { body }, deliveryId: "msg_first" });
    expect(outcome).toEqual({ status: "delivered", detail: expect.stringMatching(/^250 2\.0\.0 Ok: queued as/) });
    const mail = await bobsNext();
    expect(mail.headers.get("received")?.join("\n")).toContain("with ESMTPSA ");
    expect(onlyHeader(mail, "From")).toBe("hookbell <alice@test.local>");
    expect(onlyHeader(mail, "To")).toBe("bob@test.local");
    expect(onlyHeader(mail, "Subject")).toBe("shop: needs you");
    expect(onlyHeader(mail, "Message-ID")).toBe("<msg_first@test.local>");
    expect(onlyHeader(mail, "In-Reply-To")).toMatch(/^<session-[0-9a-f]{32}@test\.local>$/);
    expect(onlyHeader(mail, "References")).toBe(onlyHeader(mail, "In-Reply-To"));
    expect(onlyHeader(mail, "Auto-Submitted")).toBe("auto-generated");
    expect(onlyHeader(mail, "X-Auto-Response-Suppress")).toBe("All");
    expect(onlyHeader(mail, "List-ID")).toBe('"hookbell" <hookbell.test.local>');
    expect(onlyHeader(mail, "Importance")).toBe("High");
    expect(mail.headers.has("x-mailer")).toBe(false);
    expect(onlyHeader(mail, "Content-Type")).toMatch(/^multipart\/alternative;/);
    const [text, html] = mail.parts;
    expect(onlyHeader(text!, "Content-Type")).toBe("text/plain; charset=utf-8");
    expect(text!.text).toContain(body.trim());
    expect(text!.text).toContain("project: shop\n\n-- \nNeeds you - 2026-11-21 ");
    expect(onlyHeader(html!, "Content-Type")).toBe("text/html; charset=utf-8");
    expect(html!.text).toContain("May I run &lt;b&gt;npm publish&lt;/b&gt; &amp; more?<br>  indented ✓ 日本語<br>");
    const lines = (await server.mailsOf("bob", bobHas)).at(-1)!.split("\n");
    expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThanOrEqual(998);
  });

  it("sends over TLS from the first byte", async () => {
    const outcome = await sendEmail({
      settings: startTls({ smtp: implicitTls("localhost") }),
      message: { level: "info" },
    });
    expect(outcome.status).toBe("delivered");
    const mail = await bobsNext();
    expect(mail.headers.get("received")?.join("\n")).toContain("with ESMTPSA ");
    expect(mail.headers.has("importance")).toBe(false);
  });

  it("puts the mails of one session into one conversation, and other sessions into others", async () => {
    const roots: string[] = [];
    for (const [deliveryId, session] of [
      ["msg_a", "one"],
      ["msg_b", "one"],
      ["msg_c", "two"],
    ] as const) {
      await sendEmail({ settings: startTls({ subject: "session" }), deliveryId, event: { session } });
      const mail = await bobsNext();
      expect(onlyHeader(mail, "Message-ID")).toBe(`<${deliveryId}@test.local>`);
      expect(onlyHeader(mail, "Subject")).toBe("shop: claude-code session");
      expect(mail.parts[0]!.text).toMatch(/^shop: needs you\n\n/);
      roots.push(onlyHeader(mail, "References"));
    }
    expect(roots[1]).toBe(roots[0]);
    expect(roots[2]).not.toBe(roots[0]);
  });

  it("lets no text of an event become a header, a recipient or mark-up", async () => {
    const attack =
      "x\r\nBcc: alice@test.local\r\nX-Injected: yes\r\n\r\n<script>alert(1)</script>\u0000\u001b[31m\r\n.\r\nQUIT";
    const outcome = await sendEmail({
      settings: startTls({ subject: "session" }),
      message: { title: attack, body: attack, fields: [{ label: attack, value: attack }] },
      event: { session: attack, project: attack, agent: attack, host: attack, name: attack, at: attack },
    });
    expect(outcome.status).toBe("delivered");
    const mail = await bobsNext();
    expect(mail.headers.has("bcc")).toBe(false);
    expect(mail.headers.has("x-injected")).toBe(false);
    expect(onlyHeader(mail, "To")).toBe("bob@test.local");
    expect(onlyHeader(mail, "Subject")).toMatch(/^x Bcc: alice@test\.local X-Injected: yes <script>/);
    expect(onlyHeader(mail, "In-Reply-To")).toMatch(/^<session-[0-9a-f]{32}@test\.local>$/);
    expect(mail.parts).toHaveLength(2);
    expect(mail.parts[0]!.text).toContain("\n.\nQUIT");
    expect(mail.parts[1]!.text).not.toContain("<script>");
    for (const part of mail.parts) expect(part.text).not.toMatch(/[\u0000\u001b]/);
    await expect(server.mailsOf("alice", 0)).resolves.toEqual([]);
  });

  it("takes names and answers to someone else from the settings", async () => {
    const from = '"Agent, on watch" <alice@test.local>';
    await sendEmail({ settings: startTls({ from, to: "Bøb <bob@test.local>", replyTo: "ops@test.local" }) });
    const mail = await bobsNext();
    expect(onlyHeader(mail, "From")).toBe('"Agent, on watch" <alice@test.local>');
    expect(onlyHeader(mail, "To")).toBe("Bøb <bob@test.local>");
    expect(onlyHeader(mail, "Reply-To")).toBe("ops@test.local");
  });

  it("is taken at the second try by a greylisting server, as the same mail from the same sender", async () => {
    const mail = { settings: startTls({ to: "grey@test.local" }), deliveryId: "msg_grey" };
    expect(await sendEmail(mail)).toMatchObject({
      status: "failed",
      reason: "serverError",
      detail: expect.stringMatching(/450 4\.2\.0 .*Greylisted/),
    });
    expect(await sendEmail(mail)).toMatchObject({ status: "delivered" });
    const [stored = ""] = await server.mailsOf("grey", 1);
    expect(onlyHeader(readMail(stored), "Message-ID")).toBe("<msg_grey@test.local>");
    // A greylist knows someone by all three.
    expect(server.greylisted).toEqual(Array(2).fill("127.0.0.1 alice@test.local grey@test.local"));
  });

  it("delivers when one of several recipients is refused, and says who was", async () => {
    const to = ["reject@test.local", "bob@test.local", "slow@test.local"];
    const outcome = await sendEmail({ settings: startTls({ to }) });
    expect(outcome).toEqual({
      status: "delivered",
      detail: expect.stringMatching(
        /^250 .*; refused: reject@test\.local \(550 5\.7\.1 .*\), slow@test\.local \(451 4\.7\.1 .*\)$/,
      ),
    });
    await bobsNext();
  });

  it("sends without encryption to this machine when asked to by name", async () => {
    const smtp = `smtp://127.0.0.1:${server.plainPort}`;
    expect(
      email.settings.safeParse(startTls({ smtp: "smtp://mail.example.org", withoutTls: "loopback" })).success,
    ).toBe(false);
    expect((await sendEmail({ settings: startTls({ smtp, withoutTls: "loopback", ca: undefined }) })).status).toBe(
      "delivered",
    );
    expect((await bobsNext()).headers.get("received")?.join("\n")).toMatch(/by localhost \(Postfix\) with ESMTP /);
  });

  const failures: [string, () => Parameters<typeof sendEmail>[0], string, RegExp][] = [
    [
      "a wrong password",
      () => ({ settings: startTls({ smtp: `smtp://${login("wr0ng-passw0rd")}@localhost:${server.startTlsPort}` }) }),
      "unauthorized",
      /the login: 535 5\.7\.8 .*password in "smtp"/,
    ],
    ["an unknown CA", () => ({ settings: startTls({ ca: undefined }) }), "network", /not trusted; .*set "ca"/],
    [
      "another host's certificate",
      () => ({ settings: startTls({ smtp: implicitTls("127.0.0.1") }) }),
      "network",
      /certificate is for another host name; /,
    ],
    [
      "TLS from the start on the STARTTLS port",
      () => ({ settings: startTls({ smtp: `smtps://localhost:${server.startTlsPort}` }) }),
      "network",
      /does not speak TLS from the start on this port; in "smtp", write smtp:\/\//,
    ],
    [
      "a refused recipient",
      () => ({ settings: startTls({ to: "reject@test.local" }) }),
      "rejected",
      /every recipient was refused: 550 5\.7\.1/,
    ],
    ["an unknown recipient", () => ({ settings: startTls({ to: "nobody@test.local" }) }), "rejected", /: 550 5\.1\.1/],
    [
      "a recipient refused for now",
      () => ({ settings: startTls({ to: "slow@test.local" }) }),
      "serverError",
      /451 4\.7\.1/,
    ],
    [
      "refusals of both kinds",
      () => ({ settings: startTls({ to: ["slow@test.local", "reject@test.local"] }) }),
      "serverError",
      /451 4\.7\.1/,
    ],
    [
      "a mail that is too big",
      () => ({ settings: startTls(), message: { body: "ü".repeat(maxMailBytes) } }),
      "rejected",
      /the message was refused: 552 5\.3\.4/,
    ],
    [
      "no login where one is wanted",
      () => ({ settings: startTls({ smtp: `smtp://localhost:${server.startTlsPort}` }) }),
      "rejected",
      /554 5\.7\.1/,
    ],
    [
      "a CA file that is not there",
      () => ({ settings: startTls({ ca: "/nonexistent/ca.pem" }) }),
      "rejected",
      /the file \/nonexistent\/ca\.pem .*does not exist/,
    ],
  ];
  it.each(failures)("fails with a reason for %s", async (_, attempt, reason, detail) => {
    const outcome = await sendEmail(attempt());
    expect(outcome).toEqual({ status: "failed", reason, detail: expect.stringMatching(detail) });
    for (const secret of [mailPassword, encodeURIComponent(mailPassword), "wr0ng-passw0rd"]) {
      expect(JSON.stringify(outcome)).not.toContain(secret);
    }
  });

  const probes: [string, () => Record<string, unknown>, object][] = [
    [
      "a sound server",
      () => startTls(),
      { status: "ok", detail: expect.stringMatching(/^localhost:\d+ answers with encryption and accepts the login$/) },
    ],
    [
      "a wrong password",
      () => startTls({ smtp: `smtp://${login("wr0ng-passw0rd")}@localhost:${server.startTlsPort}` }),
      {
        status: "broken",
        detail: expect.stringMatching(/^localhost:\d+: .*535 5\.7\.8/),
        fix: expect.stringContaining('"smtp"'),
      },
    ],
    [
      "an unknown CA",
      () => startTls({ ca: undefined }),
      { status: "broken", detail: expect.stringContaining("not trusted"), fix: expect.stringContaining('"ca"') },
    ],
  ];
  it.each(probes)("probes %s without sending", async (_, settings, expected) => {
    expect(await email.probe?.(await resolveEmail(settings()), emailTools())).toEqual(expected);
    await expect(server.mailsOf("bob", 0)).resolves.toHaveLength(bobHas);
  });

  it("cuts what no server would take", async () => {
    const outcome = await sendEmail({
      settings: startTls(),
      message: { title: "t".repeat(5_000), body: sampleMessage.body },
    });
    expect(outcome.status).toBe("delivered");
    expect(onlyHeader(await bobsNext(), "Subject")).toMatch(/^t{149}…$/);
  });
});
