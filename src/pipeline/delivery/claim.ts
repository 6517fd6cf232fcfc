// Asks whether this machine may notify, at each attempt: another machine of the fleet may, or has done so already.
import { readWaiting } from "../channel/waiting-delivery.ts";
import type { FleetPort, ClaimDecision } from "../dispatcher.ts";
import type { DeliveryKind } from "../../model/delivery.ts";
import { removeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Ended } from "../stages.ts";
import type { Claimed, DecidedAgain, DeliveryTools } from "./context.ts";

type ClaimTools = Pick<DeliveryTools, "dispatcher" | "queues">;

export function claim(context: DecidedAgain, tools: ClaimTools): Claimed | Promise<Claimed | Ended> {
  const { released, together, waiting } = context;
  const fleet = tools.dispatcher.fleet();
  const isClaimed = together === undefined && waiting.claim !== undefined;
  if (fleet === undefined || isClaimed) return { ...context, claimed: released };
  if (together === undefined) return claimDue(context, tools, fleet);
  return claimAll(released, tools, fleet).then((claimed) => ({ ...context, claimed }));
}

/** Asks for what else is due as well, so that old messages can become one. */
async function claimDue({ queue }: DecidedAgain, tools: ClaimTools, fleet: FleetPort): Promise<Ended> {
  const due = queue.dueAt(tools.dispatcher.tools.clock.now());
  const unclaimed = due.filter((each) => each.claim === undefined).map(({ file }) => file);
  await claimAll(unclaimed, tools, fleet);
  return { ended: "deferred", why: "the fleet was asked, and the queue chooses again" };
}

/** They notify of nothing new: they are about what this machine has shown or claimed, or about itself. */
const ownKinds: ReadonlySet<DeliveryKind> = new Set(["list", "summary", "edit", "retraction", "notice"]);

/** Returns those of which this machine notifies now. Another machine may yet have to notify of the others, which wait; or it has done so. */
async function claimAll(
  files: readonly string[],
  { dispatcher, queues }: ClaimTools,
  fleet: FleetPort,
): Promise<string[]> {
  const claimed: string[] = [];
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (delivery === "later") continue;
    if (delivery === undefined) {
      queues.dequeue(file);
      continue;
    }
    const { kind, event } = delivery;
    const turn: ClaimDecision = ownKinds.has(kind)
      ? { next: "tell" }
      : await fleet.turn({ file, event, asks: kind === "question" });
    switch (turn.next) {
      case "tell":
        queues.change(file, { claim: { note: turn.note } });
        claimed.push(file);
        break;
      case "wait":
        queues.change(file, { notBefore: turn.until });
        break;
      case "leave":
        removeDelivery(dispatcher.layout, "outbox", file);
        queues.dequeue(file);
        writeJournal(dispatcher.layout, dispatcher.tools.clock.now(), {
          kind: "attention",
          event: event.id,
          delivery: delivery.id,
          channel: delivery.channel,
          rule: delivery.rule,
          verdict: "drop",
          by: "fleet",
          why: turn.why,
        });
        break;
    }
  }
  return claimed;
}
