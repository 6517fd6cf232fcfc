// Prints what init wrote, and what the user should know about it.
import { probe } from "../../pipeline/channel/call-channel.ts";
import type { AgentTarget } from "../../install/target/agent-target.ts";
import { coverageOf } from "../../install/target/event-coverage.ts";
import { describeInstallProblem } from "../../install/problem.ts";
import { findOwnNotifications } from "../../install/target/managed-settings.ts";
import { printableLine, shellWord } from "../../model/text.ts";
import type { Channel } from "../../rules/rules.ts";
import type { Ask } from "../../console/ask.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { paint } from "../../console/output/text.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import type { IsAwaited } from "../pipeline/rule-coverage.ts";
import { type AgentReport, isWritten, type Output, problemsOf, showWritten, untriedLines } from "./report.ts";

export function showInstalled(
  io: Output,
  reports: readonly AgentReport[],
  { isDryRun, isAwaited, newRules }: { isDryRun: boolean; isAwaited: IsAwaited; newRules: string | undefined },
): void {
  const written = reports.filter(isWritten);
  for (const report of reports) {
    showWritten(io, report);
    const { prepared } = report;
    const isPlanned = isDryRun && prepared.plan.changes.length > 0;
    if (isPlanned) io.stdout(`${prepared.target.name}:\n`);
    if (!isPlanned && !written.includes(report)) continue;
    const { target } = prepared;
    const lines = [
      ...untriedLines(target),
      target.hookSetup.nextStep,
      ...findOwnNotifications(target),
      ...importLines(target, reports),
    ];
    io.stdout([...eventLines(prepared, isAwaited), ...lines].map((line) => `  ${line}\n`).join(""));
  }
  if (isDryRun) io.stdout("dry run: nothing was written\n");
  else if (written.length > 0) for (const line of refusalLines(reports)) io.stderr(`hookbell: not changed: ${line}\n`);
  if (newRules !== undefined) io.stdout(`${paint(io, "green", "wrote")} ${newRules}\n`);
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

/** Says what the built-in rules do and offers a first notification, or a channel if they cannot reach the user. */
export async function showReach(
  io: CommandIo,
  reports: readonly AgentReport[],
  { ask, addChannel, sendTest, hasNewRules }: Reach,
): Promise<void> {
  const dispatcher = await viewDispatcher(io);
  const { rules, origin } = dispatcher.rules();
  const names = reports.filter(isWritten).map(({ prepared }) => prepared.target.id);
  const channels = Object.values(rules.channels);
  const shared = channels.filter(isShared).map(({ name }) => name);
  // Others should not read a test of yours.
  const tested = channels.map(({ name }) => name).filter((name) => !shared.includes(name));
  const which = shared.length === 0 ? [] : tested;
  const test = tested.length === 0 ? "" : `${["hookbell test", ...which.map(shellWord)].join(" ")}; `;
  const tryIt = names.length === 0 ? "" : `try it: ${test}hookbell init --verify ${names.join(",")}\n`;
  const offerTest = async (): Promise<void> => {
    const to = shared.length === 0 ? "" : ` to ${which.join(" and ")} (not to ${shared.join(", ")}, which others read)`;
    const isOffered = tryIt !== "" && test !== "";
    const isWanted = isOffered && (await ask?.confirm(`Send a first notification${to} now?`, true));
    if (isWanted === true) await sendTest(which);
    else io.stdout(tryIt);
  };
  if (origin !== "builtIn" && !hasNewRules) return await offerTest();
  const results = await Promise.all(channels.map((channel) => probe(dispatcher, channel)));
  const working = channels.filter((_, index) => results[index]?.status === "ok").map(({ name }) => name);
  if (working.length > 0) {
    const ways = working.join(" and ");
    const change = hasNewRules ? "edit the rules file" : "hookbell init --rules";
    io.stdout(
      `Questions, finished turns and failures now reach you by ${ways}. To change that: ${change}, or hookbell channels add\n`,
    );
    return await offerTest();
  }
  const problem = "This machine has no notification daemon and no sound player.";
  if (ask === undefined) io.stdout(`${problem} Add a channel: hookbell channels add\n`);
  else if ((await ask.confirm(`${problem} Add a channel that reaches you elsewhere?`, true)) === true)
    await addChannel();
}

/** Whether people other than the user may read the channel. */
function isShared({ channelType, settings }: Channel): boolean {
  const { isShared: answer } = channelType;
  return typeof answer === "function" ? answer(settings) : answer === true;
}
