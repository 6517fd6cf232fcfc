import { describe, expect, it } from "vitest";
import { createQueue, type Waiting } from "../../../src/dispatch/run/lanes.ts";

function waiting(file: string, more: Partial<Waiting> = {}): Waiting {
  return { file, channel: "team", session: file, notBefore: 0, eventMs: 0, ...more };
}

describe("the queue", () => {
  it("gives the oldest first, whatever the order they came in", () => {
    const queue = createQueue();
    for (const file of ["2", "3", "1"]) queue.add(waiting(file));
    const order: string[] = [];
    for (let next = queue.next("team", 0); next !== undefined && "due" in next; next = queue.next("team", 0)) {
      order.push(next.due.file);
      queue.remove(next.due.file);
    }
    expect(order).toEqual(["1", "2", "3"]);
    expect(queue.size()).toBe(0);
    expect(queue.channels()).toEqual([]);
  });

  it("keeps the order within a session: what comes later waits for what waits", () => {
    const queue = createQueue();
    queue.add(waiting("1", { session: "a", notBefore: 500 }));
    queue.add(waiting("2", { session: "a" }));
    queue.add(waiting("3", { session: "b" }));
    expect(queue.next("team", 100)).toMatchObject({ due: { file: "3" } });
    queue.remove("3");
    expect(queue.next("team", 100)).toEqual({ dueAt: 500 });
    expect(queue.next("team", 500)).toMatchObject({ due: { file: "1" } });
  });

  it("keeps channels apart", () => {
    const queue = createQueue();
    queue.add(waiting("1", { channel: "a", notBefore: 900 }));
    queue.add(waiting("2", { channel: "b" }));
    expect(queue.channels()).toEqual(["a", "b"]);
    expect(queue.next("a", 0)).toEqual({ dueAt: 900 });
    expect(queue.next("b", 0)).toMatchObject({ due: { file: "2" } });
    expect(queue.next("c", 0)).toBeUndefined();
  });

  it("takes a file once, and postpones it", () => {
    const queue = createQueue();
    queue.add(waiting("1"));
    queue.add(waiting("1"));
    expect(queue.size()).toBe(1);
    queue.postpone("1", 70);
    expect(queue.next("team", 0)).toEqual({ dueAt: 70 });
    queue.postpone("gone", 70);
    queue.remove("gone");
    expect(queue.has("1")).toBe(true);
  });
});
