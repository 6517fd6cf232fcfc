import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Enqueued } from "../../../src/pipeline/event/enqueue.ts";
import { createIntake, type Intake } from "../../../src/daemon/leased/intake.ts";
import { listDeliveries } from "../../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { prepareDispatcher, rulesTo } from "../../support/project/running-dispatcher.ts";

async function withPayloads(count: number): Promise<ReturnType<typeof prepareDispatcher>> {
  const running = prepareDispatcher();
  running.writeRules(rulesTo("http://127.0.0.1:9/x"));
  for (let index = 0; index < count; index += 1) running.accept("Stop", { session_id: `s${index}` });
  await running.dispatcher.rereadRules();
  return running;
}

function intakeOf(
  { dispatcher }: ReturnType<typeof prepareDispatcher>,
  hasLease: () => boolean = () => true,
): { intake: Intake; taken: Enqueued[] } {
  const taken: Enqueued[] = [];
  const effects = {
    onPlaced: () => {},
    onFailed: () => {},
    wake: () => {},
    onTaken: (one: Enqueued) => void taken.push(one),
  };
  return { intake: createIntake(dispatcher, hasLease, effects), taken };
}

it("renews the lease for each payload, and takes nothing in where it is lost", async () => {
  const running = await withPayloads(5);
  let isHeld = true;
  const { intake } = intakeOf(running, () => isHeld);
  for (let index = 0; index < 2; index += 1) await intake.takeNext();
  await intake.finish();
  isHeld = false;
  for (let index = 0; index < 3; index += 1) await intake.takeNext();
  await intake.finish();
  expect(listIncoming(running.dispatcher.layout)).toHaveLength(3);
  expect(listDeliveries(running.dispatcher.layout, "outbox")).toHaveLength(2);
});

it("leaves the payloads, and no delivery, when the lease is lost while the disk is busy", async () => {
  const running = await withPayloads(1);
  let isHeld = true;
  const { intake, taken } = intakeOf(running, () => isHeld);
  await intake.takeNext();
  isHeld = false;
  await intake.finish();
  expect([listIncoming(running.dispatcher.layout).length, taken.length]).toEqual([1, 0]);
});

it("hands a payload over once its deliveries are on the disk, in the order in which they came", async () => {
  const running = await withPayloads(10);
  const { layout } = running.dispatcher;
  const { intake, taken } = intakeOf(running);
  for (let index = 0; index < 10; index += 1) await intake.takeNext();
  // The disk has none of them at this moment.
  expect([listIncoming(layout).length, taken.length]).toEqual([10, 0]);
  await intake.finish();
  expect(listIncoming(layout)).toEqual([]);
  expect(taken.flatMap(({ sessions }) => sessions)).toEqual(Array.from({ length: 10 }, (_, index) => `s${index}`));
});

it("takes a question before hundreds of other payloads, with what its session sent before", async () => {
  const running = await withPayloads(300);
  running.accept("UserPromptSubmit", { session_id: "asking", prompt: "go" });
  running.accept("PermissionRequest", { session_id: "asking", tool_name: "Bash", tool_input: { command: "npm test" } });
  const { intake, taken } = intakeOf(running);
  for (let index = 0; index < 12; index += 1) await intake.takeNext();
  await intake.finish();
  const sessions = taken.flatMap((one) => one.sessions ?? []);
  expect(sessions.filter((session) => session === "asking")).toHaveLength(2);
  expect(sessions.slice(0, 2)).toEqual(["asking", "asking"]);
  const names = listDeliveries(running.dispatcher.layout, "outbox").map((file) => {
    const text = readFileSync(join(running.dispatcher.layout.outbox, file), "utf8");
    return (JSON.parse(text) as { event: { name: string } }).event.name;
  });
  expect(names.slice(-2)).toEqual(["UserPromptSubmit", "PermissionRequest"]);
});

it("takes no more in than the disk may have at once, and says so, instead of being asked again and again", async () => {
  const running = await withPayloads(110);
  const { intake, taken } = intakeOf(running);
  for (let index = 0; index < 95; index += 1) await intake.takeNext();
  expect([intake.canTakeNext(), taken.length]).toEqual([true, 0]);
  for (let index = 0; index < 5; index += 1) await intake.takeNext();
  expect([intake.canTakeNext(), intake.hasBacklog()]).toEqual([false, true]);
  await running.until("the first 32", () => taken.length > 0);
  await running.until("room for more", () => intake.canTakeNext());
  await running.until("what is still written", () => !intake.isSyncing());
});

it("has the payloads of a backlog wait for the disk together, and a question never", async () => {
  const running = await withPayloads(100);
  const { intake, taken } = intakeOf(running);
  for (let index = 0; index < 31; index += 1) await intake.takeNext();
  expect([intake.isSyncing(), taken.length]).toEqual([true, 0]);
  expect(listIncoming(running.dispatcher.layout)).toHaveLength(100);
  await intake.takeNext();
  await running.until("the first 32", () => taken.length > 0);
  expect(taken).toHaveLength(32);

  const asking = await withPayloads(100);
  asking.accept("PermissionRequest", { session_id: "asking", tool_name: "Bash", tool_input: { command: "npm test" } });
  const other = intakeOf(asking);
  await other.intake.takeNext();
  await asking.until("the question", () => other.taken.length > 0);
  expect(other.taken.flatMap(({ sessions }) => sessions)).toEqual(["asking"]);
});
