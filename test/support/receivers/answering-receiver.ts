// A receiver on loopback whose answer depends on what was asked; it can hang, and be dead for a while.
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface Asked {
  path: string;
  /** The delivery's id, where the channel sends one. */
  id: string;
  body: string;
}

/** `hang`: reads and never answers. `reset`: reads and hangs up. */
export type Answer = { status: number; headers?: Record<string, string>; body?: string } | "hang" | "reset";

export interface AnsweringReceiver {
  origin: string;
  asked: Asked[];
  /** How many requests have had no answer yet. */
  hanging(): number;
  /** Hangs up on those. */
  drop(): void;
  close(): Promise<void>;
}

/** `index` counts the requests for the same path before this one. */
export async function startAnsweringReceiver(
  answer: (asked: Asked, index: number) => Answer,
): Promise<AnsweringReceiver> {
  const asked: Asked[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  const hanging = new Set<Socket>();
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on("error", () => {});
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const path = incoming.url ?? "";
      const index = counts.get(path) ?? 0;
      counts.set(path, index + 1);
      const body = Buffer.concat(chunks).toString("utf8");
      const one = { path, id: String(incoming.headers["webhook-id"] ?? ""), body };
      asked.push(one);
      const what = answer(one, index);
      if (what === "hang") hanging.add(incoming.socket);
      else if (what === "reset") incoming.socket.resetAndDestroy();
      else response.writeHead(what.status, what.headers).end(what.body ?? "ok");
    });
  });
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      hanging.delete(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    hanging: () => hanging.size,
    drop() {
      for (const socket of hanging) socket.resetAndDestroy();
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
