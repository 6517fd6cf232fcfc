// What is published of an event: its payload without credentials, shortened where it is large.
import * as z from "zod";
import { shortenPayload } from "../../../agents/shorten-payload.ts";
import { asObject, parseJson } from "../../../model/json.ts";
import { scrub } from "../../../model/privacy/scrub.ts";
import type { IncomingPayload } from "../../../outbox/incoming.ts";
import { sha256 } from "../../../system/crypto.ts";
import { limits } from "../names.ts";

const bodySchema = z.object({
  version: z.literal(1),
  agentId: z.string().optional(),
  eventName: z.string().optional(),
  wiredBy: z.string().optional(),
  /** The machine that the publishing one follows over SSH. */
  from: z.string().optional(),
  /** Milliseconds since the epoch, by the clock of the machine that publishes. */
  at: z.number(),
  /** Another event has told of the same, or no one is told because its agent talks to itself: figures count it so. */
  silence: z.enum(["repeat", "ignored"]).optional(),
  /** The payload as JSON. */
  text: z.string(),
  /** The publishing machine has the whole of a payload that is shortened here: its size, and its SHA-256. */
  whole: z.object({ bytes: z.number(), sha256: z.string() }).optional(),
  /** The digest of the question that a hook waits for, if an answer may come from elsewhere. */
  question: z.string().optional(),
});
export type Body = z.infer<typeof bodySchema>;

const idsOfPayload = new Set(["session_id"]);

/** For each attempt, the characters after which a payload counts as full, and the longest text. */
const attempts = [
  { whole: 24 * 1024, text: 8 * 1024 },
  { whole: 4 * 1024, text: 512 },
];

/** Undefined for a payload that is no JSON object, or cannot be made small enough. */
export function bodyOf(
  { agentId, eventName, setupName, remoteHost: from, receivedAt: at, bytes, size }: IncomingPayload,
  question: string | undefined,
  silence: Body["silence"],
): Body | undefined {
  const whole = asObject(parseJson(bytes.toString("utf8")));
  if (whole === undefined) return undefined;
  const { value, isChanged } = withoutCredentials(whole, idsOfPayload);
  const text = JSON.stringify(value);
  // What was masked or cut must not be allowed from elsewhere: the person would not see all of it.
  const body: Body = {
    version: 1,
    agentId,
    eventName,
    wiredBy: setupName,
    from,
    at,
    silence,
    text,
    ...(isChanged ? {} : { question }),
  };
  if (fits(body)) return body;
  const { question: _, ...rest } = body;
  for (const bounds of attempts) {
    const shortened = shortenPayload(text, bounds);
    const short = shortened && { ...rest, text: shortened, whole: { bytes: size, sha256: sha256(bytes) } };
    if (short !== undefined && short !== "" && fits(short)) return short;
  }
  return undefined;
}

function fits(body: Body): boolean {
  return Buffer.byteLength(JSON.stringify(body)) <= limits.maxBodyBytes;
}

/** Undefined for what no machine of this version has published. */
export function readBody(data: Uint8Array): Body | undefined {
  return bodySchema.safeParse(parseJson(Buffer.from(data).toString("utf8"))).data;
}

/** In all texts but those of the keys in `ids`, by which things are told apart. */
export function withoutCredentials<Value>(
  value: Value,
  ids: ReadonlySet<string>,
): { value: Value; isChanged: boolean } {
  let isChanged = false;
  const clean = (each: unknown, key: string): unknown => {
    if (typeof each === "string") {
      if (ids.has(key)) return each;
      const { text, found } = scrub(each);
      isChanged ||= found.length > 0;
      return text;
    }
    if (Array.isArray(each)) return each.map((item) => clean(item, ""));
    const object = asObject(each);
    if (object === undefined) return each;
    return Object.fromEntries(Object.entries(object).map(([name, member]) => [name, clean(member, name)]));
  };
  return { value: clean(value, "") as Value, isChanged };
}
