// A program that takes the port of the page's server, answers as it likes, and keeps all that it is told.
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

export interface Heard {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
}

export interface Stranger {
  heard: Heard[];
  close(): Promise<void>;
}

export type Behaviour = (heard: Heard, response: ServerResponse) => void | Promise<void>;

export async function takePort(url: string, behave: Behaviour): Promise<Stranger> {
  const heard: Heard[] = [];
  const hear = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = "", url: path = "" } = request;
    const headers = request.headers as Record<string, string>;
    const said = { method, path, headers, body: await text(request) };
    heard.push(said);
    await behave(said, response);
  };
  const server = createServer((request, response) => void hear(request, response).catch(() => response.destroy()));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(new URL(url).port), "127.0.0.1", resolve);
  });
  const close = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  onTestFinished(close);
  return { heard, close };
}

export function answer(status: number, type: string, body: string, headers: Record<string, string> = {}): Behaviour {
  return (_heard, response) => void response.writeHead(status, { "content-type": type, ...headers }).end(body);
}

/** Passes each request on to another address, with these headers changed. */
export function relayTo(url: string, changed: Record<string, string> = {}): Behaviour {
  return async (heard, response) => {
    const passed = await ask(url, { ...heard, headers: { ...heard.headers, ...changed } });
    response.writeHead(passed.status, passed.headers).end(passed.body);
  };
}

export interface Asked {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/** Sends a request as a program does, which may set each header. A stream's beginning is its body. */
export function ask(url: string, { method, path, headers, body }: Heard): Promise<Asked> {
  return new Promise((resolve, reject) => {
    const { "content-length": _length, connection: _connection, ...others } = headers;
    const sent = send(`${url}${path}`, { method, headers: others, agent: false }, (response) => {
      const answered = (said: string): void =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers as Record<string, string>, body: said });
      if (response.headers["content-type"] === "text/event-stream") {
        response.once("data", (chunk: Buffer) => {
          answered(chunk.toString());
          sent.destroy();
        });
        response.once("end", () => answered(""));
      } else text(response).then(answered, reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}
