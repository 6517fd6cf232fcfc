// Which sessions are remembered as open, and what a list takes the place of.
import { expect, it } from "vitest";
import { noteSession, openIn, placesOfList } from "../../../src/dispatch/plan/waiting-list.ts";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { noteList } from "../../../src/outbox/shared/lists.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

const agent = "droid";
const question = { id: "evt_1", at: 5, name: "PermissionRequest" };

it("a session is open while a turn or a question of it is", () => {
  const layout = temporaryState();
  const works = { kind: "working", since: 5, reason: "", source: "hook", turn: { helpers: 0 } } as const;
  writeSession(layout, recordOf({ agent, session: "read", open: [question] }));
  writeSession(layout, recordOf({ agent, session: "ended" }));
  const names = () => [...openIn(layout).values()].map(({ session }) => session);
  expect(names()).toEqual(["read"]);
  noteSession(layout, recordOf({ agent, session: "works", state: works }));
  noteSession(layout, recordOf({ agent, session: "idle" }));
  expect(names()).toEqual(["read", "works"]);
  noteSession(layout, recordOf({ agent, session: "read" }));
  noteSession(layout, recordOf({ agent, session: "works", open: [question] }));
  expect(names()).toEqual(["works"]);
  noteSession(layout, recordOf({ agent, session: "works" }));
  expect(names()).toEqual([]);
});

it("a list stays where a message can be taken back, and else takes the place of the one that rang", async () => {
  const running = prepareDispatcher();
  running.writeRules({ channels: { desk: { type: "desktop" }, phone: { type: "ntfy", topic: "t" } }, rules: [] });
  const { dispatcher } = running;
  await dispatcher.rereadRules();
  const { layout } = dispatcher;
  const joins = { agent, session: "s1" };
  const placesOf = (name: string, rang?: typeof joins) => {
    const channel = dispatcher.rules().rules.channels[name];
    return channel && placesOfList(dispatcher, channel, rang);
  };
  expect(placesOf("phone", joins)).toEqual({ replaces: undefined, outdated: undefined });
  for (const name of ["desk", "phone"]) noteList(layout, name, { reference: { id: "list" } });
  const remembered = { desk: { id: "rang" }, phone: { id: "rang" } };
  writeSession(layout, recordOf({ ...joins, remembered }));
  expect(placesOf("phone")).toEqual({ replaces: { id: "list" }, outdated: undefined });
  expect(placesOf("phone", joins)).toEqual({ replaces: { id: "rang" }, outdated: { id: "list" } });
  expect(placesOf("desk", joins)).toEqual({ replaces: { id: "list" }, outdated: undefined });
});
