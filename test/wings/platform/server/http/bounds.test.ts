// Strangers cannot use up the server's connections or memory, and no page of another host reads it.
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { join } from "node:path";
import { maxConnections, maxRequestsAtOnce } from "../../../../../src/system/network/listen.ts";
import { bodyBytes } from "../../../../../src/http-server/read-body.ts";
import { streamJson } from "../../../../../src/http-server/stream-json.ts";
import { openDatabase } from "../../../../../src/wings/platform/server/store/database.ts";
import { everyRow } from "../../../../support/rows.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";

let server: TestServer;
let sockets: Socket[] = [];
beforeEach(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await server.remove();
});

interface Stranger {
  socket: Socket;
  answer: () => string;
}

async function open(): Promise<Stranger> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let answer = "";
  socket.on("data", (chunk: Buffer) => (answer += chunk.toString("latin1")));
  socket.on("error", () => {});
  await once(socket, "connect");
  return { socket, answer: () => answer };
}

// Of twenty sockets that any program of Node closes while it waits for their data, Wine closes ten.
test("of more connections than the limit, the oldest are closed, and the owner is answered (not under Wine)", async () => {
  const beyond = 20;
  const closed: number[] = [];
  for (let index = 0; index < maxConnections + beyond; index += 1) {
    (await open()).socket.on("close", () => closed.push(index));
  }
  await expect
    .poll(() => closed.toSorted((a, b) => a - b))
    .toEqual(Array.from({ length: beyond }, (_, index) => index));
  expect((await server.request("/api/extensions/computers", "Owner")).status).toBe(200);
});

const unfinished = 1_000_000;

const head = "POST /api/extensions/events/unknown-user HTTP/1.1\r\nHost: localhost\r\n";

/** A body of a megabyte that lacks its last byte. */
async function sendUnfinishedBody(): Promise<Stranger> {
  const stranger = await open();
  stranger.socket.write(`${head}Content-Length: ${unfinished + 1}\r\n\r\n`);
  stranger.socket.write(Buffer.alloc(unfinished, "x"));
  return stranger;
}

test("unfinished bodies of one address are held up to a bound, and a key's requests go on", async () => {
  const strangers: Stranger[] = [];
  const fitting = Math.floor(bodyBytes.ofSender / unfinished);
  for (let index = 0; index < fitting + 4; index += 1) strangers.push(await sendUnfinishedBody());
  const refused = (): number => strangers.filter(({ answer }) => answer().startsWith("HTTP/1.1 503")).length;
  await expect.poll(refused).toBeGreaterThanOrEqual(3);
  const stored = await server.request("/api/extensions/readiness-reports", "Member", { method: "POST", body: "{}" });
  expect(stored.status).toBe(400);
  for (const { socket } of strangers) socket.destroy();
  const askAgain = async (): Promise<string> => {
    const { socket, answer } = await open();
    socket.write(`${head}Content-Length: 1\r\nConnection: close\r\n\r\nx`);
    await once(socket, "close");
    return answer();
  };
  await expect.poll(askAgain).toMatch(/^HTTP\/1\.1 401/);
});

test("clients that break off leave no line each in the log", async () => {
  const strangers: Stranger[] = [];
  for (let index = 0; index < 5; index += 1) strangers.push(await sendUnfinishedBody());
  for (const { socket } of strangers) socket.destroy();
  const key = `Authorization: Bearer ${server.keys.Member.key}\r\n`;
  const { socket, answer } = await open();
  socket.write(
    `POST /api/extensions/readiness-reports HTTP/1.1\r\nHost: localhost\r\n${key}Content-Length: 9\r\n\r\n{`,
  );
  socket.end();
  await once(socket, "close");
  expect(answer()).toMatch(/^(HTTP\/1\.1 400 |$)/);
  expect(server.notes).toEqual([]);
});

test("a fault that every request meets fills no log, and the next line says how often it came", async () => {
  await server.stop();
  const database = await openDatabase(join(server.dataDir, "usage.db"), 0);
  database.exec("ALTER TABLE readiness_reports RENAME TO lost");
  database.close();
  await server.restart();
  const ask = (): Promise<Response> => server.request("/api/organization/maturity-level-reports", "Guest");
  for (let count = 0; count < 30; count += 1) expect((await ask()).status).toBe(500);
  expect(server.notes).toHaveLength(20);
  server.clock.turn(60_000);
  await ask();
  expect(server.notes).toHaveLength(21);
  expect(server.notes.at(-1)).toMatch(/^req_\w+: no such table: readiness_reports \(and 10 more errors before it\)$/);
});

const hosts: [host: string, status: number][] = [
  ["evil.example", 421],
  ["127.0.0.1.evil.example:8765", 421],
  ["localhost:8765", 200],
  ["[::1]", 200],
];
test("the document is for this machine, by the name of its host", async () => {
  await everyRow(hosts, async ([host, status]) => {
    const { socket, answer } = await open();
    socket.write(`GET /openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
    await once(socket, "close");
    expect(answer()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });
});

test("a connection that sends many requests at once is closed, and holds no answers in memory", async () => {
  const { socket, answer } = await open();
  socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(50));
  await once(socket, "close");
  expect(answer().split("HTTP/1.1 200 ").length - 1).toBeLessThanOrEqual(maxRequestsAtOnce);
});

test("requests after each other on one connection are all answered", async () => {
  const { socket, answer } = await open();
  const answered = (): number => answer().split("HTTP/1.1 200 ").length - 1;
  for (let count = 1; count <= 3 * maxRequestsAtOnce; count += 1) {
    socket.write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await expect.poll(answered).toBe(count);
  }
});

test("behind a proxy, the proxy decides about hosts", async () => {
  await server.restart({ isBehindProxy: true });
  const { socket, answer } = await open();
  socket.write("GET /openapi.json HTTP/1.1\r\nHost: usage.example.org\r\nConnection: close\r\n\r\n");
  await once(socket, "close");
  expect(answer()).toMatch(/^HTTP\/1\.1 200 /);
});

test("a long answer lets others have their turn between its pieces", async () => {
  const order: string[] = [];
  function* rows(): Generator<Uint8Array> {
    for (let index = 0; index < 5; index += 1) {
      order.push("piece");
      yield Buffer.from(`"${"x".repeat(100_000)}"`);
    }
  }
  const reading = streamJson("[", rows(), "]").text();
  for (let index = 0; index < 20; index += 1) {
    await turn();
    order.push("other");
  }
  expect(JSON.parse(await reading)).toHaveLength(5);
  expect(order.join(" ")).not.toContain("piece piece piece");
});
