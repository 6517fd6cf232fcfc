// Error answers, as RFC 9457 has them: https://www.rfc-editor.org/rfc/rfc9457.html
import type { Context } from "hono";
import * as z from "zod";

const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  409: "Conflict",
  413: "Content Too Large",
  421: "Misdirected Request",
  429: "Too Many Requests",
  500: "Internal Server Error",
  503: "Service Unavailable",
} as const;
export type ErrorStatus = keyof typeof titles;

/** An answer that a handler gives by throwing it. */
export class HttpProblem extends Error {
  readonly status: ErrorStatus;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: ErrorStatus, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.status = status;
    this.headers = headers;
  }
}

/** `more` is what the body has besides: the request's id. */
export function problemResponse(context: Context, problem: HttpProblem, more: object): Response {
  const { status, message: detail } = problem;
  return context.json({ title: titles[status], detail, status, ...more }, status, problem.headers);
}

/** An error's body where the part says nothing else. */
export const problemSchema = z.object({
  title: z.string(),
  detail: z.string(),
  status: z.number(),
  requestId: z.string(),
});
