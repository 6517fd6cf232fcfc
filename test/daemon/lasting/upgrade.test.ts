import { expect, it } from "vitest";
import { watchUpgrade } from "../../../src/daemon/lasting/upgrade.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

function start() {
  const clock = createFakeClock();
  const program: { identity: string | undefined } = { identity: "old" };
  const upgrade = watchUpgrade(clock, () => program.identity);
  void upgrade.start?.();
  return { clock, program, upgrade, isOver: () => upgrade.signal.aborted };
}

it("is over once the program is another one, and no longer being written", () => {
  const { clock, program, isOver } = start();
  clock.turn(3_600_000);
  program.identity = "half";
  clock.turn(5000);
  program.identity = "whole";
  clock.turn(5000);
  expect(isOver()).toBe(false);
  clock.turn(5000);
  expect(isOver()).toBe(true);
});

it("waits a minute for a program that is gone", () => {
  const { clock, program, isOver } = start();
  program.identity = undefined;
  clock.turn(55_000);
  program.identity = "old";
  clock.turn(5000);
  program.identity = undefined;
  clock.turn(55_000);
  expect(isOver()).toBe(false);
  clock.turn(5000);
  expect(isOver()).toBe(true);
});

it("looks no more once it is stopped", () => {
  const { clock, upgrade } = start();
  void upgrade.stop?.("ended");
  expect(clock.nextAt()).toBeUndefined();
});
