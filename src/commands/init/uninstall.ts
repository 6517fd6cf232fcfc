// `hookbell uninstall`: removes the hooks from the agents' settings. Rules and journal stay.
import { basename, join, normalize, sep } from "node:path";
import { pageServer } from "../../answers/browsers/open-page.ts";
import { type Ask, askAtTerminal } from "../../console/ask.ts";
import type { AgentPlan } from "../../install/settings/file-change.ts";
import { askToEnd } from "../../system/process/run.ts";
import { askToWrite } from "./ask-to-write.ts";
import { removeCommand } from "../../model/places/user-shell.ts";
import { listTargets, type AgentTarget } from "../../install/target/agent-target.ts";
import { findInstallation } from "../../install/installation.ts";
import type { Installation } from "../../install/command/hook-command.ts";
import { emptyHookScript, hookScriptFiles, hookScriptName } from "../../install/hook-script.ts";
import { withInstallLock } from "../../install/install-lock.ts";
import { applyUninstall, forgetSettled, prepareUninstall, type GoneFile } from "../../install/uninstall-agent.ts";
import type { InstallContext } from "../../install/install-agent.ts";
import { UserError, type ExitCode } from "../../model/errors.ts";
import { removeIfThere } from "../../system/files/files.ts";
import { listDeliveries } from "../../outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { printableLine } from "../../model/text.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { parseArguments } from "../../console/arguments.ts";
import { setUpCommands } from "../help/set-up.ts";
import { namedAgents, refuseWords, splitNames } from "./choose-agents.ts";
import { count, jsonLine, paint } from "../../console/output/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { endWithoutConsent, refuseForeignHome } from "../../console/confirm.ts";
import type { InitParts } from "./init.ts";
import {
  exitCodeOf,
  isWritten,
  reportAsJson,
  showDiffs,
  showLinkNotes,
  showProblems,
  showWarnings,
  showWritten,
  type AgentReport,
} from "./report.ts";
import { recordStore } from "../../install/record/record.ts";
import type { InstallRecord } from "../../own-files/install-record.ts";

export async function uninstall(args: string[], io: CommandIo, parts: InitParts = {}): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands.uninstall.flags);
  refuseWords("uninstall", positionals);
  refuseForeignHome(io);
  const { yes: isYes = false, "dry-run": isDryRun = false, json: isJson = false } = values;
  const context: InstallContext = {
    installation: parts.installation ?? installationOrAny(io),
    platform: io.platform,
    nowMs: io.clock.now(),
    store: recordStore(io.places.stateDir),
  };
  const scriptPath = join(io.places.stateDir, hookScriptName(io.platform));
  const here = listTargets(io.env, io.places.home, io.platform);
  const all = [...here, ...targetsElsewhere(here, context.store.read(), io.platform)];
  const named = values.agent === undefined ? here : namedAgents(splitNames(values.agent), here, "uninstall --agent");
  const targets = all.filter(({ id }) => named.some((target) => target.id === id));
  let reports: AgentReport[] = targets.map((target) => ({ prepared: prepareUninstall(context, target) }));
  const changing = reports.filter(({ prepared }) => prepared.plan.changes.length > 0);
  const showChanges = (): void => showDiffs(io, reports, true);
  if (!isJson) {
    for (const { prepared } of reports) {
      showProblems(io, prepared.plan.problems);
      showWarnings(io, prepared.plan.warnings);
      showLinkNotes(io, prepared);
    }
    for (const { prepared } of changing) io.stdout(`${prepared.target.name}: ${removalOf(prepared.plan)}\n`);
    if (isDryRun || values.diff === true) showChanges();
    const isClean = reports.every(({ prepared: { plan } }) => plan.problems.length + plan.warnings.length === 0);
    if (changing.length === 0 && isClean) io.stdout("no hooks of hookbell found; nothing to change\n");
  }

  if (changing.length > 0 && !isDryRun) {
    const question = "Remove these hooks?";
    const { ask = askAtTerminal } = parts;
    const end = await endWithoutConsent(io, values, question, {
      confirm: () => askToWrite(ask, question, showChanges),
    });
    if (end !== undefined) {
      if (isJson) io.stdout(jsonLine(reportAsJson(reports)));
      return end;
    }
  }
  let isScriptRemoved = false;
  let isScriptEmptied = false;
  const remove = (): void => {
    reports = reports.map((report) =>
      changing.includes(report) ? { ...report, applied: applyUninstall(context, report.prepared) } : report,
    );
    const gone = targets.flatMap((target) => forgetSettled(context, target));
    if (!isJson) showGone(io, gone);
    if ((isYes || changing.length > 0) && isScriptUnused(context, all)) {
      isScriptEmptied = toRestart(reports).length > 0 && emptyHookScript(scriptPath);
      isScriptRemoved = !isScriptEmptied && hookScriptFiles(scriptPath).map(removeIfThere).includes(true);
    }
  };
  const isNoted = context.store.read().files.length > 0;
  if (!isDryRun && (changing.length > 0 || isNoted)) await withInstallLock(io.places.stateDir, io.clock, remove);
  else if (!isDryRun) remove();
  if (isJson) io.stdout(jsonLine(reportAsJson(reports, undefined, restartOf)));
  else {
    if (isScriptRemoved) io.stdout(`${paint(io, "green", "removed")} ${scriptPath}\n`);
    for (const report of reports) showWritten(io, report);
    if (isDryRun) io.stdout("dry run: nothing was written\n");
    else showWaiting(io);
    const names = toRestart(reports);
    if (names.length > 0) {
      io.stdout(`if they are running, restart ${names.join(", ")}: until then they call the hooks that were removed\n`);
      if (isScriptEmptied) io.stdout(`${scriptPath} now does nothing, so that those calls do not fail\n`);
    }
    if (!isDryRun && values.agent === undefined) await endServer(io, isYes ? undefined : (parts.ask ?? askAtTerminal));
    if (!isDryRun && reports.some(isWritten)) showKept(io, names);
  }
  // An agent without hooks does not count as a success.
  return exitCodeOf(
    reports.filter(({ prepared }) => prepared.plan.changes.length > 0 || prepared.plan.problems.length > 0),
  );
}

/** What is done to each file, in a line. */
function removalOf({ changes }: AgentPlan): string {
  const parts = changes.map(({ source, after }) => {
    const name = basename(source.path);
    if (source.kind === "own") return `removes ${name}, which is hookbell's own`;
    return after === undefined ? `removes ${name}, which has nothing else` : `removes its hooks from ${name}`;
  });
  return parts.join("; ");
}

/** A server of the page goes on without hooks, and would look alive. */
async function endServer(io: CommandIo, ask: Pick<Ask, "confirm"> | undefined): Promise<void> {
  const server = pageServer(layoutOf(io.places.stateDir));
  if (server === undefined) return;
  const what = `\`hookbell serve\` still runs (process ${server.pid}, ${printableLine(server.origin)})`;
  if (io.isTerminal && ask !== undefined && (await ask.confirm(`${what}. End it?`, true)) === true)
    askToEnd(server.pid);
  else io.stdout(`${what}; to end it: ${io.platform === "win32" ? "taskkill /F /PID" : "kill"} ${server.pid}\n`);
}

/** Files that init wrote and that no longer exist. */
function showGone(io: CommandIo, gone: readonly GoneFile[]): void {
  for (const { path, backup } of gone) {
    const before = backup === undefined ? "" : `; its content before init: ${backup}`;
    io.stdout(`${path} no longer exists, so its record was removed${before}\n`);
  }
}

/** Hooks that stay, or cannot be read, may still call it. */
function isScriptUnused(context: InstallContext, all: readonly AgentTarget[]): boolean {
  return all.every((target) => {
    const { plan } = prepareUninstall(context, target);
    return plan.changes.length + plan.problems.length + plan.events.length === 0;
  });
}

/** Agents that go on calling the hooks that were removed. */
function toRestart(reports: readonly AgentReport[]): string[] {
  const written = reports.filter(isWritten).map(({ prepared }) => prepared.target);
  return [...new Set(written.flatMap(({ name, hookSetup }) => (hookSetup.isReloading === true ? [] : [name])))];
}

function restartOf({ name, hookSetup }: AgentTarget): string | undefined {
  return hookSetup.isReloading === true ? undefined : `restart ${name}`;
}

/** Uninstall must work from anywhere, even from a cache or an incomplete copy. */
function installationOrAny(io: CommandIo): Installation {
  try {
    return findInstallation(io.env, io.places.home, io.platform);
  } catch (error) {
    if (error instanceof UserError) return { nodePath: "", hookPath: "" };
    throw error;
  }
}

function showKept(
  { places: { configDir, stateDir }, platform, stdout }: CommandIo,
  restarted: readonly string[],
): void {
  const after = restarted.length === 0 ? "" : `after restarting ${restarted.join(", ")}, `;
  stdout(
    `kept: your rules and credentials in ${configDir}; the journal, rejected payloads, sessions, paired devices and usage figures in ${stateDir}\n` +
      `${after}to delete all of it: ${removeCommand([configDir, stateDir], platform)}\n`,
  );
}

/** Messages accepted before are still delivered, or wait for a dispatcher. */
function showWaiting({ places, stdout }: CommandIo): void {
  const layout = layoutOf(places.stateDir);
  const waiting = listIncoming(layout).length + listDeliveries(layout, "outbox").length;
  if (waiting === 0) return;
  stdout(
    `${count(waiting, "message")} not delivered yet. Without hooks nothing starts a dispatcher; send them now: hookbell dispatch --until-idle\n`,
  );
}

/** A variable such as `CODEX_HOME` has changed since. */
function targetsElsewhere(
  targets: readonly AgentTarget[],
  record: InstallRecord,
  platform: NodeJS.Platform,
): AgentTarget[] {
  return targets.flatMap((target) => {
    if (target.hookSetup.folders.every(({ moved }) => moved === undefined)) return [];
    const noted = record.files.filter(({ agent }) => agent === target.id);
    const folders = new Set(noted.flatMap(({ path }) => folderOf(path, target, platform) ?? []));
    folders.delete(target.folder);
    return [...folders].map((folder) => ({ ...target, folder, sign: folder }));
  });
}

function folderOf(path: string, { hookSetup }: AgentTarget, platform: NodeJS.Platform): string | undefined {
  const { files, ownFiles = [] } = hookSetup;
  const names = [...files.map(({ name }) => name), ...ownFiles.map((file) => file.name(platform))];
  // Longest first, since `hooks/hooks.json` ends with `hooks.json`.
  const ends = names.map((name) => sep + normalize(name)).sort((a, b) => b.length - a.length);
  const end = ends.find((each) => path.endsWith(each));
  return end === undefined ? undefined : path.slice(0, -end.length);
}
