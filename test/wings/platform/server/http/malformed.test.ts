// Whatever is sent, the server answers with a documented refusal and goes on.
import { connect } from "node:net";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { roles } from "../../../../../src/wings/platform/contract/endpoints.ts";
import { keyLimit, strangerLimit } from "../../../../../src/http-server/guard.ts";
import { everyRow } from "../../../../support/rows.ts";
import { startTestServer, type TestServer } from "../../../../support/usage/running-server.ts";
import { slowRuns } from "../../../../support/random/slow-runs.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ now: "2026-11-20T09:00:00Z" });
});
afterAll(() => server.remove());

/** Enough for the limits to be full again. */
const restMs = (Math.max(keyLimit.burst, strangerLimit.burst) + 1) * 1000;

const paths = fc.constantFrom(
  "/api/v1/analytics/tokens",
  "/api/v1/analytics/tools",
  "/api/v1/analytics/activity",
  "/api/v1/analytics/productivity",
  "/api/v1/analytics/users",
  "/api/organization/maturity-level-reports",
  "/api/v0/computers/x/install-deps",
  "/api/extensions/computers",
  "/api/extensions/readiness-reports",
  "/api/extensions/events/owner@example.org",
  "/openapi.json",
  "/",
);
const text = fc.string({ unit: "grapheme", maxLength: 30 });
const value = fc.oneof(
  text,
  fc.constantFrom("2026-11-18", "2026-11-19", "2026-02-30", "1", "100", "model", "%", "a".repeat(3000)),
);
const name = fc.oneof(
  text,
  fc.constantFrom("startDate", "endDate", "group_by", "limit", "cursor", "repoId", "startAfter"),
);
const days = "startDate=2026-11-18&endDate=2026-11-19";
const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD");
const body = fc.oneof(fc.json(), text, fc.uint8Array({ maxLength: 200 }), fc.constant("[".repeat(5000)));

test("any path, query, method and body get an answer or a refusal, and never a mistake of the server", async () => {
  await fc.assert(
    fc.asyncProperty(
      paths,
      fc.array(fc.tuple(name, value), { maxLength: 4 }),
      fc.boolean(),
      method,
      fc.option(body, { nil: undefined }),
      fc.option(fc.constantFrom(...roles), { nil: undefined }),
      async (path, query, isDated, how, content, role) => {
        server.clock.set(server.clock.now() + restMs);
        if (server.clock.now() > Date.parse("2026-12-01T00:00:00Z"))
          server.clock.set(Date.parse("2026-11-20T00:00:00Z"));
        const search = `${isDated ? `${days}&` : ""}${new URLSearchParams(query).toString()}`;
        const hasBody = content !== undefined && how !== "GET" && how !== "HEAD";
        const init = { method: how, ...(hasBody ? { body: content as RequestInit["body"] } : {}) };
        const response = await server.request(`${path}?${search}`, role, init);
        expect(response.status).toBeLessThan(500);
        if (how === "HEAD" || response.status < 400) return void (await response.arrayBuffer());
        const problem = (await response.json()) as { status: number; title: string; detail: string };
        expect(problem).toMatchObject({ status: response.status });
        expect([typeof problem.title, typeof problem.detail]).toEqual(["string", "string"]);
        // The words of the library that validates.
        expect(problem.detail).not.toMatch(/Invalid |Too (big|small)|, received /);
      },
    ),
    { numRuns: slowRuns(400) },
  );
});

/** What the server answers to these bytes, before it closes or says nothing more. */
async function raw(bytes: string | Buffer): Promise<string> {
  const { hostname, port } = new URL(server.url);
  return await new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.end(bytes));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", reject);
  });
}

const host = "Host: x\r\nConnection: close\r\n";
const broken: [name: string, bytes: string | Buffer, answer: RegExp][] = [
  ["no HTTP", "hello\r\n\r\n", /^HTTP\/1\.1 400/],
  ["a path that is no path", `GET //%zz?%%% HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 4/],
  ["an absolute address", `GET http://[::1/x HTTP/1.1\r\n${host}\r\n`, /^HTTP\/1\.1 4/],
  ["no host", "GET / HTTP/1.1\r\n\r\n", /^HTTP\/1\.1 400/],
  ["a bad host", "GET / HTTP/1.1\r\nHost: a b/c\r\nConnection: close\r\n\r\n", /^HTTP\/1\.1 4/],
  ["a header that is too large", `GET / HTTP/1.1\r\n${host}X: ${"x".repeat(20_000)}\r\n\r\n`, /^HTTP\/1\.1 431/],
  [
    "two lengths",
    `POST /api/extensions/readiness-reports HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`,
    /^HTTP\/1\.1 400/,
  ],
  [
    "a length and chunks",
    `POST / HTTP/1.1\r\n${host}Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    /^HTTP\/1\.1 4/,
  ],
  ["a NUL byte", Buffer.from(`GET /\0 HTTP/1.1\r\n${host}\r\n`), /^HTTP\/1\.1 400/],
];
test("bytes that are no request are refused, and the server goes on", async () => {
  await everyRow(broken, async ([, bytes, answer]) => {
    expect(await raw(bytes)).toMatch(answer);
  });
});

test("a body that is too large is refused, whether its length was announced or not", async () => {
  const large = "x".repeat(1024 * 1024 + 1);
  const path = "/api/extensions/readiness-reports";
  server.clock.set(server.clock.now() + restMs);
  expect((await server.request(path, "Owner", { method: "POST", body: large })).status).toBe(413);
  const stream = new Blob([large]).stream();
  const init = { method: "POST", body: stream, duplex: "half" } as RequestInit;
  expect((await server.request(path, "Owner", init)).status).toBe(413);
});

test("nothing of all this was a mistake of the server", () => {
  expect(server.notes).toEqual([]);
});
