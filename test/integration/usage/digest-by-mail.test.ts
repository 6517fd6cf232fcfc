// A digest on its whole way: from the platform through `hookbell platform poll` and the dispatcher into a real mailbox.
import { decode } from "fast-png";
import { afterAll, beforeAll, expect, it } from "vitest";
import { addDays, utcDate } from "../../../src/wings/platform/contract/dates.ts";
import { mailPassword, mailServerParts, startMailServer, type MailServer } from "../../support/mail/mail-server.ts";
import { leaves, onlyHeader, readMail } from "../../support/mail/read-mail.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../support/usage/receiver.ts";
import { temporaryProject } from "../../support/project/running-project.ts";

const today = utcDate(Date.now());
const yesterday = addDays(today, -1);

describeWithParts("a usage digest by e-mail", mailServerParts, () => {
  let server: MailServer;
  let receiver: PlatformReceiver;
  beforeAll(async () => {
    server = await startMailServer();
    receiver = await startPlatformReceiver(today);
    for (const [name, rows] of Object.entries(receiver.rows)) {
      receiver.rows[name] = Array.from({ length: 14 }, (_, index) => index).flatMap((index) =>
        rows.map((row) => ({ ...row, date: addDays(yesterday, -index) })),
      );
    }
  });
  afterAll(async () => {
    server?.stop();
    await receiver?.close();
  });

  it("arrives once, with its table and its chart", async () => {
    const project = temporaryProject();
    Object.assign(project.env, { HOOKBELL_PLATFORM_URL: receiver.origin, HOOKBELL_PLATFORM_KEY: "key-manager" });
    const login = `alice:${encodeURIComponent(mailPassword)}`;
    project.writeRules({
      channels: {
        mail: {
          type: "email",
          smtp: `smtp://${login}@localhost:${server.startTlsPort}`,
          from: "alice@test.local",
          to: ["bob@test.local"],
          ca: server.caFile,
        },
      },
      rules: [{ when: { event: "UsageDigest", agent: "platform" }, notify: ["mail"] }],
      platform: { digest: { at: "00:00" } },
    });
    expect(await project.run(["platform", "poll"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
    const [source = ""] = await server.mailsOf("bob", 1);
    expect(await project.run(["platform", "poll"])).toMatchObject({ code: 0, stdout: "", stderr: "" });

    const mail = readMail(source);
    // In some time zones the last complete day at midnight is another one.
    expect(onlyHeader(mail, "Subject")).toMatch(/^usage: 1,000 credits on \d{4}-\d\d-\d\d \(±0 %\)$/);
    const parts = leaves(mail);
    const types = parts.map((part) => onlyHeader(part, "Content-Type").split(";")[0]);
    expect(types).toEqual(["text/plain", "text/html", "image/png"]);
    const [text, html, picture] = parts;
    expect(text?.text).toMatch(/^Credits +1,000 +1,000 +±0 %$/m);
    const id = onlyHeader(picture!, "Content-Id").replace(/[<>]/g, "");
    expect(html?.text).toContain(`<img src="cid:${id}"`);
    expect(onlyHeader(picture!, "Content-Disposition")).toMatch(/^inline/);
    const [, encoded = ""] = source.split(/Content-Type: image\/png[^]*?\r?\n\r?\n/);
    const base64 = /^[\w+/=\r\n]+/.exec(encoded)?.[0] ?? "";
    expect(decode(Buffer.from(base64, "base64"))).toMatchObject({ width: 960, height: 240 });

    const events = project.journal().filter(({ kind }) => kind === "event");
    expect(events).toHaveLength(1);
  });
});
