import { expect, it } from "vitest";
import { change, createLanes, dequeue, enqueue, sortLanes } from "../../../src/dispatch/run/lanes.ts";

const waiting = (file: string) => ({ file, session: file, notBefore: 0, eventMs: 0 });

it("lanes hold a file once, in the order of time whatever the order they came in, until it is taken out", () => {
  const lanes = createLanes();
  for (const file of ["2", "3", "1", "3"]) enqueue(lanes, "team", waiting(file));
  enqueue(lanes, "other", waiting("0"));
  sortLanes(lanes);
  const team = lanes.byChannel.get("team");
  expect([...(team?.waiting.keys() ?? [])]).toEqual(["1", "2", "3"]);
  change(lanes, "2", { notBefore: 70 });
  change(lanes, "gone", { notBefore: 70 });
  expect(team?.waiting.get("2")?.notBefore).toBe(70);
  for (const file of ["1", "3", "gone"]) dequeue(lanes, file);
  expect([...lanes.byFile.keys()].toSorted()).toEqual(["0", "2"]);
});

it("a lane is not sorted again for each delivery after a newer one, a question, has left it", () => {
  const lanes = createLanes();
  for (const file of ["9", "1"]) enqueue(lanes, "team", waiting(file));
  sortLanes(lanes);
  dequeue(lanes, "9");
  const team = lanes.byChannel.get("team");
  enqueue(lanes, "team", waiting("2"));
  sortLanes(lanes);
  enqueue(lanes, "team", waiting("3"));
  expect([team?.isSorted, [...(team?.waiting.keys() ?? [])]]).toEqual([true, ["1", "2", "3"]]);
});
