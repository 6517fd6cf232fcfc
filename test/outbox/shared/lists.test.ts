// The record of the lists that channels show, and the one that 1.0.0-rc.1 left.
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { forgetList, noteList, readLists } from "../../../src/outbox/shared/lists.ts";
import { ofAllSessions } from "../../../src/model/own-events.ts";
import { listSessions, writeSession } from "../../../src/outbox/sessions.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryState } from "../../support/project/temporary-state.ts";

it("keeps where each channel's list is, and what is in it, apart from one another", () => {
  const layout = temporaryState();
  expect([...readLists(layout)]).toEqual([]);
  noteList(layout, "phone", { reference: { id: "7" } });
  noteList(layout, "phone", { key: "evt_1 evt_2" });
  noteList(layout, "constructor", { key: "evt_3" });
  const phone = { reference: { id: "7" }, key: "evt_1 evt_2" };
  expect([...readLists(layout)]).toEqual([
    ["phone", phone],
    ["constructor", { key: "evt_3" }],
  ]);
  forgetList(layout, "desk");
  forgetList(layout, "constructor");
  expect([...readLists(layout)]).toEqual([["phone", phone]]);
  forgetList(layout, "phone");
  expect(existsSync(join(layout.root, "lists.json"))).toBe(false);
});

it("takes over what 1.0.0-rc.1 remembered of its lists, once", () => {
  const layout = temporaryState();
  writeSession(layout, recordOf({ ...ofAllSessions, remembered: { phone: { id: "7" }, desk: { id: "8" } } }));
  const old = { reference: { id: "7" } };
  expect(readLists(layout).get("phone")).toEqual(old);
  noteList(layout, "desk", { key: "evt_1" });
  expect([...readLists(layout)]).toEqual([
    ["phone", old],
    ["desk", { reference: { id: "8" }, key: "evt_1" }],
  ]);
  expect(listSessions(layout)).toEqual([]);
  for (const channel of ["phone", "desk"]) forgetList(layout, channel);
  expect([...readLists(layout)]).toEqual([]);
});

it("a file that cannot be read shows no list", () => {
  const layout = temporaryState();
  writeFileSync(join(layout.root, "lists.json"), '{"phone":');
  expect([...readLists(layout)]).toEqual([]);
});
