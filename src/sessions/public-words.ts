// The words of --json and of messages for what files and machines of a fleet call otherwise: they keep the words of 1.0.0-rc.1.
import { asObject, jsonLine } from "../model/json.ts";

const fields: Readonly<Record<string, string>> = {
  runningHelpers: "runningSubagents",
  helperOf: "subagentOf",
  helpers: "subagents",
  helper: "subagent",
};

/** States, policies and groups. */
const names: Readonly<Record<string, string>> = {
  waitsForHelpers: "waitsForSubagents",
  helpers: "subagents",
  gone: "ended",
};

/** A state or a policy, as people and programs read it. */
export function publicName(name: string): string {
  return Object.hasOwn(names, name) ? (names[name] ?? name) : name;
}

/** A value of hookbell's own files as programs read it. `by` names a policy; all other texts are left as they are. */
export function withPublicWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPublicWords);
  const members = asObject(value);
  if (members === undefined) return value;
  return Object.fromEntries(
    Object.entries(members).map(([key, each]) => [
      Object.hasOwn(fields, key) ? (fields[key] ?? key) : key,
      key === "by" && typeof each === "string" ? publicName(each) : withPublicWords(each),
    ]),
  );
}

/** Most entries of the journal have none of the older words, and are not copied. */
export function publicJsonLine(value: unknown): string {
  const line = jsonLine(value);
  return /helper/i.test(line) ? jsonLine(withPublicWords(value)) : line;
}
