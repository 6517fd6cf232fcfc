// HTTP requests and answers as data.
export interface HttpRequest {
  method: "POST" | "PUT" | "PATCH" | "GET" | "DELETE";
  /** Usually a credential: never log it. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  /** The text is sent as UTF-8. */
  body?: string;
  /** These bytes are sent instead of `body`. */
  bytes?: Uint8Array;
  /** Whether another machine may be asked without TLS. */
  isPlainHttpAllowed?: boolean | undefined;
  /** Only over TLS, and only a public address: for a URL that does not come from the person's settings. */
  isPublicOnly?: boolean | undefined;
  maxResponseBytes?: number;
}

/** Redirects are not followed. Header names are lower case. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** `cut`: longer than `maxResponseBytes`. `broken`: or too late. */
  bodyEnd?: "whole" | "cut" | "broken";
}

/** `network`, `timeout`: not sent. `unknown`: perhaps sent. `rejected`: the settings are invalid. */
export interface HttpFailure {
  failure: "network" | "timeout" | "unknown" | "rejected";
  /** Names the host at most. */
  detail: string;
}

/** A good answer's body as it comes, line by line; the answer itself has none then. */
export interface LineReader {
  onLine(line: string): void;
  /** Silence for longer than this breaks it. */
  idleTimeoutMs: number;
}

/** Never rejects. Aborting `signal` makes the deadline pass now. */
export type SendHttp = (
  request: HttpRequest,
  options: {
    timeoutMs: number;
    signal?: AbortSignal | undefined;
    lines?: LineReader | undefined;
    /** The connection stays open for the next such request: for requests that are many and may be repeated. */
    keepsConnection?: boolean | undefined;
  },
) => Promise<HttpResponse | HttpFailure>;

export const maxResponseBytes = 64 * 1024;

/** Networks that drop packets never refuse a connection. */
export const connectTimeoutMs = 10_000;

export const bodyIdleTimeoutMs = 5_000;
