// What is known of each channel's listener, and what a person who waits for an answer is told of it.
import { expect, it } from "vitest";
import { deafListeners, listListeners, noteListener } from "../../src/answers/listener-state.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const askedAt = Date.UTC(2026, 10, 28, 12);
const failed = { channel: "phone", type: "telegram", at: askedAt, what: "failed", why: "the token\nis void" } as const;

it("of each channel the last note counts, and a channel of another type is another one", () => {
  const layout = temporaryState();
  noteListener(layout, { ...failed, what: "listens" });
  noteListener(layout, failed);
  noteListener(layout, { ...failed, type: "ntfy", what: "stopped" });
  noteListener(layout, { ...failed, channel: "team", what: "listens" });
  const known = listListeners(layout).map(({ channel, type, what }) => `${channel} ${type} ${what}`);
  expect(known.toSorted()).toEqual(["phone ntfy stopped", "phone telegram failed", "team telegram listens"]);
});

it("a listener that failed since the oldest open question was asked is named in a line, and no other one", () => {
  const layout = temporaryState();
  noteListener(layout, failed);
  noteListener(layout, { channel: "team", type: "slack", at: askedAt + 5, what: "listens" });
  const told = (...times: number[]) =>
    deafListeners(
      layout,
      times.map((each) => ({ askedAt: each })),
    );
  const line = "no answer comes from phone: the token is void\n";
  expect(told(askedAt)).toEqual([line]);
  expect(told(askedAt + 1, askedAt - 1)).toEqual([line]);
  expect(told(askedAt + 1, askedAt + 2)).toEqual([]);
});
