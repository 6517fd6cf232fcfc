import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { type Machine, prepareMachine, runAll, startReceiver, untilLater } from "../../support/fleet/machines.ts";
import { type SmallFleet, startSmallFleet } from "../../support/fleet/small-fleet.ts";
import { describeWithParts } from "../../support/parts.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { limits } from "../../../src/wings/fleet/names.ts";
import type { FleetRole } from "../../../src/wings/fleet/rights.ts";

const hourMs = 3_600_000;
const sessionsOf = (machine: Machine): string[] => machine.told.map(({ session }) => session);

/** A dispatcher with credentials of its own, in a file. */
async function member(
  fleet: SmallFleet,
  receiver: Awaited<ReturnType<typeof startReceiver>>,
  role: FleetRole,
  host: string,
) {
  const file = join(temporaryFolder(), "member.creds");
  const { key, credentials } = await fleet.issue(role, "ada", host);
  writeFileSync(file, credentials);
  const settings = { servers: fleet.servers, org: "acme", person: "ada", host, credentials: { file } };
  const idleMs = role === "device" ? 1000 : hourMs;
  const machine = await prepareMachine(fleet, receiver, host, { idleMs, rules: { fleet: settings } });
  return { machine, key, file };
}

describeWithParts("machines with rights of their own", ["nats-server"], () => {
  it("tell each other: a host publishes, a device tells", async () => {
    const fleet = await startSmallFleet();
    const receiver = await startReceiver();
    const { machine: box } = await member(fleet, receiver, "host", "box");
    const { machine: laptop } = await member(fleet, receiver, "device", "laptop");
    await runAll(box, laptop);
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the laptop tells", [box, laptop], () => laptop.told.length > 0);
    await untilLater("the box leaves it", [box, laptop], () => box.journal("attention").length > 0);
    expect([box, laptop].map(sessionsOf)).toEqual([[], ["box:s1"]]);
  });

  it("tell their own events when no device is there, also a host that may not see who is", async () => {
    const fleet = await startSmallFleet();
    const receiver = await startReceiver();
    const { machine: box } = await member(fleet, receiver, "host", "box");
    await runAll(box);
    const cameAt = box.clock.now();
    box.accept("Stop", { session_id: "s1" });
    await untilLater("the box tells", [box], () => box.told.length > 0);
    expect(box.clock.now() - cameAt).toBeGreaterThanOrEqual(limits.othersWaitMs);
    expect(box.told.map(({ session, note }) => [session, note])).toEqual([["s1", ""]]);
    const claims = await fleet.manager.streams.info("KV_claims", { subjects_filter: "$KV.claims.ada.box.>" });
    expect(Object.keys(claims.state.subjects ?? {})).toHaveLength(1);
  });

  it("lose no event when a key is rotated while they publish, and mark what both may have told", async () => {
    const fleet = await startSmallFleet();
    const receiver = await startReceiver();
    const { machine: box, key, file } = await member(fleet, receiver, "host", "box");
    const { machine: laptop } = await member(fleet, receiver, "device", "laptop");
    await runAll(box, laptop);
    const sessions = Array.from({ length: 20 }, (_, index) => `s${index}`);
    for (const [index, session] of sessions.entries()) {
      box.accept("Stop", { session_id: session });
      await untilLater("some are told", [box, laptop], () => box.told.length + laptop.told.length >= index - 5);
      if (index !== 10) continue;
      const { credentials } = await fleet.issue("host", "ada", "box");
      writeFileSync(file, credentials);
      await fleet.revoke(key);
    }
    const told = (): string[] => [...sessionsOf(box), ...sessionsOf(laptop).map((each) => each.replace("box:", ""))];
    await untilLater("all are told", [box, laptop], () => new Set(told()).size === sessions.length);
    const unpublished = (): string[] => readdirSync(join(box.dispatcher.layout.root, "fleet/unpublished"));
    await untilLater("all are published", [box, laptop], () => unpublished().length === 0);
    expect(new Set(told())).toEqual(new Set(sessions));
    // While its connection is away, a machine tells its own events.
    const twice = box.told.filter(({ session }) => sessionsOf(laptop).includes(`box:${session}`));
    expect(twice.filter(({ note }) => !/may be a repeat/.test(note))).toEqual([]);
    expect(told().length).toBe(sessions.length + twice.length);
    const events = await fleet.manager.streams.info("EVENTS", { subjects_filter: ">" });
    expect(events.state.messages).toBe(sessions.length);
    expect(Object.values(events.state.subjects ?? {}).every((times) => times === 1)).toBe(true);
  });
});
