// A template is filled in with what its names stand for, or says what is wrong with it.
import { describe, expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { maxValueLength, renderTemplate } from "../../../src/rules/apply/render.ts";
import { compileTemplate, findDoubledNames, templateNames } from "../../../src/rules/schema/template.ts";
import { event, payload } from "./stop-event.ts";
import { everyRow } from "../../support/rows.ts";

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
