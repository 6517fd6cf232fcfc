// Reads what a vendor's answer means: its own codes and words, and answers that come from another server.
import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import { quote } from "./http-channel.ts";

/** Why it failed, what to do about it, and how long to wait where the vendor's rule is known. */
export type Meaning = readonly [reason: FailureReason, fix: string, retryAfterMs?: number];

/** The fix of an error that hookbell's own request caused. */
export const ourBug = "this is a bug in hookbell; please report it";

/** What a table says about a vendor's code; undefined for a code that it does not have. */
export function meaningOf<T>(table: Readonly<Record<string, T>>, code: unknown): T | undefined {
  const key = String(code);
  return (typeof code === "string" || typeof code === "number") && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** A vendor that answers with JSON that holds a number, which is 0 when all is well. */
export interface CodedVendor {
  name: string;
  /** The members that may hold the number and the words, the best first. */
  codeMembers: readonly string[];
  textMembers: readonly string[];
  /** What a number means; a function where the words beside it decide. */
  codes: Readonly<Record<string, Meaning | ((said: string) => Meaning)>>;
}

/** What a 2xx means: delivered only with the vendor's own 0. */
export function readCodedSuccess(response: HttpResponse, vendor: CodedVendor): Outcome {
  const answer = readAnswer(response.body, vendor);
  if (answer?.code === 0) return delivered();
  if (answer === undefined) return unexpectedAnswer(response, vendor.name);
  const unknown = withQuote(`${vendor.name} answered ${answer.code}`, quote(answer.said));
  return readCode(answer, vendor) ?? failed("rejected", unknown);
}

/** What another status means where the vendor's number says more. */
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

function readCode({ code, said }: Answer, { name, codes }: CodedVendor): Failed | undefined {
  const known = meaningOf(codes, code);
  if (known === undefined) return undefined;
  const [reason, fix, retryAfterMs] = typeof known === "function" ? known(said) : known;
  return failed(reason, withQuote(`${name} answered ${code}: ${fix}`, quote(said)), retryAfterMs);
}

/** A 2xx counts only in the vendor's own words: a hotel's sign-in page answers 200 as well. */
export function readJsonSuccess(
  response: HttpResponse,
  vendor: string,
  isTaken: (answer: Readonly<Record<string, unknown>>) => boolean,
): Outcome {
  return isTaken(readJsonObject(response.body))
    ? delivered({ detail: `answered ${response.status}` })
    : unexpectedAnswer(response, vendor);
}

/** A 2xx of a vendor whose whole answer is `ok`, such as Slack's incoming webhooks. */
export function readPlainOk(response: HttpResponse, vendor: string): Outcome {
  return response.body.trim() === "ok" ? delivered() : unexpectedAnswer(response, vendor);
}

/** A 2xx without the vendor's own words: half an answer, or another server's. */
export function unexpectedAnswer(response: HttpResponse, vendor: string): Failed {
  if (response.bodyEnd === "broken")
    return failed("unknown", `the connection broke in the middle of ${vendor}'s answer`);
  const detail = `answered ${response.status}, but not as ${vendor} does; check the URL, and any proxy before it`;
  return failed("rejected", withQuote(detail, quote(response.body)));
}

/** The vendor's words come last: a detail that is too long is cut there, and earlier they could end in half a secret. */
export function withQuote(detail: string, said: string): string {
  return said === "" ? detail : `${detail} (it said "${said}")`;
}

/** The members of an answer that is a JSON object; none for anything else. */
export function readJsonObject(body: string): Readonly<Record<string, unknown>> {
  try {
    return membersOf(JSON.parse(body));
  } catch {
    return {};
  }
}

/** The members of a value that is an object; none for anything else. */
export function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
}
