// `hookbell dispatch`: runs the dispatcher in the foreground, or with --detached as hooks start it.
import { runDaemon } from "../../daemon/daemon.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { type JournalEntry, tailJournal } from "../../outbox/journal.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { findLeaseHolder } from "../../outbox/lease/lease.ts";
import { nameOwnProcess } from "../../system/process/identity.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count } from "../../console/output/text.ts";
import { hookCommands } from "../help/hooks.ts";
import { requireRulesFile } from "../pipeline/load-rules.ts";
import { findWaiting, showWaiting } from "../pipeline/waiting.ts";

export async function dispatch(args: string[], io: CommandIo, wings: readonly Wing[]): Promise<ExitCode> {
  const { values } = parseArguments(args, hookCommands.dispatch.flags, 0);
  requireRulesFile(values.config);
  nameOwnProcess();
  const isDetached = values.detached === true;
  const isUntilIdle = values["until-idle"] === true;
  let show = (): void => {};
  const { result, program } = await runDaemon(io, {
    rulesFile: values.config,
    isDetached,
    isUntilIdle,
    wings,
    onBegun(dispatcher) {
      if (isDetached || !isUntilIdle) return;
      const writtenSince = tailJournal(dispatcher.layout);
      show = () => showWhatWasDone(dispatcher, writtenSince(), io);
    },
  });
  if (program === "changed") wake(io);
  if (program !== undefined && !isDetached) {
    const goesOn = program === "changed" ? "the new version goes on in the background" : "its program is gone";
    io.stderr(`this dispatcher ends, since hookbell was changed: ${goesOn}\n`);
  }
  if (result === "busy" && !isDetached) throw busyError(io);
  if (result !== "busy") show();
  return exitCodes.done;
}

function busyError(io: CommandIo): UserError {
  const holder = findLeaseHolder(layoutOf(io.places.stateDir), io.clock.now());
  const who = holder === undefined ? "" : ` (process ${holder.pid} on ${holder.host})`;
  const waits = holder?.trouble === undefined ? "" : `; it waits, since ${holder.trouble}`;
  return new UserError("dispatch.busy", `another dispatcher is running${who}${waits}`, {
    hint: "it sends everything that is waiting; see: hookbell status",
  });
}

/** `written` is what this run has written into the journal. */
function showWhatWasDone({ layout, rules }: Dispatcher, written: readonly JournalEntry[], io: CommandIo): void {
  const now = io.clock.now();
  const attempts = written.filter(({ kind }) => kind === "attempt");
  const sent = attempts.filter(({ outcome }) => outcome === "delivered").length;
  const failed = attempts.length - sent;
  const ways = failed === 0 ? "" : `, ${count(failed, "attempt")} failed: hookbell log --failed`;
  io.stdout(attempts.length === 0 ? "nothing was due\n" : `${count(sent, "message")} sent${ways}\n`);
  for (const waiting of findWaiting(layout, rules().rules, now)) io.stdout(`${showWaiting(waiting, now)}\n`);
}
