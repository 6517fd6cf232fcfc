// What a person reads before they answer: the tool's input, whole or with what is left out counted.
import type { Field } from "../../agents/dialect/agent.ts";
import type { Message } from "../../model/message.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import type { Question } from "./questions.ts";

/** A longer input is kept by its head and its tail. */
const maxKept = 64 * 1024;

/** Controls, and characters that are invisible or turn the direction of the text around. Newline and tab stay. */
const unseen = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** `⟨U+202E⟩` in place of each character that cannot be seen. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, "\n")
    .replace(unseen, (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`);
}

/** A word of letters of two alphabets may look like another word. */
const mixed = /(?=[\p{L}\p{M}]*\p{Script=Latin})(?=[\p{L}\p{M}]*[\p{Script=Cyrillic}\p{Script=Greek}])[\p{L}\p{M}]+/u;

/** The whole input as text. What decides what happens comes first, and no field is left out. */
export function textOfCall(input: Readonly<Record<string, unknown>>): { text: string; isWhole: boolean } {
  const lines: string[] = [];
  const { command, file_path: path, old_string: before, new_string: after, content, url, ...others } = input;
  const named = { file_path: path, url, command };
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === "string") lines.push(value);
    else if (value !== undefined) lines.push(`${name}: ${JSON.stringify(value)}`);
  }
  lines.push(...linesOf("- ", before), ...linesOf("+ ", after), ...linesOf("+ ", content));
  for (const [name, value] of Object.entries(others)) {
    lines.push(`${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`);
  }
  return clear(lines);
}

/** What is asked in words, with the options numbered. */
export function textOfFields(text: string, fields: readonly Field[]): { text: string; isWhole: boolean } {
  const asked = fields.flatMap((field, index) => [
    ...(field.text === "" ? [] : [`${headOf(field, index, fields.length)}${field.isOptional ? " (optional)" : ""}`]),
    ...field.options.map(({ label, description }, option) => {
      return `${option + 1}. ${label}${description === undefined ? "" : `: ${description}`}`;
    }),
  ]);
  return clear(text === "" ? asked : [text, ...asked]);
}

/** The fields of a form are answered by their names. */
function headOf({ name, text, schema }: Field, index: number, count: number): string {
  if (schema !== undefined && count > 1) return name === text ? name : `${name}: ${text}`;
  return count > 1 ? `${index + 1}) ${text}` : text;
}

/** What a person can see and may see. */
function clear(lines: readonly string[]): { text: string; isWhole: boolean } {
  const seen = visible(lines.join("\n"));
  const look = mixed.exec(seen)?.[0];
  const noted = look === undefined ? seen : `${seen}\nnote: "${look}" mixes letters of several alphabets`;
  const { text, found } = scrub(noted);
  const { text: kept, isWhole } = headAndTail(text, maxKept);
  return { text: kept, isWhole: isWhole && found.length === 0 };
}

function linesOf(sign: string, value: unknown): string[] {
  if (value === undefined) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.split("\n").map((line) => `${sign}${line}`);
}

/** At most so many UTF-16 units: the beginning, the number of characters that are left out, and the end. */
export function headAndTail(text: string, most: number): { text: string; isWhole: boolean } {
  if (text.length <= most) return { text, isWhole: true };
  const room = Math.max(0, most - 40);
  const head = text.slice(0, Math.ceil(room / 2)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(room / 2)).toWellFormed();
  const omitted = text.length - head.length - tail.length;
  return { text: `${head}\n⋯ ${omitted} characters left out ⋯\n${tail}`, isWhole: false };
}

export function titleOf({ kind, tool }: Pick<Question, "kind" | "tool">, agentName: string): string {
  if (kind === "prompt") return `${agentName} is done: what next?`;
  if (kind === "question") return `${agentName} has a question`;
  return kind === "form" ? `${visible(tool)} asks through ${agentName}` : `${agentName} asks: ${visible(tool)}`;
}

/** The question's message for a channel that shows so much text, and whether that is all of it. */
export function cardOf(question: Question, agentName: string, most: number): { message: Message; isWhole: boolean } {
  const { text, isWhole } = headAndTail(question.text, most);
  const fields = [
    { label: "folder", value: visible(question.cwd) },
    { label: "host", value: question.host },
    ...(question.branch === undefined ? [] : [{ label: "branch", value: visible(question.branch) }]),
  ];
  const message: Message = {
    title: titleOf(question, agentName),
    body: text,
    level: "attention",
    fields,
  };
  return { message, isWhole: isWhole && question.isWhole };
}
