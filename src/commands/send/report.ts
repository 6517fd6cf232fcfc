import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import type { CommandIo } from "../console/command-io.ts";
import { claim, deliverNow, type Planned } from "./deliver-now.ts";
import { jsonLine } from "../console/json-line.ts";
import { outcomeAsJson } from "./outcome-as-json.ts";
import { showOutcome } from "./show-outcome.ts";
import { wake } from "../pipeline/wake.ts";

/** What `--wait` does: delivers in the foreground and prints each outcome; `onPlaced` is called before the first. Exit 1 if any failed. */
export async function reportDeliveries(
  io: CommandIo,
  dispatcher: Dispatcher,
  { event, planned }: { event: AgentEvent; planned: readonly Planned[] },
  isJson: boolean,
  onPlaced: () => void = () => {},
): Promise<ExitCode> {
  claim(dispatcher, planned);
  onPlaced();
  // Before anything is sent: should we be killed in the middle, somebody takes it up.
  if (planned.length > 0) await wake(io);
  const results = await deliverNow(dispatcher, planned, ({ delivery, outcome, ms, next }) => {
    if (isJson) return;
    const later = next === "retry" ? "; it will be tried again" : "";
    io.stdout(`${delivery.channel}: ${showOutcome(io, outcome, ms)}${later}\n`);
  });
  if (isJson) {
    const deliveries = results.map(({ delivery: { channel }, outcome, ms }) => ({
      channel,
      ...outcomeAsJson(outcome),
      ms,
    }));
    io.stdout(jsonLine({ event, deliveries }));
  }
  if (results.some(({ next }) => next === "retry")) await wake(io);
  return results.every(({ outcome }) => outcome.status === "delivered") ? exitCodes.done : exitCodes.failed;
}
