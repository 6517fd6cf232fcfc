// `doctor`: checks whether the agents' hooks are as `init` writes them, and whether they work.
import { join } from "node:path";
import { getNodeValue } from "jsonc-parser";
import type { SeenEvent } from "../../policies/duplicates.ts";
import { agentsInUse, type AgentTarget, listTargets } from "../../install/target/agent-target.ts";
import { findChangedFilesOf } from "../../install/changed-own-files.ts";
import type { Installation } from "../../install/command/hook-command.ts";
import { findInstallation } from "../../install/installation.ts";
import { hasScriptText, isScriptCurrent, lackOfScript } from "../../install/hook-script.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import { prepareInstall, hookOwners, type InstallContext } from "../../install/install-agent.ts";
import { type Layout, layoutOf } from "../../outbox/layout.ts";
import { changedByAnother, findChangedScripts, judgeScripts } from "../../own-files/changed-files.ts";
import { listSessions, type SessionRecord } from "../../outbox/sessions.ts";
import { docsUrl, UserError } from "../../model/errors.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { knownEventNames } from "../../model/event.ts";
import {
  findAgentsWithHooks,
  findUncoveredQuestions,
  findUncoveredRules,
  type UncoveredRule,
  wishesOf,
} from "../pipeline/rule-coverage.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { broken, type Finding, ok, warning } from "../../console/output/finding.ts";
import { verifyAgents } from "../init/verify-agents.ts";
import { findingsOf } from "../init/verify-report.ts";
import { calledFile, findInstalledCalls } from "../../install/verify/installed-calls.ts";
import { inspectSource } from "../../install/settings/file-change.ts";
import type { OwnerOfHook } from "../../install/settings/find-hooks.ts";
import { fileRecordOf, recordStore } from "../../install/record/record.ts";
import type { InstallRecord } from "../../own-files/install-record.ts";
import { findQuestionTimeout, readApprovals } from "../../install/target/managed-settings.ts";
import { readSettings } from "../../install/target/read-settings.ts";
import { itemsOf } from "../../jsonc/nodes.ts";
import { sha256 } from "../../system/crypto.ts";
import { statIfThere } from "../../system/files/files.ts";
import type { Environment } from "../../system/environment.ts";
import { ownPackageFolder } from "../../system/package.ts";

export async function examineAgents(io: CommandIo, wings: readonly Wing[]): Promise<Finding[]> {
  const { home, stateDir } = io.places;
  const targets = examinedAgents(io);
  const { current: _, rules, holdForMs, ...wishes } = await wishesOf(io);
  if (targets.length === 0) {
    for (const { bringsEvents } of wings) if (await bringsEvents?.(io)) return [];
    return [warning("no coding agent was found", "hookbell init --agent ID")];
  }
  try {
    const context: InstallContext = {
      ...wishes,
      installation: findInstallation(io.env, home, io.platform),
      platform: io.platform,
      nowMs: io.clock.now(),
      store: recordStore(stateDir),
    };
    // A general rule about failures is fine, even if none of the user's agents reports any.
    const isSpecific = ({ rule, events }: UncoveredRule): boolean =>
      events.every((event) => !knownEventNames.some((known) => known === event)) ||
      rules.some(({ name, when }) => name === rule && when.some(({ field }) => field === "agent"));
    const never = findUncoveredRules(rules, io).filter((each) => !each.isPossible && isSpecific(each));
    const layout = layoutOf(stateDir);
    const sessions = listSessions(layout);
    const findings = targets.flatMap((target) => [
      ...examine(context, target, layout, lastEventOfPlugIn(target, sessions), { env: io.env, home }),
      ...twoSetups(target, sessions),
      ...unapproved(context, target, sessions),
      ...endsTooEarly(target, holdForMs),
      ...findUncoveredQuestions(rules, [target]).map(({ text, fix }) => warning(text, initOf(target), fix)),
    ]);
    return [
      ...findings,
      ...never.map(({ rule, hint }) =>
        warning(`the rule ${JSON.stringify(rule)} ${hint}`, "hookbell check", whatIsSent),
      ),
    ];
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return [broken(error.message, "hookbell init", error.hint)];
  }
}

/** Those in use here. One that was never tried is examined only if it has, or had, hooks of hookbell's. */
function examinedAgents(io: CommandIo): AgentTarget[] {
  const { home, stateDir } = io.places;
  const hooked = findAgentsWithHooks(io).map(({ target }) => target.id);
  const recorded = recordStore(stateDir)
    .read()
    .files.flatMap(({ agent }) => agent ?? []);
  return agentsInUse(listTargets(io.env, home, io.platform), [...hooked, ...recorded]);
}

const recentOf = ({ id }: AgentTarget, sessions: readonly SessionRecord[]): SeenEvent[] =>
  sessions.flatMap(({ agent, recent = [] }) => (agent === id ? recent : []));

/** For each way by which the event came, whether it was the plug-in's (`--by plugin`). */
const arePlugIns = ({ ways }: SeenEvent): boolean[] => Object.keys(ways).map((way) => way.includes(" by plugin:"));

/** One event may come both from a plug-in and from the settings. */
function twoSetups(target: AgentTarget, sessions: readonly SessionRecord[]): Finding[] {
  const isTwice = recentOf(target, sessions).some((seen) => new Set(arePlugIns(seen)).size > 1);
  if (!isTwice) return [];
  const text = `${target.name}: its plug-in and its settings both call hookbell; each event is delivered once`;
  return [warning(text, `hookbell uninstall --agent ${target.id}`, "remove the plug-in, or:")];
}

/** When the agent's newest event came, in milliseconds since the epoch, if it came from a plug-in. */
function lastEventOfPlugIn(target: AgentTarget, sessions: readonly SessionRecord[]): number | undefined {
  const [newest] = recentOf(target, sessions).toSorted((a, b) => b.at - a.at);
  return newest !== undefined && arePlugIns(newest).includes(true) ? newest.at : undefined;
}

/** An agent that skips hooks until the user approves them says nothing of it. */
function unapproved(context: InstallContext, target: AgentTarget, sessions: readonly SessionRecord[]): Finding[] {
  const { hookSetup, id, name } = target;
  const approvals = readApprovals(target);
  if (approvals === undefined || hookSetup.approvals === undefined) return [];
  const { keyOf, textOf, recordOf } = hookSetup.approvals;
  const found = readSettings(target, context.platform).files.flatMap(({ source }) => {
    if (source.kind !== "hooks") return [];
    const inspection = inspectSource(source, hookOwners(context));
    if ("problems" in inspection) return [];
    // Its hooks have been called since they were written, so one without a record is approved in some other way.
    const writtenAt = statIfThere(source.path)?.mtimeMs ?? 0;
    const wasCalled = sessions.some(({ agent, lastSeenAt }) => agent === id && lastSeenAt > writtenAt);
    return inspection.inspected.hooks.flatMap((hook): { event: string; is: "missing" | "approved" | "changed" }[] => {
      if (hook.owner !== "own") return [];
      const { event, group, eventArray, groupHooks } = hook;
      const at = { group: itemsOf(eventArray).indexOf(group), handler: itemsOf(groupHooks).indexOf(hook.handler) };
      const record = approvals[keyOf({ file: source.path, event, ...at })];
      if (record === undefined) return wasCalled ? [] : [{ event, is: "missing" }];
      const { matcher } = getNodeValue(group) as Record<string, unknown>;
      const handler = getNodeValue(hook.handler) as Record<string, unknown>;
      const wanted = Object.entries(recordOf(sha256(textOf({ event, matcher, handler }))));
      const isSame = wanted.every(([key, value]) => (record as Record<string, unknown>)[key] === value);
      return [{ event, is: isSame ? "approved" : "changed" }];
    });
  });
  const eventsThat = (what: "missing" | "changed"): string =>
    found.flatMap(({ event, is }) => (is === what ? [event] : [])).join(", ");
  const fix = `${hookSetup.nextStep}. Then:`;
  const missing = eventsThat("missing");
  // A release that makes the record in another way would seem to have none of them approved.
  const changed = found.some(({ is }) => is === "approved") ? eventsThat("changed") : "";
  return [
    [missing, `${name} has no record that you approved these hooks, and skips them without a word: ${missing}`],
    [changed, `${name} skips these hooks without a word, since they are not as you approved them: ${changed}`],
  ].flatMap(([events, text = ""]) => (events === "" ? [] : [warning(text, "hookbell doctor", fix)]));
}

/** The agent may end a question while a hook still waits for its answer. */
function endsTooEarly(target: AgentTarget, holdForMs: number | undefined): Finding[] {
  const timeout = findQuestionTimeout(target);
  if (timeout === undefined || holdForMs === undefined || timeout.ms >= holdForMs) return [];
  const [ends, waits] = [formatDuration(timeout.ms), formatDuration(holdForMs)];
  const text = `${target.name} ends its questions after ${ends}, before an answer from elsewhere is late ("holdFor": ${waits})`;
  return [warning(text, "hookbell check", `raise "${timeout.setting}" in ${timeout.path}, or lower "holdFor":`)];
}

function initOf({ id }: AgentTarget): string {
  return `hookbell init --agent ${id}`;
}

function examine(
  context: InstallContext,
  target: AgentTarget,
  layout: Layout,
  plugInAtMs: number | undefined,
  places: { env: Environment; home: string },
): Finding[] {
  const { plan } = prepareInstall(context, target);
  const { name } = target;
  const command = initOf(target);
  const changed = findChangedFilesOf(layout, target, context.platform);
  const problems = plan.problems.map((each) => broken(`${name}: ${describeInstallProblem(each)}`, command, each.hint));
  const warnings = plan.warnings
    .filter((each) => !changed.some(({ path }) => each.startsWith(`${path}: `)))
    .map((each) => warning(`${name}: ${each}`, command));
  const findings = [
    ...problems,
    ...warnings,
    ...changed.map((file) => {
      const text = `${name}: ${file.path} was ${changedByAnother(file, context.nowMs)}; ${itsEffect}`;
      return warning(text, command, "look at what is in it, and delete it unless the change is yours; then:");
    }),
  ];
  if (problems.length > 0) return findings;
  const { scriptPath } = context.installation;
  // Some hooks may be missing or outdated; the others call the script.
  const hasSomeHooks = plan.missing.length < plan.events.length;
  const lack = hasSomeHooks ? lackOfScript(context.installation) : undefined;
  if (lack !== undefined) findings.push(broken(`${name}: its hooks call ${scriptPath}, ${lack}`, command));
  const changedScripts = hasSomeHooks && scriptPath !== undefined ? findChangedScripts(layout) : [];
  for (const script of changedScripts) {
    const text = `${name}: its hooks call ${script.path}, which was ${changedByAnother(script, context.nowMs)}; ${itsEffect}`;
    findings.push(broken(text, command, "look at what is in it; this writes it anew:"));
  }
  if (lack !== undefined || changedScripts.length > 0) {
    if (plan.changes.length === 0) return findings;
  } else if (!isScriptCurrent(context.installation) && plan.changes.length === 0) {
    const text = `${name}: its hooks call ${scriptPath}, ${describeOldScript(layout, context.installation)}`;
    return [...findings, warning(text, command)];
  }
  if (plan.changes.length === 0) return [...findings, ok(`${name}: its hooks call this hookbell`)];
  const gone = findLostHooks(target, context.platform, context.store.read(), hookOwners(context));
  const lost = gone.map(({ path, isFileGone, events }) => {
    const hooks = `the hooks that init wrote for ${events.join(", ")}`;
    return isFileGone
      ? `${path} is missing, with ${hooks}`
      : `${path} no longer contains ${hooks}: the agent or another program rewrote it`;
  });
  if (!hasSomeHooks && lost.length === 0) return [...findings, findingWithoutHooks(context, target, plugInAtMs)];
  const outdated =
    plan.missing.length > 0 && hasSomeHooks
      ? `rules wait for events that no hook sends: ${plan.missing.join(", ")}`
      : "its hooks are out of date";
  const elsewhere = callsElsewhere(context, target, places);
  if (elsewhere.length === 0) return [...findings, warning(`${name}: ${lost.join("; ") || outdated}`, command)];
  const texts = [...lost, ...elsewhere].map((text) => `${name}: ${text}`);
  const fix = "look at what is in it; this has the hooks call this hookbell:";
  return [...findings, ...texts.map((text) => warning(text, command, fix))];
}

/** A file with the name of hookbell's hook that no init has written down may be another program's. */
function callsElsewhere(
  { installation, platform, store }: InstallContext,
  target: AgentTarget,
  { env, home }: { env: Environment; home: string },
): string[] {
  const { hookPaths } = store.read();
  const known = [installation.scriptPath, installation.hookPath, ...hookPaths];
  const { calls } = findInstalledCalls(target, platform, hookOwners({ installation, store }), env);
  const others = calls.flatMap((call) => {
    const file = calledFile(call, home);
    return file === undefined || known.includes(file) ? [] : [{ ...call, file }];
  });
  return [...new Set(others.map(({ path, file }) => `${path} calls ${file}, which this hookbell has not written`))];
}

/** Said of a file that another program has changed. */
const itsEffect = "its questions are told without buttons";

/** A script that hookbell has written, and would not write so now. */
function describeOldScript(layout: Layout, installation: Installation): string {
  const judgements = judgeScripts(layout).map(({ judgement }) => judgement);
  if (judgements.includes("older")) return "which is of an older version of hookbell";
  if (judgements.includes("other")) return "which is of another version of hookbell";
  return hasScriptText(installation) ? "whose permissions are not 700" : "which is out of date";
}

/** A plug-in needs no hooks in the settings. */
function findingWithoutHooks({ nowMs }: InstallContext, target: AgentTarget, plugInAtMs: number | undefined): Finding {
  const { name } = target;
  if (plugInAtMs !== undefined) {
    const ago = formatDuration(Math.max(0, nowMs - plugInAtMs));
    return ok(`${name}: its plug-in calls hookbell; the last event came ${ago} ago`);
  }
  const isPlugIn = statIfThere(join(ownPackageFolder(), "package.json")) === undefined;
  if (!isPlugIn) return warning(`${name}: its hooks are missing`, initOf(target));
  const text = `${name}: no event of a plug-in has come, and its settings call no hookbell`;
  return warning(text, initOf(target), "if you have installed its plug-in, restart it; otherwise:");
}

/** Runs every installed hook as its agent would, without sending notifications. */
export async function tryHooks(io: CommandIo): Promise<Finding[]> {
  const { home, stateDir } = io.places;
  const found = examinedAgents(io);
  try {
    const installation = findInstallation(io.env, home, io.platform);
    const verified = await verifyAgents(io, found, { installation, isDelivering: false }, recordStore(stateDir));
    return verified.flatMap(findingsOf);
  } catch (error) {
    // examineAgents reports it.
    if (error instanceof UserError) return [];
    throw error;
  }
}

const whatIsSent = `${docsUrl("reference/AGENTS.md")} lists what each agent sends; change the rule, then:`;

function findLostHooks(
  target: AgentTarget,
  platform: NodeJS.Platform,
  record: InstallRecord,
  ownerOf: OwnerOfHook,
): { path: string; isFileGone: boolean; events: string[] }[] {
  return readSettings(target, platform).files.flatMap(({ source }) => {
    const { addedEvents = [] } = fileRecordOf(record, source.path) ?? {};
    if (source.kind !== "hooks" || addedEvents.length === 0) return [];
    const reading = inspectSource(source, ownerOf);
    if (!("inspected" in reading)) return [];
    const there = reading.inspected.hooks.flatMap(({ owner, event }) => (owner === "foreign" ? [] : [event]));
    const events = addedEvents.filter((event) => !there.includes(event));
    return events.length === 0 ? [] : [{ path: source.path, isFileGone: source.bytes === undefined, events }];
  });
}
