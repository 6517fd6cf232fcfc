import { countRejected } from "../outbox/rejected.ts";
import { listDeliveries } from "../outbox/deliveries.ts";
import { listEndpoints, type Endpoint } from "../outbox/endpoints.ts";
import { listIncoming } from "../outbox/incoming.ts";
import { layoutOf } from "../outbox/layout.ts";
import { findLeaseHolder } from "../outbox/lease.ts";
import { exitCodes, type ExitCode } from "../model/errors.ts";
import { formatDuration } from "../model/duration.ts";
import { parseArguments } from "./arguments.ts";
import { paint } from "./colors.ts";
import type { CommandIo } from "./command-io.ts";

/** The queue at a glance. */
export async function status(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, { json: { type: "boolean" } });
  const layout = layoutOf(io.places.stateDir);
  const now = io.clock.now();
  const holder = findLeaseHolder(layout, now);
  const endpoints = listEndpoints(layout).filter((endpoint) => isTroubled(endpoint, now));
  const counts = {
    incoming: listIncoming(layout).length,
    outbox: listDeliveries(layout, "outbox").length,
    dead: listDeliveries(layout, "dead").length,
    rejected: countRejected(layout),
  };
  if (values.json) {
    const dispatcher =
      holder === undefined ? { running: false } : { running: true, pid: holder.pid, host: holder.host };
    io.stdout(`${JSON.stringify({ ...counts, dispatcher, endpoints })}\n`);
    return exitCodes.done;
  }
  const rows: [string, number, string][] = [
    ["incoming", counts.incoming, "payloads not looked at yet"],
    ["outbox", counts.outbox, "deliveries that wait for their time"],
    [
      "dead",
      counts.dead,
      counts.dead === 0
        ? "deliveries that gave up"
        : "deliveries that gave up: hookbell log, hookbell retry --all, hookbell discard --all",
    ],
    [
      "rejected",
      counts.rejected,
      counts.rejected === 0 ? "payloads that did not validate" : `payloads that did not validate: ${layout.rejected}`,
    ],
  ];
  for (const [name, count, meaning] of rows) {
    const isBad = count > 0 && (name === "dead" || name === "rejected");
    io.stdout(
      `${name.padEnd(10)}${paint(io, isBad ? "yellow" : "bold", String(count).padStart(6))}  ${paint(io, "dim", meaning)}\n`,
    );
  }
  const running =
    holder === undefined
      ? "not running; the next hook starts it"
      : `running, process ${holder.pid} on ${holder.host}, for ${formatDuration(now - holder.startedAt)}`;
  io.stdout(`dispatcher: ${running}\n`);
  for (const endpoint of endpoints) io.stdout(`${showEndpoint(endpoint, now)}\n`);
  return exitCodes.done;
}

function isTroubled(endpoint: Endpoint, nowMs: number): boolean {
  return endpoint.switchedOff !== undefined || (endpoint.notBefore ?? 0) > nowMs;
}

function showEndpoint({ channel, switchedOff, notBefore }: Endpoint, nowMs: number): string {
  return switchedOff === undefined
    ? `channel ${channel}: its receiver asked for a pause of another ${formatDuration((notBefore ?? nowMs) - nowMs)}`
    : `channel ${channel}: switched off (${switchedOff.reason}: ${switchedOff.detail}) until its settings change`;
}
