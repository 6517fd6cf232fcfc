// Deliveries that wait for a channel, and what the stages use: real parts, on a state folder of the test's own.
import type { Delivery } from "../../../src/model/delivery.ts";
import { deliveryFileName, newDelivery, writeDelivery } from "../../../src/outbox/deliveries/deliveries.ts";
import type { DeliveryTools, Due } from "../../../src/pipeline/delivery/context.ts";
import type { ChannelQueue } from "../../../src/pipeline/delivery/queue/channel-queue.ts";
import { ChannelQueues } from "../../../src/pipeline/delivery/queue/channel-queues.ts";
import { prepareDispatcher } from "../../support/project/running-dispatcher.ts";

export const hourMs = 60 * 60_000;
export const slack = { type: "slack", url: "https://vendor.example/hook" };

/** Each delivery is an event's of its own session; the first of them is the one that is due. */
export async function prepareDue(
  waiting: readonly (Partial<Delivery> | ((delivery: Delivery) => Partial<Delivery>))[],
  channel: Record<string, unknown> = slack,
  { ageMs = 0, isLost = false, rule = {}, name = "team", more = {} } = {},
) {
  const running = prepareDispatcher();
  const { dispatcher, clock, writeRules } = running;
  writeRules({ ...more, channels: { [name]: channel }, rules: [{ name: "all", notify: [name], ...rule }] });
  await dispatcher.rereadRules();
  const now = clock.now();
  const files = waiting.map((facts, order) => {
    const event = {
      id: `evt_${order}`,
      name: "Stop",
      agent: "droid",
      session: `s${order}`,
      cwd: "/srv/shop",
      project: "shop",
      host: "box",
      at: new Date(now - ageMs).toISOString(),
      level: "success" as const,
    };
    const message = { title: `shop: ${order}`, body: "done", level: event.level, fields: [] };
    const given = { kind: "event" as const, channel: name, rule: "all", event, message, expiresAt: now + hourMs };
    const usual = newDelivery(now, given);
    const delivery = { ...usual, ...(typeof facts === "function" ? facts(usual) : facts) } as Delivery;
    const file = deliveryFileName(`000${order}`, 0, delivery.id);
    writeDelivery(dispatcher.layout, "outbox", file, delivery);
    return file;
  });
  const queues = new ChannelQueues(dispatcher);
  queues.takeUpAll();
  const queue = queues.byChannel.get(name);
  const first = queue?.waiting.get(files[0] ?? "");
  if (queue === undefined || first === undefined) throw new Error("nothing waits");
  const tools: DeliveryTools = {
    dispatcher,
    queues,
    lease: { renew: () => !isLost },
    questionsAndClicks: undefined,
    fallbacks: new Set(),
  };
  const due: Due = { queue, waiting: first };
  return { ...running, now, files, queues, queue, tools, due };
}

export function filesIn(queue: ChannelQueue): string[] {
  return [...queue.waiting.keys()];
}
