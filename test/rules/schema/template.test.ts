import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { maxValueLength, renderMessage, renderTemplate } from "../../../src/rules/apply/render.ts";
import { compileTemplate, findDoubledNames, templateNames } from "../../../src/rules/schema/template.ts";
import { everyRow } from "../../support/rows.ts";

const event: AgentEvent = {
  id: "evt_1",
  name: "Stop",
  agent: "droid",
  session: "fa10ab0b-636c-4ce1-bebd-002923d2cae9",
  cwd: "/srv/shop-web",
  project: "shop-web",
  host: "box",
  at: new Date(2026, 10, 21, 9, 5, 59).toISOString(),
  level: "success",
  message: "All tests pass.",
  durationMs: 185_000,
};
const payload = {
  tool_name: "Bash",
  tool_input: { command: "npm test", dry: false, tries: 3, nothing: null },
  items: [{ name: "first" }, { name: "second" }],
  "odd key": "odd",
};

function fill(text: string, more: Partial<AgentEvent> = {}): string {
  const { template, problems } = compileTemplate(text);
  expect(problems).toEqual([]);
  return renderTemplate(template, { event: { ...event, ...more }, level: "error", agentName: "Droid", payload });
}

describe("a template", () => {
  it("is filled in with what its names stand for", () =>
    everyRow(
      [
        ["", ""],
        ["as it stands", "as it stands"],
        ["{event}", "Stop"],
        ["{agent}", "Droid"],
        ["{session}", "fa10ab0b-636c-4ce1-bebd-002923d2cae9"],
        ["{project} in {cwd} on {host}", "shop-web in /srv/shop-web on box"],
        ["{message}{message}", "All tests pass.All tests pass."],
        ["<{reason}{title}>", "<>"],
        ["{level}", "error"],
        ["{duration}", "3m 5s"],
        ["{time}", "09:05"],
        ["{ project }", "shop-web"],
        ["{folder}", "shop-web"],
        ["{{project}", "{project}"],
        ["{{{project}}", "{shop-web}"],
        ["{{{{", "{{"],
        ["}", "}"],
        ['{{"a": {{}}', '{"a": {}}'],
        ["{payload.tool_name}", "Bash"],
        ["{payload.tool_input.command}", "npm test"],
        ["{payload.tool_input.dry}/{payload.tool_input.tries}/{payload.tool_input.nothing}/", "false/3//"],
        ["{payload.tool_input}", '{"command":"npm test","dry":false,"tries":3,"nothing":null}'],
        ["{payload.items.1.name} {payload.items[0].name}", "second first"],
        ["{payload.odd key}", "odd"],
        ["[{payload.nothing.at.all}]", "[]"],
        ["[{payload.toString}{payload.constructor.name}{payload.__proto__}{payload.items.length}]", "[2]"],
      ],
      ([text, expected]) => {
        expect(fill(text)).toBe(expected);
      },
    ));

  it("knows every name it offers", () => {
    for (const name of Object.keys(templateNames)) {
      const rest = {
        branch: "main",
        worktree: "tree",
        label: "client A",
        sessionName: "main",
        effort: "high",
        link: "https://a",
      };
      expect(fill(`{${name}}`, { reason: "other", title: "a title", ...rest })).not.toBe("");
    }
  });

  it("fills in what a stranger wrote as it is, and only once", () => {
    const message = "{project} {{ {payload.tool_name} $& \\u0041 <b>";
    expect(fill("{message}", { message })).toBe(message);
  });

  it("is not blown up by a huge value", () => {
    const message = "x".repeat(10 * 1024 * 1024);
    expect(fill("<{message}>", { message })).toHaveLength(maxValueLength + 2);
    expect(fill("{payload.tool_name}")).toBe("Bash");
  });

  it("does without an unknown time or duration", () => {
    expect(fill("[{time}{duration}]", { at: "some day", durationMs: undefined })).toBe("[]");
  });

  it.each<[text: string, problems: [index: number, length: number, message: string][]]>([
    ["{projct}", [[1, 6, "there is no {projct}"]]],
    [
      "{a} {b}",
      [
        [1, 1, "there is no {a}"],
        [5, 1, "there is no {b}"],
      ],
    ],
    ["{", [[0, 1, 'this "{" is not closed']]],
    ["{project {message}", [[0, 1, 'this "{" is not closed']]],
    ["{}", [[1, 1, "the name between the braces is missing"]]],
    ["{constructor}", [[1, 11, "there is no {constructor}"]]],
    ["{payload}", [[1, 7, "expected the path of a field of the payload"]]],
    ["{payload.}", [[1, 8, "expected the path of a field of the payload"]]],
    ["{payload[x]}", [[1, 10, "expected the path of a field of the payload"]]],
  ])("%j has problems", (text, problems) => {
    expect(compileTemplate(text).problems.map(({ index, length, message }) => [index, length, message])).toEqual(
      problems,
    );
  });

  it("notices the double braces of other languages", () => {
    expect(findDoubledNames("a {{ project }} {{payload.x}} {{other}} {{project")).toEqual([
      { name: "project", index: 2, length: 13 },
      { name: "payload.x", index: 16, length: 13 },
    ]);
  });
});

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
          "shop-web: helper code-reviewer is done after 3m 5s",
          "All tests pass.",
        ],
        ["SubagentStop", { message: undefined }, {}, "shop-web: a helper is done after 3m 5s", ""],
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
    ["SubagentStop", {}, "A helper of Droid has finished."],
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
