import { expect, it } from "vitest";
import type { Dispatcher } from "../../../src/pipeline/dispatcher.ts";
import type { ClaimDecision } from "../../../src/pipeline/dispatcher.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { claim } from "../../../src/pipeline/delivery/claim.ts";
import { collect } from "../../../src/pipeline/delivery/collect.ts";
import { filesIn, prepareDue } from "./due.ts";

/** A fleet that answers for each event, and notes which it was asked about. */
function fleetOf(turns: Record<string, ClaimDecision>) {
  const asked: string[] = [];
  const fleet: ReturnType<Dispatcher["fleet"]> = {
    publish() {},
    sync: () => Promise.resolve(),
    reserve() {},
    turn({ event }) {
      asked.push(event.id);
      return Promise.resolve(turns[event.id] ?? { next: "tell" });
    },
  };
  return { asked, fleet };
}

async function prepare(turns: Record<string, ClaimDecision>, waiting: Parameters<typeof prepareDue>[0]) {
  const prepared = await prepareDue(waiting);
  const { asked, fleet } = fleetOf(turns);
  prepared.tools.dispatcher.fleet = () => fleet;
  const released = [prepared.due.waiting.file];
  return { ...prepared, asked, context: { ...collect(prepared.due, prepared.tools), released } };
}

it("without a fleet, this machine notifies of what was released", async () => {
  const { due, tools } = await prepareDue([{}]);
  const context = { ...collect(due, tools), released: [due.waiting.file] };
  expect(claim(context, tools)).toEqual({ ...context, claimed: [due.waiting.file] });
});

it("the fleet is asked for all that is due, and the queue chooses again", async () => {
  const turns = {
    evt_1: { next: "wait", until: 1_900_000_000_000 },
    evt_2: { next: "leave", why: "box2 notifies" },
  } as const;
  const { context, tools, asked, queue, files, journal } = await prepare(turns, [{}, {}, {}]);
  expect(await claim(context, tools)).toMatchObject({ ended: "deferred" });
  expect(asked).toEqual(["evt_0", "evt_1", "evt_2"]);
  expect([...queue.waiting.values()]).toMatchObject([
    { file: files[0], claim: { note: undefined } },
    { file: files[1], notBefore: 1_900_000_000_000 },
  ]);
  expect(listDeliveries(tools.dispatcher.layout, "outbox")).toEqual(files.slice(0, 2));
  expect(journal("attention")).toMatchObject([{ verdict: "drop", by: "fleet", why: "box2 notifies" }]);
});

it("what is claimed already is not asked about, and what is hookbell's own never is", async () => {
  const { context, tools, asked, due } = await prepare({}, [{}]);
  due.waiting.claim = { note: undefined };
  expect(claim(context, tools)).toMatchObject({ claimed: context.released });
  const own = await prepare({}, [{ kind: "notice" }]);
  await claim(own.context, own.tools);
  expect([asked, own.asked, filesIn(own.queue)]).toEqual([[], [], own.files]);
});
