// What a service says of a refusal, in whatever form it says it, without credentials: only two forms are documented.
import { asObject, listOf, type Members, parseJson, textOf } from "../../../model/json.ts";
import { scrub } from "../../../model/privacy/scrub.ts";
import type { Secret } from "../../../model/privacy/secret.ts";
import { cut, printableLine } from "../../../model/text.ts";

export interface SaidOfRefusal {
  title?: string;
  detail?: string;
  requestId?: string;
  metadata?: Members;
}

const maxQuoteLength = 300;
/** Further ones are left out. */
const maxDepth = 4;
const maxMembers = 50;

/** Services name the reason so, from the most to the least telling. */
const reasons = ["detail", "message", "error_description", "error", "errors", "msg", "reason"];

/** A service that repeats the key, or another credential, must not bring it to the screen. */
export function readErrorBody(body: string, apiKey: Secret): SaidOfRefusal {
  const clean = (text: string): string => {
    const line = printableLine(text).replaceAll(apiKey.reveal(), "[secret]");
    return cut(scrub(line).text, maxQuoteLength);
  };
  const parsed = parseJson(body);
  const reason = parsed === undefined ? plainText(body) : reasonIn(parsed, 0);
  const text = (name: string): string | undefined => {
    const found = textOf(memberIn(parsed, name, 0));
    return found === undefined ? undefined : clean(found);
  };
  const said = {
    title: text("title"),
    detail: reason === undefined ? undefined : clean(reason),
    requestId: text("requestId") ?? text("request_id"),
    metadata: asObject(cleaned(asObject(memberIn(parsed, "metadata", 0)), clean, 0)),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

/** A page is for browsers, and half of a JSON text for no one. */
function plainText(body: string): string | undefined {
  const text = body.trim();
  return text === "" || /^[<{[]/.test(text) ? undefined : text;
}

/** The first text, in an object of any depth or in a list of several. */
function reasonIn(value: unknown, depth: number): string | undefined {
  if (typeof value === "string") return textOf(value.trim());
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) {
    const found = value.slice(0, maxMembers).flatMap((each) => reasonIn(each, depth + 1) ?? []);
    return found.length === 0 ? undefined : found.join("; ");
  }
  const members = asObject(value) ?? {};
  for (const name of reasons) {
    const found = Object.hasOwn(members, name) ? reasonIn(members[name], depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The member, or that of what the reason stands in. */
function memberIn(value: unknown, name: string, depth: number): unknown {
  const members = asObject(value);
  if (members === undefined || depth === maxDepth) return undefined;
  if (Object.hasOwn(members, name)) return members[name];
  for (const inner of reasons) {
    const first = [members[inner], ...listOf(members[inner])].find((each) => asObject(each) !== undefined);
    const found = memberIn(first, name, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

function cleaned(value: unknown, clean: (text: string) => string, depth: number): unknown {
  if (typeof value === "string") return clean(value);
  if (typeof value !== "object" || value === null) return value;
  if (depth === maxDepth) return undefined;
  if (Array.isArray(value)) return value.slice(0, maxMembers).map((each) => cleaned(each, clean, depth + 1) ?? null);
  const members = Object.entries(value).slice(0, maxMembers);
  return Object.fromEntries(members.map(([name, each]) => [clean(name), cleaned(each, clean, depth + 1)]));
}
