import { openDispatcher } from "./open-dispatcher.ts";
import { findChannel } from "../dispatch/tell.ts";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { readDelivery, reviveDelivery } from "../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../outbox/endpoints.ts";
import { setAsideBroken } from "../outbox/set-aside.ts";
import { parseArguments } from "./arguments.ts";
import { chooseDead } from "./choose-dead.ts";
import type { CommandIo } from "./command-io.ts";
import { wake } from "./wake.ts";

/** Dead letters get another life: all their tries, and their channel's whole time. */
export async function retry(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, { all: { type: "boolean" } });
  const dispatcher = openDispatcher(io);
  const { layout } = dispatcher;
  const now = io.clock.now();
  let count = 0;
  for (const file of chooseDead(layout, positionals, values.all === true, "retry")) {
    const reading = readDelivery(layout, "dead", file);
    if (reading.status === "broken") setAsideBroken(layout, "dead", file, reading.problem, now);
    if (reading.status !== "read") continue;
    const { lastFailure: _, ...delivery } = reading.delivery;
    const channel = findChannel(dispatcher.rules().rules, delivery.channel);
    const lifeMs = channel?.expiresAfterMs ?? delivery.expiresAt - delivery.createdAt;
    // The person says that the receiver is there again.
    const { switchedOff: __, ...endpoint } = readEndpoint(layout, delivery.channel);
    writeEndpoint(layout, endpoint);
    reviveDelivery(layout, file, { ...delivery, attempts: 0, notBefore: now, expiresAt: now + lifeMs });
    count += 1;
  }
  if (count > 0) await wake(io);
  io.stdout(`${count} back in the outbox${count > 0 ? "; hookbell log --follow shows what becomes of them" : ""}\n`);
  return exitCodes.done;
}
