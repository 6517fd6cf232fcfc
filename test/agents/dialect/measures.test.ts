// What an agent's figures say: how full a context is, how much of a limit is used, what a session has cost.
import { describe, expect, it } from "vitest";
import { measureFacts } from "../../../src/agents/dialect/measures.ts";
import { formatLocalTime } from "../../../src/model/figures/duration.ts";

const facts = (name: string, payload: Record<string, unknown>) => measureFacts(name, payload, "Claude Code");

describe("a measure", () => {
  it("of the context says how full it is", () => {
    expect(facts("ContextHigh", { percent: 86.4, step: 85, tokens: 172_800, window: 200_000 })).toEqual({
      headline: "context is 86% full",
      message: "172,800 of 200,000 tokens are used.",
      reason: "85%",
    });
  });

  it.each([
    ["five_hour", "five-hour limit"],
    ["seven_day", "weekly limit"],
    ["spend_limit", "spending limit"],
    // A title has no words of the agent's.
    ["one_month_opus", "limit"],
    ["constructor", "limit"],
    [undefined, "limit"],
  ])("of the limit %s names it, and when it resets", (limit, words) => {
    const resetMs = Date.parse("2026-11-23T15:30:00Z");
    expect(facts("LimitHigh", { percent: 96, step: 95, limit, resets_at: "2026-11-23T15:30:00.000Z" })).toEqual({
      headline: `${words} 96% used`,
      message: `It resets at ${formatLocalTime(resetMs).slice(0, 16)}.`,
      reason: "95%",
      notificationType: limit,
    });
  });

  it("of the cost says that it is an estimate", () => {
    expect(facts("CostHigh", { usd: 10.237, step: 10 })).toEqual({
      headline: "cost about $10.24",
      message: "Claude Code estimates it; it is not the bill.",
      reason: "$10",
    });
  });

  it.each([undefined, null, "86", Number.NaN, -1, 1e300, {}, []])("leaves out the figure %j", (figure) => {
    const wrong = { percent: figure, step: figure, tokens: figure, window: figure, resets_at: figure };
    for (const name of ["ContextHigh", "LimitHigh"]) {
      expect(JSON.parse(JSON.stringify(facts(name, wrong)))).toEqual({});
    }
  });

  it("is none in any other event", () => {
    expect(facts("Stop", { percent: 86 })).toBeUndefined();
    expect(facts("constructor", { percent: 86 })).toBeUndefined();
  });
});
