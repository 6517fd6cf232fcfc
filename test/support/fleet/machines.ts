// Machines of one person in a fleet: each a dispatcher with a state folder, rules, a clock and presence of its own.
import { notesOf } from "../../../src/channels/rendering/compose.ts";
import type { Delivery } from "../../../src/model/delivery.ts";
import { join } from "node:path";
import { listNames } from "../../../src/system/files/files.ts";
import { touch } from "../../../src/system/files/write.ts";
import { readFleetStatus } from "../../../src/wings/fleet/status.ts";
import { startAnsweringReceiver, type Answer, type AnsweringReceiver } from "../receivers/answering-receiver.ts";
import { prepareDispatcher, type RunningDispatcher } from "../project/running-dispatcher.ts";
import { onTestFinished } from "vitest";
import type { PlainBroker } from "./plain-broker.ts";

export interface Machine extends RunningDispatcher {
  host: string;
  /** How long ago its last input was. */
  idleMs: number;
  /** The payloads that its person was sent. */
  told: { session: string; note: string; at: string }[];
  /** Resolves when it is connected and knows who else is there. */
  connected(): Promise<void>;
}

/** One receiver for all: which machine sends is a part of the path. */
export async function startReceiver(
  answer: (path: string) => Answer = () => ({ status: 200 }),
): Promise<AnsweringReceiver> {
  const receiver = await startAnsweringReceiver(({ path }) => answer(path));
  onTestFinished(async () => await receiver.close());
  return receiver;
}

export interface MachineOptions {
  idleMs?: number;
  /** How far its clock is ahead of the broker's. */
  aheadMs?: number;
  person?: string;
  rules?: Record<string, unknown>;
}

export async function prepareMachine(
  broker: Pick<PlainBroker, "servers">,
  receiver: AnsweringReceiver,
  host: string,
  { idleMs = 60_000, aheadMs = 0, person = "ada", rules = {} }: MachineOptions = {},
): Promise<Machine> {
  const running = prepareDispatcher();
  running.clock.set(Date.now() + aheadMs);
  running.writeRules({
    channels: { ops: { type: "webhook", url: `${receiver.origin}/${host}` } },
    rules: [{ name: "all", when: { event: ["Stop", "Notification"] }, notify: ["ops"] }],
    fleet: { servers: broker.servers, org: "acme", person, host },
    ...rules,
  });
  await running.dispatcher.rereadRules();
  const machine: Machine = {
    ...running,
    host,
    idleMs,
    get told() {
      return receiver.asked.filter(({ path }) => path === `/${host}`).map(({ body }) => toldIn(body));
    },
    accept(event, more) {
      running.accept(event, more);
      const { incoming } = running.dispatcher.layout;
      for (const name of listNames(incoming)) touch(join(incoming, name), running.clock.now());
    },
    connected: async () =>
      await running.until(
        `${host} is connected`,
        () => readFleetStatus(running.dispatcher.layout)?.what === "connected",
      ),
  };
  running.dispatcher.observePresence = () => Promise.resolve({ idleMs: machine.idleMs });
  return machine;
}

function toldIn(body: string): Machine["told"][number] {
  const { data } = JSON.parse(body) as { data: Pick<Delivery, "event" | "message"> };
  const { event, message } = data;
  return { session: event.session, at: event.at, note: notesOf(message) };
}

/** Runs them, and resolves when all are connected. */
export async function runAll(...machines: readonly Machine[]): Promise<void> {
  for (const machine of machines) {
    void machine.run();
    await machine.connected();
  }
}

/** Turns the clocks of machines, bit by bit, until the check holds. */
export async function untilLater(what: string, machines: readonly Machine[], check: () => boolean): Promise<void> {
  await machines[0]?.until(what, () => {
    // A turn of the clock may be the deadline of a request.
    if (machines.every((machine) => machine.requestsUnderWay() === 0)) for (const { clock } of machines) clock.turn(50);
    return check();
  });
}
