// `hookbell remote remove NAME`: takes out exactly what `remote add` put in, and no longer fetches the machine's events.
import { fileRecordOf } from "../../../install/record/record.ts";
import { applyUninstall, forgetSettled, prepareUninstall } from "../../../install/uninstall-agent.ts";
import { exitCodes, type ExitCode, usageError } from "../../../model/errors.ts";
import { layoutOf } from "../../../outbox/layout.ts";
import { connect } from "../host.ts";
import { countWaiting, ownerOf, removeHook } from "../hook-there.ts";
import { forgetRemote, isReached, listRemotes, type Remote } from "../remotes.ts";
import { dontStartAtLogin } from "../start-at-login.ts";
import { suggest } from "../../../rules/nearest.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { count, paint } from "../../../console/output/text.ts";
import { remoteCommands } from "../help.ts";
import { type AgentReport, exitCodeOf, showDiffs, showProblems, showWarnings } from "../../../commands/init/report.ts";
import { nudgeDispatcher } from "../../../commands/pipeline/open-dispatcher.ts";
import { readMirror, speakingOf } from "./mirror.ts";
import { removeSpoolScript } from "./spool.ts";

export async function removeRemote(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, remoteCommands["remote remove"].flags, 1);
  const [name] = positionals;
  const layout = layoutOf(io.places.stateDir);
  const remotes = listRemotes(layout);
  const names = remotes.map((each) => each.name);
  const remote = remotes.find((each) => each.name === name);
  if (name === undefined)
    throw usageError("remote", "which machine?", `hookbell remote remove NAME; ${names.join(", ")}`);
  if (remote === undefined) {
    throw usageError("remote", `there is no remote ${JSON.stringify(name)}`, suggest(name, names, "remotes"));
  }
  const isDryRun = values["dry-run"] === true;
  if (!isReached(remote) || values.forget === true) {
    const what = isReached(remote)
      ? `Forget ${name}, and leave its hooks as they are`
      : `Take no more events of ${name}`;
    const end = await endWithoutConsent(io, values, `${what}?`);
    if (end !== undefined) return end;
    forget();
    const script = remote.transport === "file" ? removeSpoolScript(remote) : undefined;
    if (script !== undefined) io.stdout(`${paint(io, "green", "removed")} ${script}\n`);
    io.stdout(`${whatStays(remote)}\n`);
    return exitCodes.done;
  }

  const host = await connect(remote, { clock: io.clock, env: io.env, signal: new AbortController().signal });
  try {
    const mirror = await readMirror(host, name, { layout, nowMs: io.clock.now() });
    const there = speakingOf(io, mirror);
    const { context, targets } = mirror;
    const reports = targets.map((target): AgentReport => ({ prepared: prepareUninstall(context, target) }));
    const changing = reports.filter(({ prepared }) => prepared.plan.changes.length > 0);
    for (const { prepared } of reports) {
      showProblems(there, prepared.plan.problems);
      showWarnings(there, prepared.plan.warnings);
    }
    showDiffs(there, reports, isDryRun);
    const end = await endWithoutConsent(io, values, `Remove this from ${name}?`);
    if (end !== undefined) return end;
    for (const report of changing) {
      const { prepared } = report;
      const folders = prepared.plan.changes.flatMap(
        ({ source }) => fileRecordOf(context.store.read(), source.path)?.madeFolders ?? [],
      );
      for (const change of prepared.plan.changes) {
        const pushed = await mirror.push(change);
        if (pushed.what === "done") {
          there.stdout(
            `${paint(io, "green", change.after === undefined ? "removed" : "wrote")} ${change.source.path}\n`,
          );
          continue;
        }
        const message = pushed.what === "changed" ? "it is being changed by another program" : pushed.why;
        const hint = "run this again, or remove the hooks there by hand and then: hookbell remote remove NAME --forget";
        report.applied = {
          files: [],
          problems: [{ path: change.source.path, message, hint, exitCode: exitCodes.cannotWrite }],
        };
        showProblems(there, report.applied.problems);
        return exitCodeOf([report]);
      }
      applyUninstall(context, prepared);
      for (const folder of folders) await mirror.removeFolder(folder);
    }
    for (const target of targets) forgetSettled(context, target);
    const refused = reports.filter(({ prepared }) => prepared.plan.problems.length > 0);
    if (refused.length > 0) return exitCodeOf(refused);
    const waiting = await countWaiting(host);
    if ((await ownerOf(host)) === remote.owner) await removeHook(host, remote);
    forget();
    if (waiting > 0)
      io.stdout(
        `${count(waiting, "event")} that had not been fetched stay there, in ~/.local/state/hookbell/incoming\n`,
      );
    return exitCodes.done;
  } finally {
    host.end();
  }

  function forget(): void {
    forgetRemote(layout, name ?? "");
    const { home } = io.places;
    const atLogin = remotes.length === 1 ? dontStartAtLogin({ home, platform: io.platform }) : undefined;
    if (atLogin !== undefined) io.stdout(`${paint(io, "green", "removed")} ${atLogin}\n`);
    nudgeDispatcher(io, layout);
    io.stdout(`${paint(io, "green", "removed")} the remote ${name}\n`);
  }
}

function whatStays(remote: Remote): string {
  const { name, target, transport } = remote;
  if (transport === "file") return `${target} stays, and so do the hooks of agents there`;
  if (transport === "http") return "its secret is no longer accepted; its agents' settings there are yours to change";
  return `its hooks stay on ${name}, and keep events in ~/.local/state/hookbell/incoming there`;
}
