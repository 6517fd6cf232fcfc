// The route for agents' own http hooks, by itself: test/integration/network/remote/http.test.ts has the whole way.
import { afterEach, expect, test } from "vitest";
import {
  type HookCall,
  type HookReceiver,
  serveHooks,
  type ReceivedHook,
} from "../../../src/wings/remote/http-hooks.ts";
import { startTestServer, type TestServer } from "../../support/usage/running-server.ts";

let server: TestServer | undefined;
afterEach(async () => {
  await server?.remove();
  server = undefined;
});

async function serving(
  take: (call: HookCall) => Promise<ReceivedHook>,
): Promise<(path?: string, signal?: AbortSignal) => Promise<Response>> {
  const hooks: HookReceiver = { remoteOf: (secret) => (secret === "right" ? "box" : undefined), take };
  server = await startTestServer({
    now: "2026-11-20T09:00:00Z",
    options: { parts: [async (clock) => serveHooks(clock, hooks)] },
  });
  const { url } = server;
  return (path = "claude-code", signal = new AbortController().signal) =>
    fetch(`${url}/api/extensions/hooks/${path}`, {
      method: "POST",
      headers: { authorization: "Bearer right" },
      body: '{"hook_event_name":"Stop"}',
      signal,
    });
}

test("a request that waits for a person sends a line break every ten seconds, and then one JSON text", async () => {
  let decide = (_text: string): void => {};
  const decided = new Promise<string>((resolve) => (decide = resolve));
  let isAsked = false;
  const post = await serving(() =>
    Promise.resolve({
      what: "asked",
      answer() {
        isAsked = true;
        return decided;
      },
    }),
  );
  const response = post();
  await expect.poll(() => isAsked).toBe(true);
  server?.clock.turn(10_000);
  const reader = (await response).body?.getReader();
  const read = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value);
  expect(await read()).toBe("\n");
  server?.clock.turn(10_000);
  expect(await read()).toBe("\n");
  decide('{"decision":"approve"}');
  expect(await read()).toBe('{"decision":"approve"}');
  expect(await reader?.read()).toMatchObject({ done: true });
});

test("no decision is an empty object", async () => {
  const post = await serving(() => Promise.resolve({ what: "asked", answer: () => Promise.resolve("") }));
  expect(await (await post()).json()).toEqual({});
});

test("the agent's end of the request ends the wait", async () => {
  let waits = "";
  const post = await serving(() =>
    Promise.resolve({
      what: "asked",
      answer(gone) {
        waits = "waits";
        return new Promise((resolve) =>
          gone.addEventListener("abort", () => {
            waits = "ended";
            resolve("");
          }),
        );
      },
    }),
  );
  const agent = new AbortController();
  const ended = post("claude-code", agent.signal)
    .then(async (response) => await response.text())
    .catch(() => "ended");
  await expect.poll(() => waits).toBe("waits");
  agent.abort();
  expect(await ended).toBe("ended");
  await expect.poll(() => waits).toBe("ended");
});

test("an event that cannot be kept now is 503, with the time to wait", async () => {
  const post = await serving(() => Promise.resolve({ what: "notKept", why: "the disk is full" }));
  const response = await post();
  expect([response.status, response.headers.get("retry-after")]).toEqual([503, "30"]);
  expect(await response.json()).toMatchObject({ detail: "the disk is full" });
});

test("agent and event are in the address, and nothing else may be", async () => {
  const calls: HookCall[] = [];
  const post = await serving((call) => {
    calls.push(call);
    return Promise.resolve({ what: "taken" });
  });
  expect((await post("cline?event=TaskComplete")).status).toBe(200);
  expect(calls).toMatchObject([{ remote: "box", agentId: "cline", eventName: "TaskComplete" }]);
  for (const path of ["a%2Fb", "x".repeat(65), "cline?event="]) expect((await post(path)).status, path).toBe(400);
  expect(calls).toHaveLength(1);
});
