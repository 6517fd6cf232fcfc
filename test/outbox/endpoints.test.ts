// What is known of a receiver outlives every process, and a file that cannot be read silences no channel.
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listEndpoints, readEndpoint, writeEndpoint } from "../../src/outbox/endpoints.ts";
import { temporaryState } from "../support/project/temporary-state.ts";

const closed = { channel: "team", writtenAt: 3, breaker: { failures: 2, probeAt: 9 } };

it("each channel has its own, until nothing is known of it any more", () => {
  const layout = temporaryState();
  const open = { channel: "desk", notBefore: 7 };
  writeEndpoint(layout, closed);
  writeEndpoint(layout, open);
  expect([readEndpoint(layout, "team"), readEndpoint(layout, "desk")]).toEqual([closed, open]);
  expect(
    listEndpoints(layout)
      .map(({ channel }) => channel)
      .toSorted(),
  ).toEqual(["desk", "team"]);
  writeEndpoint(layout, { ...closed, notBefore: undefined });
  expect(readEndpoint(layout, "team")).toEqual(closed);
  writeEndpoint(layout, { channel: "team", writtenAt: 5, breaker: undefined });
  expect(readEndpoint(layout, "team")).toEqual({ channel: "team" });
  expect(readdirSync(layout.endpoints)).toHaveLength(1);
});

it("a damaged file says nothing", () => {
  const layout = temporaryState();
  writeEndpoint(layout, closed);
  const [file = ""] = readdirSync(layout.endpoints);
  for (const text of ["torn", JSON.stringify({ ...closed, breaker: { failures: "many" } })]) {
    writeFileSync(join(layout.endpoints, file), text);
    expect([readEndpoint(layout, "team"), listEndpoints(layout)]).toEqual([{ channel: "team" }, []]);
  }
});
