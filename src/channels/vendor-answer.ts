import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import { quote } from "./http-channel.ts";

/** Why, what to do about it, and how long to wait where the vendor's rule is known. */
export type Meaning = readonly [reason: FailureReason, fix: string, retryAfterMs?: number];

/** A vendor that says in its answer's JSON how it went, in a number that is 0 when all is well. */
export interface CodedVendor {
  name: string;
  /** The members that may hold the number and the words, the best first. */
  codeMembers: readonly string[];
  textMembers: readonly string[];
  /** What a number means; a function where the words beside it decide. */
  codes: Readonly<Record<string, Meaning | ((said: string) => Meaning)>>;
}

/** What a 2xx means: delivered only where the vendor's own 0 stands in it. */
export function readCodedSuccess(response: HttpResponse, vendor: CodedVendor): Outcome {
  const answer = readAnswer(response.body, vendor);
  if (answer?.code === 0) return delivered();
  if (answer === undefined) return unexpectedAnswer(response, vendor.name);
  const unknown = withQuote(`${vendor.name} answered ${answer.code}`, quote(answer.said));
  return readCode(answer, vendor) ?? failed("rejected", unknown);
}

/** What another status means where the vendor's number says more than it. */
export function readCodedFailure(response: HttpResponse, vendor: CodedVendor): Failed | undefined {
  const answer = readAnswer(response.body, vendor);
  return answer && readCode(answer, vendor);
}

interface Answer {
  code: number;
  said: string;
}

function readAnswer(body: string, { codeMembers, textMembers }: CodedVendor): Answer | undefined {
  const members = readJsonObject(body);
  const code = codeMembers.map((name) => members[name]).find((value) => typeof value === "number");
  if (code === undefined) return undefined;
  const said = textMembers.map((name) => members[name]).find((value) => typeof value === "string" && value !== "");
  return { code, said: typeof said === "string" ? said : "" };
}

/** The members of an answer that is a JSON object; none of anything else. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return {};
  }
}

function readCode({ code, said }: Answer, { name, codes }: CodedVendor): Failed | undefined {
  const known = Object.hasOwn(codes, code) ? codes[code] : undefined;
  if (known === undefined) return undefined;
  const [reason, fix, retryAfterMs] = typeof known === "function" ? known(said) : known;
  return failed(reason, withQuote(`${name} answered ${code}: ${fix}`, quote(said)), retryAfterMs);
}

/** A 2xx of a vendor whose whole answer is `ok`, as with Slack's incoming webhooks and those made after them. */
export function readPlainOk(response: HttpResponse, vendor: string): Outcome {
  return response.body.trim() === "ok" ? delivered() : unexpectedAnswer(response, vendor);
}

/** A 2xx without what the vendor says in one: half an answer, or somebody else's (the sign-in page of a hotel's network). */
export function unexpectedAnswer(response: HttpResponse, vendor: string): Failed {
  if (response.bodyEnd === "broken") return failed("unknown", `the line broke in the middle of ${vendor}'s answer`);
  const fix = "check the URL, and what stands between here and there";
  return failed(
    "rejected",
    withQuote(`answered ${response.status}, but not as ${vendor} does; ${fix}`, quote(response.body)),
  );
}

/** The vendor's own words stand last, since what is too long is cut there, and cut here they could end in half a secret. */
export function withQuote(detail: string, said: string): string {
  return said === "" ? detail : `${detail} (it said "${said}")`;
}

/** A 2xx counts only in the vendor's own words: the sign-in page of a hotel's network answers 200 as well. */
export function readJsonSuccess(
  response: HttpResponse,
  vendor: string,
  isTaken: (answer: Readonly<Record<string, unknown>>) => boolean,
): Outcome {
  return isTaken(readJsonObject(response.body))
    ? delivered({ detail: `answered ${response.status}` })
    : unexpectedAnswer(response, vendor);
}

/** The members of what an answer's JSON holds somewhere; none of anything that is no object. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
