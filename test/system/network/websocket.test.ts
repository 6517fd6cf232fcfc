import { describe, expect, it, onTestFinished } from "vitest";
import type { WebSocket } from "ws";
import { openWebSocket, type WebSocketRequest } from "../../../src/system/network/websocket.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { startHttpProxy } from "../../support/receivers/http-proxy.ts";
import { unusedOrigin } from "../../support/receivers/http-receiver.ts";
import { readLine, say, startPretendServer } from "../../support/receivers/pretend-service.ts";

async function serverThat(greet: (line: WebSocket) => void) {
  const server = await startPretendServer(() => [404, {}], greet);
  onTestFinished(server.close);
  return { ...server, url: server.origin.replace("http", "ws") };
}

async function opened(request: WebSocketRequest, env: Record<string, string> = {}) {
  const clock = createFakeClock();
  const stop = new AbortController();
  const heard: object[] = [];
  const line = await openWebSocket(request, { env, clock, signal: stop.signal }, (message) => heard.push(message));
  return { clock, stop, heard, line };
}

describe("a websocket", () => {
  it("carries JSON objects both ways, leaves out what is none, and ends when it is aborted", async () => {
    const got: object[] = [];
    const { url } = await serverThat((line) => {
      for (const text of ["[1", "7", "null"]) line.send(text);
      line.send(Buffer.from('{"binary":1}'), { binary: true });
      say(line, { hello: "ü" });
      readLine(line, (message) => {
        got.push(message);
        say(line, { bye: 1 });
      });
    });
    const { heard, line, stop } = await opened({ url });
    await expect.poll(() => heard).toEqual([{ hello: "ü" }]);
    line.send({ a: 1 });
    await expect.poll(() => heard.length).toBe(2);
    expect(got).toEqual([{ a: 1 }]);
    stop.abort();
    expect(await line.ended).toMatchObject({ code: 1000 });
    line.send({ a: 2 });
  });

  it("tells the service's own code", async () => {
    const { url } = await serverThat((line) => line.close(4004, "Authentication failed."));
    const { line } = await opened({ url });
    expect(await line.ended).toEqual({
      code: 4004,
      detail: `no connection to ${new URL(url).host}: the connection was closed (code 4004)`,
    });
  });

  it("is over when no sign of life comes", async () => {
    let isOpen = false;
    const { url } = await serverThat((line) => {
      line.pause();
      isOpen = true;
    });
    const { line, clock } = await opened({ url });
    await expect.poll(() => isOpen && clock.nextAt()).toBeTruthy();
    clock.turn(15_000);
    clock.turn(15_000);
    expect(await line.ended).toMatchObject({ code: 1006 });
  });

  it("goes through the proxy's tunnel, and says when the proxy refuses", async () => {
    const { url } = await serverThat((line) => say(line, { hello: 1 }));
    const proxy = await startHttpProxy();
    onTestFinished(proxy.close);
    const request = { url: url.replace("127.0.0.1", "receiver.invalid"), isPlainAllowed: true };
    const { heard, stop, line } = await opened(request, { HTTP_PROXY: proxy.url });
    await expect.poll(() => heard).toEqual([{ hello: 1 }]);
    expect(proxy.asked).toEqual([`CONNECT ${new URL(request.url).host}`]);
    stop.abort();
    await line.ended;
    proxy.behave(403);
    const { line: refused } = await opened(request, { HTTP_PROXY: proxy.url });
    expect((await refused.ended).detail).toMatch(/the proxy refused with status 403$/);
    const { line: broken } = await opened(request, { HTTP_PROXY: "socks5://a" });
    expect((await broken.ended).detail).toMatch(/does not hold the URL of an HTTP proxy/);
  });

  it.each([
    ["another machine without TLS", () => "ws://192.0.2.1/s3cret", /would get the message unencrypted/],
    ["a host where nothing listens", async () => `${unusedOrigin.replace("http", "ws")}/s3cret`, /refused$/],
    ["no URL", () => "s3cret", /invalid/],
  ])("says why there is none to %s, and quotes no URL", async (_what, urlOf, expected) => {
    const { line } = await opened({ url: await urlOf() });
    const { detail } = await line.ended;
    expect(detail).toMatch(expected);
    expect(detail).not.toContain("s3cret");
  });

  it("says what a server that speaks no websocket answers", async () => {
    const { url } = await serverThat((line) => line.close());
    const { createServer } = await import("node:http");
    const plain = createServer((_, response) => void response.writeHead(503).end()).listen(0, "127.0.0.1");
    onTestFinished(() => void plain.close());
    await new Promise((resolve) => plain.once("listening", resolve));
    const { port } = plain.address() as { port: number };
    const { line } = await opened({ url: url.replace(/\d+$/, String(port)) });
    expect((await line.ended).detail).toMatch(/it answered 503$/);
  });
});
