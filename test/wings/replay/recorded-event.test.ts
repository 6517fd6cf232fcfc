// An event of the journal comes again as the stages have it: what they decide themselves is left to them.
import { expect, it } from "vitest";
import { writeSession } from "../../../src/outbox/sessions.ts";
import { readRecorded, trackRecorded } from "../../../src/wings/replay/recorded-event.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";
import { recordOf } from "../../support/project/session-record.ts";

it("a subagent's event is ignored by the session's record, in the words of 1.0.0-rc.1 and of today; an agent's reason stays", async () => {
  const { dispatcher, clock, writeRules } = prepareDispatcher();
  writeRules({ channels: {}, rules: [] });
  await dispatcher.rereadRules();
  const ignoredOf = (session: string, name: string, ignored: string): string | undefined => {
    const at = new Date(clock.now()).toISOString();
    const event = { id: "evt_1", name, agent: "droid", session, cwd: "/srv/shop", project: "shop", at, level: "info" };
    const recorded = readRecorded({ at, kind: "event", event, ignored, known: {} });
    if (recorded === undefined) throw new Error("the entry has no event");
    return trackRecorded(dispatcher, recorded, {}, "0001").reading.ignored;
  };
  for (const [session, helperOf] of [["child", "parent"], ["own"]] as const)
    writeSession(dispatcher.layout, recordOf({ agent: "droid", session, helperOf, lastSeenAt: clock.now() }));
  const end = (word: string): string => `the end of a ${word}: its SubagentStop reports it`;
  expect([end("subagent"), end("helper")].map((why) => ignoredOf("child", "Stop", why))).toEqual([
    undefined,
    undefined,
  ]);
  expect(ignoredOf("child", "SessionEnd", "a helper's session")).toBeUndefined();
  expect(ignoredOf("child", "Stop", "a helper's prompt")).toBe("a helper's prompt");
  expect(ignoredOf("own", "Stop", end("helper"))).toBe(end("helper"));
});
