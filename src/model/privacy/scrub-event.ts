// Removes credentials from an event and its payload before a channel gets them.
import type { AgentEvent } from "../event.ts";
import { kindOfValue } from "./named-secrets.ts";
import { scrub } from "./scrub.ts";
import { composed, lastPart } from "../places/folder.ts";

export interface Words {
  event: AgentEvent;
  payload: Readonly<Record<string, unknown>> | undefined;
  /** The kinds of credentials that were removed. */
  found: readonly string[];
}

/** hookbell sets these fields, so they are never scrubbed. */
const ownFields: ReadonlySet<string> = new Set(["id", "at", "level", "durationMs", "link"]);

/** An event without credentials, which may be kept and shown, and the kinds that were removed. */
interface Masked {
  event: AgentEvent;
  found: readonly string[];
}

const masked = new WeakMap<AgentEvent, Masked>();

/** Scrubs each event once. What is masked already stays. */
export function maskEvent(event: AgentEvent): Masked {
  const known = masked.get(event);
  if (known !== undefined) return known;
  const found: string[] = [];
  const own = Object.entries(event).filter(([field]) => ownFields.has(field));
  const others = Object.fromEntries(Object.entries(event).filter(([field]) => !ownFields.has(field)));
  const clean = { ...(scrubValue(others, "", found) as AgentEvent), ...Object.fromEntries(own) };
  clean.project = projectLeft(event, clean);
  const result = { event: clean, found: [...new Set(found)] };
  masked.set(event, result);
  masked.set(clean, { event: clean, found: [] });
  return result;
}

/** The project may be half of a credential in the path. */
export function projectLeft(
  before: Pick<AgentEvent, "cwd">,
  { cwd, project }: Pick<AgentEvent, "cwd" | "project">,
): string {
  return cwd === before.cwd || composed(cwd).split(/[/\\]/).includes(project) ? project : lastPart(cwd);
}

/** Scrubs the payload once, on first use. */
export function createWords(event: AgentEvent, payload: Words["payload"]): (isScrubbed: boolean) => Words {
  let scrubbed: Words | undefined;
  return (isScrubbed) => {
    if (!isScrubbed) return { event, payload, found: [] };
    scrubbed ??= scrubWords(event, payload);
    return scrubbed;
  };
}

function scrubWords(event: AgentEvent, payload: Words["payload"]): Words {
  const { event: clean, found: inEvent } = maskEvent(event);
  const found = [...inEvent];
  const told = clean.cwd === event.cwd ? payload : payload && withoutTranscripts(payload);
  return {
    event: clean,
    payload: told === undefined ? undefined : (scrubValue(told, "", found) as Record<string, unknown>),
    found: [...new Set(found)],
  };
}

/** Agents write a folder's name into a transcript's path in a way of their own, so a credential in it is not recognised there. */
function withoutTranscripts(payload: NonNullable<Words["payload"]>): NonNullable<Words["payload"]> {
  return Object.fromEntries(Object.entries(payload).filter(([key]) => !/transcript/i.test(key)));
}

/** read-payload.ts bounds the nesting. */
function scrubValue(value: unknown, name: string, found: string[]): unknown {
  if (typeof value === "string") return scrubNamed(value, name, found);
  if (Array.isArray(value)) return value.map((each) => scrubValue(each, name, found));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [scrubText(key, found), scrubValue(each, key, found)]),
  );
}

function scrubNamed(text: string, name: string, found: string[]): string {
  const kind = kindOfValue(name, text);
  if (kind === undefined) return scrubText(text, found);
  found.push(kind);
  return `[redacted: ${kind}]`;
}

function scrubText(text: string, found: string[]): string {
  const scrubbed = scrub(text);
  found.push(...scrubbed.found);
  return scrubbed.text;
}
