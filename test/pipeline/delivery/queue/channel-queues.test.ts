import { expect, it } from "vitest";
import { ChannelQueues } from "../../../../src/pipeline/delivery/queue/channel-queues.ts";
import { prepareDispatcher } from "../../../support/project/running-dispatcher.ts";

const waiting = (file: string) => ({ file, session: file, notBefore: 0, eventMs: 0 });

it("queues hold a file once, in the order of time whatever the order they came in, until it is taken out", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  for (const file of ["2", "3", "1", "3"]) queues.enqueue("team", waiting(file));
  queues.enqueue("other", waiting("0"));
  queues.sort();
  const team = queues.byChannel.get("team");
  expect([...(team?.waiting.keys() ?? [])]).toEqual(["1", "2", "3"]);
  queues.change("2", { notBefore: 70 });
  queues.change("gone", { notBefore: 70 });
  expect(team?.waiting.get("2")?.notBefore).toBe(70);
  for (const file of ["1", "3", "gone"]) queues.dequeue(file);
  expect([...queues.byFile.keys()].toSorted()).toEqual(["0", "2"]);
});

it("a queue is not sorted again for each delivery after a newer one, a question, has left it", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  for (const file of ["9", "1"]) queues.enqueue("team", waiting(file));
  queues.sort();
  queues.dequeue("9");
  const team = queues.byChannel.get("team");
  queues.enqueue("team", waiting("2"));
  queues.sort();
  queues.enqueue("team", waiting("3"));
  expect([team?.isSorted, [...(team?.waiting.keys() ?? [])]]).toEqual([true, ["1", "2", "3"]]);
});
