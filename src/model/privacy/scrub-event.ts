import type { AgentEvent } from "../event.ts";
import { kindOfName } from "./named-secrets.ts";
import { isRandomLooking } from "./random-looking.ts";
import { scrub } from "./scrub.ts";

/** What an agent sent, as a channel may tell it. */
export interface Words {
  event: AgentEvent;
  payload: Readonly<Record<string, unknown>> | undefined;
  /** Kinds of what was taken out, each once. */
  found: readonly string[];
}

/** What hookbell itself says of an event: nothing of a stranger is in it. */
const ownFields: ReadonlySet<string> = new Set(["id", "at", "level", "durationMs"]);

/** Both ways of telling an event, for channels with `scrub` and without; each is made once, when first asked for. */
export function createWords(event: AgentEvent, payload: Words["payload"]): (isScrubbed: boolean) => Words {
  let scrubbed: Words | undefined;
  return (isScrubbed) => {
    if (!isScrubbed) return { event, payload, found: [] };
    scrubbed ??= scrubWords(event, payload);
    return scrubbed;
  };
}

/** The event and the payload without what looks like a credential in any text of them, however deep. */
function scrubWords(event: AgentEvent, payload: Words["payload"]): Words {
  const found: string[] = [];
  const own = Object.entries(event).filter(([field]) => ownFields.has(field));
  const others = Object.fromEntries(Object.entries(event).filter(([field]) => !ownFields.has(field)));
  const scrubbed = { ...(scrubValue(others, "", found) as AgentEvent), ...Object.fromEntries(own) };
  if (scrubbed.cwd !== event.cwd) {
    // The last part of a path may be the second half of what the whole gave away.
    scrubbed.project = scrubbed.cwd.split(/[/\\]/).findLast((part) => part !== "") ?? scrubbed.project;
  }
  return {
    event: scrubbed,
    payload: payload === undefined ? undefined : (scrubValue(payload, "", found) as Record<string, unknown>),
    found: [...new Set(found)],
  };
}

/** The value of that name with every text in it scrubbed. A payload is nested 500 deep at most (agents/read-payload.ts). */
function scrubValue(value: unknown, name: string, found: string[]): unknown {
  if (typeof value === "string") return scrubNamed(value, name, found);
  if (Array.isArray(value)) return value.map((each) => scrubValue(each, name, found));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) => [scrubText(key, found), scrubValue(each, key, found)]),
  );
}

function scrubNamed(text: string, name: string, found: string[]): string {
  const kind = kindOfName(name);
  if (kind === undefined || !isRandomLooking(text, kind.shortest)) return scrubText(text, found);
  found.push(kind.name);
  return `[redacted: ${kind.name}]`;
}

function scrubText(text: string, found: string[]): string {
  const scrubbed = scrub(text);
  found.push(...scrubbed.found);
  return scrubbed.text;
}
