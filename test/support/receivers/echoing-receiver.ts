// A receiver on loopback that says back all that it was sent, in its status line, its headers and its body.
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";

export interface EchoingReceiver {
  /** The origin of the one that answers with this status. */
  origin(status: number): string;
  /** How many requests there were. */
  count(): number;
  close(): Promise<void>;
}

export async function startEchoingReceiver(statuses: readonly number[]): Promise<EchoingReceiver> {
  const sockets = new Set<Socket>();
  let requests = 0;
  const start = async (status: number) => {
    const server = createServer((incoming, response) => {
      const chunks: Buffer[] = [];
      incoming.on("error", () => {});
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
      incoming.on("end", () => {
        requests += 1;
        echo(status, incoming, Buffer.concat(chunks).toString("utf8"), response, requests);
      });
    });
    server.on("connection", (socket: Socket) => {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => sockets.delete(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    return [status, server] as const;
  };
  const servers = new Map(await Promise.all(statuses.map(start)));
  return {
    origin(status) {
      const address = servers.get(status)?.address() as AddressInfo | undefined;
      if (address === undefined) throw new Error(`no one answers ${status}`);
      return `http://127.0.0.1:${address.port}`;
    },
    count: () => requests,
    async close() {
      for (const socket of sockets) socket.destroy();
      await Promise.all([...servers.values()].map((server) => new Promise((resolve) => server.close(resolve))));
    },
  };
}

/** In turn as a web server's page, as an API's dump, and under each name that a vendor gives its words. */
function echo(
  status: number,
  { url = "", headers, method = "" }: IncomingMessage,
  body: string,
  response: ServerResponse,
  turn: number,
): void {
  const said = `${method} ${url} ${Object.entries(headers).flat().join(" ")}`;
  const bodies = [
    `no route for ${said}: ${body}`,
    JSON.stringify({ url, headers, body }).replaceAll("/", "\\/"),
    `${encodeURIComponent(said)} ${encodeURIComponent(body)}`,
    JSON.stringify({
      ok: false,
      status: 0,
      code: 19_001,
      errcode: turn % 2 === 0 ? 40_035 : "M_FORBIDDEN",
      ...Object.fromEntries(
        ["error", "errmsg", "msg", "message", "description", "errorDescription", "detail", "detailed_error"].map(
          (name) => [name, `${said} ${body}`],
        ),
      ),
      errors: [`${said} ${body}`],
      response_metadata: { messages: [`${said} ${body}`] },
    }),
  ];
  const line = said.replace(/[^\u0020-\u007E]/g, "?").slice(0, 1000);
  response.writeHead(status, line, {
    "x-said": line,
    location: `http://127.0.0.1:1${url}`,
    "content-type": "application/json",
    "x-oauth-scopes": line,
  });
  response.end(bodies[turn % bodies.length]);
}
