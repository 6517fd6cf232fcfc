import { describe, expect, it } from "vitest";
import { showOutcome } from "../../../src/commands/send/report.ts";
import { delivered, failed } from "../../../src/model/outcome.ts";

describe("an outcome, as a person reads it", () => {
  it.each([
    [delivered({ detail: "answered 200" }), 12, "delivered in 12 ms: answered 200"],
    [failed("network", "no route"), 5, "failed (network) after 5 ms: no route"],
    [
      failed("unknown", "it got the request and did not answer in time"),
      15_033,
      "failed: no clear answer within 15 s; it may have arrived: it got the request and did not answer in time",
    ],
    [failed("unknown", "broke"), 40, "failed: no clear answer within 40 ms; it may have arrived: broke"],
  ])("is short and without jargon: %j", (outcome, ms, expected) => {
    expect(showOutcome({ isColor: false }, outcome, ms)).toBe(expected);
  });
});
