// A receiver on loopback that does what a test tells it, over real sockets.
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";

export type Behaviour =
  | { answer: number; headers?: Record<string, string>; body?: string }
  /** Hangs up as soon as the connection stands, without reading. */
  | "resetBeforeReading"
  | "resetAfterReading"
  | "hangAfterReading"
  /** 200, and then bytes for as long as someone reads them. */
  | "endlessBody"
  /** 200 and the start of a longer body, then a reset. */
  | "resetInBody"
  /** 200 and the start of a longer body, then silence. */
  | "hangInBody";

export interface ReceivedRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
  body: string;
  /** The body as it came. */
  bytes: Buffer;
}

export interface HttpReceiver {
  /** `http://127.0.0.1:PORT` or https, without a slash at the end. */
  origin: string;
  port: number;
  requests: ReceivedRequest[];
  /** How many connections there were. */
  connectionCount(): number;
  /** How many bytes of endless bodies were handed to the system. */
  endlessBytes(): number;
  behave(behaviour: Behaviour): void;
  /** Resolves when the next request has been read to its end. */
  nextRequest(): Promise<ReceivedRequest>;
  close(): Promise<void>;
}

export async function startHttpReceiver(
  options: { behaviour?: Behaviour; tls?: { key: string; cert: string } } = {},
): Promise<HttpReceiver> {
  let behaviour: Behaviour = options.behaviour ?? { answer: 200, body: "ok" };
  let connections = 0;
  let endlessBytes = 0;
  let waiting: ((request: ReceivedRequest) => void)[] = [];
  const sockets = new Set<Socket>();
  const requests: ReceivedRequest[] = [];
  const onRequest = (incoming: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    incoming.on("error", () => {});
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const request = {
        method: incoming.method ?? "",
        path: incoming.url ?? "",
        headers: incoming.headers,
        body: bytes.toString("utf8"),
        bytes,
      };
      requests.push(request);
      perform(behaviour, incoming.socket, response, (bytes) => {
        endlessBytes += bytes;
      });
      for (const resolve of waiting) resolve(request);
      waiting = [];
    });
  };
  const server = options.tls === undefined ? createHttpServer(onRequest) : createHttpsServer(options.tls, onRequest);
  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (behaviour === "resetBeforeReading") socket.resetAndDestroy();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `${options.tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    port,
    requests,
    connectionCount: () => connections,
    endlessBytes: () => endlessBytes,
    behave(next) {
      behaviour = next;
    },
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function perform(
  behaviour: Behaviour,
  socket: Socket,
  response: ServerResponse,
  countEndless: (bytes: number) => void,
): void {
  if (typeof behaviour === "object") {
    response.writeHead(behaviour.answer, behaviour.headers);
    response.end(behaviour.body ?? "");
  } else if (behaviour === "resetAfterReading") {
    socket.resetAndDestroy();
  } else if (behaviour === "endlessBody") {
    response.writeHead(200, { "content-type": "text/plain" });
    const piece = "x".repeat(16 * 1024);
    const pump = (): void => {
      while (!response.destroyed) {
        countEndless(piece.length);
        if (!response.write(piece)) {
          response.once("drain", pump);
          return;
        }
      }
    };
    pump();
  } else if (behaviour === "resetInBody" || behaviour === "hangInBody") {
    response.writeHead(200, { "content-length": "1000" });
    response.write("o", () => {
      if (behaviour === "resetInBody") setImmediate(() => socket.destroy());
    });
  }
}

/** An origin where no one listens. A port that was free a moment ago may belong to another test by now. */
export const unusedOrigin = "http://127.0.0.1:2";
