// `hookbell remote add HOST`: installs the hooks on another machine, and has its events fetched from now on.
import { basename, resolve } from "node:path";
import { fetchedScriptText } from "../../../install/hook-script.ts";
import { applyInstall, prepareInstall, type InstallContext } from "../../../install/install-agent.ts";
import { withInstallLock } from "../../../install/install-lock.ts";
import type { AppliedAgent } from "../../../install/plan/apply.ts";
import { agentsInUse, type AgentTarget } from "../../../install/target/agent-target.ts";
import { applyUninstall, prepareUninstall } from "../../../install/uninstall-agent.ts";
import { docsUrl, exitCodes, type ExitCode, UserError, usageError } from "../../../model/errors.ts";
import { ensureLayout, layoutOf } from "../../../outbox/layout.ts";
import { connect, type Host } from "../host.ts";
import { followedElsewhere, hasOwnHookbell, missingFolders, ownerOf, putHook, putOwner } from "../hook-there.ts";
import {
  type CallingRemote,
  forgetRemote,
  isReached,
  isRemoteName,
  listRemotes,
  type ReachedRemote,
  type Remote,
  type SpoolRemote,
  writeRemote,
} from "../remotes.ts";
import { startAtLogin } from "../start-at-login.ts";
import { transportNames, transports, ways } from "../transports.ts";
import { dispatcherCommand } from "../../../system/bundle.ts";
import { randomId } from "../../../system/crypto.ts";
import { hostName } from "../../../system/process/identity.ts";
import { parseArguments } from "../../../console/arguments.ts";
import type { CommandIo } from "../../../console/command-io.ts";
import { endWithoutConsent } from "../../../console/confirm.ts";
import { paint } from "../../../console/output/text.ts";
import { remoteCommands } from "../help.ts";
import { namedAgents, splitNames } from "../../../commands/init/choose-agents.ts";
import {
  type AgentReport,
  exitCodeOf,
  showDiffs,
  showPlans,
  showProblems,
  untriedLines,
} from "../../../commands/init/report.ts";
import { wishesOf } from "../../../commands/pipeline/rule-coverage.ts";
import { nudgeDispatcher } from "../../../commands/pipeline/open-dispatcher.ts";
import { type Mirror, readMirror, speakingOf } from "./mirror.ts";

export async function addRemote(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, remoteCommands["remote add"].flags, 1);
  const isDryRun = values["dry-run"] === true;
  const layout = layoutOf(io.places.stateDir);
  const chosen = chosenRemote(listRemotes(layout), positionals[0], values, io.cwd);
  if (chosen.way === "file")
    return await (await import("./spool.ts")).addSpool(chosen.remote, chosen.isNew, values, io);
  if (chosen.way === "http") return await (await import("./calling.ts")).addCalling(chosen, values, io);
  const { remote, isNew } = chosen;
  const { name } = remote;
  const { signal } = new AbortController();
  const host = await connect(remote, { clock: io.clock, env: io.env, signal });
  try {
    await requireFree(host, remote);
    ensureLayout(layout);
    const mirror = await readMirror(host, name, { layout, nowMs: io.clock.now() });
    const there = speakingOf(io, mirror);
    const targets = chosenAgents(mirror, name, values.agent);
    const context = await installContextOf(io, mirror);
    const reports = targets.map((target): AgentReport => ({ prepared: prepareInstall(context, target) }));
    showPlans(there, reports, isDryRun);
    showDiffs(there, reports, isDryRun);
    const end = await endWithoutConsent(io, values, `Write this on ${name}, and fetch its events?`);
    if (end !== undefined) return isDryRun ? exitCodeOf(reports) : end;

    const madeFolders = isNew ? await missingFolders(host) : remote.madeFolders;
    writeRemote(layout, { ...remote, madeFolders });
    try {
      await putOwner(host, remote);
      await putHook(host, name, fetchedScriptText());
    } catch (error) {
      if (isNew) forgetRemote(layout, name);
      throw error;
    }
    for (const report of reports) {
      if (report.prepared.plan.changes.length > 0)
        report.applied = await install(io, mirror, context, report.prepared.target);
      showProblems(there, report.applied?.problems ?? []);
      for (const { path } of report.applied?.files ?? []) there.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
      if (report.prepared.plan.problems.length > 0) continue;
      const { target } = report.prepared;
      for (const line of [...untriedLines(target), target.hookSetup.nextStep]) io.stdout(`  ${line}\n`);
    }
    const { home, configDir, stateDir } = io.places;
    const atLogin = startAtLogin({
      argv: dispatcherCommand(),
      home,
      configDir,
      stateDir,
      searchPath: io.env.PATH,
      platform: io.platform,
    });
    if (atLogin !== undefined) {
      const why = `so that a graphical login starts the dispatcher; for another login see ${docsUrl("reference/REMOTE.md")}`;
      io.stdout(`${paint(io, "green", "wrote")} ${atLogin}, ${why}\n`);
    }
    io.stdout(`the dispatcher fetches the events of ${name} from now on; see: hookbell remote list\n`);
    nudgeDispatcher(io, layout);
    return exitCodeOf(reports);
  } finally {
    host.end();
  }
}

function chosenRemote(
  known: readonly Remote[],
  given: string | undefined,
  values: { by?: string | undefined; name?: string | undefined },
  cwd: string,
): Chosen {
  if (given === undefined) throw usageError("remote", "which machine?", "hookbell remote add HOST");
  const again = known.find(({ name }) => name === given);
  if (again !== undefined && values.by === undefined && values.name === undefined) return chosenAgain(again);
  const way = ways.find((each) => each === (values.by ?? "ssh"));
  if (way === undefined) {
    throw usageError("remote", `there is no way ${JSON.stringify(values.by)}`, `--by takes ${ways.join(", ")}`);
  }
  const transport = transportNames.find((each) => each === way);
  const target = way === "file" ? resolve(cwd, given) : given;
  if (transport !== undefined) {
    const { isTarget, target: kind } = transports[transport];
    if (!isTarget.test(target)) throw usageError("remote", `${JSON.stringify(target)} is no ${kind}`);
  }
  const name = values.name ?? usualName(target);
  if (way === "file" && values.name === undefined && basename(target) === "spool") {
    throw usageError("remote", "the events of this file need the name of a machine", "choose one: --name NAME");
  }
  if (!isRemoteName(name)) {
    throw usageError(
      "remote",
      `${JSON.stringify(name)} cannot be a remote's name`,
      "choose one of 2 to 64 letters, digits, - and _: --name NAME",
    );
  }
  if (name === hostName()) {
    throw usageError("remote", `${name} is the name of this machine`, "choose another one: --name NAME");
  }
  const same = known.find((each) => each.name === name);
  const isSame = same?.transport === way && (same.transport === "http" || same.target === target);
  if (same !== undefined && !isSame) {
    throw usageError("remote", `${name} is the name of another remote (${same.target})`, "choose one: --name NAME");
  }
  if (same !== undefined) return chosenAgain(same);
  if (way === "file") return { way, remote: { name, transport: way, target, owner: randomId() }, isNew: true };
  if (transport === undefined) return { way: "http", name, before: undefined };
  return { way: "script", remote: { name, transport, target, owner: randomId(), madeFolders: [] }, isNew: true };
}

type Chosen =
  | { way: "script"; remote: ReachedRemote; isNew: boolean }
  | { way: "file"; remote: SpoolRemote; isNew: boolean }
  | { way: "http"; name: string; before: CallingRemote | undefined };

function chosenAgain(remote: Remote): Chosen {
  if (isReached(remote)) return { way: "script", remote, isNew: false };
  if (remote.transport === "file") return { way: "file", remote, isNew: false };
  return { way: "http", name: remote.name, before: remote };
}

/** `me@web1.example.org` is web1.example.org, `shop/web-0` is web-0, and `/mnt/box/ci-events` is ci-events. */
function usualName(target: string): string {
  const name = target.replace(/^.*[@/\\]/, "");
  return name.replaceAll(/[^\w.-]/g, "-").replace(/^[.-]+/, "");
}

async function requireFree(host: Host, remote: ReachedRemote): Promise<void> {
  const owner = await ownerOf(host);
  if (owner !== undefined && owner !== remote.owner) throw followedElsewhere(remote.name);
  if (!(await hasOwnHookbell(host))) return;
  throw new UserError(
    "remote.installed",
    `hookbell itself is installed on ${remote.name}, and notifies you of its agents`,
    {
      hint: "to have its events fetched instead, run hookbell uninstall there, and remove installed.json from its state folder",
    },
  );
}

function chosenAgents({ targets }: Mirror, name: string, named: string[] | undefined): AgentTarget[] {
  if (named !== undefined) return namedAgents(splitNames(named), targets, "init --agent");
  const found = agentsInUse(targets);
  if (found.length > 0) return found;
  throw new UserError("remote.noAgent", `no coding agent was found on ${name}`, {
    hint: `choose one: hookbell remote add ${name} --agent ID (${targets.map(({ id }) => id).join(", ")})`,
  });
}

export async function installContextOf(io: CommandIo, { context }: Mirror): Promise<InstallContext> {
  return { ...context, ...(await wishesOf(io)) };
}

/**
 * Write the record first: a record without a change does no harm, and a change without a record could not be undone
 * exactly.
 */
async function install(
  io: CommandIo,
  mirror: Mirror,
  context: InstallContext,
  target: AgentTarget,
): Promise<AppliedAgent> {
  const { changes } = prepareInstall(context, target).plan;
  const install = (): AppliedAgent => applyInstall(context, prepareInstall(context, target));
  const applied = await withInstallLock(io.places.stateDir, io.clock, install);
  if (applied.problems.length > 0) return applied;
  for (const [index, change] of changes.entries()) {
    const pushed = await mirror.push(change);
    if (pushed.what === "done") continue;
    for (const done of changes.slice(0, index)) await undo(mirror, done);
    applyUninstall(context, prepareUninstall(context, target));
    const message = pushed.what === "changed" ? "it is being changed by another program" : pushed.why;
    const hint = "nothing was changed there; fix that, then run this again";
    return { files: [], problems: [{ path: change.source.path, message, hint, exitCode: exitCodes.cannotWrite }] };
  }
  return applied;
}

async function undo({ push }: Mirror, { source, before, after }: Parameters<Mirror["push"]>[0]): Promise<void> {
  const bytes = after === undefined ? undefined : new TextEncoder().encode(after);
  await push({ source: { ...source, bytes }, before: after, after: before });
}
