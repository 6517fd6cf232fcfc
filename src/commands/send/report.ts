// Delivers in the foreground and prints each result, for `--wait`.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { type ExitCode, exitCodes } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { Outcome } from "../../model/outcome.ts";
import { printableLine } from "../../model/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { jsonLine, paint, wrapping } from "../../console/output/text.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { writeDelivery, type DeliveryFile } from "../../outbox/deliveries/deliveries.ts";
import { claim, deliverNow } from "./deliver-now.ts";

/** Exit code 1 if one fails. `onPlaced` is called before the first is sent. */
export async function reportDeliveries(
  io: CommandIo,
  dispatcher: Dispatcher,
  { event, planned }: { event: AgentEvent; planned: readonly DeliveryFile[] },
  isJson: boolean,
  onPlaced: () => void = () => {},
): Promise<ExitCode> {
  const held = planned.filter(({ delivery }) => delivery.hold !== undefined);
  const due = planned.filter(({ delivery }) => delivery.hold === undefined);
  // The dispatcher weighs these deliveries again.
  for (const { file, delivery } of held) writeDelivery(dispatcher.layout, "outbox", file, delivery);
  claim(dispatcher, due);
  onPlaced();
  // Wake it before sending: if this process is killed, the dispatcher continues.
  if (planned.length > 0) wake(io);
  if (!isJson) {
    for (const { delivery } of held)
      wrapping(io).stdout(`${delivery.channel}: held: ${printableLine(delivery.hold?.why ?? "")}\n`);
  }
  const results = await deliverNow(dispatcher, due, ({ delivery, outcome, ms, next }) => {
    if (isJson) return;
    const later = next === "retry" ? "; hookbell will try again" : "";
    wrapping(io).stdout(`${delivery.channel}: ${showOutcome(io, outcome, ms)}${later}\n`);
  });
  if (isJson) {
    const deliveries = results.map(({ delivery: { channel }, outcome, ms }) => ({
      channel,
      ...outcomeAsJson(outcome),
      ms,
    }));
    const waiting = held.map(({ delivery: { channel, hold } }) => ({ channel, outcome: "held", detail: hold?.why }));
    io.stdout(jsonLine({ event, deliveries: [...deliveries, ...waiting] }));
  }
  if (results.some(({ next }) => next === "retry")) wake(io);
  return results.every(({ outcome }) => outcome.status === "delivered") ? exitCodes.done : exitCodes.failed;
}

/** `delivered in 12 ms` or `failed (reason) after 12 ms: detail`. */
export function showOutcome(io: { isColor: boolean }, outcome: Outcome, ms: number): string {
  const detail = outcome.detail === undefined || outcome.detail === "" ? "" : `: ${outcome.detail}`;
  if (outcome.status === "failed" && outcome.reason === "unknown") {
    const after = ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`;
    return `${paint(io, "red", "failed")}: no clear answer within ${after}; it may have arrived${detail}`;
  }
  return outcome.status === "delivered"
    ? `${paint(io, "green", "delivered")} in ${ms} ms${detail}`
    : `${paint(io, "red", "failed")} (${outcome.reason}) after ${ms} ms${detail}`;
}

/** An outcome as `--json` prints it. */
export function outcomeAsJson(outcome: Outcome): object {
  const reason = outcome.status === "failed" ? outcome.reason : undefined;
  return { outcome: outcome.status, reason, detail: outcome.detail };
}
