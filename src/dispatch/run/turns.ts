// Which of the deliveries that are due this machine tells, where the person has several machines.
import { isOfAllSessions, isOwnNotice } from "../../model/own-events.ts";
import { removeDelivery } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Dispatcher, Turn } from "../dispatcher.ts";
import { readWaiting } from "../send/waiting-delivery.ts";
import { dequeue, postpone, setTurn, type Lanes } from "./lanes.ts";

/** Returns those that are told here now. Another machine may yet have to tell of the others, which wait; or it has told. */
export async function takeTurns(dispatcher: Dispatcher, lanes: Lanes, files: readonly string[]): Promise<string[]> {
  const { layout, tools, fleet } = dispatcher;
  const told: string[] = [];
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (delivery === "later") continue;
    if (delivery === undefined) {
      dequeue(lanes, file);
      continue;
    }
    const { id, event, channel, rule, question, takesBack, summarises } = delivery;
    // These tell nothing new: they are about what this machine has shown or claimed, or about itself.
    const isOwn = takesBack !== undefined || summarises !== undefined || isOwnNotice(event) || isOfAllSessions(event);
    const turn: Turn =
      isOwn || fleet === undefined ? { next: "tell" } : await fleet.turn({ file, event, asks: question !== undefined });
    if (turn.next === "tell") {
      setTurn(lanes, file, { note: turn.note });
      told.push(file);
    }
    if (turn.next === "wait") postpone(lanes, file, turn.until);
    if (turn.next !== "leave") continue;
    removeDelivery(layout, "outbox", file);
    dequeue(lanes, file);
    const verdict = { delivery: id, channel, rule, verdict: "drop", by: "fleet", why: turn.why };
    writeJournal(layout, tools.clock.now(), { kind: "attention", event: event.id, ...verdict });
  }
  return told;
}
