// A message has the texts of a rule, or says by itself what happened.
import { describe, expect, it } from "vitest";
import { notificationTypeNames } from "../../../src/agents/dialect/notification-types.ts";
import { type AgentEvent, knownEventNames } from "../../../src/model/event.ts";
import { headlineOf } from "../../../src/rules/apply/default-text.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { compileTemplate } from "../../../src/rules/schema/template.ts";
import { event, payload } from "./stop-event.ts";
import { everyRow } from "../../support/rows.ts";

/** As for a channel that gets all of the event. */
function rendered(told: AgentEvent, given: Record<string, unknown> = {}) {
  return renderMessage({}, told, { headline: headlineOf(told, told.level), payload: given });
}

describe("a message", () => {
  const template = (text: string) => compileTemplate(text).template;

  it("has the rule's texts and level, and small facts beside it that the title does not say", () => {
    expect(
      renderMessage({ title: template("{agent}!"), body: template("{level}"), level: "error" }, event, { payload }),
    ).toEqual({
      title: "Droid!",
      body: "error",
      level: "error",
      fields: [
        { label: "Project", value: "shop-web" },
        { label: "Host", value: "box" },
        { label: "Duration", value: "3m 5s" },
      ],
    });
  });

  it("does not repeat its title", () => {
    const asked = { ...event, name: "Notification", title: undefined, notificationType: undefined };
    expect(rendered({ ...asked, title: "Look here", message: "Look here." })).toMatchObject({
      title: "shop-web: Look here",
      body: "",
      fields: [{ label: "Agent" }, { label: "Host" }, { label: "Duration" }],
    });
    // A part of another word says nothing.
    const { fields } = renderMessage({ title: template("my-shop-web") }, event, {});
    expect(fields[0]).toEqual({ label: "Project", value: "shop-web" });
  });

  it("names an agent it does not know by its id", () => {
    expect(rendered({ ...event, agent: "nobody-knows" }).fields).toContainEqual({
      label: "Agent",
      value: "nobody-knows",
    });
    expect(rendered({ ...event, project: "" }).title).toBe("Droid is done");
  });

  it("says what happened", () =>
    everyRow<[name: string, more: Partial<AgentEvent>, payload: Record<string, unknown>, title: string, body: string]>(
      [
        ["Stop", {}, {}, "is done", "All tests pass."],
        ["Stop", { message: undefined }, {}, "is done", ""],
        ["Stop", { headline: "has a question", message: "Push?" }, {}, "has a question", "Push?"],
        ["Stop", { title: "npm test is done", message: undefined }, {}, "npm test is done", ""],
        ["StopFailure", { title: "npm test failed" }, {}, "npm test failed", "All tests pass."],
        ["Notification", { notificationType: "shell_completed" }, {}, "a command is done", "All tests pass."],
        [
          "Notification",
          { message: "May I?", notificationType: "permission_prompt" },
          {},
          "asks for permission",
          "May I?",
        ],
        ["Notification", { message: undefined, notificationType: "idle_prompt" }, {}, "waits for you", ""],
        [
          "Notification",
          { message: "Droid is waiting for your input", notificationType: "idle_prompt" },
          {},
          "waits for you",
          "",
        ],
        ["Notification", { notificationType: "elicitation_dialog" }, {}, "has a question", "All tests pass."],
        [
          "Notification",
          { notificationType: "agent_completed", message: "build failed" },
          {},
          "an agent failed",
          "build failed",
        ],
        ["Notification", { notificationType: "constructor" }, {}, "needs you", "All tests pass."],
        ["Notification", { title: "Look\nhere" }, {}, "Look here", "All tests pass."],
        ["Elicitation", { title: "db asks", message: "Which one?" }, {}, "has a question", "Which one?\ndb asks"],
        [
          "PermissionRequest",
          { request: "run `npm test`?", headline: "asks to run a command" },
          { tool_input: { description: "Runs all tests" } },
          "asks to run a command",
          "npm test\nRuns all tests",
        ],
        [
          "Notification",
          { request: `run \`${"a".repeat(5000)}z\`?`, headline: "asks to run a command" },
          {},
          "asks to run a command",
          expect.stringMatching(/^a+ … \d+ characters … a+z$/),
        ],
        [
          "PermissionRequest",
          { request: 'start on the plan "Move the users table"?\n1. Drop it', headline: "has a plan" },
          {},
          "has a plan",
          "Move the users table\n1. Drop it",
        ],
        [
          "PermissionRequest",
          { request: "use query of postgres?\nsql: DROP TABLE users", headline: "asks to use a tool" },
          {},
          "asks to use a tool",
          "use query of postgres?\nsql: DROP TABLE users",
        ],
        // A question may look like a command.
        ["PermissionRequest", { request: "run `x`?", headline: "has a question" }, {}, "has a question", "run `x`?"],
        ["PermissionRequest", { message: undefined }, { tool_name: 3, tool_input: "x" }, "asks for permission", ""],
        ["StopFailure", { reason: "rate_limit", message: "429" }, {}, "failed: rate limit", "429"],
        [
          "StopFailure",
          { reason: "rate_limit", message: undefined },
          {},
          "failed: rate limit",
          "The rate limit is reached.",
        ],
        ["StopFailure", { reason: "ECONNRESET", message: "lost" }, {}, "failed", "lost\nReason: ECONNRESET."],
        ["StopFailure", { reason: "unknown", message: undefined }, {}, "failed", ""],
        ["SubagentStop", { subagent: "code-reviewer" }, {}, "subagent is done", "All tests pass."],
        [
          "SessionEnd",
          { reason: "prompt_input_exit", message: undefined },
          {},
          "session has ended",
          "It was closed at the prompt.",
        ],
        ["SessionEnd", { reason: "toString", message: undefined }, {}, "session has ended", "Reason: toString."],
        ["SessionEnd", { reason: "error", message: undefined, level: "error" }, {}, "session failed", "Reason: error."],
        ["SessionStart", { message: undefined }, {}, "has started", ""],
        ["Stuck", { message: "No sign of work for 9m." }, {}, "may be stuck", "No sign of work for 9m."],
        ["PreCompress", { message: undefined }, {}, "PreCompress", ""],
        ["constructor", { message: undefined }, {}, "constructor", ""],
      ],
      ([name, more, given, title, body]) => {
        expect(rendered({ ...event, name, ...more }, given)).toMatchObject({ title: `shop-web: ${title}`, body });
      },
      ([name, more]) => `${name} ${JSON.stringify(more)}`,
    ));

  it("fills the body of an event without words only below a rule's own title", () => {
    const silent = { ...event, message: undefined };
    const body = "shop-web: is done";
    const given = { headline: "is done" };
    expect(renderMessage({ title: template("Look") }, silent, given)).toMatchObject({ title: "Look", body });
    expect(renderMessage({}, silent, given).body).toBe("");
    expect(renderMessage({ title: template(body) }, silent, given).body).toBe("");
  });

  it("keeps the beginning of a long project, in columns", () => {
    const titleOf = (project: string) => rendered({ ...event, project }).title;
    expect(titleOf("a".repeat(28))).toBe(`${"a".repeat(28)}: is done`);
    expect(titleOf("a".repeat(29))).toBe(`${"a".repeat(27)}…: is done`);
    expect(titleOf("店".repeat(15))).toBe(`${"店".repeat(13)}…: is done`);
  });

  it("cuts a rule's own title at its end", () => {
    const long = { ...event, message: `It ${"word ".repeat(200)}failed` };
    const { title, project } = renderMessage({ title: template("{project}: {message}") }, long, {});
    expect(title).toMatch(/^shop-web: It .*word…$/);
    expect(project).toBeUndefined();
  });

  it("says what happened in a few words, which no title need cut", () => {
    const kinds = [...notificationTypeNames, undefined].map((notificationType) => ({
      name: "Notification",
      notificationType,
    }));
    const reasons = ["rate_limit", "verification_required", "cloud_credential_error", "oauth_org_not_allowed"];
    const events: Partial<AgentEvent>[] = [
      ...kinds,
      ...knownEventNames.map((name) => ({ name })),
      ...reasons.map((reason) => ({ name: "StopFailure", reason })),
    ];
    for (const each of events) {
      const headline = headlineOf({ ...event, ...each }, "error") ?? "";
      expect(headline.length, headline).toBeLessThanOrEqual(25);
    }
  });

  it("is bounded whatever the event holds", () => {
    const huge = "x".repeat(2_000_000);
    const message = rendered({ ...event, message: huge, project: huge, session: huge, host: huge, name: huge });
    expect(JSON.stringify(message).length).toBeLessThan(25_000);
  });
});
