// Error answers, in the body that the platform's document gives each area.
import type { Context } from "hono";

/** `computers` allows no further member, so the request's id goes into `metadata`. */
export type Area = "analytics" | "computers";

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

export function problemResponse(context: Context, problem: HttpProblem, requestId: string): Response {
  const { status, message: detail } = problem;
  const title = titles[status];
  const body =
    areaOf(context.req.path) === "computers"
      ? { title, detail, status, metadata: { requestId } }
      : { title, detail, status, requestId };
  return context.json(body, status, problem.headers);
}

function areaOf(path: string): Area {
  return path.startsWith("/api/v0/computers/") ? "computers" : "analytics";
}
