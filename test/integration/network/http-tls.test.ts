import { buildSync } from "esbuild";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
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
    const root = fileURLToPath(new URL("../../..", import.meta.url));
    const code = `
      import { createSendHttp } from "./src/system/network/send.ts";
      const send = createSendHttp({ HTTPS_PROXY: ${JSON.stringify(proxy.url)} });
      const answers = [];
      for (const host of ["127.0.0.1", "receiver.invalid"]) {
        answers.push(await send({ method: "POST", url: "https://" + host + ":${receiver.port}/", body: host }, { timeoutMs: ${timeoutMs} }));
      }
      console.log(JSON.stringify(answers));`;
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
    const answers = JSON.parse("stdout" in result ? result.stdout : "");
    expect(answers).toMatchObject([
      { status: 200, body: "ok" },
      { status: 200, body: "ok" },
    ]);
    expect(receiver.requests.map(({ body }) => body)).toEqual(["127.0.0.1", "receiver.invalid"]);
    expect(proxy.asked).toHaveLength(1);
    await proxy.close();
  });
});
