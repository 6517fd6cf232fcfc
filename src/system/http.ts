/** A request as data; `system/http.ts` alone touches sockets. */
export interface HttpRequest {
  method: "POST" | "PUT" | "PATCH" | "GET" | "DELETE";
  /** Usually a credential itself: never log it. */
  url: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** Any answer of a server, whatever its status. Header names are lower case. */
export interface HttpResponse {
  status: number;
  headers: Readonly<Record<string, string>>;
  /** At most `maxResponseBytes` of it. */
  body: string;
}

/** `network`: it never left. `timeout`: the deadline passed before it was sent. `unknown`: the line broke afterwards. */
export interface HttpFailure {
  failure: "network" | "timeout" | "unknown" | "rejected";
  detail: string;
}

export type SendHttp = (
  request: HttpRequest,
  options: { timeoutMs: number; signal?: AbortSignal },
) => Promise<HttpResponse | HttpFailure>;
