import { expect, it } from "vitest";
import { noteSession } from "../../../src/dispatch/plan/waiting-list.ts";
import { readChannelState } from "../../../src/dispatch/policy/endpoint-policy.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import type { Opened } from "../../../src/pipeline/delivery/context.ts";
import { open } from "../../../src/pipeline/delivery/open.ts";
import { render, shownInList } from "../../../src/pipeline/delivery/render.ts";
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
  [
    "a step of an escalation says how long it is open",
    { escalatesAfterMs: 10 * minuteMs },
    undefined,
    "Open for 10m, no one has reacted.\ndone",
  ],
  [
    "the fleet's note comes last",
    { escalatesAfterMs: 10 * minuteMs },
    "box2 is away",
    "Open for 10m, no one has reacted; box2 is away.\ndone",
  ],
  ["a note may stand alone", {}, "box2 is away", "Box2 is away.\ndone"],
])("%s", async (_what, more, note, body) => {
  const { opened, tools } = await prepare([more]);
  expect(render({ ...opened, note }, tools)).toMatchObject({ attempt: { form: { shown: { message: { body } } } } });
  expect(opened.delivery.message.body).toBe("done");
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

it("where a channel shows no lists, each question is a message", async () => {
  const prepared = await prepare([{}], { type: "webhook", url: "https://vendor.example/hook" });
  expect(render(asking(prepared), prepared.tools)).toMatchObject({ attempt: { form: { kind: "message" } } });
});

it("what needs no receiver is left as it is", async () => {
  const { opened, tools } = await prepare([{ expiresAt: 0 }], slack);
  expect(render(opened, tools)).toMatchObject({ attempt: { how: "known", outcome: { reason: "expired" } } });
});
