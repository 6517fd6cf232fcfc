// Puts dead letters back in the queue, or deletes them: what `hookbell retry`, `hookbell discard` and the page do.
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { readDelivery, removeDelivery, reviveDeliveries } from "../../outbox/deliveries/deliveries.ts";
import { listEndpoints, readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import { writeJournal } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import { quarantine } from "../../outbox/rejected.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { wake } from "../../daemon/open-dispatcher.ts";

/** Only the newest are checked here; the dispatcher checks the others. */
const maxRead = 500;

/** Wakes a dispatcher. Returns the letters' new files, and the channels that the rules no longer have. */
export function reviveDead(
  dispatcher: Dispatcher,
  files: readonly string[],
  io: CommandIo,
): { revived: string[]; lost: ReadonlySet<string> } {
  const { layout } = dispatcher;
  const now = io.clock.now();
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
  return { revived, lost };
}

/** Returns the files that were there. */
export function discardDead(layout: Layout, files: readonly string[], nowMs: number): string[] {
  const removed = files.filter((file) => removeDelivery(layout, "dead", file));
  if (removed.length > 0) {
    writeJournal(layout, nowMs, {
      kind: "removed",
      what: count(removed.length, "failed delivery", "failed deliveries"),
      why: "discarded by hand",
      files: removed,
    });
  }
  return removed;
}
