/** A request as data; `send-http.ts` alone touches sockets. */
export interface HttpRequest {
  method: "POST" | "PUT" | "PATCH" | "GET" | "DELETE";
  /** Usually a credential itself: never log it. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as these very characters in UTF-8. */
  body?: string;
  /** Whether `http://` may leave this machine, which the person must ask for. */
  isPlainHttpAllowed?: boolean | undefined;
  /** How much of the answer is kept, where that is more than `maxResponseBytes`. */
  maxResponseBytes?: number;
}

/** Any answer of a server, whatever its status; redirects are not followed. Header names are lower case. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** At most `maxResponseBytes` of it. */
  body: string;
  /** `cut`: it was longer than `maxResponseBytes`. `broken`: the line broke, or the deadline passed, in the middle. */
  bodyEnd?: "whole" | "cut" | "broken";
}

/**
 * `network`: it never left. `timeout`: the deadline passed before it was sent. `unknown`: the line broke, or the
 * deadline passed, after the first byte was sent and before an answer. `rejected`: these settings cannot be sent.
 */
export interface HttpFailure {
  failure: "network" | "timeout" | "unknown" | "rejected";
  /** For the person; names the host at most, never the path, the query or a header's value. */
  detail: string;
}

/** Resolves always; an abort of `signal` is a deadline that passes now. */
export type SendHttp = (
  request: HttpRequest,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<HttpResponse | HttpFailure>;

/** How much of an answer is kept; the rest is not even read. */
export const maxResponseBytes = 64 * 1024;

/** A server whose network swallows packets should not use up the whole deadline. */
export const connectTimeoutMs = 10_000;

/** An answer whose status is known but whose body trickles is not waited for any longer than this between two pieces. */
export const bodyIdleTimeoutMs = 5_000;
