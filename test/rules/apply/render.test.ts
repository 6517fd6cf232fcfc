// Which facts stand beside a message's text, and when its text is the agent's own Markdown.
import { expect, it } from "vitest";
import type { AgentEvent } from "../../../src/model/event.ts";
import { renderMessage } from "../../../src/rules/apply/render.ts";
import { compileTemplate } from "../../../src/rules/schema/template.ts";
import { eventOf } from "../../policies/messages.ts";
import { everyRow } from "../../support/rows.ts";

const { template: own } = compileTemplate("hello");
const templateOf = (text: string) => compileTemplate(text).template;
const done = eventOf("Stop", { message: "All **tests** pass." });
const render = (event: AgentEvent, rule: Parameters<typeof renderMessage>[0] = {}) =>
  renderMessage(rule, event, { tool: "x" });

it("a body is Markdown if it has the agent's own words", () =>
  everyRow<[what: string, event: AgentEvent, body: string | undefined, isMarkdown: boolean]>(
    [
      ["the usual body of a turn's end", done, undefined, true],
      ["a body of a rule with the message", done, "says {message} {level}", true],
      ["a body of a rule that begins with another value", done, "{level}{message}", true],
      ["a body of a rule without it", done, "says {level}", false],
      ["a body of a rule with the payload's", done, "{payload.tool}", false],
      ["a fixed body", done, "hello", false],
    ],
    ([_what, event, body, isMarkdown]) => {
      const message = render(event, body === undefined ? {} : { body: templateOf(body) });
      expect(message.isMarkdown).toBe(isMarkdown ? true : undefined);
    },
  ));

it("the place is named beside a title of hookbell's own, not beside a rule's", () => {
  expect(render(done).place).toBe("shop-web");
  expect(render(done, { title: own })).not.toHaveProperty("place");
  expect(render({ ...done, project: "" })).not.toHaveProperty("place");
});

it("small facts stand beside the text, each that there is", () => {
  const facts = (event: AgentEvent) =>
    render(event, { title: own }).fields.map(({ label, value }) => `${label}: ${value}`);
  const all = { ...done, branch: "fix", subagent: "tester", session: "019aa001-c000", durationMs: 61_000 };
  expect(facts(all)).toEqual([
    "Project: shop-web",
    "Branch: fix",
    "Agent: Claude Code",
    "Subagent: tester",
    "Host: desk",
    "Session: 001-c000",
    "Duration: 1m 1s",
  ]);
  expect(facts({ ...done, project: "", host: "", session: "usage-limit" })).toEqual(["Agent: Claude Code"]);
});

it("a message that there is not is an empty text", () => {
  expect(render({ ...done, message: undefined }, { body: templateOf("[{message}]") }).body).toBe("[]");
  expect(render(done, { body: templateOf("[{message}]") }).body).toBe("[All **tests** pass.]");
});
