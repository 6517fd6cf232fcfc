// Decides whether a rule matches an event, and says why; and which events the rules wait for before any comes.
import { commonTypeOf } from "../../agents/dialect/notification-types.ts";
import { type AgentEvent, isFrequent, knownEventNames } from "../../model/event.ts";
import { composed, folderNames, isWindowsPath, windowsKey } from "../../model/places/folder.ts";
import { scrub } from "../../model/privacy/scrub.ts";
import { printableLine } from "../../model/text.ts";
import { type Condition, type ConditionField, conditionFields, type Pattern } from "../schema/condition.ts";
import { possibleLevels } from "../../model/level.ts";
import type { Rule } from "../rules.ts";

/** The values that conditions compare; a field may be absent. */
export type MatchFacts = Readonly<Partial<Record<ConditionField, string | undefined>>>;

/** `why` is a sentence without a full stop. */
export interface MatchResult {
  held: boolean;
  why: string;
}

/** Patterns see only the start of a field, in UTF-16 units. */
export const maxMatchedLength = 64 * 1024;
const maxQuoteLength = 80;
/** Half a credential would not be recognised, so more text is scrubbed than shown. */
const maxScrubbedLength = 4096;

export function factsOf(event: AgentEvent): MatchFacts {
  const entries = Object.entries(conditionFields).map(([field, read]) => {
    const value = read(event)?.slice(0, maxMatchedLength);
    // Patterns are composed as well, so that an accent in a file's name is the same in each of its two forms.
    return [field, value === undefined ? undefined : composed(value)];
  });
  return Object.fromEntries(entries);
}

/** The same as `held` of `matchRule`, which takes a hundred times longer to say why. */
export function doesRuleMatch(rule: { when: readonly Condition[] }, facts: MatchFacts): boolean {
  return !isTooFrequent(rule, facts) && rule.when.every((condition) => findMatch(condition, facts) !== undefined);
}

export function matchRule(rule: { when: readonly Condition[] }, facts: MatchFacts): MatchResult {
  if (isTooFrequent(rule, facts)) {
    return { held: false, why: `this event is frequent; only rules that name it match: "${facts.event}"` };
  }
  if (rule.when.length === 0) return { held: true, why: "it has no conditions" };
  const results = rule.when.map((condition) => matchCondition(condition, facts));
  const held = results.every((result) => result.held);
  const reported = held ? results : results.filter((result) => !result.held);
  return { held, why: reported.map(({ why }) => why).join("; ") };
}

function isTooFrequent(rule: { when: readonly Condition[] }, { event }: MatchFacts): boolean {
  return event !== undefined && isFrequent(event) && !namesEvent(rule, event);
}

function namesEvent({ when }: { when: readonly Condition[] }, name: string): boolean {
  return when.some(
    ({ field, anyOf }) =>
      field === "event" && anyOf.some((pattern) => pattern.kind === "literal" && pattern.source === name),
  );
}

function findMatch({ field, anyOf }: Condition, facts: MatchFacts): Pattern | undefined {
  const value = facts[field]?.slice(0, maxMatchedLength);
  const common = field === "notificationType" && value !== undefined ? commonTypeOf[value] : undefined;
  const isOfWindows = (field === "cwd" || field === "project") && isWindowsPath(facts.cwd ?? "");
  return anyOf.find((pattern) => doesMatch(pattern, value, { common, isOfWindows, isFolder: field === "cwd" }));
}

function matchCondition(condition: Condition, facts: MatchFacts): MatchResult {
  const { field, anyOf } = condition;
  const value = facts[field]?.slice(0, maxMatchedLength);
  const match = findMatch(condition, facts);
  const has = value === undefined ? `the event has no ${field}` : `${field} is ${quote(value)}`;
  if (match === undefined) return { held: false, why: `${has}, wanted ${describeAny(anyOf)}` };
  if (value === undefined || (match.kind === "literal" && match.source === value)) return { held: true, why: has };
  if (match.kind === "not") return { held: true, why: `${has}, not ${describeAny(match.anyOf)}` };
  return { held: true, why: `${field} ${quote(value)} matches ${describe(match)}` };
}

interface MatchedValue {
  /** Another name of the value. */
  common?: string | undefined;
  /** A folder of Windows or its name, which have many spellings. */
  isOfWindows?: boolean;
  /** Any folder: macOS has some at two places. */
  isFolder?: boolean;
}

/** A missing field matches only `not`. */
function doesMatch(pattern: Pattern, value: string | undefined, about: MatchedValue = {}): boolean {
  if (pattern.kind === "not") return !pattern.anyOf.some((inner) => doesMatch(inner, value, about));
  if (value === undefined) return false;
  const isOfWindows = about.isOfWindows === true;
  const names = about.isFolder === true ? folderNames(value, pattern.source) : [value];
  if (pattern.kind === "regex") {
    const spellings = isOfWindows ? [value, value.replaceAll("\\", "/"), windowsKey(value)] : names;
    return spellings.some((spelling) => pattern.isIn(spelling));
  }
  const [source, texts] = isOfWindows ? [windowsKey(pattern.source), [windowsKey(value)]] : [pattern.source, names];
  if (pattern.kind === "glob") return texts.some((text) => matchesGlob(source, text));
  return texts.includes(source) || about.common === source;
}

/** Whether every event that the second rule matches is one that the first matches. Undetected where only an expression tells. */
export function covers(first: { when: readonly Condition[] }, second: { when: readonly Condition[] }): boolean {
  const events = second.when.flatMap(({ field, anyOf }) => (field === "event" ? anyOf : []));
  const missed = events.some((event) => event.kind === "literal" && isTooFrequent(first, { event: event.source }));
  if (missed) return false;
  return first.when.every(({ field, anyOf }) =>
    second.when.some((each) => each.field === field && each.anyOf.every((inner) => anyOf.some(coversPattern(inner)))),
  );
}

function coversPattern(inner: Pattern): (outer: Pattern) => boolean {
  return (outer) => {
    if (inner.kind === "literal") return doesMatch(outer, inner.source);
    if (inner.kind === "not" || outer.kind === "not") return false;
    return (
      (outer.kind === "glob" && outer.source === "*") || (outer.kind === inner.kind && outer.source === inner.source)
    );
  };
}

/** Goes back to the last `*` only, so that no text can make it slow. */
function matchesGlob(source: string, value: string): boolean {
  const glob = [...source];
  const text = [...value];
  let at = 0;
  let next = 0;
  let star: { at: number; next: number } | undefined;
  while (next < text.length) {
    if (glob[at] === "*") {
      star = { at, next };
      at += 1;
    } else if (glob[at] === "?" || glob[at] === text[next]) {
      at += 1;
      next += 1;
    } else if (star === undefined) {
      return false;
    } else {
      star.next += 1;
      at = star.at + 1;
      next = star.next;
    }
  }
  return glob.slice(at).every((sign) => sign === "*");
}

function describeAny(patterns: readonly Pattern[]): string {
  const texts = patterns.map(describe);
  return texts.length === 1 ? (texts[0] ?? "") : `one of ${texts.join(", ")}`;
}

function describe(pattern: Pattern): string {
  if (pattern.kind === "not") return `anything but ${describeAny(pattern.anyOf)}`;
  return pattern.kind === "regex" ? `/${pattern.source}/` : `"${pattern.source}"`;
}

/** Text of an event is untrusted: one short line, without control characters and credentials. */
function quote(value: string): string {
  const line = printableLine(scrub(value.slice(0, maxScrubbedLength)).text.slice(0, 4 * maxQuoteLength));
  const characters = [...line];
  return `"${characters.length > maxQuoteLength ? `${characters.slice(0, maxQuoteLength - 1).join("")}…` : line}"`;
}

/** The fields that are known before an event happens. */
const foreseen: readonly ConditionField[] = ["event", "agent", "level"];

/** Others are many, and have a hook only where a rule names them. */
const generalEvents: ReadonlySet<string> = new Set(knownEventNames);

/** Conditions on unknown fields count as met. `mustBeNamed`: a rule about all events does not wait for it. */
export function isEventAwaited(rules: readonly Rule[], agentId: string, name: string, mustBeNamed = false): boolean {
  const isGeneral = generalEvents.has(name) && !mustBeNamed;
  return possibleLevels(name).some((level) => {
    const facts: MatchFacts = { event: name, agent: agentId, level };
    for (const rule of rules) {
      const when = rule.when.filter(({ field }) => foreseen.includes(field));
      if (!doesRuleMatch({ when }, facts)) continue;
      if (rule.notify.length > 0 && (isGeneral || when.some(namesEvents))) return true;
      if (rule.final && when.length === rule.when.length) return false;
    }
    return false;
  });
}

/** `"*"` and `{ "not": ... }` name none. */
function namesEvents({ field, anyOf }: Condition): boolean {
  return field === "event" && anyOf.some((pattern) => pattern.kind !== "not" && /\w/.test(pattern.source));
}

const foreseenOfQuestions: readonly ConditionField[] = ["event", "level"];
const questions = ["Notification", "PermissionRequest"];

/** The channels that rules name for an agent's questions, in order: how the person wants to be reached. */
export function questionChannels(rules: readonly Rule[]): string[] {
  const names = new Set<string>();
  for (const event of questions) {
    for (const { when, notify, fallback, final } of rules) {
      const known = when.filter(({ field }) => foreseenOfQuestions.includes(field));
      if (!doesRuleMatch({ when: known }, { event, level: "attention" })) continue;
      for (const name of [...notify, ...fallback]) names.add(name);
      if (final && known.length === when.length) break;
    }
  }
  return [...names];
}
