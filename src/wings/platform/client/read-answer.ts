// Reads an answer that may differ from the service's document. One odd field must not hide everything else: it is noted.
import * as z from "zod";
import { messageOfIssue } from "../../../model/errors.ts";
import { asObject } from "../../../model/json.ts";
import { cut, printableLine } from "../../../model/text.ts";

export type ReadAnswer =
  /** Each note is a part of a sentence that begins with the place. */
  { value: unknown; notes: string[] } | { problem: string };

/**
 * What cannot be used is left out of `records`: a field that the document calls optional, or the smallest thing around it. Of
 * `figures` no number is ever left out or guessed: totals would be wrong without a word.
 */
export type Leniency = "records" | "figures";

type Path = readonly PropertyKey[];

/** Without these, a row says nothing of anything. */
const identities: ReadonlySet<PropertyKey> = new Set([
  "date",
  "group_key",
  "user_id",
  "reportId",
  "repoUrl",
  "report",
  "id",
  "name",
]);
const maxShownValue = 60;
/** Each pass leaves out one more level, and no answer has so many. */
const maxPasses = 10;

/** Changes `value`, which was made from the answer's text. */
export function readAnswer(value: unknown, schema: z.ZodType, leniency: Leniency): ReadAnswer {
  const notes = new Map<string, number>();
  const note = (text: string): void => void notes.set(text, (notes.get(text) ?? 0) + 1);
  let problem: string | undefined;
  for (let pass = 0; pass < maxPasses; pass += 1) {
    const all = schema.safeParse(value, { error: messageOfIssue }).error?.issues ?? [];
    const issues = all.filter((issue) => !isOdd(issue, value));
    if (issues.length === 0) {
      for (const issue of all) note(oddityOf(issue, value));
      noteUnlisted(value, schema, [], note);
      notes.delete("");
      return { value, notes: [...notes].map(([text, times]) => (times === 1 ? text : `${text} (${times} times)`)) };
    }
    // What the service has sent, not what is left of it.
    problem ??= problemOf(issues);
    for (const issue of issues) {
      const change = fill(issue, value) ?? (leniency === "records" ? leaveOut(issue, value) : undefined);
      if (change === undefined) return { problem };
      note(change);
    }
    compact(value);
  }
  return { problem: problem ?? "" };
}

/** Whether it is a text or a member that the document does not list: it is kept as it is. A date is computed with. */
function isOdd(issue: z.core.$ZodIssue, value: unknown): boolean {
  if (issue.code === "unrecognized_keys") return true;
  if (typeof valueAt(value, issue.path) !== "string" || issue.code === "custom") return false;
  return issue.code !== "invalid_type" && !(issue.code === "invalid_format" && issue.format === "date");
}

function oddityOf(issue: z.core.$ZodIssue, value: unknown): string {
  if (issue.code === "unrecognized_keys") return unlisted(issue.keys, issue.path);
  const got = valueAt(value, issue.path);
  // It was filled in, and is noted already.
  return got === "" ? "" : `${placeOf(issue.path)}${issue.message}, got ${shown(got)}; kept`;
}

function unlisted(names: readonly string[], path: Path): string {
  return `${placeOf(path)}the document has no ${names.map((name) => shown(name)).join(", ")}; kept`;
}

/** Hookbell's own server adds these to `meta`; docs/reference/SERVER.md has them. */
const ownMembers: ReadonlySet<string> = new Set(["so_far", "counted_since"]);

/** Members where the document lets further ones pass. What it forbids is an issue of the schema. */
function noteUnlisted(value: unknown, schema: unknown, path: Path, note: (text: string) => void): void {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    noteUnlisted(value, schema.unwrap(), path, note);
  } else if (schema instanceof z.ZodArray) {
    for (const [index, item] of (Array.isArray(value) ? value : []).entries()) {
      noteUnlisted(item, schema.element, [...path, index], note);
    }
  } else if (schema instanceof z.ZodRecord) {
    // What every criterion has is one note.
    for (const [index, member] of Object.values(asObject(value) ?? {}).entries()) {
      noteUnlisted(member, schema.valueType, [...path, index], note);
    }
  } else if (schema instanceof z.ZodObject) {
    const { shape } = schema;
    const members = Object.entries(asObject(value) ?? {});
    const further = members.flatMap(([name]) => (Object.hasOwn(shape, name) || ownMembers.has(name) ? [] : [name]));
    if (further.length > 0 && schema.def.catchall instanceof z.ZodUnknown) note(unlisted(further, path));
    for (const [name, member] of members) {
      if (Object.hasOwn(shape, name)) noteUnlisted(member, shape[name], [...path, name], note);
    }
  }
}

/** A text or a map that is missing says nothing. Undefined if it cannot be filled in. */
function fill({ code, path, message, ...issue }: z.core.$ZodIssue, value: unknown): string | undefined {
  const parent = valueAt(value, path.slice(0, -1));
  const key = path.at(-1);
  const members = asObject(parent);
  if (members === undefined || key === undefined || identities.has(key)) return undefined;
  if ((members[String(key)] ?? null) !== null) return undefined;
  const expected = code === "invalid_value" ? "string" : "expected" in issue ? issue.expected : undefined;
  if (expected !== "string" && expected !== "record") return undefined;
  members[String(key)] = expected === "string" ? "" : {};
  return `${placeOf(path)}${message}`;
}

/**
 * Leaves out the value, or what a missing one is missing in. Empty if that has been left out already; undefined if nothing would
 * be left.
 */
function leaveOut({ path, message }: z.core.$ZodIssue, value: unknown): string | undefined {
  const parent = valueAt(value, path.slice(0, -1));
  const isMissing = memberOf(parent, path.at(-1) ?? "") === undefined;
  if (path.length > 0 && (parent === undefined || (isMissing && Array.isArray(parent)))) return "";
  const target = isMissing ? path.slice(0, -1) : path;
  const key = target.at(-1);
  if (key === undefined) return undefined;
  const holder = valueAt(value, target.slice(0, -1));
  if (Array.isArray(holder)) holder[Number(key)] = undefined;
  else delete asObject(holder)?.[String(key)];
  return `${placeOf(path)}${message}; ${isMissing ? `${nameOf(target)} left out` : "left out"}`;
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>(memberOf, value);
}

function memberOf(value: unknown, key: PropertyKey): unknown {
  if (Array.isArray(value)) return value[Number(key)];
  const members = asObject(value);
  return members !== undefined && Object.hasOwn(members, key) ? members[String(key)] : undefined;
}

/** JSON has no `undefined`, so what is undefined has been left out. */
function compact(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    const kept = value.filter((each) => each !== undefined);
    if (kept.length < value.length) value.splice(0, value.length, ...kept);
  }
  for (const each of Object.values(value)) compact(each);
}

function problemOf(issues: readonly z.core.$ZodIssue[]): string {
  const [first, ...others] = issues;
  const place = first === undefined || first.path.length === 0 ? "" : `${first.path.join(".")}: `;
  const more = others.length === 0 ? "" : ` (and ${others.length} more)`;
  return `${printableLine(`${place}${first?.message ?? ""}`)}${more}`;
}

/** The same for every row, so that a fault of many rows is one note. */
function nameOf(path: Path): string {
  return cut(printableLine(path.map((part) => (typeof part === "number" ? "*" : String(part))).join(".")), 200);
}

function placeOf(path: Path): string {
  return path.length === 0 ? "" : `${nameOf(path)}: `;
}

function shown(value: unknown): string {
  return JSON.stringify(cut(printableLine(String(value)), maxShownValue));
}
