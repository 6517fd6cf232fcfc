import { expect, it } from "vitest";
import { collect } from "../../../src/pipeline/delivery/collect.ts";
import { prepareDue } from "./due.ts";

const grouped = { hold: { by: "group", why: "", gather: "g" } };

it("a delivery that no policy defers leaves alone", async () => {
  const { due, tools } = await prepareDue([{}, grouped]);
  expect(collect(due, tools)).toMatchObject({ together: undefined, isDue: true });
});

it("those of one group leave together once their time has come, and those of another one stay", async () => {
  const other = { hold: { by: "group", why: "", gather: "other" } };
  const { due, tools, files } = await prepareDue([grouped, other, grouped]);
  expect(collect(due, tools)).toMatchObject({ together: [files[0], files[2]], isDue: true });
});

it("one is decided about alone before its time, because its session has changed", async () => {
  const { due, tools, files, clock, now } = await prepareDue([grouped, grouped]);
  due.waiting.deferred = { until: now + 1, gather: "g" };
  expect(collect(due, tools)).toMatchObject({ together: [files[0]], isDue: false });
  clock.turn(1);
  expect(collect(due, tools)).toMatchObject({ together: files, isDue: true });
});
