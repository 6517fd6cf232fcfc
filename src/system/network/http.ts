// HTTP requests and answers as data.
export interface HttpRequest {
  method: "POST" | "PUT" | "PATCH" | "GET" | "DELETE";
  /** Usually a credential itself: never log it. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** Sent as UTF-8. */
  body?: string;
  /** Whether the user allows `http://` to another machine. */
  isPlainHttpAllowed?: boolean | undefined;
  /** Overrides the general `maxResponseBytes`. */
  maxResponseBytes?: number;
}

/** Redirects are not followed. Header names are lower case. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** `cut`: longer than `maxResponseBytes`. `broken`: the connection broke or the deadline passed. */
  bodyEnd?: "whole" | "cut" | "broken";
}

/**
 * `network`: not sent. `timeout`: the deadline passed before it was sent. `unknown`: the connection broke or the deadline
 * passed after the first byte was sent. `rejected`: the settings are invalid.
 */
export interface HttpFailure {
  failure: "network" | "timeout" | "unknown" | "rejected";
  /** Names the host at most, never the path, the query or a header's value. */
  detail: string;
}

/** Never rejects. Aborting `signal` makes the deadline pass now. */
export type SendHttp = (
  request: HttpRequest,
  options: { timeoutMs: number; signal?: AbortSignal | undefined },
) => Promise<HttpResponse | HttpFailure>;

/** The rest of an answer is not read. */
export const maxResponseBytes = 64 * 1024;

/** Shorter than the deadline, for networks that drop packets. */
export const connectTimeoutMs = 10_000;

/** Between two pieces of an answer's body. */
export const bodyIdleTimeoutMs = 5_000;
