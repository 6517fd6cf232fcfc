// Reads an answer in words into the fields that a question asks for, and says how to write one.
import { messageOfIssue } from "../model/errors.ts";
import * as z from "zod";
import type { Field, FieldValue } from "../agents/dialect/agent.ts";

type Value = FieldValue | FieldValue[];
export type ReplyReading = { values: Record<string, Value> } | { problem: string };

/** One field is the whole text; several are lines such as `seats: 2`, or in order: `1, 3; 2`. */
export function readReply(fields: readonly Field[], text: string): ReplyReading {
  const parts = fields.length === 1 ? [text.trim()] : (namedParts(fields, text) ?? orderedParts(fields, text));
  if (parts === undefined) return { problem: howToReply(fields) };
  const values: [string, Value][] = [];
  for (const [index, field] of fields.entries()) {
    const part = parts[index] ?? "";
    if (part === "" && field.isOptional) continue;
    const read = part === "" ? { problem: howToReply([field]) } : readValue(field, part);
    if ("problem" in read) return { problem: fields.length > 1 ? `${field.text}: ${read.problem}` : read.problem };
    values.push([field.name, read.value]);
  }
  return { values: Object.fromEntries(values) };
}

/** Instructions such as `reply with a number from 1 to 3`. */
export function howToReply(fields: readonly Field[]): string {
  const [first, second] = fields;
  if (first === undefined) return "answer at the terminal";
  if (second === undefined) return howToFill(first);
  if (first.schema !== undefined)
    return `reply with lines such as "${first.name}: ${first.options[0]?.label ?? "..."}"`;
  return `reply with a line for each of the ${fields.length} questions, or with numbers such as "1; 2"`;
}

function howToFill({ options, isMany, takesOther }: Field): string {
  if (options.length === 0) return "reply in words";
  const range = `from 1 to ${options.length}`;
  const numbers = isMany ? `reply with numbers ${range}, such as "1, 2"` : `reply with a number ${range}`;
  return takesOther ? `${numbers}, or in your own words` : numbers;
}

function namedParts(fields: readonly Field[], text: string): string[] | undefined {
  const parts = fields.map(() => "");
  for (const line of linesOf(text)) {
    const [, name = "", value = ""] = /^([^:]+):(.*)$/.exec(line) ?? [];
    const index = fields.findIndex((field) => isSame(field.name, name));
    if (index < 0) return undefined;
    parts[index] = value.trim();
  }
  return parts;
}

function orderedParts(fields: readonly Field[], text: string): string[] | undefined {
  const lines = linesOf(text);
  const parts = lines.length === fields.length ? lines : text.split(";").map((part) => part.trim());
  return parts.length === fields.length ? parts : undefined;
}

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function readValue(field: Field, text: string): { value: Value } | { problem: string } {
  const value = field.options.length === 0 ? plainValue(field, text) : chosen(field, text);
  if (value === undefined) return { problem: howToFill(field) };
  if (field.schema === undefined) return { value };
  const { error } = z.fromJSONSchema(field.schema).safeParse(value, { error: messageOfIssue });
  return error === undefined ? { value } : { problem: error.issues[0]?.message ?? "not what the form takes" };
}

function plainValue({ schema }: Field, text: string): FieldValue {
  const isNumber = schema?.type === "number" || schema?.type === "integer";
  return isNumber && /^[+-]?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function chosen({ options, isMany, takesOther }: Field, text: string): Value | undefined {
  const find = (word: string): FieldValue | undefined => {
    // A label before a number, since it may be one.
    const named = options.find(({ label }) => isSame(label, word));
    return (named ?? (/^\d{1,3}$/.test(word) ? options[Number(word) - 1] : undefined))?.value;
  };
  const whole = find(text);
  // A number that is none of them is a slip.
  const other = takesOther && !/^[\d\s,]+$/.test(text) ? text : undefined;
  if (!isMany) return whole ?? other;
  if (whole !== undefined) return [whole];
  const found = text.split(",").map((word) => find(word.trim()));
  const values = found.filter((value) => value !== undefined);
  if (values.length === found.length) return [...new Set(values)];
  return other === undefined ? undefined : [other];
}

function isSame(a: string, b: string): boolean {
  return a.trim().toLowerCase() === b.trim().toLowerCase();
}
