// Reads what a vendor's answer means: its own codes and words, and answers that come from another server.
import { delivered, failed, type Failed, type FailureReason, type Outcome } from "../model/outcome.ts";
import type { HttpResponse } from "../system/network/http.ts";
import { quote } from "./http-channel.ts";
import { objectIn } from "../model/json.ts";

export type Meaning = readonly [reason: FailureReason, fix: string, retryAfterMs?: number];

export const ourBug = "this is a bug in hookbell; please report it";

export function meaningOf<T>(table: Readonly<Record<string, T>>, code: unknown): T | undefined {
  const key = String(code);
  return (typeof code === "string" || typeof code === "number") && Object.hasOwn(table, key) ? table[key] : undefined;
}

/** JSON with a number, which is 0 when all is well. */
export interface CodedVendor {
  name: string;
  /** The best first. */
  codeMembers: readonly string[];
  textMembers: readonly string[];
  /** A function where the words beside it decide. */
  codes: Readonly<Record<string, Meaning | ((said: string) => Meaning)>>;
}

export function readCodedSuccess(response: HttpResponse, vendor: CodedVendor): Outcome {
  const answer = readAnswer(response.body, vendor);
  if (answer?.code === 0) return delivered();
  if (answer === undefined) return unexpectedAnswer(response, vendor.name);
  const unknown = withQuote(`${vendor.name} answered ${answer.code}`, quote(answer.said));
  return readCode(answer, vendor) ?? failed("rejected", unknown);
}

export function readCodedFailure(response: HttpResponse, vendor: CodedVendor): Failed | undefined {
  const answer = readAnswer(response.body, vendor);
  return answer && readCode(answer, vendor);
}

interface Answer {
  code: number;
  said: string;
}

function readAnswer(body: string, { codeMembers, textMembers }: CodedVendor): Answer | undefined {
  const members = objectIn(body);
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

/** A hotel's sign-in page answers 200 as well. */
export function readJsonSuccess(
  response: HttpResponse,
  vendor: string,
  isTaken: (answer: Readonly<Record<string, unknown>>) => boolean,
): Outcome {
  return isTaken(objectIn(response.body))
    ? delivered({ detail: `answered ${response.status}` })
    : unexpectedAnswer(response, vendor);
}

/** Reads the answer of a vendor whose whole answer is `ok`. */
export function readPlainOk(response: HttpResponse, vendor: string): Outcome {
  return response.body.trim() === "ok" ? delivered() : unexpectedAnswer(response, vendor);
}

/** Half an answer, or another server's. */
export function unexpectedAnswer(response: HttpResponse, vendor: string): Failed {
  if (response.bodyEnd === "broken")
    return failed("unknown", `the connection broke in the middle of ${vendor}'s answer`);
  const detail = `answered ${response.status}, but not as ${vendor} does; check the URL, and any proxy before it`;
  return failed("rejected", withQuote(detail, quote(response.body)));
}

/** The quote comes last, because a detail that is too long is cut there, and a cut before it could leave half a secret. */
export function withQuote(detail: string, said: string): string {
  return said === "" ? detail : `${detail} (it said "${said}")`;
}
