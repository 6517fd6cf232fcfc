// What a dispatcher of a fleet publishes when it ends.
import { join } from "node:path";
import { expect, it } from "vitest";
import { listNames } from "../../../src/system/files/files.ts";
import { readFleetStatus } from "../../../src/wings/fleet/status.ts";
import { prepareMachine, runAll, startReceiver } from "../../support/fleet/machines.ts";
import { startPlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";

describeWithParts("the fleet, when its dispatcher ends", ["nats-server"], () => {
  it("has published what was taken in last", async () => {
    const broker = await startPlainBroker();
    const machine = await prepareMachine(broker, await startReceiver(), "box");
    await runAll(machine);
    expect(readFleetStatus(machine.dispatcher.layout)?.what).toBe("connected");
    const unpublished = (): string[] => listNames(join(machine.dispatcher.layout.root, "fleet/unpublished"));
    for (let session = 0; session < 40; session += 1) machine.accept("Stop", { session_id: `s${session}` });
    await machine.until("the first is taken in", () => machine.journal("event").length > 0);
    machine.stop();
    await machine.until("its end", () => machine.journal("dispatcher").some(({ what }) => what === "ended"));
    expect(machine.journal("event").length).toBeGreaterThan(0);
    expect(unpublished()).toEqual([]);
  });
});
