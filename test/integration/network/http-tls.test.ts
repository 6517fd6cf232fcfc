import { buildSync } from "esbuild";
import { createServer } from "node:https";
import { connect, type AddressInfo, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { runProcess } from "../../../src/system/process/run.ts";
import { startHttpProxy } from "../../support/receivers/http-proxy.ts";
import { startHttpReceiver, type HttpReceiver } from "../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../support/parts.ts";
import { makeSelfSigned } from "../../support/receivers/self-signed.ts";

const timeoutMs = 60_000;

describeWithParts("HTTPS to a receiver with a certificate of its own", ["openssl"], () => {
  let receiver: HttpReceiver;
  let certFile: string;
  beforeAll(async () => {
    const made = makeSelfSigned(["127.0.0.1", "receiver.invalid"]);
    certFile = made.certFile;
    receiver = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" }, tls: made });
  });
  afterAll(() => receiver.close());

  it("is `network`, and says how to trust it, since nothing was sent", async () => {
    const answer = await createSendHttp({})({ method: "POST", url: `${receiver.origin}/s3cret` }, { timeoutMs });
    expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("NODE_EXTRA_CA_CERTS") });
    expect(JSON.stringify(answer)).not.toContain("s3cret");
    expect(receiver.requests).toEqual([]);
  });

  it("is `network` through a proxy's tunnel too", async () => {
    const proxy = await startHttpProxy();
    const url = `https://receiver.invalid:${receiver.port}/s3cret`;
    const answer = await createSendHttp({ HTTPS_PROXY: proxy.url })({ method: "POST", url }, { timeoutMs });
    expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("certificate") });
    expect(proxy.asked).toEqual([`CONNECT receiver.invalid:${receiver.port}`]);
    expect(receiver.requests).toEqual([]);
    await proxy.close();
  });

  it("arrives, directly and through a tunnel, in a process that trusts it", async () => {
    const proxy = await startHttpProxy();
    const code = `
      import { createSendHttp } from "./src/system/network/send.ts";
      const send = createSendHttp({ HTTPS_PROXY: ${JSON.stringify(proxy.url)} });
      const answers = [];
      for (const host of ["127.0.0.1", "receiver.invalid"]) {
        answers.push(await send({ method: "POST", url: "https://" + host + ":${receiver.port}/", body: host }, { timeoutMs: ${timeoutMs} }));
      }
      console.log(JSON.stringify(answers));`;
    const answers = await runTrusting(certFile, code);
    expect(answers).toMatchObject([
      { status: 200, body: "ok" },
      { status: 200, body: "ok" },
    ]);
    expect(receiver.requests.map(({ body }) => body)).toEqual(["127.0.0.1", "receiver.invalid"]);
    expect(proxy.asked).toHaveLength(1);
    await proxy.close();
  });

  it("arrives through a proxy that speaks TLS itself, forwarded and by tunnels, as do websockets", async () => {
    const made = makeSelfSigned(["127.0.0.1", "receiver.invalid"]);
    const proxy = await startHttpProxy();
    const front = createTlsServer({ cert: made.cert, key: made.key }, (socket) => {
      const inner = connect(Number(new URL(proxy.url).port), "127.0.0.1");
      socket.on("error", () => inner.destroy()).pipe(inner);
      inner.on("error", () => socket.destroy()).pipe(socket);
    });
    const web = createServer({ cert: made.cert, key: made.key }, (_, response) => response.end("ok"));
    new WebSocketServer({ server: web }).on("connection", (line) => line.send('{"hello":1}'));
    const plain = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" } });
    const portOf = async (server: Server): Promise<number> => {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      return (server.address() as AddressInfo).port;
    };
    const [proxyPort, webPort] = [await portOf(front), await portOf(web)];
    const code = `
      import { createSendHttp } from "./src/system/network/send.ts";
      import { openWebSocket } from "./src/system/network/websocket.ts";
      import { systemClock as clock } from "./src/system/clock.ts";
      const env = { ALL_PROXY: "https://127.0.0.1:${proxyPort}" };
      const send = createSendHttp(env);
      const said = [];
      for (const url of ["https://receiver.invalid:${webPort}/", "http://receiver.invalid:${plain.port}/"]) {
        said.push(await send({ method: "GET", url, isPlainHttpAllowed: true }, { timeoutMs: ${timeoutMs} }));
      }
      const stop = new AbortController();
      const line = await openWebSocket({ url: "wss://receiver.invalid:${webPort}/" }, { env, clock, signal: stop.signal }, (message) => {
        said.push(message);
        stop.abort();
      });
      said.push(await line.ended);
      console.log(JSON.stringify(said));`;
    const answers = await runTrusting(made.certFile, code);
    expect(answers).toMatchObject([
      { status: 200, body: "ok" },
      { status: 200, body: "ok" },
      { hello: 1 },
      { code: 1000 },
    ]);
    const tunnel = `CONNECT receiver.invalid:${webPort}`;
    expect(proxy.asked).toEqual([tunnel, `GET http://receiver.invalid:${plain.port}/`, tunnel]);
    web.closeAllConnections();
    for (const server of [front, web]) server.close();
    await plain.close();
    await proxy.close();
  });
});

/** What the code prints in a process that trusts the certificate, which Node reads only when it starts. */
async function runTrusting(certFile: string, code: string): Promise<unknown> {
  const root = fileURLToPath(new URL("../../..", import.meta.url));
  const { outputFiles } = buildSync({
    stdin: { contents: code, resolveDir: root, loader: "ts" },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    packages: "external",
  });
  const result = await runProcess({
    argv: [process.execPath, "--input-type=module", "-"],
    stdin: outputFiles[0]?.text,
    cwd: root,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certFile },
    timeoutMs,
  });
  expect(result).toMatchObject({ status: "exited", code: 0, stderr: "" });
  return JSON.parse("stdout" in result ? result.stdout : "");
}
