// The stream of server-sent events: the newest state of the tab "Now", as often as the browser can read it.
import type { Device } from "../../answers/browsers/devices.ts";
import { sha256 } from "../../system/crypto.ts";
import type { Clock } from "../../system/clock.ts";
import { HttpProblem } from "../../http-server/problems.ts";
import type { Now } from "./contract.ts";
import type { NowWatch } from "./now.ts";

/** The server closes connections that are silent for 20 seconds. */
const heartbeatMs = 8000;
/** A browser has one for each tab. With more, the oldest ends. */
export const maxStreamsOfDevice = 8;
export const maxStreams = 200;
const retryAfterSeconds = 5;

export interface Streams {
  /**
   * Throws the answer where there are too many streams. `device` is asked again before each event; undefined stands for
   * a revoked device, whose stream ends.
   */
  open(device: () => Device | undefined): Response;
  closeAll(): void;
}

export function createStreams(now: NowWatch, clock: Clock): Streams {
  /** The oldest stream comes first; each key ends its stream. */
  const streams = new Map<() => void, string>();
  const makeRoom = (id: string): void => {
    const own = [...streams].filter(([, device]) => device === id);
    if (own.length >= maxStreamsOfDevice) own[0]?.[0]();
    else if (streams.size >= maxStreams) {
      const detail = `${maxStreams} tabs follow this server already; close some`;
      throw new HttpProblem(503, detail, { "retry-after": String(retryAfterSeconds) });
    }
  };
  return {
    open(device) {
      makeRoom(device()?.id ?? "");
      let sent = "";
      let isChanged = true;
      let isOver = false;
      let wake = (): void => {};
      const unwatch = now.watch(() => {
        isChanged = true;
        wake();
      });
      const end = (): void => {
        isOver = true;
        streams.delete(end);
        unwatch();
        wake();
      };
      streams.set(end, device()?.id ?? "");
      /** The next event; a heartbeat if nothing changes. Undefined at the end. */
      const next = async (): Promise<string | undefined> => {
        const startedAt = clock.now();
        for (;;) {
          const known = isOver ? undefined : device();
          if (known === undefined) return undefined;
          if (isChanged) {
            isChanged = false;
            const state = await now.current(known);
            const digest = digestOf(state);
            if (digest !== sent) {
              sent = digest;
              return `data: ${JSON.stringify(state)}\n\n`;
            }
          }
          if (clock.now() - startedAt >= heartbeatMs) return ":\n\n";
          let cancel = (): void => {};
          await new Promise<void>((resolve) => {
            wake = resolve;
            cancel = clock.after(heartbeatMs, resolve);
            if (isOver || isChanged) resolve();
          });
          cancel();
        }
      };
      // A browser that reads slowly is sent only the newest state: nothing waits in memory for it.
      const body = new ReadableStream<Uint8Array>(
        {
          async pull(controller) {
            const event = await next().catch(() => undefined);
            if (event === undefined) {
              end();
              controller.close();
            } else controller.enqueue(new TextEncoder().encode(event));
          },
          cancel: end,
        },
        { highWaterMark: 0 },
      );
      return new Response(body, {
        headers: { "content-type": "text/event-stream", "x-accel-buffering": "no", connection: "close" },
      });
    },
    closeAll() {
      for (const end of streams.keys()) end();
    },
  };
}

/** Changes with everything but the time. Each stream keeps one, so it is a digest. */
function digestOf({ at: _at, ...state }: Now): string {
  return sha256(JSON.stringify(state));
}
