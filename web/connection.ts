// Talks to the server: follows the stream, and sends what the person does, only after the server has proved itself.
import type { Now } from "../src/wings/page/contract.ts";
import type { Done } from "../src/http-server/served.ts";
import {
  isFromServer,
  NoSession,
  openSession,
  sessionHeader,
  signRequest,
  unreachable,
  type Session,
  type Trouble,
} from "./trust/exchange.ts";

const firstPauseMs = 500;
const longestPauseMs = 10_000;
/** The server sends a sign of life every eight seconds. */
const silentMs = 25_000;

export type Connection =
  | { state: "connecting" }
  | { state: "connected" }
  /** `why`: the server's words. */
  | { state: "lost"; why: string }
  | { state: Exclude<Trouble, "unreachable">; why?: string };

/** What the server refused, in its own words. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, detail: string) {
    super(detail);
    this.status = status;
  }
}

let current: Promise<Session> | undefined;

/** The session of this tab. It ends with the first request that fails, and then the server has to prove itself again. */
function session(): Promise<Session> {
  const opening = (current ??= openSession());
  opening.catch(() => end(opening));
  return opening;
}

function end(ended: Promise<Session>): void {
  if (current === ended) current = undefined;
}

const unauthorized = 401;

/** Throws an error in the server's words, or `NoSession`. */
export async function request(path: string, init: RequestInit & { body?: string } = {}): Promise<Response> {
  for (let isAgain = false; ; isAgain = true) {
    const opening = session();
    const open = await opening;
    const { method = "GET", body = "" } = init;
    const [header, number] = await signRequest(open, method, path, body);
    const headers = new Headers(init.headers);
    headers.set(sessionHeader, header);
    if (init.body !== undefined) headers.set("content-type", "application/json");
    const sent = fetch(path, { ...init, headers, cache: "no-store", redirect: "manual" });
    const response = await sent.catch((error: unknown) => {
      if (init.signal?.aborted === true) throw error;
      end(opening);
      throw new NoSession("unreachable", unreachable);
    });
    if (!(await isFromServer(open, number, response))) {
      end(opening);
      await response.body?.cancel();
      // A server that has started anew knows no session; it has done nothing.
      if (response.status === unauthorized && !isAgain) continue;
      throw new NoSession("stranger", "another program answered instead of your server");
    }
    if (response.ok) return response;
    const said = (await response.json().catch(() => ({}))) as { detail?: string };
    throw new Refusal(response.status, said.detail ?? `the server answered ${response.status}`);
  }
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
  if (error instanceof NoSession && error.message === unreachable) return `Not done. ${unreachable}`;
  return `Not done: ${(error as Error).message || "this browser has no session"}.`;
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
        if (error instanceof NoSession && error.trouble !== "unreachable") {
          onConnection({ state: error.trouble, why: error.message });
          // The others stay as they are until the person does something.
          if (error.trouble !== "stranger") return;
        } else onConnection({ state: "lost", why: whyLost(error) });
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

function whyLost(error: unknown): string {
  const isAway = error instanceof NoSession && error.message === unreachable;
  if (!isAway && (error instanceof Refusal || error instanceof NoSession)) return error.message;
  // The browser's database can fail, and a stream breaks off.
  return error instanceof DOMException && error.name !== "AbortError" ? error.message : "the server cannot be reached";
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
    // Another program may have the port now.
    current = undefined;
  }
}
