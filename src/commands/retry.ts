import { findChannel } from "../dispatch/tell.ts";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { deliveryFileName, readDelivery, removeDelivery, writeDelivery } from "../outbox/deliveries.ts";
import { readEndpoint, writeEndpoint } from "../outbox/endpoints.ts";
import { setAsideBroken } from "../outbox/set-aside.ts";
import { uniqueName } from "../system/unique-name.ts";
import { parseArguments } from "./arguments.ts";
import { chooseDead } from "./choose-dead.ts";
import type { CommandIo } from "./command-io.ts";
import { count } from "./count.ts";
import { openDispatcher } from "./open-dispatcher.ts";
import { wake } from "./wake.ts";

/** Dead letters get another life: all their tries, and their channel's whole time. */
export async function retry(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, { all: { type: "boolean" } });
  const dispatcher = openDispatcher(io);
  const { layout } = dispatcher;
  const now = io.clock.now();
  const lost = new Set<string>();
  let revived = 0;
  for (const file of chooseDead(layout, positionals, values.all === true, "retry")) {
    const reading = readDelivery(layout, "dead", file);
    if (reading.status === "broken") setAsideBroken(layout, "dead", file, reading.problem, now);
    if (reading.status !== "read") continue;
    const { lastFailure: _, ...delivery } = reading.delivery;
    const channel = findChannel(dispatcher.rules().rules, delivery.channel);
    if (channel === undefined) lost.add(delivery.channel);
    const lifeMs = channel?.expiresAfterMs ?? delivery.expiresAt - delivery.createdAt;
    // The person says that the receiver is there again.
    const { switchedOff: __, breaker: ___, ...endpoint } = readEndpoint(layout, delivery.channel);
    writeEndpoint(layout, endpoint);
    // Under a new name: a dispatcher at work takes an outbox file named like a dead letter for that letter's remains,
    // and removes it. A crash before the removal leaves two copies, never none.
    const name = deliveryFileName(uniqueName(now), 0, delivery.id);
    writeDelivery(layout, "outbox", name, { ...delivery, attempts: 0, notBefore: now, expiresAt: now + lifeMs });
    removeDelivery(layout, "dead", file);
    revived += 1;
  }
  if (revived > 0) await wake(io);
  for (const channel of lost)
    io.stderr(`hookbell: the rules have no channel "${channel}" any more; it will fail again\n`);
  const next = revived > 0 ? "; hookbell log --follow shows what becomes of it" : "";
  io.stdout(`${count(revived, "dead letter")} back in the outbox${next}\n`);
  return exitCodes.done;
}
