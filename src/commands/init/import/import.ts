// `hookbell import`: turns the settings of another notifier into rules, and takes its hooks out of the agents' settings.
import { resolve } from "node:path";
import { exitCodes, UserError, usageError, type ExitCode } from "../../../model/errors.ts";
import { applyRemoval, prepareRemoval } from "../../../install/foreign-hooks.ts";
import { withInstallLock } from "../../../install/install-lock.ts";
import type { OwnerOfHook } from "../../../install/settings/find-hooks.ts";
import { listTargets } from "../../../install/target/agent-target.ts";
import { maskSecrets } from "../../../rules/mask-secrets.ts";
import { suggest } from "../../../rules/nearest.ts";
import { statIfThere } from "../../../system/files/files.ts";
import { withSecrets } from "../../channels/add/secret-files.ts";
import { openRulesFile, requireGood, writeRulesFile, type OpenedRules } from "../../channels/rules-file.ts";
import { parseArguments } from "../../console/arguments.ts";
import { askAtTerminal, type Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { endWithoutConsent, refuseForeignHome } from "../../console/confirm.ts";
import { showDiff } from "../../console/show-diff.ts";
import { jsonLine, paint } from "../../console/text.ts";
import { setUpCommands } from "../../help/set-up.ts";
import { findWiredAgents } from "../../pipeline/rule-coverage.ts";
import { exitCodeOf, reportAsJson, showDiffs, showProblems, showWritten, type AgentReport } from "../report.ts";
import { addToRules, emptyRulesText, type Edited } from "./add-to-rules.ts";
import { findCodexNotify, removeCodexNotify, type CodexNotify } from "./codex-notify.ts";
import { runsPeer, type ImportedSettings, type Peer, type PeerPlace } from "./peer.ts";
import { peers } from "./peers.ts";

interface Found {
  peer: Peer;
  settings: ImportedSettings;
}

/** The rules as they will be, with what is said about them. */
interface Planned extends Edited {
  opened: OpenedRules;
}

export async function importCommand(
  args: string[],
  io: CommandIo,
  askPerson: Pick<Ask, "confirm"> = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands.import.flags, peers.length);
  refuseForeignHome(io);
  const { json: isJson = false, "dry-run": isDryRun = false, yes: isYes = false } = values;
  const ask = io.isTerminal && !isYes && !isJson ? askPerson : undefined;
  const path = resolve(io.cwd, values.config ?? io.places.rulesFile);
  const place = { home: io.places.home, env: io.env };
  const named = positionals.map(namedPeer);
  const chosen = named.length > 0 ? named : peers.filter((peer) => isInUse(peer, place, io));
  if (chosen.length === 0) throw nothingFound(place);
  const found = chosen.map((peer) => ({ peer, settings: readPeer(peer, place) }));
  const notify = findCodexNotify(chosen, place);
  const areKept = values["keep-hooks"] === true;
  const reports = areKept ? [] : preparedRemovals(io, chosen);

  const planned = await planRules(found, path, io);
  if (!isJson) showRules(io, found, planned);
  const isChanged = planned.text !== planned.opened.before;
  let applied = reports;
  if (!isDryRun && isChanged) {
    const question = planned.opened.before === undefined ? "Write these rules?" : "Add this to your rules file?";
    const end = await endWithoutConsent(io, values, question, askPerson);
    if (end !== undefined) {
      if (isJson) io.stdout(jsonLine(asJson(found, planned, undefined, reports, notify)));
      return end;
    }
  }
  const written = isDryRun || !isChanged ? undefined : writePlanned(io, planned);
  if (!isJson && written !== undefined) showWrittenRules(io, planned, written.backup);
  if (!isJson) showRemovals(io, reports, areKept ? undefined : notify, isDryRun);
  const hasHooks = reports.length > 0 || (notify !== undefined && !areKept);
  const isWanted =
    hasHooks &&
    !isDryRun &&
    (isYes || (await ask?.confirm(`Remove the hooks of ${namesOf(found)} from these files?`, true)) === true);
  let left = notify;
  if (isWanted) {
    const removed = await removeHooks(io, reports, notify, chosen);
    applied = removed.applied;
    if (!isJson) for (const report of applied) showWritten(io, report);
    if (notify !== undefined && removed.backup !== undefined) {
      left = undefined;
      if (!isJson) io.stdout(`${paint(io, "green", "wrote")} ${notify.file.path}\n  backup: ${removed.backup}\n`);
    }
  }
  if (isJson) io.stdout(jsonLine(asJson(found, planned, written, applied, left)));
  else {
    if (left !== undefined) io.stdout(`${left.file.path}: its line "notify" still calls ${left.tool}\n`);
    showNext(io, found, { isDryRun, areHooksLeft: hasHooks && !isWanted });
  }
  return exitCodeOf(applied);
}

function namedPeer(name: string): Peer {
  const ids = peers.map(({ id }) => id);
  const peer = peers.find(({ id }) => id === name.toLowerCase());
  if (peer === undefined) {
    throw usageError("import", `cannot import from ${JSON.stringify(name)}`, suggest(name, ids, "it reads"));
  }
  return peer;
}

function nothingFound(place: PeerPlace): UserError {
  const places = peers.map((peer) => `${peer.name}: ${peer.places(place)[0]}`);
  return new UserError("import.nothing", "found no settings and no hooks of another notifier", {
    hint: `it looks for ${places.join(", ")}, and for their hooks in the settings of your agents`,
  });
}

function isInUse(peer: Peer, place: PeerPlace, io: CommandIo): boolean {
  return (
    peer.places(place).some((path) => statIfThere(path) !== undefined) ||
    preparedRemovals(io, [peer]).length > 0 ||
    findCodexNotify([peer], place) !== undefined
  );
}

function readPeer(peer: Peer, place: PeerPlace): ImportedSettings {
  try {
    return peer.read(place);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new UserError("import.unreadable", `the settings of ${peer.name} are not JSON: ${error.message}`, {
      hint: `${peer.places(place)[0]}; its format: ${peer.docs}`,
      exitCode: exitCodes.badInput,
    });
  }
}

async function planRules(found: readonly Found[], path: string, io: CommandIo): Promise<Planned> {
  const opened = await openRulesFile(path);
  const planned: Planned = {
    opened,
    text: opened.before ?? emptyRulesText(found.map(({ peer }) => peer.name)),
    secrets: [],
    notes: [],
  };
  for (const { settings } of found) {
    const { text, secrets, notes } = await addToRules(planned.text, settings, path, io);
    planned.text = text;
    planned.secrets.push(...secrets);
    planned.notes.push(...notes);
  }
  await requireGood(planned.text, path);
  return planned;
}

function preparedRemovals(io: CommandIo, chosen: readonly Peer[]): AgentReport[] {
  const ownerOf = ownerAmong(chosen);
  return listTargets(io.env, io.places.home, io.platform)
    .map((target) => ({ prepared: prepareRemoval(target, io.platform, ownerOf) }))
    .filter(({ prepared }) => prepared.plan.changes.length + prepared.plan.problems.length > 0);
}

function ownerAmong(chosen: readonly Peer[]): OwnerOfHook {
  return (command, args) => (chosen.some((peer) => runsPeer(peer, command, args)) ? "own" : "foreign");
}

async function removeHooks(
  io: CommandIo,
  reports: readonly AgentReport[],
  notify: CodexNotify | undefined,
  chosen: readonly Peer[],
): Promise<{ applied: AgentReport[]; backup: string | undefined }> {
  const ownerOf = ownerAmong(chosen);
  const place = { platform: io.platform, nowMs: io.clock.now(), stateDir: io.places.stateDir };
  let applied: AgentReport[] = [];
  let backup: string | undefined;
  await withInstallLock(io.places.stateDir, io.clock, () => {
    applied = reports.map(({ prepared }) => ({ prepared, applied: applyRemoval(prepared, place, ownerOf) }));
    backup = notify && removeCodexNotify(notify, place);
  });
  return { applied, backup };
}

/** Throws if another program changed the file since it was read. */
function writePlanned(io: CommandIo, { opened, secrets, text }: Planned): { backup: string | undefined } {
  // Write secrets first: the dispatcher must never read about a missing file.
  const written = withSecrets(secrets, () => writeRulesFile(opened, text, io));
  if (written !== undefined) return written;
  throw new UserError("rules.unwritable", `another program changed ${opened.file.path} meanwhile`, {
    hint: "nothing was written; run this again",
    exitCode: exitCodes.cannotWrite,
  });
}

function namesOf(found: readonly Found[]): string {
  return found.map(({ peer }) => peer.name).join(", ");
}

function showRules(io: CommandIo, found: readonly Found[], { opened, text, secrets, notes }: Planned): void {
  for (const { peer, settings } of found) {
    const { files, notCarriedOver } = settings;
    const read = files.filter((path) => statIfThere(path) !== undefined);
    io.stdout(`${paint(io, "bold", peer.name)}: ${read.length === 0 ? "its usual settings" : read.join(", ")}\n`);
    for (const each of notCarriedOver) io.stdout(`  ${paint(io, "yellow", "not carried over:")} ${each}\n`);
  }
  if (text === opened.before) io.stdout(`${opened.file.path} does the same already\n`);
  else showDiff(io, opened.file.path, opened.before && maskSecrets(opened.before), maskSecrets(text), true);
  for (const note of notes) io.stdout(`${note}\n`);
  for (const { path } of secrets) io.stdout(`a secret, stored in ${path}, which only you can read\n`);
}

function showWrittenRules(io: CommandIo, { opened, secrets }: Planned, backup: string | undefined): void {
  for (const { path } of secrets) io.stdout(`${paint(io, "green", "wrote")} ${path}\n`);
  const old = backup === undefined ? "" : `\n  backup: ${backup}`;
  io.stdout(`${paint(io, "green", "wrote")} ${opened.file.path}${old}\n`);
}

function showRemovals(
  io: CommandIo,
  reports: readonly AgentReport[],
  notify: CodexNotify | undefined,
  isDryRun: boolean,
): void {
  for (const { prepared } of reports) showProblems(io, prepared.plan.problems);
  showDiffs(io, reports, isDryRun);
  if (notify !== undefined) showDiff(io, notify.file.path, notify.before, notify.after, isDryRun);
}

function showNext(
  io: CommandIo,
  found: readonly Found[],
  { isDryRun, areHooksLeft }: { isDryRun: boolean; areHooksLeft: boolean },
): void {
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (areHooksLeft) io.stdout(`the hooks of ${namesOf(found)} stay: you will be notified twice\n`);
  const isWired = findWiredAgents(io).length > 0;
  io.stdout(isWired ? "try it: hookbell test\n" : "next: hookbell init adds hookbell's hooks to your agents\n");
}

function asJson(
  found: readonly Found[],
  { opened, text, notes, secrets }: Planned,
  written: { backup: string | undefined } | undefined,
  reports: readonly AgentReport[],
  notify: CodexNotify | undefined,
): object {
  return {
    tools: found.map(({ peer, settings: { files, notCarriedOver } }) => ({ id: peer.id, files, notCarriedOver })),
    rules: {
      path: opened.file.path,
      outcome: written !== undefined ? "written" : text === opened.before ? "unchanged" : "planned",
      text: maskSecrets(text),
      secretFiles: secrets.map(({ path }) => path),
      notes,
      backup: written?.backup,
    },
    ...(reportAsJson(reports, undefined, () => undefined) as object),
    stillCalled: notify === undefined ? [] : [{ path: notify.file.path, tool: notify.tool }],
  };
}
