// What an agent asks a person: a permission, or words that fill in fields.
import type { AgentQuestion, Field, Payload } from "./agent.ts";
import { listOf, objectOf, objectsOf, textOf } from "../../model/json.ts";

const inWords = { input: {}, showsDialog: false, takesSuggestion: false };

/** Undefined where the payload does not name the call's arguments, since no one can allow what they do not see. */
export function askedPermission(
  { tool_name: tool, tool_input: input }: Payload,
  how: Pick<AgentQuestion, "showsDialog" | "takesSuggestion">,
): AgentQuestion | undefined {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  if (!isObject) return undefined;
  return {
    kind: "permission",
    subject: textOf(tool) ?? "a tool",
    input: objectOf(input),
    text: "",
    fields: [],
    ...how,
  };
}

/** Whether the call of a tool is a question to the user: by the tool's name, or by its form where that name is missing or odd. */
export function asksPerson({ tool_name: tool, tool_input: input }: Payload, name: string): boolean {
  const questions = objectsOf(objectOf(input).questions);
  return tool === name || questions.some(({ question }) => textOf(question) !== undefined);
}

/** `questions: [{ question, options: [{ label, description }], multiSelect }]`. Undefined where an answer could not name one of them. */
export function askedQuestions(input: Payload, showsDialog: boolean): AgentQuestion | undefined {
  const questions = objectsOf(input.questions);
  const fields = questions.map((each): Field => {
    const text = textOf(each.question) ?? "";
    const options = objectsOf(each.options).flatMap((option) => {
      const label = textOf(option.label);
      return label === undefined ? [] : [{ label, value: label, description: textOf(option.description) }];
    });
    const isMany = each.multiSelect === true || each.multiple === true;
    return { name: text, text, options, takesOther: each.custom !== false, isMany, isOptional: false };
  });
  const names = new Set(fields.map(({ name }) => name));
  if (fields.length === 0 || names.size < fields.length || names.has("")) return undefined;
  return { kind: "question", subject: "", text: "", fields, ...inWords, showsDialog };
}

/** A form of an MCP server, where all of its fields are simple. https://modelcontextprotocol.io/specification/draft/client/elicitation */
export function askedForm(payload: Payload): AgentQuestion | undefined {
  const { properties, required } = objectOf(payload.requested_schema);
  const mode = textOf(payload.mode) ?? "form";
  const given = Object.entries(objectOf(properties));
  if (mode !== "form" || given.length === 0) return undefined;
  const needed = listOf(required);
  const fields = given.flatMap(([name, value]) => formField(name, objectOf(value), !needed.includes(name)) ?? []);
  if (fields.length < given.length) return undefined;
  const subject = textOf(payload.mcp_server_name) ?? "a server";
  return { kind: "form", subject, text: textOf(payload.message) ?? "", fields, ...inWords };
}

function formField(name: string, schema: Payload, isOptional: boolean): Field | undefined {
  const isMany = schema.type === "array";
  const options = optionsOf(isMany ? objectOf(schema.items) : schema);
  const isSimple = options.length > 0 || /^(?:string|number|integer)$/.test(String(schema.type));
  // A server's regular expression may take for ever.
  if (!isSimple || schema.pattern !== undefined) return undefined;
  const text = [textOf(schema.title), textOf(schema.description)].filter((part) => part !== undefined).join(": ");
  return { name, text: text === "" ? name : text, options, takesOther: false, isMany, isOptional, schema };
}

function optionsOf(schema: Payload): Field["options"] {
  if (schema.type === "boolean") {
    return [
      { label: "Yes", value: true },
      { label: "No", value: false },
    ];
  }
  const titled = [schema.oneOf, schema.anyOf].find(Array.isArray) ?? [];
  const names = listOf(schema.enumNames);
  const values = Array.isArray(schema.enum) ? schema.enum : titled.map((each) => objectOf(each).const);
  return values.flatMap((value: unknown, index) => {
    if (typeof value !== "string" && typeof value !== "number") return [];
    return [{ label: textOf(names[index] ?? objectOf(titled[index]).title) ?? String(value), value }];
  });
}

/** The end of a turn, where the agent takes another prompt from its hook. */
export function askedPrompt(payload: Payload): AgentQuestion {
  const field = { name: "prompt", text: "", options: [], takesOther: true, isMany: false, isOptional: false };
  return {
    kind: "prompt",
    subject: "",
    text: textOf(payload.last_assistant_message) ?? "",
    fields: [field],
    ...inWords,
  };
}
