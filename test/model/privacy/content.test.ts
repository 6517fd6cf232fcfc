import { beforeAll, describe, expect, it } from "vitest";
import { limitContent, loadSummaries, summaryLength } from "../../../src/model/privacy/content.ts";
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
  message: `The key is in config.ts. ${"a".repeat(1000)}`,
  title: "All done",
  sessionWords: "Fix the cart",
  sessionName: "main",
  reason: "other",
};

beforeAll(loadSummaries);

describe("how much of the agent's words is passed on", () => {
  it("everything with full", () => {
    expect(limitContent(event, "full")).toEqual(event);
  });

  it("the start with summary", () => {
    const { message = "" } = limitContent(event, "summary");
    expect([...message].length).toBeLessThanOrEqual(summaryLength);
    expect(message).toMatch(/^The key is in config\.ts\..*…$/);
    const short = { ...event, message: "Done." };
    expect(limitContent(short, "summary")).toEqual(short);
  });

  it("the closing question of an agent's last message too, but of no other", () => {
    const message = `## Done\n\nIt works. ${"It really does. ".repeat(40)}\n\n**Shall I commit it?**`;
    const { message: summary = "" } = limitContent({ ...event, message }, "summary");
    expect(summary).toMatch(/^## Done\n\nIt works\. .*…\n\n\*\*Shall I commit it\?\*\*$/);
    const { message: start = "" } = limitContent({ ...event, name: "Notification", message }, "summary");
    expect(start).not.toContain("Shall I");
  });

  it("nothing with none, but what happened, where and when", () => {
    const { message, title, sessionWords, ...rest } = event;
    expect(sessionWords).toBeDefined();
    expect(message).toBeDefined();
    expect(title).toBeDefined();
    expect(limitContent(event, "none")).toEqual(rest);
  });

  const said = "private words of the model: the merger with ACME is on Tuesday";
  it.each(["reason", "subagent", "notificationType", "agentEvent"] as const)("of %s no more than a word", (field) => {
    for (const word of ["rate_limit", "HTTP-429", "plugin:reviewer", "gpt-5.1", "x".repeat(60)]) {
      expect(limitContent({ ...event, [field]: word }, "none")[field]).toBe(word);
    }
    for (const words of [said, "two words", "line\nbreak", "word\n", "", "ключ", "x".repeat(61)]) {
      expect(limitContent({ ...event, [field]: words }, "none")).not.toHaveProperty(field);
    }
    expect(limitContent({ ...event, [field]: said }, "summary")[field]).toBe(said);
    const start = limitContent({ ...event, [field]: `${said} ${"a".repeat(1000)}` }, "summary")[field] ?? "";
    expect([...start].length).toBe(summaryLength);
  });

  it("of a title no more than of a message", () => {
    const { title = "" } = limitContent({ ...event, title: "x ".repeat(1000) }, "summary");
    expect([...title].length).toBe(summaryLength);
  });
});
