// A proxy on loopback: forwards plain http, tunnels CONNECT; every host's name leads to 127.0.0.1.
import { createServer, request, type IncomingMessage } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

export interface HttpProxy {
  /** `http://127.0.0.1:PORT`. */
  url: string;
  /** What the proxy was asked for: `POST http://name:port/path` or `CONNECT name:port`. */
  asked: string[];
  /** How CONNECT is answered: by a tunnel, with a status, by hanging up, or not at all. */
  behave(behaviour: "tunnel" | "hangUp" | "hang" | number): void;
  close(): Promise<void>;
}

export async function startHttpProxy(credentials?: string): Promise<HttpProxy> {
  const asked: string[] = [];
  const sockets = new Set<Socket>();
  let behaviour: "tunnel" | "hangUp" | "hang" | number = "tunnel";
  const isAllowed = ({ headers }: IncomingMessage): boolean =>
    credentials === undefined ||
    headers["proxy-authorization"] === `Basic ${Buffer.from(credentials).toString("base64")}`;
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`);
    if (!isAllowed(incoming)) return void response.writeHead(407).end();
    const url = new URL(incoming.url ?? "");
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const target = request({ port: url.port, path: url.pathname + url.search, method: incoming.method, headers });
    target.on("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    target.on("error", () => response.writeHead(502).end());
    incoming.pipe(target);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => {}).on("close", () => sockets.delete(socket));
  });
  server.on("connect", (incoming, client: Socket) => {
    asked.push(`CONNECT ${incoming.url}`);
    if (behaviour === "hang") return;
    if (behaviour === "hangUp") return void client.destroy();
    const status = isAllowed(incoming) ? behaviour : 407;
    if (status !== "tunnel") return void client.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`);
    const target = connect(Number(incoming.url?.split(":")[1]), "127.0.0.1", () => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      target.pipe(client).pipe(target);
    });
    target.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("close", () => target.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    behave(next) {
      behaviour = next;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
