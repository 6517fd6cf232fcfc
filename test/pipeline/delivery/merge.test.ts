import { expect, it } from "vitest";
import { writeEndpoint } from "../../../src/outbox/endpoints.ts";
import { collect } from "../../../src/pipeline/delivery/collect.ts";
import { merge } from "../../../src/pipeline/delivery/merge.ts";
import { filesIn, hourMs, prepareDue, slack } from "./due.ts";

const summarised = { ...slack, summary: 2 };

async function prepare(...given: Parameters<typeof prepareDue>) {
  const prepared = await prepareDue(...given);
  const { due, tools } = prepared;
  const released = [due.waiting.file];
  return { ...prepared, context: { ...collect(due, tools), released, claimed: released } };
}

it("old messages become one", async () => {
  const { context, tools, queue, files } = await prepare([{}, {}], summarised, { ageMs: hourMs });
  expect(merge(context, tools)).toMatchObject({ ended: "merged" });
  expect(filesIn(queue)).toHaveLength(1);
  expect(files).not.toContain(filesIn(queue)[0]);
});

it.each<[string, Parameters<typeof prepareDue>]>([
  ["new", [[{}, {}], summarised]],
  ["too few", [[{}], summarised, { ageMs: hourMs }]],
  ["of a channel that sends each by itself", [[{}, {}], { ...slack, summary: false }, { ageMs: hourMs }]],
  ["of a dispatcher that has lost the lease", [[{}, {}], summarised, { ageMs: hourMs, isLost: true }]],
])("messages stay as they are if they are %s", async (_what, given) => {
  const { context, tools, queue, files } = await prepare(...given);
  expect(merge(context, tools)).toMatchObject({ state: { name: "team" } });
  expect(filesIn(queue)).toEqual(files);
});

it.each([
  ["is not known to answer", { breaker: { failures: 1, probeAt: 0 } }],
  ["asks for a pause", { notBefore: 4_000_000_000_000 }],
])("old messages stay as they are while their receiver %s", async (_what, endpoint) => {
  const { context, tools, queue, files } = await prepare([{}, {}], summarised, { ageMs: hourMs });
  writeEndpoint(tools.dispatcher.layout, { channel: "team", writtenAt: 0, ...endpoint });
  merge(context, tools);
  expect(filesIn(queue)).toEqual(files);
});

it("what was released together becomes one, and one alone goes back to its queue", async () => {
  const grouped = { hold: { by: "group", why: "", gather: "g" } };
  const { context, tools, queue, files } = await prepare([grouped, grouped]);
  expect(merge(context, tools)).toMatchObject({ ended: "deferred" });
  expect(filesIn(queue)).toEqual(files);
  expect(merge({ ...context, claimed: files }, tools)).toMatchObject({ ended: "merged" });
  expect(filesIn(queue)).toHaveLength(1);
});
