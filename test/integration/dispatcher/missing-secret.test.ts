import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../src/outbox/deliveries.ts";
import { isAnyResting } from "../../../src/outbox/resting-mark.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";

it("a hook whose environment has the secret is heard, though a dispatcher without it has retries to make", async () => {
  const project = temporaryProject();
  const receiver = await startHttpReceiver();
  const busy = await startHttpReceiver({ behaviour: { answer: 429, headers: { "retry-after": "300" } } });
  for (const { close } of [receiver, busy]) onTestFinished(close);
  project.writeRules({
    channels: {
      lacking: { type: "webhook", url: { env: "HOOK_URL" } },
      ops: { type: "webhook", url: `${busy.origin}/x` },
    },
    rules: [{ name: "all", notify: ["lacking", "ops"] }],
  });
  expect(await project.hook(payloadOf("Stop"))).toMatchObject({ code: 0 });
  await project.until("its rest", () => project.journal().at(-1)?.what === "resting");
  expect(isAnyResting(project.layout)).toBe(true);
  expect((await project.run(["doctor"])).stdout).toContain("0 payloads and 2 deliveries wait; a dispatcher that lacks");
  const { stdout } = await project.run(["status"]);
  expect(stdout).toMatch(/^dispatcher: resting until the next retry, .*; the next hook starts another$/m);
  expect(JSON.parse((await project.run(["status", "--json"])).stdout)).toMatchObject({
    dispatcher: { running: false, resting: true },
  });
  const payload = payloadOf("Stop", { session_id: "s2" });
  expect(await project.hook(payload, [], { HOOK_URL: `${receiver.origin}/x` })).toMatchObject({ code: 0 });
  await project.until("both", () => receiver.requests.length === 2);
  await project.until("the other channel's", () => listDeliveries(project.layout, "outbox").length === 2);
  expect(isAnyResting(project.layout)).toBe(false);
});
