// `hookbell import`: turns the settings of another notifier into rules, and takes its hooks out of the agents' settings.
import { resolve } from "node:path";
import { applyRemoval, prepareRemoval } from "../../install/foreign-hooks.ts";
import { withInstallLock } from "../../install/install-lock.ts";
import { type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { exitCodes, UserError, usageError, type ExitCode } from "../../model/errors.ts";
import type { Rule } from "../../rules/rules.ts";
import { suggest } from "../../rules/nearest.ts";
import { statIfThere } from "../../system/files/files.ts";
import { withSecrets } from "../../commands/channels/add/secret-files.ts";
import { openRulesFile, requireGood, writeRulesFile } from "../../commands/channels/rules-file.ts";
import { parseArguments } from "../../console/arguments.ts";
import { askAtTerminal, type Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { endWithoutConsent, refuseForeignHome } from "../../console/confirm.ts";
import { jsonLine, paint } from "../../console/output/text.ts";
import { importCommands } from "./help.ts";
import { exitCodeOf, showWritten, type AgentReport } from "../../commands/init/report.ts";
import { SettingsReader } from "./settings-reader.ts";
import { addToRules, emptyRulesText } from "./add-to-rules.ts";
import { findCodexNotify, removeCodexNotify, type CodexNotify } from "./codex-notify.ts";
import { findHooksOf, keptHooks, ownerOfRemovable, unreadSettings, type Carried, type FoundPeerHook } from "./hooks.ts";
import type { Peer, PeerPlace } from "./peer.ts";
import { peers } from "./peers.ts";
import {
  asJson,
  namesOf,
  showNext,
  showRemovals,
  showRules,
  showWrittenRules,
  type FoundTool,
  type HookPlan,
  type Planned,
} from "./show.ts";

export async function importCommand(
  args: string[],
  io: CommandIo,
  askPerson: Pick<Ask, "confirm"> = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, importCommands.import.flags, peers.length);
  refuseForeignHome(io);
  const { json: isJson = false, "dry-run": isDryRun = false, yes: isYes = false } = values;
  const ask = io.isTerminal && !isYes && !isJson ? askPerson : undefined;
  const path = resolve(io.cwd, values.config ?? io.places.rulesFile);
  const place = { home: io.places.home, env: io.env };
  const targets = listTargets(io.env, io.places.home, io.platform);
  const tools = positionals.length > 0 ? [...new Set(positionals.map(namedPeer))] : peers;
  const seen = tools.map((peer) => ({
    peer,
    hooks: findHooksOf(peer, targets, io.platform),
    notify: findCodexNotify([peer], place),
  }));
  const chosen = positionals.length > 0 ? seen : seen.filter((each) => isInUse(each, place));
  if (chosen.length === 0) throw nothingFound(place);
  const found = chosen.map(({ peer, hooks }) => readPeer(peer, place, hooks));
  const { planned, carried, rules } = await planRules(found, path, io);
  const areKept = values["keep-hooks"] === true;
  const notify = chosen.flatMap((each) => each.notify ?? [])[0];
  const hookPlan = areKept
    ? { reports: [], notify: undefined, kept: [], unread: [] }
    : planHooks(io, targets, chosen, carried, rules);

  if (!isJson) showRules(io, found, planned);
  const isChanged = planned.text !== planned.opened.before;
  let applied: readonly AgentReport[] = hookPlan.reports;
  if (!isDryRun && isChanged) {
    const question = planned.opened.before === undefined ? "Write these rules?" : "Add this to your rules file?";
    const end = await endWithoutConsent(io, values, question, askPerson);
    if (end !== undefined) {
      if (isJson) io.stdout(jsonLine(asJson(found, planned, undefined, hookPlan, notify)));
      return end;
    }
  }
  const written = isDryRun || !isChanged ? undefined : writePlanned(io, planned);
  if (!isJson && written !== undefined) showWrittenRules(io, planned, written.backup);
  if (!isJson) showRemovals(io, hookPlan, isDryRun);
  const hasHooks = hookPlan.reports.length > 0 || hookPlan.notify !== undefined;
  const isWanted =
    hasHooks &&
    !isDryRun &&
    (isYes || (await ask?.confirm(`Remove the hooks of ${namesOf(found)} from these files?`, true)) === true);
  let left = notify;
  if (isWanted) {
    const removed = await removeHooks(io, hookPlan);
    applied = removed.applied;
    if (!isJson) for (const report of applied) showWritten(io, report);
    if (hookPlan.notify !== undefined && removed.backup !== undefined) {
      left = undefined;
      if (!isJson)
        io.stdout(`${paint(io, "green", "wrote")} ${hookPlan.notify.file.path}\n  backup: ${removed.backup}\n`);
    }
  }
  if (isJson) io.stdout(jsonLine(asJson(found, planned, written, { ...hookPlan, reports: applied }, left)));
  else {
    if (left !== undefined) io.stdout(`${left.file.path}: its line "notify" still calls ${left.tool}\n`);
    showNext(io, found, { isDryRun, areHooksLeft: hasHooks && !isWanted });
  }
  const [unread] = hookPlan.unread;
  return unread === undefined ? exitCodeOf(applied) : exitCodes.failed;
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

/** A tool, and what calls it. */
interface Seen {
  peer: Peer;
  hooks: FoundPeerHook[];
  notify: CodexNotify | undefined;
}

function isInUse({ peer, hooks, notify }: Seen, place: PeerPlace): boolean {
  return (
    hooks.some(({ hook }) => hook !== undefined) ||
    notify !== undefined ||
    peer.places(place).some((path) => statIfThere(path) !== undefined)
  );
}

function readPeer(peer: Peer, place: PeerPlace, hooks: readonly FoundPeerHook[]): FoundTool {
  const account = new SettingsReader(peer.name, peer.docs);
  const settings = peer.read(
    place,
    account,
    hooks.flatMap(({ hook }) => hook ?? []),
  );
  return { peer, settings, files: account.files, notCarriedOver: account.close() };
}

async function planRules(
  found: readonly FoundTool[],
  path: string,
  io: CommandIo,
): Promise<{ planned: Planned; carried: Carried[]; rules: Rule[] }> {
  const opened = await openRulesFile(path);
  const planned: Planned = {
    opened,
    text: opened.before ?? emptyRulesText(found.map(({ peer }) => peer.name)),
    secrets: [],
    notes: [],
  };
  const ownRules = new Set(opened.before === undefined ? [] : opened.rules.rules.map(({ name }) => name));
  const carried: Carried[] = [];
  for (const { peer, settings, notCarriedOver } of found) {
    const { text, secrets, names, notes } = await addToRules(planned.text, settings, path, io);
    planned.text = text;
    planned.secrets.push(...secrets);
    planned.notes.push(...notes);
    const unsure = notCarriedOver.flatMap(({ places = [], keepsHooks }) => (keepsHooks ? places : []));
    carried.push({ peer, settings, names, ownRules, unsure });
  }
  const { rules } = await requireGood(planned.text, path);
  return { planned, carried, rules: rules.rules };
}

/** What the rules do may go, and nothing else. */
function planHooks(
  io: CommandIo,
  targets: readonly AgentTarget[],
  chosen: readonly Seen[],
  carried: readonly Carried[],
  rules: readonly Rule[],
): HookPlan {
  const examined = chosen.map(({ peer, hooks, notify }) => ({
    tool: peer.name,
    hooks: notify === undefined ? hooks : [...hooks, notify.found],
  }));
  const kept = examined.flatMap(({ tool, hooks }, index) => {
    const own = carried[index];
    return own === undefined ? [] : keptHooks(hooks, own, rules).map((each) => ({ ...each, tool }));
  });
  const stays = new Set(kept.map(({ key }) => key));
  const mayGo = new Set(examined.flatMap(({ hooks }) => hooks.map(({ key }) => key)).filter((key) => !stays.has(key)));
  const own = chosen.map(({ peer }) => peer);
  const reports = targets
    .map((target) => prepareRemoval(target, io.platform, ownerOfRemovable(own, target.id, mayGo)))
    .filter(({ plan }) => plan.changes.length + plan.problems.length > 0)
    .map((prepared) => ({ prepared, ownerOf: ownerOfRemovable(own, prepared.target.id, mayGo) }));
  const notify = chosen.flatMap((each) => each.notify ?? []).find(({ found }) => mayGo.has(found.key));
  return { reports, notify, kept, unread: unreadSettings(own, targets, io.platform) };
}

async function removeHooks(
  io: CommandIo,
  { reports, notify }: HookPlan,
): Promise<{ applied: AgentReport[]; backup: string | undefined }> {
  const place = { platform: io.platform, nowMs: io.clock.now(), stateDir: io.places.stateDir };
  let applied: AgentReport[] = [];
  let backup: string | undefined;
  await withInstallLock(io.places.stateDir, io.clock, () => {
    applied = reports.map(({ prepared, ownerOf }) => ({ prepared, applied: applyRemoval(prepared, place, ownerOf) }));
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
