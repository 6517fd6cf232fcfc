import { fork } from "node:child_process";
import { once } from "node:events";
import type { Heard } from "./receive.ts";
import { stopping } from "./stopping.ts";

/** What one path has heard; times as `nowMs` gives them. */
export interface Path {
  at: number[];
  ids: Set<string>;
  lastBody: string;
}

export interface Receiver {
  origin: string;
  /** When the next request to this path came that nobody has asked about yet. */
  next(path: string): Promise<number>;
  heard(path: string): Path;
  close(): void;
}

/** Longer than any attempt and its first retry take, on a machine that is busy with something else. */
const longestMs = 60_000;

/** In a process of its own, since starting two hundred hooks keeps this one from answering. */
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
