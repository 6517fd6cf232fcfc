// The page's server in this process, and requests of it as a browser sends them.
import { onTestFinished } from "vitest";
import type { Now } from "../../../src/wings/page/contract.ts";
import type { Right } from "../../../src/answers/browsers/devices.ts";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";
import type { ServeGiven } from "../../../src/console/command.ts";
import { type OpenServed, runServer } from "../../../src/http-server/server.ts";
import { wings } from "../../../src/wings/index.ts";
import { systemClock, type Clock } from "../../../src/system/clock.ts";
import { commandIo } from "../project/command-io.ts";
import { temporaryFolder } from "../project/temporary-state.ts";
import { pairBrowser, signatureFor, type TestDevice } from "./page-browser.ts";

export type { TestDevice } from "./page-browser.ts";

export interface PageServer {
  url: string;
  dataDir: string;
  layout: Layout;
  /** As the page's own script sends it: with the page as origin, and signed by the device's session. */
  request(path: string, init?: RequestInit & { device?: TestDevice | undefined }): Promise<Response>;
  post(path: string, body: unknown, device?: TestDevice): Promise<Response>;
  pair(rights?: readonly Right[], name?: string): Promise<TestDevice>;
  stop(): Promise<void>;
}

/** Serves what all wings bring, as `hookbell serve` does, or what `open` says. */
export async function startPage({
  clock = systemClock,
  origin,
  isBehindProxy = false,
  home,
  flags = [],
  open = (given) =>
    wings
      .flatMap(({ serves }) => serves ?? [])
      .map(
        ({ load }) =>
          async () =>
            await (
              await load()
            )(given),
      ),
}: {
  clock?: Clock;
  origin?: string;
  isBehindProxy?: boolean;
  home?: string;
  /** Flags of `serve` without a value. */
  flags?: readonly string[];
  open?: (given: ServeGiven) => OpenServed[];
} = {}): Promise<PageServer> {
  const folder = temporaryFolder();
  const layout = layoutOf(`${folder}/state`);
  ensureLayout(layout);
  const stop = new AbortController();
  let ended: Promise<void> = Promise.resolve();
  const env = { HOME: home ?? `${folder}/home`, PATH: process.env.PATH ?? "", HOOKBELL_STATE_DIR: layout.root };
  const values: Readonly<Record<string, string>> = { data: `${folder}/data`, user: "me" };
  const given: ServeGiven = {
    io: commandIo(folder, { env, clock }),
    value: (flag) => values[flag],
    isSet: (flag) => flags.includes(flag),
    origin,
    isLocal: true,
    stop: stop.signal,
    onNote() {},
  };
  const url = await new Promise<string>((resolve, reject) => {
    const options = { host: "127.0.0.1", port: 0, isBehindProxy, clock, stop: stop.signal, onNote() {} };
    ended = runServer({ ...options, onListening: resolve }, open(given));
    ended.catch(reject);
  });
  const server: PageServer = {
    url,
    dataDir: `${folder}/data`,
    layout,
    request(path, { device, ...init } = {}) {
      const headers = new Headers(init.headers);
      if (!headers.has("origin")) headers.set("origin", origin ?? url);
      const signature = device === undefined ? {} : signatureFor(device, path, init);
      for (const [name, value] of Object.entries(signature)) headers.set(name, value);
      return fetch(`${url}${path}`, { ...init, headers });
    },
    post: (path, body, device) =>
      server.request(path, {
        method: "POST",
        body: JSON.stringify(body),
        headers: { "content-type": "application/json" },
        device,
      }),
    pair: (rights = ["read"], name = "Ann's phone") =>
      pairBrowser(server.request, origin ?? url, layout, { rights, name, nowMs: clock.now() }),
    async stop() {
      stop.abort();
      await ended;
    },
  };
  onTestFinished(server.stop);
  return server;
}

export interface Stream<Added = object> {
  /** The next state that fits; rejects when the stream ends first. */
  until(fits: (now: Now & Added) => boolean): Promise<Now & Added>;
  /** Resolves when the server has ended it. */
  ended: Promise<void>;
  close(): void;
}

/** Each event of a stream as text. An event of megabytes is searched once, not anew with each piece. */
export async function* eventsIn(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let pieces: string[] = [];
  let last = "";
  for await (const chunk of chunks) {
    pieces.push(chunk);
    const isEnd = `${last}${chunk}`.includes("\n\n");
    last = chunk.slice(-1);
    if (!isEnd) continue;
    const events = pieces.join("").split("\n\n");
    pieces = [events.pop() ?? ""];
    yield* events;
  }
}

/** `Added` is what tabs add to the state. */
export async function openStream<Added = object>({ request }: PageServer, device: TestDevice): Promise<Stream<Added>> {
  const abort = new AbortController();
  const response = await request("/page/events", { device, signal: abort.signal });
  const { body } = response;
  if (!response.ok || body === null) throw new Error(`${response.status} ${await response.text()}`);
  const states: (Now & Added)[] = [];
  let wake = (): void => {};
  let isOver = false;
  const ended = (async () => {
    try {
      for await (const event of eventsIn(body.pipeThrough(new TextDecoderStream()))) {
        if (event.startsWith("data: ")) states.push(JSON.parse(event.slice(6)) as Now & Added);
        wake();
      }
    } catch {
      // The test has closed it.
    }
    isOver = true;
    wake();
  })();
  return {
    async until(fits) {
      for (;;) {
        const found = states.find(fits);
        if (found !== undefined) return found;
        if (isOver) throw new Error(`the stream has ended; it said ${JSON.stringify(states.at(-1))}`);
        await new Promise<void>((resolve) => (wake = resolve));
      }
    },
    ended,
    close: () => abort.abort(),
  };
}
