// Talks to the server: pairs this browser, follows the stream, and sends what the person does.
import { keyHeader, type Done, type Now, type Paired } from "../src/commands/page/contract.ts";

const storedKey = "hookbell-key";
const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** The server sends a sign of life every eight seconds. */
const silentMs = 25_000;

export type Connection =
  | { state: "connecting" }
  | { state: "connected" }
  /** `why`: the server's words. */
  | { state: "lost"; why: string }
  | { state: "unpaired"; why?: string };

/** What the server refused, in its own words. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

/** The key is in this origin's storage, which no other port of the host can read. */
export function hasKey(): boolean {
  return localStorage.getItem(storedKey) !== null;
}

/** Throws an error in the server's words. */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers);
  headers.set(keyHeader, localStorage.getItem(storedKey) ?? "");
  if (init.body !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(path, { ...init, headers, cache: "no-store" }).catch((error: unknown) => {
    if (init.signal?.aborted === true) throw error;
    throw new Error("The server cannot be reached. Start it with: hookbell serve");
  });
  if (response.ok) return response;
  const said = (await response.json().catch(() => ({}))) as { detail?: string };
  throw new Refusal(response.status, said.detail ?? `the server answered ${response.status}`);
}

/** Trades the code of a link for this browser's key. Throws an error in the server's words. */
export async function pair(code: string): Promise<void> {
  const response = await request("/page/pair", { method: "POST", body: JSON.stringify({ code }) });
  localStorage.setItem(storedKey, ((await response.json()) as Paired).key);
}

/** Throws an error in the server's words. */
export async function get<Answer>(path: string): Promise<Answer> {
  return (await (await request(path)).json()) as Answer;
}

/** Never throws: what the server refuses is said as well. */
export async function post(path: string, body: object): Promise<Done> {
  try {
    return (await (await request(path, { method: "POST", body: JSON.stringify(body) })).json()) as Done;
  } catch (error) {
    return { isDone: false, text: sentence(error) };
  }
}

/** Hands over what each line of the answer says, as it comes. Throws an error in the server's words, or the signal's. */
export async function postForLines(
  path: string,
  body: object,
  signal: AbortSignal,
  onLine: (line: unknown) => void,
): Promise<void> {
  const response = await request(path, { method: "POST", body: JSON.stringify(body), signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value = "", done = true } = (await reader?.read()) ?? {};
    if (done) return;
    const lines = (text + value).split("\n");
    text = lines.pop() ?? "";
    for (const line of lines) onLine(JSON.parse(line));
  }
}

function sentence(error: unknown): string {
  if (error instanceof Refusal) return `Not accepted: ${error.message}.`;
  return "Not accepted: the server cannot be reached.";
}

/** Follows the stream, and connects again whenever it ends, until the returned function is called. */
export function follow(onNow: (now: Now) => void, onConnection: (connection: Connection) => void): () => void {
  const over = new AbortController();
  let pauseMs = firstPauseMs;
  let attempt = new AbortController();
  let wake = (): void => {};
  const run = async (): Promise<void> => {
    while (!over.signal.aborted) {
      attempt = new AbortController();
      try {
        await followOnce(attempt, (now) => {
          pauseMs = firstPauseMs;
          onConnection({ state: "connected" });
          onNow(now);
        });
        onConnection({ state: "connecting" });
      } catch (error) {
        if (over.signal.aborted) return;
        if (error instanceof Refusal && error.status === 401) {
          onConnection({ state: "unpaired", why: "it was paired once, and was revoked" });
          return;
        }
        const why = error instanceof Refusal ? error.message : "the server cannot be reached";
        onConnection({ state: "lost", why });
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        setTimeout(resolve, pauseMs);
      });
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  };
  // A phone that was asleep must not wait for its pause.
  const onVisible = (): void => {
    if (document.visibilityState === "visible") wake();
  };
  document.addEventListener("visibilitychange", onVisible);
  void run();
  return () => {
    over.abort();
    document.removeEventListener("visibilitychange", onVisible);
    attempt.abort();
    wake();
  };
}

async function followOnce(attempt: AbortController, onNow: (now: Now) => void): Promise<void> {
  let silence = setTimeout(() => attempt.abort(), silentMs);
  try {
    const response = await request("/page/events", { signal: attempt.signal });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    for (;;) {
      const { value = "", done = true } = (await reader?.read()) ?? {};
      if (done) return;
      clearTimeout(silence);
      silence = setTimeout(() => attempt.abort(), silentMs);
      const events = (text + value).split("\n\n");
      text = events.pop() ?? "";
      for (const event of events) {
        if (event.startsWith("data: ")) onNow(JSON.parse(event.slice("data: ".length)) as Now);
      }
    }
  } finally {
    clearTimeout(silence);
  }
}
