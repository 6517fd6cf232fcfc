import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { nowMs } from "./now-ms.ts";

export interface Heard {
  path: string;
  at: number;
  /** Of the message: the same when it comes twice. */
  id: string;
  body: string;
}

/** The receiver's process: tells its parent where it listens, then of each request. `/slow/2000` answers after two seconds. */
export function receive(): void {
  // Nobody is left to be told.
  process.on("disconnect", () => process.exit());
  // Ctrl-C comes to all of a terminal's processes; this one is ended by the one that asks it.
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
