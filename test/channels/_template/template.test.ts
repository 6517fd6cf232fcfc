// The template's own tests: what only this vendor does. Everything else is in test/contract/channels.
import { expect, it } from "vitest";
import { template } from "../../../src/channels/_template/template.ts";
import { push, verdict } from "../../support/channels/pushed.ts";

const settings = { server: "https://vendor.example/api/", token: "s3cret" };

it("posts one message, with the token in a header", async () => {
  const { request, body, outcome } = await push(template, settings, { answer: { body: '{"id":"1"}' } });
  expect(outcome).toEqual({ status: "delivered", detail: "answered 200" });
  expect(request).toMatchObject({ method: "POST", url: "https://vendor.example/api/messages" });
  expect(request?.headers).toMatchObject({ authorization: "Bearer s3cret" });
  expect(body).toEqual({ title: "shop: done", body: "All tests pass.", priority: 2, id: "msg_1" });
});

it("waits when the day's messages are used up", async () => {
  const { outcome } = await push(template, settings, { answer: { status: 403, body: '{"error":"quota"}' } });
  expect(verdict(outcome)).toEqual(["rateLimited", undefined]);
});
