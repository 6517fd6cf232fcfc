// The client where the platform refuses, answers wrongly, or cannot be reached.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createPlatformClient, type PlatformClient } from "../../../../src/wings/platform/client/client.ts";
import { createSendHttp } from "../../../../src/system/network/send.ts";
import type { SendHttp } from "../../../../src/system/network/http.ts";
import { maxAttempts } from "../../../../src/wings/platform/client/request.ts";
import { unusedOrigin } from "../../../support/receivers/http-receiver.ts";
import * as examples from "../../../support/usage/examples.ts";
import { Secret } from "../../../../src/model/privacy/secret.ts";
import { createFakeClock } from "../../../support/fake-clock.ts";
import { clientOf, errorOf, today, type PlatformCall } from "../../../support/usage/client-of.ts";
import { startPlatformReceiver, type PlatformReceiver } from "../../../support/usage/receiver.ts";

const range = { startDate: "2026-03-01", endDate: "2026-03-02" };

let receiver: PlatformReceiver;
beforeEach(async () => {
  receiver = await startPlatformReceiver(today);
});
afterEach(async () => {
  await receiver.close();
});

type ClientArguments = Parameters<typeof clientOf> extends [unknown, ...infer Rest] ? Rest : never;
const createClient = (...args: ClientArguments): ReturnType<typeof clientOf> => clientOf(receiver, ...args);

describe("a refusal", () => {
  it.each<[string, (client: PlatformClient) => Promise<unknown>, string, string, RegExp]>([
    ["an unknown key", (c) => c.getTokens(range), "key-wrong", "platform.unauthorized", /401, request req_7/],
    ["a member", (c) => c.getTokens(range), "key-member", "platform.forbidden", /403, request req_7.*Manager or Owner/],
    ["a guest", (c) => c.getUsersPage(range), "key-guest", "platform.forbidden", /403/],
    [
      "an unknown computer",
      (c) => c.retryInstallDeps("cmp_9"),
      "key-owner",
      "platform.notFound",
      /no such computer.*404/,
    ],
  ])("of %s says what to do", async (_, call, key, code, message) => {
    if (key === "forbidden") receiver.next.push({ status: 403 });
    const error = await errorOf(call(createClient({ key })));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toBeTruthy();
    expect(error.exitCode).toBe(1);
    expect(receiver.requests).toHaveLength(1);
  });

  it("of a second install session changes nothing", async () => {
    const client = createClient();
    await client.retryInstallDeps("cmp_1");
    const error = await errorOf(client.retryInstallDeps("cmp_1"));
    expect(error).toMatchObject({ code: "platform.alreadyRunning", details: { status: 409 } });
    expect(receiver.requests).toHaveLength(2);
  });

  it.each<[string, string, RegExp]>([
    [
      "in the documented form",
      JSON.stringify(examples.exampleAnalyticsError),
      /400, request req_1\): endDate includes today/,
    ],
    ["with a message", `{"message":"bad \\u001b[31mlimit"}`, /bad limit/],
    ["as plain text", "limit is\n too large ", /\(400\): limit is too large$/],
    ["nested", `{"error":{"code":7,"message":"no such repository"}}`, /\(400\): no such repository$/],
    ["as a list of errors", `{"errors":[{"detail":"a is odd"},{"message":"b is odd"}]}`, /: a is odd; b is odd$/],
    ["as validators say it", `{"detail":[{"loc":["query","limit"],"msg":"too small"}]}`, /: too small$/],
    ["with a nested id", `{"error":{"message":"bad","requestId":"req_9"}}`, /\(400, request req_9\): bad$/],
    ["as a JSON text", `"too many"`, /: too many$/],
    ["as half of a JSON text", `{"detail":"x`, /\(400\)$/],
    ["as a page", "<html>", /the service refused the request \(400\)$/],
    ["as a list", "[1]", /\(400\)$/],
    ["without a body", "", /\(400\)$/],
  ])("%s is shown, as one clean line", async (_, body, message) => {
    receiver.next.push({ status: 400, body });
    expect((await errorOf(createClient().getReadinessPage({}))).message).toMatch(message);
  });

  it("never shows the key, though the service repeats it", async () => {
    receiver.next.push({ status: 400, body: JSON.stringify({ detail: "the key key-manager is odd" }) });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.message).toContain("the key [secret] is odd");
    expect(JSON.stringify(error.details)).not.toContain("key-manager");
  });

  it.each([
    ["in plain text", "Bearer key-manager is wrong; try https://ann:hunter22secret@npm.example.org"],
    ["nested", `{"error":{"message":"key-manager; https://ann:hunter22secret@npm.example.org"}}`],
    [
      "in metadata",
      `{"detail":"x","status":400,"title":"y","metadata":{"key-manager":["https://a:hunter22secret@b.example"]}}`,
    ],
  ])("never shows a credential %s", async (_, body) => {
    receiver.next.push({ status: 400, body });
    const { message, details } = await errorOf(createClient().retryInstallDeps("cmp_1"));
    expect(`${message} ${JSON.stringify(details)}`).not.toMatch(/key-manager|hunter22secret/);
    expect(`${message} ${JSON.stringify(details)}`).toContain("[secret]");
  });

  it("has the service's metadata", async () => {
    receiver.next.push({ status: 409, body: JSON.stringify(examples.exampleComputerError) });
    const { details } = await errorOf(createClient().retryInstallDeps("cmp_1"));
    expect(details).toEqual({
      status: 409,
      title: "Conflict",
      detail: "An install session is already running",
      metadata: { sessionId: "ses_1" },
    });
  });

  it.each<[string, PlatformCall, RegExp]>([
    ["usage", (c) => c.getTokens(range), /the dates/],
    ["reports", (c) => c.getReadinessPage({}), /--repo-id and --limit/],
    ["an installation", (c) => c.retryInstallDeps("cmp_1"), /the computer's id/],
  ])("of a request for %s says what to check", async (_, call, hint) => {
    receiver.next.push({ status: 400 });
    expect((await errorOf(call(createClient()))).hint).toMatch(hint);
  });

  it("is what a redirect counts as: the key goes nowhere else", async () => {
    receiver.next.push({ status: 302, headers: { location: "https://elsewhere.example.com/" } });
    expect((await errorOf(createClient().getTokens(range))).code).toBe("platform.redirected");
  });

  it("is what an http:// address of another machine counts as", async () => {
    const error = await errorOf(createClient({ baseUrl: "http://platform.example.com" }).getTokens(range));
    expect(error).toMatchObject({ code: "platform.rejected" });
    expect(error.message).toContain("unencrypted");
  });
});

describe("an answer that is not as documented", () => {
  const meta = { org_id: "o", start_date: "2026-03-01", end_date: "2026-03-01" };
  it.each<[string, object | string, RegExp]>([
    ["no JSON", "<html>", /it is not JSON/],
    ["another shape", { rows: [] }, /data: expected an array, got nothing \(and 1 more\)/],
    [
      "a field that is missing",
      { data: [{ ...examples.exampleTokensRow, input_tokens: undefined }], meta },
      /data\.0\.input_tokens: expected a (?:whole )?number, got nothing/,
    ],
    ["an array where an object is due", [], /expected an object, got an empty array/],
  ])("%s: the place is named", async (_, body, message) => {
    receiver.next.push({ status: 200, body: typeof body === "string" ? body : JSON.stringify(body) });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.code).toBe("platform.unexpectedAnswer");
    expect(error.message).toMatch(message);
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<[string, number, PlatformCall, string, RegExp]>([
    ["another status of success", 204, (c) => c.getTokens(range), "platform.refused", /unexpected status \(204\)/],
    ["a session without a computer", 202, (c) => c.retryInstallDeps("cmp_1"), "platform.unexpectedAnswer", /not JSON/],
    ["a session with 200", 200, (c) => c.retryInstallDeps("cmp_1"), "platform.refused", /unexpected status \(200\)/],
  ])("%s is told as such", async (_, status, call, code, message) => {
    receiver.next.push({ status });
    const error = await errorOf(call(createClient()));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    if (status === 202) expect(error.hint).toContain("has accepted the request");
  });

  it("that breaks off is asked for again, but not that of a POST", async () => {
    const cut: SendHttp = async () => ({ status: 200, headers: {}, body: "{", bodyEnd: "broken" });
    const client = createClient({}, cut);
    expect((await errorOf(client.getTokens(range))).message).toContain("it broke off");
    expect(client.waits).toHaveLength(maxAttempts - 1);
    const accepted: SendHttp = async () => ({ status: 202, headers: {}, body: "{", bodyEnd: "broken" });
    const other = createClient({}, accepted);
    expect((await errorOf(other.retryInstallDeps("cmp_1"))).hint).toContain("has accepted the request");
    expect(other.waits).toEqual([]);
  });

  it("does not include a large one", async () => {
    receiver.rows.tokens = Array.from({ length: 3000 }, () => examples.exampleTokensRow);
    expect((await createClient().getTokens(range)).data).toHaveLength(3000);
  });
});

describe("tries", () => {
  it.each([408, 429, 500, 502, 503])("of a GET go on after %i", async (status) => {
    receiver.next.push({ status }, { status });
    const client = createClient();
    expect((await client.getTokens(range)).data).toHaveLength(1);
    expect(client.waits).toEqual([500, 1000]);
  });

  it("of a GET go on after a broken line", async () => {
    receiver.next.push("hangUp");
    expect((await createClient().getTokens(range)).data).toHaveLength(1);
    expect(receiver.requests).toHaveLength(2);
  });

  it.each([400, 401, 403, 404, 409, 418])("end with %i", async (status) => {
    receiver.next.push({ status });
    await errorOf(createClient().getTokens(range));
    expect(receiver.requests).toHaveLength(1);
  });

  it("end at last", async () => {
    receiver.next.push(...Array.from({ length: maxAttempts }, () => ({ status: 500 })));
    const error = await errorOf(createClient().getTokens(range));
    expect(error.code).toBe("platform.serverError");
    expect(receiver.requests).toHaveLength(maxAttempts);
  });

  it("wait as long as the service asks", async () => {
    receiver.next.push({ status: 429, headers: { "retry-after": "20" } });
    const client = createClient();
    await client.getTokens(range);
    expect(client.waits).toEqual([20_000]);
  });

  it("end where the service asks for more patience than a person has", async () => {
    receiver.next.push({ status: 429, headers: { "retry-after": "3600" } });
    const error = await errorOf(createClient().getTokens(range));
    expect(error.message).toContain("it asks to wait 1h");
    expect(receiver.requests).toHaveLength(1);
  });

  it.each<["hangUp" | { status: number }, string, RegExp]>([
    ["hangUp", "platform.unknown", /not known whether the request was carried out/],
    [{ status: 500 }, "platform.serverError", /the service failed/],
    [{ status: 503 }, "platform.serverError", /the service failed/],
  ])("of the POST end with %j, whose fate is unknown", async (answer, code, message) => {
    receiver.next.push(answer);
    const error = await errorOf(createClient().retryInstallDeps("cmp_1"));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.hint).toContain("before you try again");
    expect(receiver.requests).toHaveLength(1);
  });

  it("of the POST go on after 429, which was not carried out", async () => {
    receiver.next.push({ status: 429 });
    await createClient().retryInstallDeps("cmp_1");
    expect(receiver.requests).toHaveLength(2);
  });

  it("go on while there is no connection, and then say so", async () => {
    const client = createClient({ baseUrl: unusedOrigin });
    const error = await errorOf(client.retryInstallDeps("cmp_1"));
    expect(error.code).toBe("platform.network");
    expect(client.waits).toHaveLength(maxAttempts - 1);
  });

  it("stop when the person does", async () => {
    const stop = new AbortController();
    const client = createPlatformClient(
      { baseUrl: receiver.origin, appUrl: undefined, apiKey: new Secret("key-manager") },
      {
        http: createSendHttp({}),
        clock: createFakeClock(Date.parse(`${today}T09:00:00Z`)),
        random: () => 1,
        signal: stop.signal,
      },
    );
    receiver.next.push({ status: 503 });
    const asked = errorOf(client.getTokens(range));
    while (receiver.requests.length === 0) await new Promise(setImmediate);
    stop.abort();
    expect((await asked).code).toBe("platform.stopped");
  });
});
