// A message has the texts of a rule, or says by itself what happened.
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { compileTemplate } from "../../../src/rules/schema/template.ts";
import { event, payload } from "./stop-event.ts";
import { everyRow } from "../../support/rows.ts";

describe("a message", () => {
  const template = (text: string) => compileTemplate(text).template;

  it("has the rule's texts and level, and small facts beside it that the title does not say", () => {
    expect(
      renderMessage({ title: template("{agent}!"), body: template("{level}"), level: "error" }, event, payload),
    ).toEqual({
      title: "Droid!",
      body: "error",
      level: "error",
      fields: [
        { label: "Project", value: "shop-web" },
        { label: "Host", value: "box" },
        { label: "Session", value: "23d2cae9" },
        { label: "Duration", value: "3m 5s" },
      ],
    });
  });

  it("does not repeat its title", () => {
    const asked = { ...event, name: "Notification", title: undefined, notificationType: undefined };
    const repeat = { ...asked, agent: "none", message: "None needs you." };
    expect(renderMessage({}, { ...repeat, agent: "None" }, undefined)).toMatchObject({
      title: "shop-web: None needs you",
      body: "",
      fields: [{ label: "Host" }, { label: "Session" }, { label: "Duration" }],
    });
    // A part of another word says nothing.
    const { fields } = renderMessage({ title: template("my-shop-web") }, event, undefined);
    expect(fields[0]).toEqual({ label: "Project", value: "shop-web" });
  });

  it("names an agent it does not know by its id", () => {
    expect(renderMessage({}, { ...event, agent: "nobody-knows" }, undefined).title).toBe(
      "shop-web: nobody-knows is done after 3m 5s",
    );
  });

  it("says what happened", () =>
    everyRow<[name: string, more: Partial<AgentEvent>, payload: Record<string, unknown>, title: string, body: string]>(
      [
        ["Stop", {}, {}, "shop-web: Droid is done after 3m 5s", "All tests pass."],
        ["Stop", { message: undefined }, {}, "shop-web: Droid is done after 3m 5s", ""],
        [
          "Stop",
          { message: "Done.\nShall I push?" },
          {},
          "shop-web: Droid asks, done after 3m 5s",
          "Done.\nShall I push?",
        ],
        ["Stop", { message: "**Push?**", durationMs: undefined }, {}, "shop-web: Droid is done and asks", "**Push?**"],
        ["Stop", { message: "Why? It was red." }, {}, "shop-web: Droid is done after 3m 5s", "Why? It was red."],
        ["Stop", { message: undefined, durationMs: undefined, project: "" }, {}, "Droid is done", ""],
        ["Stop", { title: "npm test is done", message: undefined }, {}, "shop-web: npm test is done after 3m 5s", ""],
        ["StopFailure", { title: "npm test failed" }, {}, "shop-web: npm test failed after 3m 5s", "All tests pass."],
        [
          "Notification",
          { notificationType: "shell_completed" },
          {},
          "shop-web: a command is done after 3m 5s",
          "All tests pass.",
        ],
        [
          "Notification",
          { message: "May I?", notificationType: "permission_prompt" },
          {},
          "shop-web: Droid needs your permission",
          "May I?",
        ],
        [
          "Notification",
          { message: undefined, notificationType: "idle_prompt" },
          {},
          "shop-web: Droid is waiting for you",
          "",
        ],
        [
          "Notification",
          { message: "Droid is waiting for your input", notificationType: "idle_prompt" },
          {},
          "shop-web: Droid is waiting for you",
          "",
        ],
        [
          "Notification",
          { notificationType: "elicitation_dialog" },
          {},
          "shop-web: Droid has a question",
          "All tests pass.",
        ],
        ["Notification", { notificationType: "constructor" }, {}, "shop-web: Droid needs you", "All tests pass."],
        ["Notification", { title: "Look\nhere" }, {}, "shop-web: Look here", "All tests pass."],
        [
          "PermissionRequest",
          { request: "run `npm test`?" },
          { tool_input: { description: "Runs all tests" } },
          "shop-web: run `npm test`?",
          "Runs all tests\nDroid waits for your answer.",
        ],
        [
          "Notification",
          { request: `run \`${"a".repeat(100)}\`?`, notificationType: "permission_prompt" },
          {},
          `shop-web: run \`${"a".repeat(48)}…${"a".repeat(24)}\`?`,
          `run \`${"a".repeat(100)}\`?\nDroid waits for your answer.`,
        ],
        [
          "PermissionRequest",
          { request: "use query of postgres?\nlimit: 10\nsql: DROP TABLE users" },
          {},
          "shop-web: use query of postgres? limit: 10 sql: DROP TABLE users",
          "Droid waits for your answer.",
        ],
        [
          "PermissionRequest",
          { request: `use query of postgres?\nlimit: 10\nsql: SELECT ${"a, ".repeat(40)}b FROM users` },
          {},
          "shop-web: use query of postgres?",
          `limit: 10\nsql: SELECT ${"a, ".repeat(40)}b FROM users\nDroid waits for your answer.`,
        ],
        [
          "PermissionRequest",
          { request: `run \`echo hi?\nrm -rf ${"x".repeat(80)}\`?` },
          {},
          `shop-web: run \`echo hi? rm -rf ${"x".repeat(32)}…${"x".repeat(24)}\`?`,
          `run \`echo hi?\nrm -rf ${"x".repeat(80)}\`?\nDroid waits for your answer.`,
        ],
        [
          "PermissionRequest",
          { message: undefined },
          { tool_name: 3, tool_input: "x" },
          "shop-web: Droid needs your permission",
          "",
        ],
        [
          "StopFailure",
          { reason: "rate_limit", message: "429" },
          {},
          "shop-web: Droid was stopped by an error",
          "The rate limit is reached.\n429",
        ],
        ["StopFailure", { reason: "unknown", message: undefined }, {}, "shop-web: Droid was stopped by an error", ""],
        [
          "SubagentStop",
          { subagent: "code-reviewer" },
          {},
          "shop-web: subagent code-reviewer is done after 3m 5s",
          "All tests pass.",
        ],
        ["SubagentStop", { message: undefined }, {}, "shop-web: a subagent is done after 3m 5s", ""],
        [
          "SessionEnd",
          { reason: "prompt_input_exit", message: undefined },
          {},
          "shop-web: Droid's session has ended",
          "It was closed at the prompt.",
        ],
        [
          "SessionEnd",
          { reason: "toString", message: undefined },
          {},
          "shop-web: Droid's session has ended",
          "Reason: toString.",
        ],
        [
          "SessionEnd",
          { reason: "error", message: undefined, level: "error" },
          {},
          "shop-web: Droid ended with an error",
          "Reason: error.",
        ],
        ["SessionStart", { message: undefined }, {}, "shop-web: Droid has started", ""],
        ["PreCompress", { message: undefined }, {}, "shop-web: PreCompress", ""],
        ["constructor", { message: undefined }, {}, "shop-web: constructor", ""],
      ],
      ([name, more, given, title, body]) => {
        expect(renderMessage({}, { ...event, name, ...more }, given)).toMatchObject({ title, body });
      },
      ([name, more]) => `${name} ${JSON.stringify(more)}`,
    ));

  it.each<[name: string, more: Partial<AgentEvent>, body: string]>([
    ["Stop", {}, "Droid has finished after 3m 5s."],
    ["StopFailure", {}, "Droid could not go on."],
    ["SubagentStop", {}, "A subagent of Droid has finished."],
    ["SessionEnd", { reason: "other" }, "The session has ended."],
    ["PreCompress", {}, 'Droid sent the event "PreCompress".'],
    ["Notification", { notificationType: "idle_prompt" }, "Droid asks for your attention."],
  ])("fills the body of a silent %s only below a rule's own title", (name, more, body) => {
    const silent = { ...event, message: undefined, name, ...more };
    expect(renderMessage({ title: template("Look") }, silent, {})).toMatchObject({ title: "Look", body });
    expect(renderMessage({}, silent, {}).body).toBe("");
    expect(renderMessage({ title: template(body) }, silent, {}).body).toBe("");
  });

  it("keeps the head and the tail of a rule's own title", () => {
    const long = { ...event, message: `It ${"x".repeat(600)} failed` };
    const { title, place } = renderMessage({ title: template("{project}: {message}") }, long, {});
    expect(title).toMatch(/^shop-web: It x+…x+ failed$/);
    expect(place).toBeUndefined();
  });

  it("is bounded whatever the event holds", () => {
    const huge = "x".repeat(2_000_000);
    const message = renderMessage(
      {},
      { ...event, message: huge, project: huge, session: huge, host: huge, name: huge },
      {},
    );
    expect(JSON.stringify(message).length).toBeLessThan(25_000);
  });
});
