// When the next delivery of a channel is due.
import { expect, it } from "vitest";
import { ChannelQueue } from "../../../../src/pipeline/delivery/queue/channel-queue.ts";

const now = 1_800_000_000_000;

it("a closed queue with a question behind its own session's news is due when it opens, and no earlier", () => {
  const queue = new ChannelQueue("ops");
  queue.add({ file: "1", session: "s", notBefore: now - 1, eventMs: now });
  queue.add({ file: "2", session: "s", notBefore: now - 1, eventMs: now, isUrgent: true });
  queue.closedUntil = now + 15_000;
  expect(queue.next(now)).toEqual({ at: now + 15_000 });
  expect(queue.next(now + 15_000)).toEqual({ send: "1" });
});
