import { jetstreamManager } from "@nats-io/jetstream";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { limits, stream } from "../../../src/wings/fleet/names.ts";
import { readFleetStatus } from "../../../src/wings/fleet/status.ts";
import { prepareMachine, runAll, startReceiver, untilLater, type Machine } from "../../support/fleet/machines.ts";
import { startPlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";

const hourMs = 3_600_000;
const sessionsOf = (machine: Machine): string[] => machine.told.map(({ session }) => session);
const droppedBy = (machine: Machine): unknown[] => machine.journal("attention").map(({ why }) => why);
const unpublishedOf = ({ dispatcher }: Machine): string[] =>
  readdirSync(join(dispatcher.layout.root, "fleet/unpublished"));

describeWithParts("who tells of an event", ["nats-server"], () => {
  it("is the machine where the person was last", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    await runAll(box, laptop);
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the laptop tells", [box, laptop], () => laptop.told.length > 0);
    await untilLater("the box leaves it", [box, laptop], () => box.journal("attention").length > 0);
    expect([box, laptop].map(sessionsOf)).toEqual([[], ["box:s1"]]);
    expect(droppedBy(box)).toEqual(["told on laptop"]);
  });

  it("is another one after three seconds, if that machine has no rule for it", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000, rules: { rules: [] } });
    await runAll(box, laptop);
    const cameAt = box.clock.now();
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the box tells", [box, laptop], () => box.told.length > 0);
    expect(box.clock.now() - cameAt).toBeGreaterThanOrEqual(limits.othersWaitMs);
    expect(laptop.told).toEqual([]);
  });

  it("follows the person from one machine to the other, and no question goes untold or is told twice", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const machines = [
      await prepareMachine(broker, receiver, "box", { idleMs: hourMs }),
      await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 }),
    ];
    await runAll(...machines);
    const turns = 6;
    for (let turn = 0; turn < turns; turn += 1) {
      for (const [index, machine] of machines.entries()) {
        machine.idleMs = index === turn % 2 ? 1000 : hourMs;
        machine.accept("Notification", {
          session_id: `s${turn}`,
          notification_type: "permission_prompt",
          message: "May I?",
        });
      }
      const all = (): string[] => machines.flatMap(sessionsOf);
      await untilLater(`both questions of turn ${turn}`, machines, () => all().length >= 2 * (turn + 1));
      // Half of the turns begin before the next heartbeat, half after it.
      const beatsAt = machines.map(({ clock }) => clock.now() + (turn % 4 < 2 ? limits.heartbeatMs : 0));
      await untilLater("a heartbeat", machines, () =>
        machines.every(({ clock }, index) => clock.now() >= (beatsAt[index] ?? 0)),
      );
    }
    await untilLater("nothing waits", machines, () =>
      machines.every(({ dispatcher }) => readdirSync(dispatcher.layout.outbox).length === 0),
    );
    const asked = machines.flatMap(sessionsOf).map((session) => session.replace(/^.*:/, ""));
    expect(asked.toSorted()).toEqual(Array.from({ length: 2 * turns }, (_, index) => `s${Math.floor(index / 2)}`));
  });

  it("marks what another machine may have told before it died, and tells it no third time", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver((path) => (path === "/laptop" ? "hang" : { status: 200 }));
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    await runAll(box, laptop);
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the laptop begins to send", [box, laptop], () => receiver.hanging() > 0);
    // Its process dies: nothing of it is recorded, and no one renews its claim.
    const cameAt = box.clock.now();
    await untilLater("the box tells", [box], () => box.told.length > 0);
    expect(box.clock.now() - cameAt).toBeGreaterThanOrEqual(limits.claimLifeMs - limits.heartbeatMs);
    expect(box.told.map(({ note }) => note)).toEqual(["may be a repeat: laptop did not confirm that it told you"]);
    receiver.drop();
    await untilLater("the laptop leaves it", [box, laptop], () => laptop.journal("attention").length > 0);
    expect(droppedBy(laptop)).toEqual(["told on box"]);
    expect([box.told.length, laptop.told.length]).toEqual([1, 1]);
  });

  it("is each machine for its own events while the broker is away, and no other one later", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    await runAll(box, laptop);
    await broker.stop();
    box.accept("Stop", { session_id: "s1" });
    laptop.accept("Stop", { session_id: "s2" });
    await untilLater("both tell", [box, laptop], () => box.told.length + laptop.told.length === 2);
    expect([box, laptop].map(sessionsOf)).toEqual([["s1"], ["s2"]]);
    expect([box, laptop].flatMap(({ told }) => told.map(({ note }) => note))).toEqual(["", ""]);
    expect([box, laptop].map((machine) => unpublishedOf(machine).length)).toEqual([1, 1]);
    await broker.start();
    await untilLater(
      "both publish",
      [box, laptop],
      () => unpublishedOf(box).length + unpublishedOf(laptop).length === 0,
    );
    await untilLater("both know", [box, laptop], () => droppedBy(box).length + droppedBy(laptop).length === 2);
    expect([droppedBy(box), droppedBy(laptop)]).toEqual([["told on laptop"], ["told on box"]]);
    expect([box, laptop].map(sessionsOf)).toEqual([["s1"], ["s2"]]);
  });

  it("waits a moment for the connection after a break, before a machine tells alone", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    await runAll(box);
    const brokenAt = box.clock.now();
    await broker.stop();
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the box tells", [box], () => box.told.length > 0);
    expect(box.clock.now() - brokenAt).toBeGreaterThanOrEqual(limits.othersWaitMs);
  });

  it("does not depend on the machines' clocks, and events have the time at which they happened", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs, aheadMs: 60_000 });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000, aheadMs: -60_000 });
    await runAll(box, laptop);
    const { layout } = laptop.dispatcher;
    expect(Math.abs((readFleetStatus(layout)?.clockAheadMs ?? 0) + 60_000)).toBeLessThan(10_000);
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the laptop tells", [box, laptop], () => laptop.told.length > 0);
    await untilLater("the box leaves it", [box, laptop], () => box.journal("attention").length > 0);
    expect([box, laptop].map(sessionsOf)).toEqual([[], ["box:s1"]]);
    const [{ at } = { at: "" }] = laptop.told;
    expect(Math.abs(Date.parse(at) - laptop.clock.now())).toBeLessThan(30_000);
  });
});

describeWithParts("what is published", ["nats-server"], () => {
  it("has no credentials, and at most 64 KiB; the whole stays on its machine", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
    await runAll(box, laptop);
    const connection = await broker.connect();
    const bodies: string[] = [];
    connection.subscribe("hb.>", { callback: (_, message) => void bodies.push(message.string()) });
    await connection.flush();
    const token = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const words = "word ".repeat(40_000);
    box.accept("Stop", { session_id: "s1", last_assistant_message: `${token} ${words}` });
    await untilLater("the laptop tells", [box, laptop], () => laptop.told.length > 0);
    expect(bodies).toHaveLength(1);
    expect(Buffer.byteLength(bodies[0] ?? "")).toBeLessThanOrEqual(limits.maxBodyBytes);
    expect(bodies[0]).not.toContain(token);
    expect(laptop.told[0]?.session).toBe("box:s1");
    const folder = join(box.dispatcher.layout.root, "fleet/whole");
    const [whole = ""] = readdirSync(folder);
    expect(readFileSync(join(folder, whole), "utf8")).toContain(words);
  });

  it("waits while the stream is full, and is told on its own machine", async () => {
    const broker = await startPlainBroker();
    const receiver = await startReceiver();
    const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs });
    const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: hourMs });
    await runAll(box, laptop);
    const manager = await jetstreamManager(await broker.connect());
    const { config } = await manager.streams.info(stream.name);
    await manager.streams.update(stream.name, { ...config, max_bytes: 1 });
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the box tells", [box, laptop], () => box.told.length > 0);
    await untilLater(
      "the stream refuses it",
      [box, laptop],
      () => readFleetStatus(box.dispatcher.layout)?.what === "waiting",
    );
    expect(unpublishedOf(box)).toHaveLength(1);
    await manager.streams.update(stream.name, config);
    await untilLater("it is published", [box, laptop], () => unpublishedOf(box).length === 0);
    await untilLater("the laptop takes it in", [box, laptop], () => laptop.journal("event").length > 0);
    await untilLater("the laptop leaves it", [box, laptop], () => droppedBy(laptop).length > 0);
    expect([box, laptop].map(sessionsOf)).toEqual([["s1"], []]);
  });

  it("is no more than the bound that is documented, while the broker is away", async () => {
    const receiver = await startReceiver();
    const box = await prepareMachine({ servers: ["nats://127.0.0.1:9"] }, receiver, "box");
    const folder = join(box.dispatcher.layout.root, "fleet/unpublished");
    mkdirSync(folder, { recursive: true });
    const id = (index: number): string => `evt_${String(index).padStart(24, "0")}`;
    const lines = Array.from({ length: limits.maxUnpublished }, (_, index) => `${id(index)} {}\t\n`);
    writeFileSync(join(folder, "0-0.all"), lines.join(""));
    void box.run();
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the box tells", [box], () => box.told.length > 0);
    expect(readdirSync(folder)).toEqual(["0-0.all"]);
    const details = box.journal("dispatcher").flatMap(({ what, detail }) => (what === "not published" ? [detail] : []));
    expect(details).toEqual(["too many events wait for the broker"]);
  });
});
