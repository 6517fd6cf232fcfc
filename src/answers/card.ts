// What a person reads before they answer: the tool's input, with what is left out counted.
import type { Field } from "../agents/dialect/agent.ts";
import type { Message } from "../model/message.ts";
import { scrub } from "../model/privacy/scrub.ts";
import { cut } from "../model/text.ts";
import type { Question } from "./questions.ts";

/** A longer input is kept by its head and its tail. */
const maxKept = 64 * 1024;

/** Controls and invisible characters, but not newline and tab. */
const unseen = /(?![\n\t ])[\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}\p{Default_Ignorable_Code_Point}]/gu;

/** `⟨U+202E⟩` in place of each character that cannot be seen. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, "\n")
    .replace(unseen, (sign) => `⟨U+${(sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`)
    .replace(/ {30,}/g, (run) => `⟨${run.length} spaces⟩`)
    .replace(/\n{5,}/g, (run) => `\n⟨${run.length - 1} empty lines⟩\n`);
}

function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⟨U+000A⟩");
}

const latin = /\p{Script=Latin}/u;
const likeLatin = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}]/u;
const onlyTwins = /^[аеорсухіјѕһԁԛԝӏАВЕКМНОРСТУХІЈЅΑΒΕΖΗΙΚΜΝΟΡΤΥΧονρ]+$/u;
/** Full-width, mathematical and other forms of ASCII. */
const formOfAscii = /[\u037E\u2024\u2044\u2215\uFF01-\uFF5E\u{1D400}-\u{1D7FF}]/u;

/** Word by word: in time that grows with the text's length. */
function misleadingWord(text: string): string | undefined {
  for (const [word] of text.matchAll(/[\p{L}\p{M}]+|[\u037E\u2024\u2044\u2215\uFF01-\uFF5E]|[\u{1D7CE}-\u{1D7FF}]/gu)) {
    const isMixed = latin.test(word) && likeLatin.test(word);
    if (isMixed || onlyTwins.test(word) || formOfAscii.test(word)) return word;
  }
  return undefined;
}

/** What decides what happens comes first, and no field is left out. */
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
  const word = misleadingWord(seen);
  const noted = word === undefined ? seen : `${seen}\nnote: "${cut(word, 60)}" has characters that look like others`;
  const { text, found } = scrub(noted);
  const { text: kept, isWhole } = headAndTail(text, maxKept);
  return { text: kept, isWhole: isWhole && found.length === 0 };
}

function linesOf(sign: string, value: unknown): string[] {
  if (value === undefined) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.split("\n").map((line) => `${sign}${line}`);
}

/** The beginning, the number of characters that are left out, and the end. */
export function headAndTail(text: string, most: number): { text: string; isWhole: boolean } {
  if (text.length <= most) return { text, isWhole: true };
  const room = Math.max(0, most - 40);
  const head = text.slice(0, Math.ceil(room / 2)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(room / 2)).toWellFormed();
  const omitted = text.length - head.length - tail.length;
  return { text: `${head}\n⋯ ${omitted} characters left out ⋯\n${quote}${tail}`, isWhole: false };
}

/** No line of the agent's looks like the card's. */
const quote = "│ ";
/** Channels cut longer fields. */
const maxField = 120;

export function titleOf({ kind, tool }: Pick<Question, "kind" | "tool">, agentName: string): string {
  if (kind === "prompt") return `${agentName} is done: what next?`;
  if (kind === "question") return `${agentName} has a question`;
  return kind === "form" ? `${visibleLine(tool)} asks through ${agentName}` : `${agentName} asks: ${visibleLine(tool)}`;
}

/** For a channel that shows so much text, and whether that is all. */
export function cardOf(question: Question, agentName: string, most: number): { message: Message; isWhole: boolean } {
  const { text, isWhole } = headAndTail(question.text.replace(/^/gm, quote), most);
  const fields = [
    { label: "folder", value: visibleLine(question.cwd) },
    { label: "host", value: question.host },
    ...(question.branch === undefined ? [] : [{ label: "branch", value: visibleLine(question.branch) }]),
  ];
  const message: Message = {
    title: titleOf(question, agentName),
    body: text,
    level: "attention",
    fields,
  };
  const areWhole = fields.every(({ value }) => value.length <= maxField);
  return { message, isWhole: isWhole && areWhole && question.isWhole };
}
