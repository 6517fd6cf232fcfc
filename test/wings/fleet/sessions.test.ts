// The sessions of the person's other machines, as a board shows them.
import { Kvm } from "@nats-io/kv";
import { expect, it } from "vitest";
import { createBoardReader } from "../../../src/overview/read-board.ts";
import type { BoardRow } from "../../../src/overview/board.ts";
import { ingestObservation } from "../../../src/pipeline/observe/observation.ts";
import { buckets, limits } from "../../../src/wings/fleet/names.ts";
import { readSession, writeSession, type SessionRecord } from "../../../src/outbox/sessions.ts";
import { prepareMachine, runAll, startReceiver, untilLater, type Machine } from "../../support/fleet/machines.ts";
import { startPlainBroker, type PlainBroker } from "../../support/fleet/plain-broker.ts";
import { describeWithParts } from "../../support/parts.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;

interface Two {
  box: Machine;
  laptop: Machine;
  both: Machine[];
  /** What the bucket was given. */
  said: string[];
}

async function twoMachines(aheadMs = 0): Promise<Two> {
  const broker = await startPlainBroker();
  const receiver = await startReceiver();
  const box = await prepareMachine(broker, receiver, "box", { idleMs: hourMs, aheadMs });
  const laptop = await prepareMachine(broker, receiver, "laptop", { idleMs: 1000 });
  await runAll(box, laptop);
  return { box, laptop, both: [box, laptop], said: await watchBucket(broker) };
}

const rowsOf = ({ dispatcher, clock }: Machine, laterMs = 0): BoardRow[] =>
  createBoardReader(dispatcher.layout)(clock.now() + laterMs);
const shownOn = (machine: Machine, laterMs?: number) =>
  rowsOf(machine, laterMs).map(({ record, group, place, words }) => ({
    session: record.session,
    group,
    place,
    words,
    reason: record.state.reason,
  }));
const own = { agent: "generic", session: "s1" };

/** Changes a record of this machine, as what only it can see does. */
function change({ dispatcher: { layout } }: Machine, facts: Partial<SessionRecord>): void {
  writeSession(layout, { ...readSession(layout, own.agent, own.session), ...facts });
}

/** Everything that the bucket is given, oldest first; a removed entry is empty. */
async function watchBucket(broker: PlainBroker): Promise<string[]> {
  const bucket = await new Kvm(await broker.connect()).open(buckets.sessions.name);
  const said: string[] = [];
  const entries = await bucket.watch();
  void (async () => {
    for await (const entry of entries) said.push(entry.string());
  })();
  return said;
}

describeWithParts("a session of another machine", ["nats-server"], () => {
  it("is shown with its host, and as what its own machine sees that no event tells", async () => {
    const { box, laptop, both } = await twoMachines(hourMs);
    box.accept("UserPromptSubmit", { session_id: "s1", cwd: "/home/u/shop" });
    await untilLater("the laptop has the event", both, () => rowsOf(laptop).length > 0);
    change(box, { branch: "cart", lastPrompt: "fix the login" });
    await untilLater("the laptop knows its branch", both, () => rowsOf(laptop)[0]?.record.branch === "cart");
    expect(shownOn(laptop)).toMatchObject([
      { session: "box:s1", group: "working", place: "box: shop (cart)", words: "fix the login" },
    ]);
    // An hour between the clocks is none between the times. The test's clocks run faster than the broker's.
    const [here, there] = [laptop, box].map((each) => rowsOf(each)[0]?.record.state.since ?? 0);
    expect(Math.abs((there ?? 0) - (here ?? 0) - hourMs)).toBeLessThan(hourMs / 3);
    ingestObservation(box.dispatcher, own, { kind: "interrupted", at: box.clock.now(), source: "transcript" });
    await untilLater("the laptop knows of the Escape", both, () => shownOn(laptop)[0]?.group === "quiet");
    expect(shownOn(laptop)[0]).toMatchObject({ reason: "You stopped its turn.", place: "box: shop (cart)" });
    // What it knows of others is not said again under its own name.
    expect(shownOn(box)).toHaveLength(1);
  });

  it("asks no longer here once it was answered in its terminal", async () => {
    const { box, laptop, both } = await twoMachines();
    box.accept("Notification", { session_id: "s1", notification_type: "permission_prompt", message: "May I?" });
    await untilLater("the laptop tells", both, () => laptop.told.length > 0);
    expect(shownOn(laptop)[0]).toMatchObject({ group: "needsYou" });
    ingestObservation(box.dispatcher, own, { kind: "answered", at: box.clock.now(), source: "transcript" });
    await untilLater("it works again", both, () => shownOn(laptop)[0]?.group === "working");
    const why = laptop.journal("event").map(({ ignored }) => ignored);
    expect(why).toEqual([undefined, "its machine says so"]);
  });

  it("leaves the bucket when it ends, and is shown as ended", async () => {
    const { box, laptop, both, said } = await twoMachines();
    box.accept("UserPromptSubmit", { session_id: "s1" });
    await untilLater("the bucket has it", both, () => said.length > 0);
    ingestObservation(box.dispatcher, own, { kind: "processGone", at: box.clock.now(), source: "process" });
    await untilLater("the bucket has it no more", both, () => said.at(-1) === "");
    await untilLater("the laptop shows it", both, () => shownOn(laptop)[0]?.group === "ended");
    expect(shownOn(laptop)[0]?.reason).toBe("It has ended on its machine.");
  });

  it("is said without credentials, shortened, and not at each change", async () => {
    const { box, both, said } = await twoMachines();
    const secret = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
    const asked = { session_id: "s1", notification_type: "permission_prompt" };
    for (let count = 0; count < 12; count += 1)
      box.accept("Notification", { ...asked, message: `${count} ${"long ".repeat(800)}` });
    await untilLater("all are taken in", both, () => box.journal("event").length === 12);
    change(box, { lastPrompt: `use ${secret} now` });
    await untilLater("the last change is said", both, () => said.at(-1)?.includes(" now") === true);
    expect(said.join("")).not.toContain(secret);
    for (const each of said) expect(Buffer.byteLength(each)).toBeLessThanOrEqual(limits.maxSessionBytes + 100);
    const times = said.map((each) => (JSON.parse(each) as { at: number }).at);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(limits.sessionPauseMs);
  });

  it("of a machine that is silent is not shown as working", async () => {
    const { box, laptop, both } = await twoMachines();
    box.accept("UserPromptSubmit", { session_id: "s1" });
    await untilLater("the laptop shows it", both, () => shownOn(laptop)[0]?.group === "working");
    box.stop();
    expect(shownOn(laptop, 5 * minuteMs)[0]).toMatchObject({
      group: "quiet",
      reason: expect.stringMatching(/^box has not been heard from since .*\d\d:\d\d\.$/),
    });
    expect(shownOn(laptop)[0]?.group).toBe("working");
  });
});
