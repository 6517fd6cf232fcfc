import { describe, expect, it } from "vitest";
import { limitContent, summaryLength } from "../../../src/model/content.ts";
import type { AgentEvent } from "../../../src/model/event.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "droid",
  session: "s",
  cwd: "/home/u/shop",
  project: "shop",
  host: "h",
  at: "2026-11-21T12:00:00.000Z",
  level: "success",
  message: `The key is in config.ts. ${"x".repeat(1000)}`,
  title: "All done",
  reason: "other",
};

describe("how much of the agent's words is passed on", () => {
  it("everything with full", () => {
    expect(limitContent(event, "full")).toEqual(event);
  });

  it("the start with summary", () => {
    const { message = "" } = limitContent(event, "summary");
    expect([...message].length).toBe(summaryLength);
    expect(message.startsWith("The key is in config.ts. xxx")).toBe(true);
    expect(message.endsWith("…")).toBe(true);
    const short = { ...event, message: "Done." };
    expect(limitContent(short, "summary")).toEqual(short);
  });

  it("nothing with none, but what happened, where and when", () => {
    const { message, title, ...rest } = event;
    expect(message).toBeDefined();
    expect(title).toBeDefined();
    expect(limitContent(event, "none")).toEqual(rest);
  });
});
