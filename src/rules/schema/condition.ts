// The conditions of a rule: fields, and the patterns that they are compared with.
import type * as Re2 from "re2js";
import type { AgentEvent } from "../../model/event.ts";
import { composed } from "../../model/places/folder.ts";

/** The fields of `when`, and where an event has them. */
export const conditionFields = {
  event: (event) => event.name,
  agent: (event) => event.agent,
  project: (event) => event.project,
  cwd: (event) => event.cwd,
  host: (event) => event.host,
  session: (event) => event.session,
  reason: (event) => event.reason,
  notificationType: (event) => event.notificationType,
  message: (event) => event.message,
  level: (event) => event.level,
  headless: (event) => String(event.headless === true),
  runningSubagents: (event) => event.runningHelpers?.toString(),
} satisfies Record<string, (event: AgentEvent) => string | undefined>;
export type ConditionField = keyof typeof conditionFields;

/** One field of `when`: matches when one of the patterns does. */
export interface Condition {
  field: ConditionField;
  anyOf: Pattern[];
}

export type Pattern =
  | { kind: "literal"; source: string }
  /** `*` is any characters, `?` one. Case-sensitive; the whole text must match; `*` crosses slashes. */
  | { kind: "glob"; source: string }
  /** The expression is found anywhere in the text; it has RE2's syntax and linear time. */
  | { kind: "regex"; source: string; isIn(text: string): boolean }
  /** Matches when none of the patterns does: the only one that matches a missing field. */
  | { kind: "not"; anyOf: Pattern[] };

/** UTF-16 units. */
export const maxPatternLength = 1000;

export function compileText(source: string): Pattern {
  return { kind: /[*?]/.test(source) ? "glob" : "literal", source: composed(source) };
}

let engine: typeof Re2 | undefined;

/** Words with `|` between them mean the same in JavaScript's expressions, which take no longer to find them. */
const onlyWords = /^(\(\?i\))?([\w -]+(?:\|[\w -]+)*)$/;

export function needsLibrary(source: string): boolean {
  return !onlyWords.test(source);
}

/** Await it before `compileRegex` of an expression that needs the library, which is large. */
export async function loadExpressions(): Promise<void> {
  engine ??= await import("re2js");
}

/** The compiled expression, or what is wrong and where; `index` counts in UTF-16 units of the source. */
export function compileRegex(
  source: string,
): { pattern: Pattern } | { message: string; hint?: string; index: number; length: number } {
  const [isOfWords, ignoresCase, words = ""] = onlyWords.exec(source) ?? [];
  if (isOfWords !== undefined) {
    const expression = new RegExp(words, ignoresCase === undefined ? "u" : "iu");
    return { pattern: { kind: "regex", source, isIn: (text) => expression.test(text) } };
  }
  if (engine === undefined) throw new Error("the library for expressions is not loaded");
  try {
    const expression = engine.RE2JS.compile(composed(source));
    return { pattern: { kind: "regex", source, isIn: (text) => expression.matcher(text).find() } };
  } catch (error) {
    if (!(error instanceof engine.RE2JSException)) throw error;
    const isSyntax = error instanceof engine.RE2JSSyntaxException;
    const part = (isSyntax ? error.getPattern() : undefined) ?? source;
    const index = Math.max(0, source.indexOf(part));
    const message = `not a regular expression: ${isSyntax ? error.getDescription() : error.message}`;
    const hint = hintFor(part);
    return { message, ...(hint === undefined ? {} : { hint }), index, length: part.length };
  }
}

function hintFor(part: string): string | undefined {
  if (/^\(\?<?[=!]/.test(part)) return 'lookaround is not supported; use { "not": ... } or several rules';
  if (/^\\[1-9]/.test(part)) return "backreferences are not supported";
  if (/^[*+?]/.test(part)) return 'for a glob, leave out "matches": "shop-*"';
  return undefined;
}
