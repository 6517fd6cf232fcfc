// A service on loopback that takes JSON over HTTP and talks over websockets, and what tests do with one.
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { WebSocketServer, type WebSocket } from "ws";

export interface Card {
  text: string;
  buttons: { label: string; nonce: string }[];
  /** The texts that it had before. */
  earlier: string[];
}

export interface PretendService<Shown extends Card = Card> {
  /** Its entry in `channels`. */
  channel: Record<string, unknown>;
  /** Who may answer, by the service's own id. */
  ann: string;
  mallory: string;
  cards: Shown[];
  /** What each person was told in return, in order. */
  told: string[];
  /** Whether what happens now is heard. */
  isListening(): boolean;
  /** How many connections there have been. */
  connections(): number;
  /** A person presses a button; the nonce may be made up. */
  press(by: string, card: Card, nonce: string): void;
  /** Cuts every connection without a word. */
  cut(): void;
  close(): Promise<void>;
}

export interface Asked {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

export interface PretendServer {
  origin: string;
  lines: Set<WebSocket>;
  connections(): number;
  cut(): void;
  close(): Promise<void>;
}

type Json = Record<string, unknown>;

/** `answer` resolves to a status and a body; `greet` takes over a new websocket. */
export async function startPretendServer(
  answer: (asked: Asked) => [status: number, body: object | string],
  greet: (line: WebSocket, path: string) => void,
): Promise<PretendServer> {
  const lines = new Set<WebSocket>();
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const text = Buffer.concat(chunks).toString("utf8");
      const { method = "", url: path = "", headers } = request;
      const [status, body] = answer({ method, path, headers, body: JSON.parse(text || "{}") as Json });
      response.writeHead(status, { "content-type": "application/json" });
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (line, { url = "" }) => {
    connections += 1;
    lines.add(line);
    line.on("close", () => lines.delete(line));
    line.on("error", () => {});
    greet(line, url);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = (): void => {
    for (const line of lines) line.terminate();
  };
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    lines,
    connections: () => connections,
    cut,
    async close() {
      cut();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export function readLine(line: WebSocket, onMessage: (message: Json) => void): void {
  line.on("message", (data: Buffer) => onMessage(JSON.parse(data.toString("utf8")) as Json));
}

export function say(line: WebSocket, message: object): void {
  line.send(JSON.stringify(message));
}
