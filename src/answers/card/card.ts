// What a person reads before they answer: the tool's input, with what is left out counted.
import type { Field } from "../../agents/dialect/agent.ts";
import { argumentLines } from "../../agents/dialect/tool-line.ts";
import { quoteMark } from "../../model/answer.ts";
import { maxNameBeside, type Message } from "../../model/message.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { cut, headAndTail, markOf, meant, unseen } from "../../model/text.ts";
import { everydayScripts, misleadingWords } from "./look-alikes.ts";
import type { Question } from "../questions.ts";

/** A longer input is kept by its head and its tail. */
const maxKept = 64 * 1024;

const ofOtherScript = `[^${everydayScripts.map((script) => `\\p{Script=${script}}`).join("")}]`;
/** Some marks only join two letters of their script: after any other letter, they look like nothing. */
const strayMarks = everydayScripts
  .filter((script) => script !== "Inherited")
  .map((script) => `(?=\\p{Script=${script}})\\p{M}(?<!\\p{Script=${script}}\\p{Script=Inherited}?.)`);

/**
 * What cannot be told from nothing or from a blank, other than newline, tab and blank itself: controls, what looks like
 * nothing, what no everyday script has, and marks after a letter of another script.
 */
const hidden = `(?![\\n\\t ])(?:[${unseen}\\p{Cc}\\p{Cf}\\p{Z}]|${ofOtherScript}|${strayMarks.join("|")})`;
const hiddenOrMeant = new RegExp(`(${meant})|(${hidden})\\2*`, "gu");

/** `⟨U+202E⟩` in place of each character that cannot be seen, `⇥` for a tab, and a count for padding. */
export function visible(text: string): string {
  return text
    .toWellFormed()
    .replace(/\r\n/g, "\n")
    .replace(hiddenOrMeant, (whole: string, kept?: string) => kept ?? markOf(whole))
    .replace(/\n(?:[ \t]*\n){3,}/g, (run) => `\n⟨${run.split("\n").length - 2} empty lines⟩\n`)
    .replaceAll("\t", "⇥")
    .replace(/ {17,}/g, (run) => `⟨${run.length} spaces⟩`)
    .replace(/\p{M}{4,}/gu, (run) => `⟨${[...run].length} combining marks⟩`);
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll("\n", "⟨U+000A⟩");
}

/** Screens write fields in one line, with ` · ` between them. No value may look as if another field began in it. */
function asFieldValue(text: string): string {
  return visibleLine(text).replace(dots, (sign) => markOf(sign));
}

const dots = /[\u00B7\u0387\u1427\u16EB\u2022\u2027\u2219\u22C5\u2E31\u30FB\uA78F\uFF65\u{10101}]/gu;
/** Everyday scripts that are written from right to left. */
const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Thaana}]/u;

/** What decides what happens comes first, the longest text last, and no field is left out. */
export function textOfCall(input: Readonly<Record<string, unknown>>): { text: string; isWhole: boolean } {
  const lines: string[] = [];
  const { command, file_path: path, old_string: before, new_string: after, content, url, ...others } = input;
  const named = { file_path: path, url, command };
  for (const [name, value] of Object.entries(named)) {
    if (typeof value === "string") lines.push(value);
    else if (value !== undefined) lines.push(`${name}: ${JSON.stringify(value)}`);
  }
  lines.push(...linesOf("- ", before), ...linesOf("+ ", after), ...linesOf("+ ", content));
  return clear([...lines, ...argumentLines(others)]);
}

/** What is asked in words, with the options numbered. */
export function textOfFields(text: string, fields: readonly Field[]): { text: string; isWhole: boolean } {
  const asked = fields.flatMap((field, index) => [
    ...(field.text === "" ? [] : [`${headOf(field, index, fields.length)}${field.isOptional ? " (optional)" : ""}`]),
    ...optionsOf(field),
  ]);
  return clear(text === "" ? asked : [text, ...asked]);
}

function optionsOf({ options }: Field): string[] {
  return options.map(({ label, description }, option) => {
    return `${option + 1}. ${label}${description === undefined ? "" : `: ${description}`}`;
  });
}

/** What is asked without the options of its only field, for a place that has a button with all the words of each. */
export function textBesideOptions({ text, fields }: Pick<Question, "text" | "fields">): string {
  const [field, ...others] = fields;
  if (field === undefined || field.options.length === 0 || others.length > 0) return text;
  const options = `\n${clear(optionsOf(field)).text}`;
  return text.endsWith(options) ? text.slice(0, -options.length) : text;
}

/** The fields of a form are answered by their names. */
function headOf({ name, text, schema }: Field, index: number, count: number): string {
  if (schema !== undefined && count > 1) return name === text ? name : `${name}: ${text}`;
  return count > 1 ? `${index + 1}) ${text}` : text;
}

/** The text as a person can see it and may see it. */
function clear(lines: readonly string[]): { text: string; isWhole: boolean } {
  const { text: scrubbed, found } = scrub(lines.join("\n"));
  const text = visible(scrubbed);
  if (text.length <= maxKept) return { text, isWhole: found.length === 0 };
  return { text: headAndTail(text, maxKept, (left) => `\n⋯ ${left} characters left out ⋯\n`), isWhole: false };
}

function linesOf(sign: string, value: unknown): string[] {
  if (value === undefined) return [];
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.split("\n").map((line) => `${sign}${line}`);
}

/** The shell's list shows this title, and so does a channel if no rule sets another one. */
export function titleOf({ kind, tool }: Pick<Question, "kind" | "tool">, agentName: string): string {
  if (kind === "prompt") return `${agentName} is done: what next?`;
  if (kind === "question") return `${agentName} has a question`;
  return kind === "form" ? `${visibleLine(tool)} asks through ${agentName}` : `${agentName} asks: ${visibleLine(tool)}`;
}

const maxNamed = 3;

function namesOf(words: readonly string[]): string {
  const named = [...new Set(words)].map((word) => `"${cut(word, 60)}"`);
  if (named.length === 1) return `${named.join("")} has`;
  return `${named.slice(0, maxNamed).join(", ")}${named.length > maxNamed ? " and others" : ""} have`;
}

/**
 * All that is asked is in the body and the fields, since channels shorten titles. `session` tells it from others of its branch.
 */
export function cardOf(question: Question, agentName: string, title: string, session?: string): Message {
  const { kind, tool, text, cwd, host, branch } = question;
  const all = [text, tool, cwd, branch, session].join("\n");
  const words = [
    ...misleadingWords(text, kind !== "permission"),
    ...misleadingWords([tool, cwd, branch].join("\n")),
    // The person's own words, maybe cut.
    ...misleadingWords(session ?? "", true),
  ];
  const notes = [
    ...(words.length === 0 ? [] : [`${namesOf(words)} characters that look like others`]),
    ...(rightToLeft.test(all) ? ["letters written from right to left can change the order of what you see"] : []),
  ];
  const facts = {
    tool: kind === "permission" ? `${tool} (${agentName})` : undefined,
    server: kind === "form" ? `${tool} (${agentName})` : undefined,
    branch,
    session: session && cut(session, maxNameBeside),
    host,
    folder: cwd,
    note: notes.length === 0 ? undefined : notes.join("; "),
  };
  const fields = Object.entries(facts).flatMap(([label, value]) =>
    value === undefined ? [] : [{ label, value: asFieldValue(scrub(value).text) }],
  );
  return { title, body: text.replace(/^/gm, quoteMark), level: "attention", fields };
}
