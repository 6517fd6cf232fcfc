import { spawn } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import packageJson from "../../../package.json" with { type: "json" };
import { maxResponseBytes, type HttpRequest } from "../../../src/system/network/http.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { startHttpReceiver, unusedOrigin, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { everyRow } from "../../support/rows.ts";

const send = createSendHttp({});
/** So long that no test can reach it; where a deadline is the point, the test lets it pass itself. */
const timeoutMs = 60_000;

describe("createSendHttp", () => {
  let receiver: HttpReceiver;
  beforeEach(async () => {
    receiver = await startHttpReceiver();
  });
  afterEach(() => receiver.close());

  const post = (more: Partial<HttpRequest> = {}): HttpRequest => ({
    method: "POST",
    url: `${receiver.origin}/hooks/s3cret-path?key=s3cret-query`,
    headers: { "content-type": "application/json", "x-token": "s3cret-header" },
    body: '{"text":"käse ✓"}',
    ...more,
  });

  it("sends the request as it stands, with its own name, and hands back the answer", async () => {
    receiver.behave({ answer: 201, headers: { "X-Thing": "a" }, body: "fine ✓" });
    const answer = await send(post(), { timeoutMs });
    expect(answer).toMatchObject({ status: 201, body: "fine ✓", bodyEnd: "whole", headers: { "x-thing": "a" } });
    expect(receiver.requests).toMatchObject([
      {
        method: "POST",
        path: "/hooks/s3cret-path?key=s3cret-query",
        body: '{"text":"käse ✓"}',
        headers: {
          "content-type": "application/json",
          "user-agent": `hookbell/${packageJson.version}`,
          connection: "close",
        },
      },
    ]);
  });

  it("uses a connection for one request only", async () => {
    await send(post(), { timeoutMs });
    await send(post(), { timeoutMs });
    await send(post({ method: "GET", body: undefined }), { timeoutMs });
    expect(receiver.requests).toHaveLength(3);
    expect(receiver.connectionCount()).toBe(3);
  });

  it("keeps the connection of polls, and tells how each of them ended", async () => {
    const poll = { timeoutMs, keepsConnection: true } as const;
    receiver.behave({ answer: 200, body: "a\nb\n" });
    expect(await send(post(), poll)).toMatchObject({ status: 200, body: "a\nb\n", bodyEnd: "whole" });
    const lines: string[] = [];
    const reader = { onLine: (line: string) => void lines.push(line), idleTimeoutMs: timeoutMs };
    expect(await send(post({ method: "GET", body: undefined }), { ...poll, lines: reader })).toMatchObject({
      body: "",
    });
    expect(lines).toEqual(["a", "b"]);
    expect(receiver.connectionCount()).toBe(1);
    receiver.behave({ answer: 307, headers: { location: `${receiver.origin}/elsewhere` } });
    expect(await send(post(), poll)).toMatchObject({ status: 307 });
    receiver.behave("endlessBody");
    expect(await send(post(), poll)).toMatchObject({ bodyEnd: "cut", body: "x".repeat(maxResponseBytes) });
    receiver.behave("resetInBody");
    expect(await send(post(), poll)).toMatchObject({ status: 200, bodyEnd: "broken", body: "o" });
    receiver.behave("resetAfterReading");
    expect(await send(post(), poll)).toMatchObject({ failure: "unknown" });
    const refused = await send(post({ url: `${unusedOrigin}/s3cret-path` }), poll);
    expect(refused).toMatchObject({ failure: "network", detail: expect.stringContaining("connection was refused") });
    receiver.behave("hangAfterReading");
    const deadline = new AbortController();
    const received = receiver.nextRequest();
    const answer = send(post(), { ...poll, signal: deadline.signal });
    await received;
    deadline.abort();
    expect(await answer).toMatchObject({ failure: "unknown", detail: expect.stringContaining("in time") });
    const late = await send(post(), { ...poll, signal: AbortSignal.abort() });
    expect(late).toMatchObject({ failure: "timeout" });
  });

  it.each([301, 302, 307, 308])("does not follow a %i", async (status) => {
    receiver.behave({ answer: status, headers: { location: `${receiver.origin}/elsewhere` } });
    expect(await send(post(), { timeoutMs })).toMatchObject({ status });
    expect(receiver.requests).toHaveLength(1);
  });

  it("reads an endless answer to its bound only", async () => {
    receiver.behave("endlessBody");
    const answer = await send(post(), { timeoutMs });
    expect(answer).toMatchObject({ status: 200, bodyEnd: "cut", body: "x".repeat(maxResponseBytes) });
    // What the kernels' buffers swallow before they notice; anything without the bound would never come here.
    expect(receiver.endlessBytes()).toBeLessThan(64 * 1024 * 1024);
  });

  it("keeps the status of an answer whose body breaks off", async () => {
    receiver.behave("resetInBody");
    expect(await send(post(), { timeoutMs })).toMatchObject({ status: 200, bodyEnd: "broken", body: "o" });
  });

  it("hands over the lines of a good answer as they come, also a half one's, but no endless line", async () => {
    const lines: string[] = [];
    const reader = { onLine: (line: string) => void lines.push(line), idleTimeoutMs: timeoutMs };
    receiver.behave({ answer: 200, body: "one\nkäse ✓\nhalf" });
    expect(await send(post(), { timeoutMs, lines: reader })).toMatchObject({ status: 200, body: "", bodyEnd: "whole" });
    receiver.behave({ answer: 403, body: "no\n" });
    expect(await send(post(), { timeoutMs, lines: reader })).toMatchObject({ status: 403, body: "no\n" });
    receiver.behave("endlessBody");
    expect(await send(post(), { timeoutMs, lines: reader })).toMatchObject({ status: 200, body: "", bodyEnd: "cut" });
    expect(lines).toEqual(["one", "käse ✓"]);
  });

  it("is `network` when no one listens", async () => {
    const answer = await send(post({ url: `${unusedOrigin}/hooks/s3cret-path` }), { timeoutMs });
    expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("connection was refused") });
  });

  it("is `network` when there is no such host", async () => {
    const answer = await send(post({ url: "https://hookbell-test.invalid/hooks/s3cret-path" }), { timeoutMs });
    expect(answer).toMatchObject({ failure: "network" });
  });

  it("is `network` when the other side does not speak TLS", async () => {
    const answer = await send(post({ url: `${receiver.origin.replace("http:", "https:")}/hooks/s3cret-path` }), {
      timeoutMs,
    });
    expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("TLS") });
    expect(receiver.requests).toHaveLength(0);
  });

  it("is `network` when the line breaks in the TLS handshake", async () => {
    receiver.behave("resetBeforeReading");
    const url = `${receiver.origin.replace("http:", "https:")}/hooks/s3cret-path`;
    expect(await send(post({ url }), { timeoutMs })).toMatchObject({ failure: "network" });
  });

  it("is `unknown` when the line breaks after the request was sent", async () => {
    receiver.behave("resetAfterReading");
    expect(await send(post(), { timeoutMs })).toMatchObject({ failure: "unknown" });
  });

  it("is never a delivery or a deadline when the line breaks before the request was read", async () => {
    // The reset may overtake the first byte (`network`) or not (`unknown`: who knows what was read of it).
    receiver.behave("resetBeforeReading");
    expect(await send(post(), { timeoutMs })).toMatchObject({ failure: expect.stringMatching(/^(network|unknown)$/) });
    expect(receiver.requests).toHaveLength(0);
  });

  it("is `unknown` when the deadline passes after the request was sent", async () => {
    receiver.behave("hangAfterReading");
    const deadline = new AbortController();
    const received = receiver.nextRequest();
    const answer = send(post(), { timeoutMs, signal: deadline.signal });
    await received;
    deadline.abort();
    expect(await answer).toMatchObject({
      failure: "unknown",
      detail: expect.stringContaining("did not answer in time"),
    });
  });

  it("keeps the status when the deadline passes in the body", async () => {
    receiver.behave("hangInBody");
    const deadline = new AbortController();
    const letItPass = (): void => void setImmediate(() => deadline.abort());
    subscribe("undici:request:headers", letItPass);
    const answer = await send(post(), { timeoutMs, signal: deadline.signal });
    unsubscribe("undici:request:headers", letItPass);
    expect(answer).toMatchObject({ status: 200, bodyEnd: "broken" });
  });

  it("gives up on a deadline of its own", async () => {
    receiver.behave("hangAfterReading");
    const answer = await send(post(), { timeoutMs: 300 });
    expect(answer).toMatchObject({ failure: expect.stringMatching(/^(unknown|timeout)$/) });
  });

  it("is `timeout`, and sends nothing, when the deadline has passed already", async () => {
    const answer = await send(post(), { timeoutMs, signal: AbortSignal.abort() });
    expect(answer).toMatchObject({ failure: "timeout" });
    expect(receiver.requests).toHaveLength(0);
  });

  it("is `timeout` when the TLS handshake is not answered", async () => {
    const silent = createServer();
    const sockets: Socket[] = [];
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const deadline = new AbortController();
    silent.on("connection", (socket) => {
      sockets.push(socket);
      socket.on("error", () => {});
      socket.once("data", () => deadline.abort());
    });
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}/hooks/s3cret-path`;
    expect(await send(post({ url }), { timeoutMs, signal: deadline.signal })).toMatchObject({ failure: "timeout" });
    for (const socket of sockets) socket.destroy();
    silent.close();
  });

  it("is `timeout` when the connection is never accepted (posix)", async () => {
    // A program that listens and then never returns to its event loop; the kernel queues two connections for it.
    // Windows refuses the others.
    const code = `
      const server = require("node:net").createServer().listen({ port: 0, host: "127.0.0.1", backlog: 1 }, () => {
        require("node:fs").writeSync(1, String(server.address().port));
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60_000);
      });`;
    const child = spawn(process.execPath, ["-e", code], { stdio: ["ignore", "pipe", "inherit"] });
    const port = await new Promise<number>((resolve) => child.stdout.once("data", (text) => resolve(Number(text))));
    const fillers = Array.from({ length: 8 }, () => connect(port, "127.0.0.1").on("error", () => {}));
    const answer = await send(post({ url: `http://127.0.0.1:${port}/hooks/s3cret-path` }), { timeoutMs: 300 });
    expect(answer).toMatchObject({ failure: "timeout" });
    for (const socket of fillers) socket.destroy();
    child.kill("SIGKILL");
  });

  const rejected: [string, Partial<HttpRequest>, RegExp][] = [
    ["no URL", { url: "s3cret-path" }, /the URL is invalid/],
    ["another scheme", { url: "file:///s3cret-path" }, /https:\/\//],
    ["a user name", { url: "https://me:s3cret-path@example.org/" }, /user name/],
    ["http to another machine", { url: "http://192.0.2.1/s3cret-path" }, /allowHttp/],
    ["http to a name that only looks like loopback", { url: "http://127.0.0.1.example.org/s3cret-path" }, /allowHttp/],
    ["a line break in a header", { headers: { "x-token": "s3cret-header\r\nx-evil: 1" } }, /header x-token/],
    ["a letter beyond Latin-1 in a header", { headers: { "x-token": "s3cret-header ✓" } }, /header x-token/],
    ["a header's name that is none", { headers: { "x token": "s3cret-header" } }, /name/],
    ["a header of the connection", { headers: { "Transfer-Encoding": "chunked" } }, /Transfer-Encoding/],
  ];
  it("rejects what it cannot send, and sends nothing", () =>
    everyRow(rejected, async ([_what, more, detail]) => {
      const answer = await send(post(more), { timeoutMs });
      expect(answer).toMatchObject({ failure: "rejected", detail: expect.stringMatching(detail) });
      expect(JSON.stringify(answer)).not.toContain("s3cret");
      expect(receiver.requests).toHaveLength(0);
    }));

  it.each(["http://localhost:1/", "http://127.8.9.1:1/", "http://[::1]:1/", "http://a.localhost:1/"])(
    "takes %s for this machine",
    async (url) => {
      expect(await send(post({ url }), { timeoutMs })).not.toMatchObject({ failure: "rejected" });
    },
  );

  it("names no path, query or header in any failure", async () => {
    const failures = [];
    for (const behaviour of ["resetBeforeReading", "resetAfterReading"] as const) {
      receiver.behave(behaviour);
      failures.push(await send(post(), { timeoutMs }));
    }
    failures.push(await send(post({ url: `${unusedOrigin}/s3cret-path?key=s3cret-query` }), { timeoutMs }));
    failures.push(await send(post({ url: "https://hookbell-test.invalid/s3cret-path" }), { timeoutMs }));
    expect(failures.every((answer) => "failure" in answer)).toBe(true);
    expect(JSON.stringify(failures)).not.toContain("s3cret");
  });
});
