import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SlowReceiver {
  origin: string;
  /** When (performance.now) the next request to this path came that nobody has asked about yet. */
  next(path: string): Promise<number>;
  close(): void;
}

/** A receiver on loopback; `/slow/2000` answers after two seconds, anything else at once. */
export async function startSlowReceiver(): Promise<SlowReceiver> {
  const arrived = new Map<string, number[]>();
  const waiting = new Map<string, (at: number) => void>();
  const server = createServer((request, response) => {
    const path = request.url ?? "";
    const at = performance.now();
    const waiter = waiting.get(path);
    waiting.delete(path);
    if (waiter === undefined) arrived.set(path, [...(arrived.get(path) ?? []), at]);
    else waiter(at);
    request.resume();
    const delayMs = Number(/^\/slow\/(\d+)/.exec(path)?.[1] ?? 0);
    setTimeout(() => response.end("ok"), delayMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    next(path) {
      const at = arrived.get(path)?.shift();
      return at === undefined ? new Promise((resolve) => waiting.set(path, resolve)) : Promise.resolve(at);
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
