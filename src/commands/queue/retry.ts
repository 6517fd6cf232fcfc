// `hookbell retry`: queues dead letters again, with all attempts and the channel's full time.
import { findChannel } from "../../rules/built-in.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { deliveryIdIn, readDelivery, reviveDeliveries } from "../../outbox/deliveries.ts";
import { listEndpoints, readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { quarantine } from "../../outbox/rejected.ts";
import { parseArguments } from "../console/arguments.ts";
import { deliveryCommands } from "../help/deliveries.ts";
import { chooseDead } from "./choose-dead.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count, jsonLine } from "../console/text.ts";
import { openDispatcher, wake } from "../pipeline/open-dispatcher.ts";

/** Only the newest are checked here; the dispatcher checks the others. */
const maxRead = 500;

export async function retry(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, deliveryCommands.retry.flags);
  const dispatcher = await openDispatcher(io);
  const { layout } = dispatcher;
  const now = io.clock.now();
  const choice = { words: positionals, isAll: values.all === true, channel: values.channel };
  const files = chooseDead(layout, choice, "retry");
  if (files.length === 0 && !values.json) {
    io.stdout("there are no failed deliveries\n");
    return exitCodes.done;
  }
  const lost = new Set<string>();
  const broken = new Set<string>();
  const channels = new Set<string>();
  for (const file of files.slice(-maxRead)) {
    const reading = readDelivery(layout, "dead", file);
    if (reading.status === "broken") {
      quarantine(layout, "dead", file, reading.problem, now);
      broken.add(file);
    }
    if (reading.status !== "read") continue;
    const { channel } = reading.delivery;
    channels.add(channel);
    if (findChannel(dispatcher.rules().rules, channel) === undefined) lost.add(channel);
  }
  if (files.length > maxRead) for (const { channel } of listEndpoints(layout)) channels.add(channel);
  for (const channel of channels) {
    // The user expects that the receiver works again.
    const { switchedOff: _, breaker: __, ...endpoint } = readEndpoint(layout, channel);
    writeEndpoint(layout, endpoint);
  }
  const whole = files.filter((file) => !broken.has(file));
  const revived = reviveDeliveries(layout, whole, now);
  if (revived.length > 0) {
    const what = count(revived.length, "failed delivery", "failed deliveries");
    writeJournal(layout, now, { kind: "retried", what, why: "by hand", files: revived });
    wake(io);
  }
  if (values.json) {
    io.stdout(jsonLine({ retried: revived.map(deliveryIdIn), withoutChannel: [...lost] }));
    return exitCodes.done;
  }
  for (const channel of lost)
    io.stderr(`hookbell: your rules have no channel "${channel}" any more, so its deliveries will fail again\n`);
  const next = revived.length > 0 ? "; watch: hookbell log --follow" : "";
  io.stdout(`${count(revived.length, "delivery", "deliveries")} put back in the queue${next}\n`);
  return exitCodes.done;
}
