// Prints what init wrote, and what the user should know about it.
import { probe } from "../../pipeline/channel/call-channel.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { coverageOf } from "../../install/target/event-coverage.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import { findOwnNotifications } from "../../install/target/managed-settings.ts";
import { typedWord } from "../../model/places/user-shell.ts";
import { printableLine } from "../../model/text.ts";
import { pageServer } from "../../answers/browsers/open-page.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { version } from "../../system/version.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { count, paint } from "../../console/output/text.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";
import type { IsAwaited } from "../pipeline/rule-coverage.ts";
import { type AgentReport, isWritten, type Output, problemsOf, showWritten, untriedLines } from "./report.ts";

export function showInstalled(
  io: Output,
  reports: readonly AgentReport[],
  {
    isDryRun,
    isVerbose,
    isAwaited,
    newRules,
  }: { isDryRun: boolean; isVerbose: boolean; isAwaited: IsAwaited; newRules: string | undefined },
): void {
  const written = reports.filter(isWritten);
  for (const report of reports) {
    showWritten(io, report);
    const { prepared } = report;
    const isPlanned = isDryRun && prepared.plan.changes.length > 0;
    if (!isPlanned && !written.includes(report)) continue;
    const { target } = prepared;
    const details = [
      ...eventLines(prepared, isAwaited),
      ...findOwnNotifications(target),
      ...importLines(target, reports),
    ];
    const lines = [...untriedLines(target), ...(isVerbose ? details : [])];
    if (isPlanned && lines.length > 0) io.stdout(`${target.name}:\n`);
    io.stdout(lines.map((line) => `  ${line}\n`).join(""));
  }
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (written.length > 0) for (const line of refusalLines(reports)) io.stderr(`hookbell: not changed: ${line}\n`);
  if (newRules !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newRules}\n`);
}

/** What only the person can do now: repair the rules file, restart agents and servers, approve hooks. */
export function showDuties(
  io: Output & Pick<CommandIo, "places">,
  reports: readonly AgentReport[],
  { problems, origin }: Pick<CurrentRules, "problems" | "origin">,
): void {
  const agents = reports.filter(isWritten).map(({ prepared }) => prepared.target.hookSetup);
  const server = pageServer(layoutOf(io.places.stateDir));
  const mistakes = count(problems.length, "mistake");
  const duties = [
    ...(problems.length === 0
      ? []
      : [`repair ${io.places.rulesFile} (${mistakes}: hookbell check); until then ${insteadOfBroken[origin]}`]),
    ...agents.flatMap(({ isReloading, nextStep }) => (isReloading === true ? [] : [nextStep])),
    ...(server === undefined || server.version === version
      ? []
      : [`restart \`hookbell serve\` (process ${server.pid}): it is still ${server.version ?? "an older version"}`]),
  ];
  if (duties.length === 0) return;
  const bar = paint(io, "yellow", "|");
  const rows = [paint(io, "bold", "You still have to:"), ...new Set(duties.map((duty) => `- ${printableLine(duty)}`))];
  io.stdout(rows.map((row) => `${bar} ${row}\n`).join(""));
}

/** Every agent with a problem, and its first problem. */
function refusalLines(reports: readonly AgentReport[]): string[] {
  return reports.flatMap((report) => {
    const [first] = problemsOf(report);
    if (first === undefined) return [];
    return [`${report.prepared.target.name} (${printableLine(describeInstallProblem(first))})`];
  });
}

/** Which events have hooks, which do not, and why. */
function eventLines({ target, plan }: AgentReport["prepared"], isAwaited: IsAwaited): string[] {
  const { installed, leftOut, neverSent } = coverageOf(target, plan.events, (name) => isAwaited(target.id, name));
  const { events, ownFiles = [] } = target.hookSetup;
  // The internal names of hookbell's own plug-in mean nothing to the user.
  const named = (names: readonly string[]): string =>
    ownFiles.some(({ eventsIn }) => eventsIn !== undefined)
      ? [...new Set(names.flatMap((name) => events[name]?.mapsTo ?? []))].join(", ")
      : names.join(", ");
  const rest = leftOut.length === 0 ? "" : `; no rule uses ${named(leftOut)} (--all-events adds all)`;
  const never = neverSent.length === 0 ? [] : [`${target.name} does not report ${neverSent.join(", ")}`];
  const silent = installed.filter(
    (name) => events[name]?.mapsTo.every((means) => !isAwaited(target.id, means)) === true,
  );
  const why = Object.entries(uses).flatMap(([means, use]) => {
    const names = named(silent.filter((name) => events[name]?.mapsTo.includes(means) === true));
    return names === "" ? [] : [`${names}: only to know ${use}`];
  });
  return [`events: ${named(installed)}${rest}`, ...why, ...never];
}

/** The use of each event that no rule waits for. */
const uses = {
  Stop: "when a turn ends",
  StopFailure: "when a turn ends",
  PostToolUse: "when a question was answered",
  PostToolUseFailure: "when a question was answered",
  UserPromptSubmit: "when a turn starts",
  SessionStart: "which sessions are subagents",
  SessionEnd: "when a session ends",
  PermissionRequest: "what a question is about",
  PreToolUse: "what a question is about",
};

function importLines({ name, hookSetup }: AgentTarget, reports: readonly AgentReport[]): string[] {
  const others = reports.filter(({ prepared: { target } }) => hookSetup.imports?.includes(target.id) === true);
  return others.map(
    ({ prepared }) => `${name} also runs the hooks of ${prepared.target.name}; each event notifies you once`,
  );
}

export interface Reach {
  ask: Ask | undefined;
  addChannel: () => Promise<unknown>;
  /** None means all. */
  sendTest: (channels: string[]) => Promise<unknown>;
  /** `--rules` has just written the built-in rules to a file. */
  hasNewRules: boolean;
}

/**
 * Says what the built-in rules do and offers a first notification, or a channel if they cannot reach the user. Returns what
 * the person may do next.
 */
export async function showReach(
  io: CommandIo,
  reports: readonly AgentReport[],
  { ask, addChannel, sendTest, hasNewRules }: Reach,
): Promise<string[]> {
  const dispatcher = await viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  const names = reports.filter(isWritten).map(({ prepared }) => prepared.target.id);
  const channels = Object.values(rules.channels);
  const shared = channels.filter(isShared).map(({ name }) => name);
  // Others should not read a test of yours.
  const tested = channels.map(({ name }) => name).filter((name) => !shared.includes(name));
  const which = shared.length === 0 ? [] : tested;
  const tryIt = ["hookbell test", ...which.map((word) => typedWord(word))].join(" ");
  const phone = "add your phone: hookbell channels add";
  const board = "see all sessions: hookbell board";
  const offerTest = async (): Promise<string[]> => {
    if (names.length === 0) return [];
    if (tested.length === 0) return [`try it: hookbell init --verify ${names.join(",")}`];
    const to = shared.length === 0 ? "" : ` to ${which.join(" and ")} (not to ${shared.join(", ")}, which others read)`;
    const isWanted = await ask?.confirm(`Send a first notification${to} now?`, true);
    if (isWanted === true) await sendTest(which);
    return isWanted === true ? [] : [`try it: ${tryIt}`];
  };
  if (origin !== "builtIn" && !hasNewRules) return [...(await offerTest()), board];
  const results = await Promise.all(channels.map((channel) => probe(dispatcher, channel)));
  const working = channels.filter((_, index) => results[index]?.status === "ok").map(({ name }) => name);
  if (working.length > 0) {
    io.stdout(`Questions, finished turns and failures now reach you by ${working.join(" and ")}\n`);
    return [...(await offerTest()), phone, board];
  }
  const problem = "This machine has no notification daemon and no sound player.";
  if (ask === undefined) io.stdout(`${problem}\n`);
  else if ((await ask.confirm(`${problem} Add a channel that reaches you elsewhere?`, true)) === true) {
    await addChannel();
    return [board];
  }
  return [phone, board];
}

/** Whether people other than the user may read the channel. */
function isShared({ channelType, settings }: Channel): boolean {
  const { isShared: answer } = channelType;
  return typeof answer === "function" ? answer(settings) : answer === true;
}
