// `hookbell remote`: lists the machines whose events are fetched.
import { exitCodes, type ExitCode } from "../../../model/errors.ts";
import { formatDuration } from "../../../model/figures/duration.ts";
import { findLeaseHolder } from "../../../outbox/lease/lease.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { listRemotes, readStatus, type RemoteStatus } from "../remotes.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { renderTable } from "../../../console/output/table.ts";
import { jsonLine } from "../../../console/output/text.ts";
import { remoteCommands } from "../help.ts";

export async function remote(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, remoteCommands.remote.flags, 0);
  const layout = layoutOf(io.places.stateDir);
  const now = io.clock.now();
  const isRunning = findLeaseHolder(layout, now) !== undefined;
  const remotes = listRemotes(layout).map(({ name, transport, target }) => ({
    name,
    transport,
    target,
    status: isRunning || transport === "http" ? readStatus(layout, name) : undefined,
  }));
  if (values.json) {
    io.stdout(jsonLine({ remotes }));
    return exitCodes.done;
  }
  if (remotes.length === 0) {
    io.stdout("no remotes. To add one: hookbell remote add HOST\n");
    return exitCodes.done;
  }
  const columns = [
    { header: "NAME", cells: remotes.map(({ name }) => name) },
    { header: "BY", cells: remotes.map(({ transport, target }) => `${transport} ${target}`), minWidth: 12, omit: 1 },
    {
      header: "STATUS",
      cells: remotes.map(({ transport, status }) =>
        transport === "http"
          ? describeCalls(status?.at, now)
          : transport === "file"
            ? describeSpool(status, now)
            : describeStatus(status, now),
      ),
      minWidth: 20,
    },
  ];
  io.stdout(renderTable(columns, io));
  return exitCodes.done;
}

/** Nothing tells whether such a machine is there, but that it calls. */
function describeCalls(at: number | undefined, now: number): string {
  if (at === undefined) return "no event has come yet";
  return `last event ${formatDuration(Math.max(0, now - at))} ago`;
}

function describeSpool(status: RemoteStatus | undefined, now: number): string {
  if (status === undefined) return describeStatus(status, now);
  return status.what === "waiting" ? (status.why ?? "not read") : describeCalls(status.lastAt, now);
}

export function describeStatus(status: RemoteStatus | undefined, now: number): string {
  if (status === undefined) return "not followed: no dispatcher is running (hookbell dispatch)";
  const since = formatDuration(Math.max(0, now - status.at));
  if (status.what === "connected") return `connected for ${since}`;
  const next = formatDuration(Math.max(0, (status.nextAt ?? now) - now));
  return `${status.why ?? "not connected"}; next attempt in ${next}`;
}
