// The strip of the day: what is counted of the journal, in which quarter of an hour, and of which project.
import { expect, it } from "vitest";
import { createDayReader, dayOf, quarters, type DayKind, type ProjectDay } from "../../src/overview/day.ts";
import { writeJournal } from "../../src/outbox/journal.ts";
import { eventOf, hour, minute } from "../policies/messages.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

/** Midnight of this machine's time zone. */
const midnight = new Date(2026, 10, 23).getTime();
const night = midnight + 23 * hour;

const filled = (day: ProjectDay | undefined, kind: DayKind): [number, number][] =>
  (day?.[kind] ?? []).flatMap((count, quarter): [number, number][] => (count === 0 ? [] : [[quarter, count]]));

it("counts turns, questions and failures of each project in their quarters, and reads on", async () => {
  const layout = temporaryState();
  const happens = (at: number, name: string, project: string, more: object = {}): void =>
    writeJournal(layout, at, { kind: "event", event: eventOf(name, { project }, at), ...more });
  happens(midnight - 1, "Stop", "shop");
  happens(midnight, "Stop", "shop");
  happens(midnight + 14 * minute, "Stop", "shop");
  happens(midnight + 15 * minute, "StopFailure", "shop");
  happens(midnight + 9 * hour, "PermissionRequest", "shop");
  happens(midnight + 9 * hour, "Stop", "shop", { duplicateOf: "evt_1" });
  happens(midnight + 9 * hour, "PermissionRequest", "shop", { ignored: "a subagent's" });
  happens(midnight + 9 * hour, "SessionStart", "shop");
  happens(midnight + 10 * hour, "Stop", "docs");
  const read = createDayReader(layout);
  const { start, projects } = await read(night);
  expect(start).toBe(midnight);
  expect(projects.map(({ project, summary }) => [project, summary])).toEqual([
    ["shop", "3 turns, 1 question, 1 failure"],
    ["docs", "1 turn"],
  ]);
  expect([filled(projects[0], "turns"), filled(projects[0], "questions"), filled(projects[0], "failures")]).toEqual([
    [
      [0, 2],
      [1, 1],
    ],
    [[36, 1]],
    [[1, 1]],
  ]);
  happens(night, "Stop", "docs");
  const later = await read(night);
  expect(filled(later.projects[1], "turns")).toEqual([
    [40, 1],
    [92, 1],
  ]);
  expect((await read(night + 2 * hour)).projects).toEqual([]);
});

it("has room for every hour of a day on which the clocks change", () => {
  const everyQuarter = Array.from({ length: 25 * 4 }, (_, index) => midnight + index * 15 * minute);
  const day = dayOf(
    everyQuarter.map((at) => ({ at, event: eventOf("Stop", { project: "shop" }, at) })),
    night,
  );
  expect(day.projects[0]?.turns).toHaveLength(quarters);
});
