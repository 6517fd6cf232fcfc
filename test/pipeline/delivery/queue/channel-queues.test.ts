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

const steps = (file: string, session: string, more: object = {}) => ({
  ...waiting(file),
  deferred: { until: 70, gather: undefined },
  step: { agent: "droid", session },
  ...more,
});

it("a file that is found once more waits as it did", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  queues.enqueue("team", waiting("1"));
  queues.change("1", { notBefore: 70, claim: { note: undefined } });
  queues.enqueue("team", waiting("1"));
  expect(queues.find("1")).toMatchObject({ notBefore: 70, claim: { note: undefined } });
});

it("each session whose escalation waits is named once, and none whose step goes or has gone", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  queues.enqueue("team", steps("1", "a"));
  queues.enqueue("other", steps("2", "a"));
  queues.enqueue("team", steps("3", "b"));
  queues.enqueue("team", steps("4", "c", { deferred: undefined }));
  queues.enqueue("team", { ...waiting("5"), deferred: { until: 70, gather: undefined } });
  const named = () => queues.escalating().map(({ session }) => session);
  expect(named()).toEqual(["a", "b"]);
  queues.dequeue("1");
  queues.change("3", { deferred: undefined });
  expect(named()).toEqual(["a"]);
  queues.dequeue("2");
  expect(queues.escalating()).toEqual([]);
});

it("policies decide again at once about what they defer and is meant, and a retry waits on", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  queues.enqueue("team", steps("1", "a", { notBefore: 70 }));
  queues.enqueue("team", { ...waiting("2"), notBefore: 70 });
  queues.enqueue("other", steps("3", "a", { notBefore: 70 }));
  queues.enqueue("other", steps("4", "a", { notBefore: 5 }));
  queues.reconsider(10, ({ file }) => file !== "3");
  const times = ["1", "2", "3", "4"].map((file) => queues.find(file)?.notBefore);
  expect(times).toEqual([10, 70, 70, 5]);
});

it("what is deferred until another time keeps those with which it leaves, and what is not deferred only waits", () => {
  const queues = new ChannelQueues(prepareDispatcher().dispatcher);
  queues.enqueue("team", { ...waiting("1"), deferred: { until: 5, gather: "g" } });
  queues.enqueue("team", waiting("2"));
  for (const file of ["1", "2", "gone"]) queues.deferUntil(file, 9);
  expect(queues.find("1")).toMatchObject({ notBefore: 9, deferred: { until: 9, gather: "g" } });
  expect(queues.find("2")).toMatchObject({ notBefore: 9, deferred: undefined });
});
