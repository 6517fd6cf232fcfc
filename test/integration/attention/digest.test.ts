// A digest at a time of day: a dispatcher sends it through the rules, once.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { eventOf, minute } from "../../policies/messages.ts";
import { mailPassword, mailServerParts, startMailServer, type MailServer } from "../../support/mail/mail-server.ts";
import { leaves, onlyHeader, readMail } from "../../support/mail/read-mail.ts";
import { describeWithParts } from "../../support/parts.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { temporaryProject } from "../../support/project/running-project.ts";

it("a digest that is due goes where a rule says, once, with its table and chart", async () => {
  const receiver = await startHttpReceiver();
  const project = temporaryProject();
  ensureLayout(project.layout);
  const now = Date.now();
  const before = now - 2 * minute;
  writeJournal(project.layout, before, {
    kind: "event",
    event: eventOf("Stop", { durationMs: 20 * minute }, before),
  });
  const at = new Date(now).toISOString().slice(11, 16);
  project.writeRules({
    digest: { at, timeZone: "UTC" },
    channels: { ops: { type: "webhook", url: receiver.origin } },
    rules: [{ name: "the day", when: { event: "Digest", agent: "hookbell" }, notify: ["ops"] }],
  });
  for (const run of [project.run, project.command]) {
    expect(await run(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
  }
  const [{ body } = { body: "{}" }, ...more] = receiver.requests;
  expect(more).toEqual([]);
  expect(body).toContain("1 turn, 20m of work");
  expect(body).toContain("Minutes of work");
  await receiver.close();
});

describeWithParts("a digest by e-mail", mailServerParts, () => {
  let server: MailServer;
  beforeAll(async () => {
    server = await startMailServer();
  });
  afterAll(() => server?.stop());

  it("is in the mailbox, with its projects as a table and its work as a chart", async () => {
    const project = temporaryProject();
    ensureLayout(project.layout);
    const before = Date.now() - 2 * minute;
    writeJournal(project.layout, before, {
      kind: "event",
      event: eventOf("Stop", { durationMs: 20 * minute, project: "<shop> & co" }, before),
    });
    const login = `alice:${encodeURIComponent(mailPassword)}`;
    const mail = { type: "email", from: "alice@test.local", to: ["bob@test.local"], ca: server.caFile };
    project.writeRules({
      channels: { mail: { ...mail, smtp: `smtp://${login}@localhost:${server.startTlsPort}` } },
      rules: [{ name: "the day", when: { event: "Digest" }, notify: ["mail"] }],
    });
    expect(await project.run(["digest", "--send"])).toMatchObject({ code: 0, stderr: "" });
    const [source = ""] = await server.mailsOf("bob", 1);
    const [text, html, picture] = leaves(readMail(source));
    expect(text?.text).toMatch(/^<shop> & co +20m +1 +Claude Code$/m);
    expect(html?.text).toMatch(/<td[^>]*>&lt;shop&gt; &amp; co<\/td>/);
    const id = onlyHeader(picture!, "Content-Id").replace(/[<>]/g, "");
    expect(html?.text).toContain(`<img src="cid:${id}"`);
  });
});
