// A digest at a time of day: a dispatcher sends it through the rules, once.
import { expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { writeJournal } from "../../../src/outbox/journal.ts";
import { eventOf, minute } from "../../attention/messages.ts";
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
  for (let times = 0; times < 2; times += 1) {
    expect(await project.run(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
  }
  const [{ body } = { body: "{}" }, ...more] = receiver.requests;
  expect(more).toEqual([]);
  expect(body).toContain("1 turn, 20m of work since ");
  expect(body).toContain("Minutes of work");
  await receiver.close();
});
