// The made-up sessions say what a person did to them.
import { expect, it } from "vitest";
import { demoSource } from "../../../src/wings/board/demo.ts";
import { createFakeClock } from "../../support/fake-clock.ts";

it("says after a deny on the board that the person answered, not that the terminal did", async () => {
  const clock = createFakeClock();
  const source = demoSource(clock);
  const cart = () => source.read(clock.now()).find(({ record }) => record.session === "cart");
  const open = cart()?.questions[0]?.open;
  if (open === undefined) throw new Error("the demo asks nothing");
  expect(await source.answer(open, { choice: "deny" })).toMatch(/^Denied by you on the board/);
  clock.turn(2000);
  expect(cart()?.record.state).toMatchObject({ kind: "working", reason: "You answered its question." });
});
