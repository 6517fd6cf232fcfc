import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { give } from "../../../src/answers/give-answer.ts";
import { readAnswer, readQuestion } from "../../../src/answers/questions.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { openQuestion } from "../../answers/sample.ts";
import { noteSession } from "../../../src/pipeline/coalescer/waiting-list.ts";
import { readChannelState } from "../../../src/pipeline/channel/endpoint-policy.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import type { Trace } from "../../../src/pipeline/stages.ts";
import type { Opened } from "../../../src/pipeline/delivery/context.ts";
import { open } from "../../../src/pipeline/delivery/open.ts";
import { render, shownInList } from "../../../src/pipeline/delivery/render.ts";
import { hostName } from "../../../src/system/process/identity.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { prepareDue, slack } from "./due.ts";

const minuteMs = 60_000;
const desktop = { type: "desktop" };

async function prepare(...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { due, tools } = prepared;
  const opened = await open({ ...due, state: readChannelState(tools.dispatcher, "team") }, tools);
  if ("ended" in opened) throw new Error(opened.why);
  return { ...prepared, opened };
}

/** The event asks, as two sessions do. */
function asking(prepared: Awaited<ReturnType<typeof prepare>>): Opened {
  const { opened, tools, now } = prepared;
  const { layout } = tools.dispatcher;
  for (const session of ["s0", "s1"]) {
    const question = { id: `evt_${session}`, at: now, name: "PermissionRequest", channels: ["team"] };
    const record = recordOf({ agent: "droid", session, lastSeenAt: now, open: [question] });
    noteSession(layout, record);
    writeSession(layout, record);
  }
  const event = { ...opened.delivery.event, name: "PermissionRequest" };
  const joins = { agent: "droid", session: "s1" };
  return { ...opened, delivery: { ...opened.delivery, event, joins } };
}

it("a message is shown by itself, with what the channel remembers of its session", async () => {
  const { opened, tools } = await prepare([{}]);
  const remembered = { team: { ts: "1" } };
  writeSession(tools.dispatcher.layout, recordOf({ agent: "droid", session: "s0", lastSeenAt: 1, remembered }));
  expect(render(opened, tools)).toMatchObject({
    attempt: { form: { kind: "message", request: { remembered: { ts: "1" }, isSilent: false } } },
  });
});

it.each([
  ["a step of an escalation", { escalatesAfterMs: 10 * minuteMs }, undefined, "open for 10m, no one has reacted"],
  [
    "the fleet's note comes last",
    { escalatesAfterMs: 10 * minuteMs },
    "box2 is away",
    "open for 10m, no one has reacted; box2 is away",
  ],
  ["a note may stand alone", {}, "box2 is away", "box2 is away"],
  [
    "under a minute, the seconds count",
    { escalatesAfterMs: minuteMs / 2 },
    undefined,
    "open for 30s, no one has reacted",
  ],
  [
    "a question's step says that it is not answered",
    ({ event }: Delivery) => ({ escalatesAfterMs: 10 * minuteMs, event: { ...event, name: "PermissionRequest" } }),
    undefined,
    "open for 10m, not answered",
  ],
] as const)("what is known when it is sent comes first in the context: %s", async (_what, more, note, value) => {
  const { opened, tools } = await prepare([more]);
  const { message } = opened.delivery;
  expect(render({ ...opened, note }, tools)).toMatchObject({
    attempt: {
      form: { shown: { message: { body: message.body, fields: [{ label: "", value }, ...message.fields] } } },
    },
  });
  expect(opened.delivery.message).toEqual(message);
});

it("a late step says how old the event is, in whole minutes, and a message without a note is as it was", async () => {
  const { opened, tools } = await prepare([{ escalatesAfterMs: 5 * minuteMs }], slack, { ageMs: 10.5 * minuteMs });
  const fields = [{ label: "", value: "open for 10m, no one has reacted" }];
  expect(render(opened, tools)).toMatchObject({ attempt: { form: { shown: { message: { fields } } } } });
  const plain = await prepare([{}]);
  expect(render(plain.opened, plain.tools)).toMatchObject({
    attempt: { form: { shown: { message: plain.opened.delivery.message } } },
  });
});

it("a question whose hook is not waited for is an event", async () => {
  const { opened, tools } = await prepare([{ kind: "question", question: "none" }]);
  const rendered = render(opened, tools);
  expect(rendered).toMatchObject({ delivery: { kind: "event" }, attempt: { form: { kind: "message" } } });
  expect(rendered.delivery).not.toHaveProperty("question");
});

it("where several sessions wait, a channel that shows lists gets one, and the same list only once", async () => {
  const prepared = await prepare([{}], desktop);
  const { tools } = prepared;
  const rendered = render(asking(prepared), tools);
  expect(rendered).toMatchObject({ attempt: { form: { kind: "list", outdated: undefined } } });
  const key = "form" in rendered.attempt && rendered.attempt.form.kind === "list" ? rendered.attempt.form.list.key : "";
  noteList(tools.dispatcher.layout, "team", { key });
  expect(render(asking(prepared), tools)).toMatchObject({
    attempt: { how: "known", outcome: { status: "delivered", detail: shownInList } },
  });
});

it("a list takes the place of the message that rang, and an older list says that it is outdated", async () => {
  const prepared = await prepare([{}], { type: "ntfy", topic: "t" });
  const { tools, now } = prepared;
  const { layout } = tools.dispatcher;
  const opened = asking(prepared);
  expect(render(opened, tools)).toMatchObject({
    attempt: {
      form: { kind: "list", list: { hasTakenPlace: false }, outdated: undefined, request: { isSilent: true } },
    },
  });
  const question = { id: "evt_s1", at: now, name: "PermissionRequest", channels: ["team"] };
  const rang = {
    agent: "droid",
    session: "s1",
    lastSeenAt: now,
    open: [question],
    remembered: { team: { id: "rang" } },
  };
  writeSession(layout, recordOf(rang));
  expect(render(opened, tools)).toMatchObject({
    attempt: { form: { list: { hasTakenPlace: true }, outdated: undefined, request: { remembered: { id: "rang" } } } },
  });
  noteList(layout, "team", { reference: { id: "older list" } });
  const title = "The sessions that wait are in a newer message";
  expect(render(opened, tools)).toMatchObject({
    attempt: {
      form: {
        request: { remembered: { id: "rang" } },
        outdated: {
          request: { remembered: { id: "older list" } },
          shown: { message: { title, level: "info" }, event: { level: "info" } },
        },
      },
    },
  });
});

it("a question whose hook is not waited for is no list", async () => {
  const prepared = await prepare([{ kind: "question", question: "none" }], desktop);
  expect(render(asking(prepared), prepared.tools)).toMatchObject({ attempt: { form: { kind: "message" } } });
});

describe("a question whose hook waits", () => {
  const phone = { type: "telegram", token: "123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw_", chat: 77, answers: true };

  async function prepareAsked(more: object = {}, host = "testhost") {
    const prepared = await prepareDue([{ kind: "question", question: "none", ...more }], phone, {
      more: { answers: { allow: ["Bash"], hold: "always" } },
    });
    const { tools, due, now } = prepared;
    const { layout } = tools.dispatcher;
    const question = openQuestion(layout, {
      routes: await prepared.routes(),
      host,
      askedAt: now,
      expiresAt: now + 300_000,
    });
    const questionsAndClicks = { untilOver: () => new AbortController().signal, watchClick: () => ({}) as never };
    const opened = await open({ ...due, state: readChannelState(tools.dispatcher, "team") }, tools);
    if ("ended" in opened) throw new Error(opened.why);
    const asked = { ...opened, delivery: { ...opened.delivery, kind: "question" as const, question: question.id } };
    return { now, layout, question, rendered: () => render(asked as Opened, { ...tools, questionsAndClicks }) };
  }

  it("is shown with its buttons, and stays a question", async () => {
    const { layout, question, rendered } = await prepareAsked();
    const { delivery, attempt } = rendered();
    expect(delivery).toMatchObject({ kind: "question", question: question.id });
    expect(attempt).toMatchObject({
      form: { kind: "card", request: { question: { buttons: [{ choice: "allow" }, { choice: "deny" }] } } },
    });
    expect(readQuestion(layout, question.id)?.nonces.map(({ channel }) => channel)).toEqual(["team", "team"]);
  });

  it("says on its card how long it is open", async () => {
    const { rendered } = await prepareAsked({ escalatesAfterMs: 10 * minuteMs });
    const fields = [{ label: "note", value: "open for 10m, no one has reacted" }];
    expect(rendered()).toMatchObject({
      attempt: { form: { shown: { message: { fields: expect.arrayContaining(fields) } } } },
    });
  });

  it("is a plain message on each channel, and over, once another program has changed its hook", async () => {
    const { layout, question, rendered } = await prepareAsked({ escalatesAfterMs: 10 * minuteMs }, hostName());
    expect(rendered()).toMatchObject({ attempt: { form: { kind: "card" } } });
    writeFileSync(join(layout.root, "hookbell-hook.sh"), "#!/bin/sh\nid\n");
    for (let channel = 0; channel < 2; channel += 1) {
      const { delivery, attempt } = rendered();
      expect(delivery).toMatchObject({ kind: "event" });
      const note = /^open for 10m, .*; no buttons: hookbell's hook script was changed by another program at \d\d:\d\d$/;
      const fields = [{ label: "", value: expect.stringMatching(note) as string }];
      expect(attempt).toMatchObject({ form: { kind: "message", shown: { message: { fields } } } });
    }
    expect(readAnswer(layout, question.id)).toMatchObject({ choice: "none", isUnanswered: true });
  });

  it("is not shown once it is answered, and is a plain message where no one could answer it", async () => {
    const { now, layout, question, rendered } = await prepareAsked();
    give(layout, question, { choice: "deny", by: "Ann", at: now + 1000 });
    expect(rendered()).toMatchObject({
      delivery: { kind: "question" },
      attempt: { how: "known", outcome: { status: "delivered", detail: "not shown: denied by Ann after 1s" } },
    });
    const unshown = await prepareAsked();
    give(unshown.layout, unshown.question, { choice: "none", by: "no channel", isUnanswered: true, at: now });
    expect(unshown.rendered()).toMatchObject({ delivery: { kind: "event" }, attempt: { form: { kind: "message" } } });
  });
});

it("where a channel shows no lists, each question is a message", async () => {
  const prepared = await prepare([{}], { type: "webhook", url: "https://vendor.example/hook" });
  expect(render(asking(prepared), prepared.tools)).toMatchObject({ attempt: { form: { kind: "message" } } });
});

it("what needs no receiver is left as it is", async () => {
  const { opened, tools } = await prepare([{ expiresAt: 0 }], slack);
  expect(render(opened, tools)).toMatchObject({ attempt: { how: "known", outcome: { reason: "expired" } } });
});

it("the trace says in which form the channel shows it", async () => {
  const byItself = await prepare([{}]);
  const { dispatcher } = byItself.tools;
  const foundIn = ({ trace }: { trace: Trace }) => trace.map(({ stage, found }) => `${stage}: ${found}`);
  expect(foundIn(render(byItself.opened, byItself.tools))).toEqual([
    "open: kind: event; attempt 1",
    "render: a message",
  ]);
  const remembered = { team: { ts: "1" } };
  writeSession(dispatcher.layout, recordOf({ agent: "droid", session: "s0", lastSeenAt: 1, remembered }));
  const { opened } = byItself;
  const joined = { ...opened, delivery: { ...opened.delivery, joins: { agent: "droid", session: "s9" } } };
  expect(foundIn(render(joined, byItself.tools)).at(-1)).toBe(
    "render: a message; in place of an earlier one; without a sound",
  );
  const listed = await prepare([{}], desktop);
  const asked = asking(listed);
  const list = render(asked, listed.tools);
  expect(foundIn(list).at(-1)).toBe("render: a list of all sessions that wait; without a sound");
  const key = "form" in list.attempt && list.attempt.form.kind === "list" ? list.attempt.form.list.key : "";
  noteList(listed.tools.dispatcher.layout, "team", { key });
  expect(foundIn(render(asked, listed.tools)).at(-1)).toBe("render: not shown");
});
