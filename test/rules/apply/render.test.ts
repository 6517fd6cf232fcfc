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
  renderMessage(rule, event, { payload: { tool: "x" } });

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

it("the project is named beside a title of hookbell's own, not beside a rule's", () => {
  expect(render(done).project).toBe("shop-web");
  expect(render(done, { title: own })).not.toHaveProperty("project");
  expect(render({ ...done, project: "" })).not.toHaveProperty("project");
});

it("small facts stand beside the text, each that there is", () => {
  const facts = (event: AgentEvent) =>
    render(event, { title: own }).fields.map(({ label, value }) => `${label}: ${value}`);
  const all = {
    ...done,
    label: "client A",
    branch: "fix",
    sessionName: "tmux %3",
    sessionWords: "fix the cart",
    subagent: "tester",
    durationMs: 61_000,
  };
  expect(facts(all)).toEqual([
    "Label: client A",
    "Project: shop-web",
    "Branch: fix",
    "Session: fix the cart",
    "Agent: Claude Code",
    "Subagent: tester",
    "Host: desk",
    "Duration: 1m 1s",
  ]);
  expect(facts({ ...done, branch: undefined, worktree: "w", sessionName: "tmux %3" })).toContain("Work tree: w");
  expect(facts({ ...done, sessionName: "tmux %3" })).toContain("Session: tmux %3");
  expect(facts({ ...done, project: "", isOnlyAgent: true, isOnlyHost: true })).toEqual([]);
});

it("a message that there is not is an empty text", () => {
  expect(render({ ...done, message: undefined }, { body: templateOf("[{message}]") }).body).toBe("[]");
  expect(render(done, { body: templateOf("[{message}]") }).body).toBe("[All **tests** pass.]");
});
