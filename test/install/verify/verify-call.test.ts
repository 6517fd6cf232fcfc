import { expect, it } from "vitest";
import { qwenCodeHookSetup } from "../../../src/agents/known/qwen-code/hook-setup.ts";
import { verifyCall } from "../../../src/install/verify/verify-call.ts";
import { temporaryFolder, temporaryState } from "../../support/project/temporary-state.ts";

it.each([
  ["fifteen seconds for the first", true, 15_000],
  ["half a second once another did not arrive", false, 500],
])("a payload that never arrives is waited for: %s", async (_when, isPatient, expectedMs) => {
  let now = Date.now();
  const startedAt = now;
  const clock = {
    now: () => now,
    after: (delayMs: number, callback: () => void) => {
      now += delayMs;
      setImmediate(callback);
      return () => {};
    },
  };
  const call = {
    event: "Stop",
    path: "settings.json",
    shown: "node",
    argv: [process.execPath, "-e", ""] as const,
    takes: "stdin",
    timeoutMs: 60_000,
  };
  const env = { PATH: process.env.PATH ?? "" };
  const context = { layout: temporaryState(), clock, env, cwd: temporaryFolder(), isDelivering: false, isPatient };
  const verified = await verifyCall(
    { id: "qwen-code", hookSetup: qwenCodeHookSetup },
    { ...call, takes: "stdin" },
    context,
  );
  expect(verified).toMatchObject({ result: { code: 0 }, arrival: undefined, rejected: undefined });
  const lastedMs = now - startedAt - verified.result.waitedMs;
  expect(lastedMs).toBeGreaterThan(expectedMs);
  expect(lastedMs).toBeLessThan(expectedMs + 100);
});
