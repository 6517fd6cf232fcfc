// Questions that are answered in words: what they ask for, how an answer is read, and what the agent is told.
import { describe, expect, it } from "vitest";
import type { AgentQuestion } from "../../src/agents/dialect/agent.ts";
import { askedForm, askedQuestions } from "../../src/agents/dialect/asked.ts";
import { claudeCode } from "../../src/agents/known/claude-code/payload.ts";
import { textOfFields } from "../../src/answers/card/card.ts";
import { decisionFor } from "../../src/answers/decision.ts";
import {
  choiceOfWords,
  give,
  hasOptionButtons,
  receiveReply,
  makeButtons,
  type ReplyResult,
} from "../../src/answers/give-answer.ts";
import { howToReply, readReply } from "../../src/answers/read-reply.ts";
import { readAnswer, readQuestion } from "../../src/answers/questions.ts";
import { addSender } from "../../src/answers/senders.ts";
import { temporaryState } from "../support/project/temporary-state.ts";
import { askedAt, openQuestion } from "./sample.ts";
import { everyRow } from "../support/rows.ts";

const colour = {
  question: "Which colour?",
  header: "Colour",
  multiSelect: false,
  options: [{ label: "Red", description: "Warm" }, { label: "Blue" }, { label: "1" }],
};
const extras = {
  ...colour,
  question: "Which extras?",
  multiSelect: true,
  options: [{ label: "Lid" }, { label: "Bag" }],
};
const booking = {
  mcp_server_name: "shop",
  message: "Book a table",
  mode: "form",
  requested_schema: {
    type: "object",
    properties: {
      seats: { type: "integer", minimum: 1, maximum: 8 },
      where: { type: "string", title: "Where", enum: ["in", "out"], enumNames: ["Inside", "Outside"] },
      mail: { type: "string", format: "email" },
      vip: { type: "boolean", description: "with a view" },
    },
    required: ["seats", "where"],
  },
};

function fieldsOf(asked: AgentQuestion | undefined): AgentQuestion["fields"] {
  if (asked === undefined) throw new Error("it asks nothing");
  return asked.fields;
}
const questions = (...given: object[]): AgentQuestion["fields"] => fieldsOf(askedQuestions({ questions: given }, true));
const form = fieldsOf(askedForm(booking));
const [text, number] = fieldsOf(
  askedForm({
    ...booking,
    requested_schema: {
      properties: { code: { type: "string" }, share: { type: "number" } },
      required: ["code", "share"],
    },
  }),
) as [AgentQuestion["fields"][number], AgentQuestion["fields"][number]];

describe("an answer in words", () => {
  it("is read for what it means", () =>
    everyRow(
      [
        ["a label", questions(colour), "blue", { "Which colour?": "Blue" }],
        ["a number", questions(colour), " 2 ", { "Which colour?": "Blue" }],
        ["a label that is a number", questions(colour), "1", { "Which colour?": "1" }],
        ["words of its own", questions(colour), "Green, rather", { "Which colour?": "Green, rather" }],
        ["several options", questions(extras), "2, lid, 2", { "Which extras?": ["Bag", "Lid"] }],
        [
          "several questions in order",
          questions(colour, extras),
          "2; 1, 2",
          { "Which colour?": "Blue", "Which extras?": ["Lid", "Bag"] },
        ],
        [
          "a line for each",
          questions(colour, extras),
          "Green\n\n2",
          { "Which colour?": "Green", "Which extras?": ["Bag"] },
        ],
        ["fields by name", form, "Seats: 2\nwhere: outside\nvip: yes", { seats: 2, where: "out", vip: true }],
        [
          "several questions in order, with blanks",
          questions(colour, extras),
          " 2 ;  1 ",
          { "Which colour?": "Blue", "Which extras?": ["Lid"] },
        ],
        [
          "an address in words of its own",
          questions(colour),
          "see http://a.example",
          { "Which colour?": "see http://a.example" },
        ],
        ["a field left out", form, "where: inside\nmail: \nseats: 3", { seats: 3, where: "in" }],
        ["a number that is text", [text], "007", { code: "007" }],
        ["a number with its sign and its part", [number], "-1.25", { share: -1.25 }],
        ["a field with a colon", form.slice(2, 3), "ann@example.org", { mail: "ann@example.org" }],
      ],
      ([_what, fields, text, values]) => {
        expect(readReply(fields, text)).toEqual({ values });
      },
    ));

  it("is refused where it does not fit, with how to reply", () =>
    everyRow(
      [
        ["a number that is no option", questions(colour), "4", "reply with a number from 1 to 3, or in your own words"],
        ["nothing", questions(colour), "  ", "reply with a number from 1 to 3, or in your own words"],
        [
          "too few answers",
          questions(colour, extras),
          "1",
          'reply with a line for each of the 2 questions, or with numbers such as "1; 2"',
        ],
        ["a form without a field that it needs", form, "seats: 2", "Where: reply with a number from 1 to 2"],
        ["too much", form, "seats: 20\nwhere: 1", "seats: expected at most 8"],
        ["a number with something before it", [number], "x1", "expected a number, got a text"],
        ["a number with something after it", [number], "1.5 l", "expected a number, got a text"],
        ["a line without a name", form, "2\nin", 'reply with lines such as "seats: ..."'],
        ["no number", form, "seats: two\nwhere: 1", "seats: expected a number, got a text"],
        ["no address", form, "seats: 2\nwhere: 1\nmail: x", "mail: expected an e-mail address"],
        ["an unknown field", form, "chairs: 2", 'reply with lines such as "seats: ..."'],
        ["other words for a closed list", form, "seats: 2\nwhere: there", "Where: reply with a number from 1 to 2"],
      ],
      ([_what, fields, text, problem]) => {
        expect(readReply(fields, text)).toEqual({ problem });
      },
    ));

  it("is explained", () => {
    expect(howToReply(questions(extras))).toBe('reply with numbers from 1 to 2, such as "1, 2", or in your own words');
    expect(textOfFields("Book a table", form).text).toBe(
      "Book a table\nseats\nwhere: Where\n1. Inside\n2. Outside\nmail (optional)\nvip: with a view (optional)\n1. Yes\n2. No",
    );
    expect(textOfFields("", questions(colour)).text).toBe("Which colour?\n1. Red: Warm\n2. Blue\n3. 1");
    expect(textOfFields("", questions(colour, extras)).text).toContain("2) Which extras?\n1. Lid");
  });
});

describe("a question is left to the terminal", () => {
  it.each([
    ["without questions", { questions: [] }],
    ["of no text", { questions: [{ options: [] }] }],
    ["asked twice", { questions: [colour, colour] }],
  ])("%s", (_what, input) => {
    expect(askedQuestions(input, true)).toBeUndefined();
    // It is no permission either: an allow without answers would be an empty answer.
    const payload = { tool_name: "AskUserQuestion", tool_input: input };
    expect(claudeCode.asks?.("PermissionRequest", payload, {})).toBeUndefined();
  });

  it("a form that no words can fill", () =>
    everyRow(
      [
        ["in a browser", { mode: "url", url: "https://example.org" }],
        ["without fields", { requested_schema: { type: "object", properties: {} } }],
        ["with a pattern", { requested_schema: { properties: { a: { type: "string", pattern: "(a+)+$" } } } }],
        [
          "with an object in it",
          { requested_schema: { properties: { a: { type: "object" }, b: { type: "string" } } } },
        ],
      ],
      ([_what, more]) => {
        expect(askedForm({ ...booking, ...more })).toBeUndefined();
      },
    ));
});

describe("a question with options", () => {
  const phone = { name: "phone", type: "telegram", namesSender: true, hears: () => true };
  const sender = { id: "1001", name: "Ann" };
  const now = askedAt + 41_000;
  const open = (fields: AgentQuestion["fields"], kind: AgentQuestion["kind"] = "question") => {
    const layout = temporaryState();
    addSender(layout, "phone", { type: "telegram", ...sender, pairedAt: 0 });
    const shown = [{ channel: "phone", place: { message: "5" } }];
    return { layout, question: openQuestion(layout, { kind, tool: "", isAllowable: false, fields, shown }) };
  };

  it("has a button for each, which counts once, or takes a reply", () => {
    const { layout, question } = open(questions(colour));
    const buttons = makeButtons(layout, question, "phone", true, 3);
    expect(buttons.map(({ choice, label }) => [choice, label])).toEqual([
      ["reply", "Red"],
      ["reply", "Blue"],
      ["reply", "1"],
    ]);
    const reply = (text: string): ReplyResult =>
      receiveReply(layout, [phone], { sender, reply: { text, to: { message: "5" } } }, now);
    expect(reply("7")).toEqual({
      what: "refused",
      text: "Not accepted: reply with a number from 1 to 3, or in your own words.",
    });
    expect(readAnswer(layout, question.id)).toBeUndefined();
    const tapped = receiveReply(layout, [phone], { sender, nonce: buttons[1]?.nonce }, now);
    expect(tapped).toEqual({ what: "answered", text: "Answered by Ann in phone after 41s." });
    expect(readAnswer(layout, question.id)).toMatchObject({ choice: "reply", message: "Blue", channel: "phone" });
    expect(reply("yes")).toEqual({ what: "refused", text: "Too late: answered by Ann in phone after 41s." });
  });

  it("has none where they do not fit, where several can be chosen, or with several questions", () => {
    for (const [fields, most] of [
      [questions(colour), 2],
      [questions(extras), 8],
      [questions(colour, extras), 8],
      [questions({ ...colour, options: [] }), 8],
      [[], 8],
    ] as const) {
      const { layout, question } = open(fields);
      expect(makeButtons(layout, question, "phone", true, most)).toEqual([]);
      expect(hasOptionButtons(question, most)).toBe(false);
    }
  });

  it("of a form can be declined, by a button or the word", () => {
    const { layout, question } = open(form, "form");
    const buttons = makeButtons(layout, question, "phone", true);
    expect(buttons).toEqual([expect.objectContaining({ choice: "deny", label: "Decline" })]);
    expect(choiceOfWords(question, "Decline")).toBe("deny");
    const vip = open(form.slice(3), "form");
    const declines = makeButtons(vip.layout, vip.question, "phone", true, 2);
    expect(declines.map(({ label }) => label)).toEqual(["Decline"]);
    expect(makeButtons(vip.layout, vip.question, "phone", true).map(({ label }) => label)).toEqual([
      "Yes",
      "No",
      "Decline",
    ]);
  });

  it("is never allowed, only answered", () => {
    const { layout, question } = open(questions(colour));
    expect(give(layout, question, { choice: "allow", by: "Ann", at: now }).what).toBe("refused");
    expect(give(layout, question, { choice: "reply", by: "Ann", at: now }).what).toBe("refused");
    expect(readQuestion(layout, question.id)).toEqual(question);
  });
});

describe("the agent is told", () => {
  const reply = (message?: string) => ({ choice: "reply", message, by: "Ann", at: 1 }) as const;

  it("the answers by label, beside its own questions", () => {
    const payload = { tool_input: { questions: [colour, extras] } };
    const asked = { agent: "claude-code", kind: "question", fields: questions(colour, extras) } as const;
    const answers = { "Which colour?": "Red", "Which extras?": "Lid, Bag" };
    expect(decisionFor(asked, reply("red; 1, 2"), payload)).toEqual({
      hookSpecificOutput: {
        hookEventName: "PermissionRequest",
        decision: { behavior: "allow", updatedInput: { questions: [colour, extras], answers } },
      },
    });
  });

  it("what a form holds, or that it was declined", () => {
    const asked = { agent: "claude-code", kind: "form", fields: form } as const;
    const told = (more: object): object => ({ hookSpecificOutput: { hookEventName: "Elicitation", ...more } });
    const content = { seats: 2, where: "in" };
    expect(decisionFor(asked, reply("seats: 2\nwhere: Inside"), booking)).toEqual(told({ action: "accept", content }));
    expect(decisionFor(asked, { ...reply(), choice: "deny" }, booking)).toEqual(told({ action: "decline" }));
  });

  it("the next prompt, where it runs in a terminal", () => {
    const payload = { last_assistant_message: "Done." };
    const asked = claudeCode.asks?.("Stop", payload, { CLAUDE_CODE_ENTRYPOINT: "cli" });
    expect(asked).toMatchObject({ kind: "prompt", text: "Done.", showsDialog: false });
    const question = { agent: "claude-code", kind: "prompt", fields: fieldsOf(asked) } as const;
    expect(decisionFor(question, reply("Run the tests"), payload)).toEqual({
      decision: "block",
      reason: "Run the tests",
    });
    expect(decisionFor(question, { ...reply(), choice: "none" }, payload)).toBeUndefined();
    expect(claudeCode.asks?.("Stop", payload, { CLAUDE_CODE_ENTRYPOINT: "sdk-cli" })).toBeUndefined();
  });

  it.each([
    [{}, true],
    [{ CLAUDE_CODE_ENTRYPOINT: "cli" }, true],
    [{ CLAUDE_CODE_ENTRYPOINT: "sdk-cli" }, false],
    [{ CLAUDE_CODE_ENTRYPOINT: "sdk-py" }, false],
  ])("with the dialog of a terminal only where there is one: %j", (env, showsDialog) => {
    const call = { tool_name: "Bash", tool_input: { command: "ls" } };
    expect(claudeCode.asks?.("PermissionRequest", call, env)).toMatchObject({ showsDialog });
  });

  it.each([
    ["an answer that does not fit", reply("9")],
    ["an answer without words", reply()],
    ["an allow", { ...reply("Red"), choice: "allow" } as const],
    ["a deny", { ...reply("Red"), choice: "deny" } as const],
  ])("nothing about %s", (_what, answer) => {
    const asked = { agent: "claude-code", kind: "question", fields: questions(colour) } as const;
    expect(decisionFor(asked, answer, { tool_input: { questions: [colour] } })).toBeUndefined();
  });
});
