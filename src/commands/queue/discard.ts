// `hookbell discard`: deletes dead letters; the journal records it.
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { deliveryIdIn, removeDelivery } from "../../outbox/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../console/arguments.ts";
import { deliveryCommands } from "../help/deliveries.ts";
import { chooseDead } from "./choose-dead.ts";
import type { CommandIo } from "../console/command-io.ts";
import { count, jsonLine } from "../console/text.ts";

export async function discard(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, deliveryCommands.discard.flags);
  const layout = layoutOf(io.places.stateDir);
  const choice = { words: positionals, isAll: values.all === true, channel: values.channel };
  const files = chooseDead(layout, choice, "discard");
  if (files.length === 0 && !values.json) {
    io.stdout("there are no failed deliveries\n");
    return exitCodes.done;
  }
  const removed = files.filter((file) => removeDelivery(layout, "dead", file));
  if (removed.length > 0) {
    writeJournal(layout, io.clock.now(), {
      kind: "removed",
      what: count(removed.length, "failed delivery", "failed deliveries"),
      why: "discarded by hand",
      files: removed,
    });
  }
  if (values.json) io.stdout(jsonLine({ discarded: removed.map(deliveryIdIn) }));
  else io.stdout(`${count(removed.length, "failed delivery", "failed deliveries")} deleted\n`);
  return exitCodes.done;
}
