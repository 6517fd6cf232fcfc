// The receiver: a process that hears each request, and its parent, which asks when one came.
import { fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { stopping } from "./stopping.ts";

/** Milliseconds by a clock that all processes of this machine share. */
export function nowMs(): number {
  return performance.timeOrigin + performance.now();
}

interface Heard {
  path: string;
  at: number;
  /** Of the message: the same when it comes twice. */
  id: string;
  body: string;
}

/** The receiver's process: tells its parent where it listens, then of each request. `/slow/2000` answers after two seconds. */
export function receive(): void {
  process.on("disconnect", () => process.exit());
  // Ctrl-C reaches all processes of a terminal; the parent ends this one.
  for (const signal of ["SIGHUP", "SIGINT", "SIGTERM"] as const) process.on(signal, () => {});
  const tell = (what: string | Heard) => process.send?.(what);
  const server = createServer((request, response) => {
    const at = nowMs();
    const { url: path = "", headers } = request;
    const id = headers["webhook-id"]?.toString() ?? "";
    const delayMs = Number(/^\/slow\/(\d+)/.exec(path)?.[1] ?? 0);
    const answer = async (): Promise<void> => {
      const body = await text(request);
      if (delayMs === 0) response.end("ok");
      else setTimeout(() => response.end("ok"), delayMs);
      tell({ path, at, id, body });
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1", () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
}

/** What one path has heard; times as `nowMs` gives them. */
interface Path {
  at: number[];
  ids: Set<string>;
  lastBody: string;
  /** When the last question came. */
  lastQuestionAt?: number;
}

export interface Receiver {
  origin: string;
  /** When the next request to this path came; each is told once. */
  next(path: string): Promise<number>;
  heard(path: string): Path;
  close(): void;
}

/** Longer than any attempt and its first retry take, on a busy machine. */
const longestMs = 60_000;

/** In a process of its own, since starting two hundred hooks keeps this one busy. */
export async function startReceiver(): Promise<Receiver> {
  const paths = new Map<string, Path & { asked: number; ring: () => void }>();
  const pathOf = (name: string) => {
    const path = paths.get(name) ?? { at: [], ids: new Set<string>(), lastBody: "", asked: 0, ring: () => {} };
    paths.set(name, path);
    return path;
  };
  const child = fork(process.argv[1] ?? "", ["receive"]);
  const [origin] = (await once(child, "message")) as [string];
  child.on("message", ({ path: name, at, id, body }: Heard) => {
    const path = pathOf(name);
    path.at.push(at);
    path.ids.add(id);
    path.lastBody = body;
    if (body.includes("PermissionRequest")) path.lastQuestionAt = at;
    path.ring();
  });
  return {
    origin,
    async next(name) {
      const path = pathOf(name);
      while (path.asked >= path.at.length) {
        await new Promise<void>((resolve, reject) => {
          stopping.throwIfAborted();
          const late = setTimeout(() => reject(new Error(`nothing came to ${name} for ${longestMs} ms`)), longestMs);
          const stop = (): void => {
            clearTimeout(late);
            reject(stopping.reason);
          };
          stopping.addEventListener("abort", stop, { once: true });
          path.ring = () => {
            clearTimeout(late);
            stopping.removeEventListener("abort", stop);
            resolve();
          };
        });
      }
      path.asked += 1;
      return path.at[path.asked - 1] ?? Number.NaN;
    },
    heard: pathOf,
    close: () => void child.kill("SIGKILL"),
  };
}
