import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { slack } from "../../../src/channels/chat/slack/slack.ts";
import type { HttpRequest } from "../../../src/system/network/http.ts";
import { resolveSecrets } from "../../../src/system/secrets.ts";
import { createSendHttp } from "../../../src/system/network/send.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { startHttpProxy, type HttpProxy } from "../../support/receivers/http-proxy.ts";
import { startHttpReceiver, unusedOrigin, type HttpReceiver } from "../../support/receivers/http-receiver.ts";

const timeoutMs = 60_000;

describe("HTTP through a proxy", () => {
  let proxy: HttpProxy;
  let receiver: HttpReceiver;
  beforeEach(async () => {
    proxy = await startHttpProxy();
    receiver = await startHttpReceiver({ behaviour: { answer: 200, body: "ok" } });
  });
  afterEach(() => Promise.all([proxy.close(), receiver.close()]));

  /** A name that only the proxy can find, so that nothing gets there without it. */
  const plain = (): HttpRequest => ({
    method: "POST",
    url: `http://receiver.invalid:${receiver.port}/s3cret`,
    body: "x",
    isPlainHttpAllowed: true,
  });
  const secure = (): HttpRequest => ({ ...plain(), url: `https://receiver.invalid:${receiver.port}/s3cret` });

  it.each(["HTTP_PROXY", "http_proxy"])("forwards plain http as %s says", async (name) => {
    const answer = await createSendHttp({ [name]: proxy.url })(plain(), { timeoutMs });
    expect(answer).toMatchObject({ status: 200, body: "ok" });
    expect(proxy.asked).toEqual([`POST http://receiver.invalid:${receiver.port}/s3cret`]);
    expect(receiver.requests).toMatchObject([
      { path: "/s3cret", body: "x", headers: { host: `receiver.invalid:${receiver.port}` } },
    ]);
  });

  it("takes a proxy without http:// as curl does", async () => {
    const env = { HTTP_PROXY: proxy.url.replace("http://", "") };
    expect(await createSendHttp(env)(plain(), { timeoutMs })).toMatchObject({ status: 200 });
  });

  it("carries a whole channel", async () => {
    const parsed = slack.settings.parse({ url: plain().url, allowHttp: true });
    const settings = await resolveSecrets(parsed, {}, "/nowhere");
    const http = createSendHttp({ http_proxy: proxy.url });
    const outcome = await slack.send(localRequest({}, settings), localTools({}, "/nowhere", { http }));
    expect(outcome).toEqual({ status: "delivered" });
    expect(proxy.asked).toHaveLength(1);
  });

  it.each(["receiver.invalid", ".invalid", "*.invalid", "*", "a.example, receiver.invalid"])(
    "leaves it out for NO_PROXY=%s",
    async (names) => {
      const answer = await createSendHttp({ HTTP_PROXY: proxy.url, NO_PROXY: names })(plain(), { timeoutMs });
      expect(answer).toMatchObject({ failure: "network" });
      expect(proxy.asked).toEqual([]);
    },
  );

  it("leaves it out for this machine, which the proxy would look for on its own", async () => {
    const send = createSendHttp({ HTTP_PROXY: proxy.url, HTTPS_PROXY: proxy.url });
    expect(await send({ method: "POST", url: receiver.origin }, { timeoutMs })).toMatchObject({ status: 200 });
    expect(proxy.asked).toEqual([]);
  });

  it("obeys the environment that it was handed and not the process's", async () => {
    process.env.HTTP_PROXY = proxy.url;
    const answer = await createSendHttp({})(plain(), { timeoutMs });
    delete process.env.HTTP_PROXY;
    expect(answer).toMatchObject({ failure: "network" });
    expect(proxy.asked).toEqual([]);
  });

  it.each([403, 407, 502])("is `network` when the proxy answers CONNECT with %i", async (status) => {
    proxy.behave(status);
    const answer = await createSendHttp({ HTTPS_PROXY: proxy.url })(secure(), { timeoutMs });
    expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("the proxy") });
    expect(proxy.asked).toEqual([`CONNECT receiver.invalid:${receiver.port}`]);
    expect(receiver.requests).toEqual([]);
  });

  it("is `network`, after one try, when the proxy hangs up on CONNECT", async () => {
    proxy.behave("hangUp");
    const answer = await createSendHttp({ HTTPS_PROXY: proxy.url })(secure(), { timeoutMs });
    expect(answer).toMatchObject({ failure: "network" });
    expect(proxy.asked).toHaveLength(1);
  });

  it("is `timeout` when the proxy never answers CONNECT", async () => {
    proxy.behave("hang");
    const answer = await createSendHttp({ HTTPS_PROXY: proxy.url })(secure(), { timeoutMs: 500 });
    expect(answer).toMatchObject({ failure: "timeout" });
  });

  it("is `network` when there is no proxy, or no URL where one should be", async () => {
    for (const HTTP_PROXY of [unusedOrigin, "http://", "ftp://proxy.example", "http://a%zz@b.example"]) {
      expect(await createSendHttp({ HTTP_PROXY })(plain(), { timeoutMs })).toMatchObject({ failure: "network" });
    }
  });

  it("sends the proxy's credentials, and shows them nowhere", async () => {
    const guarded = await startHttpProxy("me:s3cret");
    const withName = guarded.url.replace("http://", "http://me:s3cret@");
    expect(await createSendHttp({ HTTP_PROXY: withName })(plain(), { timeoutMs })).toMatchObject({ status: 200 });
    const wrong = guarded.url.replace("http://", "http://me:s3crets3cret@");
    for (const request of [plain(), secure()]) {
      const answer = await createSendHttp({ HTTP_PROXY: wrong, HTTPS_PROXY: wrong })(request, { timeoutMs });
      expect(answer).toMatchObject({ failure: "network", detail: expect.stringContaining("user name and password") });
      expect(JSON.stringify(answer)).not.toContain("s3cret");
    }
    await guarded.close();
  });
});
