// `hookbell status`: prints who needs the person, what failed, and the state of the queue. Writes nothing.
import { removeCommand } from "../../model/places/user-shell.ts";
import { isAbsolute } from "node:path";
import { type CurrentRules, lastGoodPath, readRules } from "../../pipeline/current-rules.ts";
import { goodFile, mutesOf, readProjectFile } from "../../rules/project-file.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { sessionNameOf, withSessionName } from "../../sessions/names.ts";
import { printable, printableLine } from "../../model/text.ts";
import { describeFull, fullMachines, openQuestions, questionsFolder } from "../../answers/questions.ts";
import { agentName } from "../../agents/index.ts";
import {
  ageOf,
  failedSessions,
  type FailedSession,
  sessionLine,
  type WaitingSession,
  waitingSessions,
  waitingTitle,
  wholeSessionLine,
} from "../../sessions/waiting.ts";
import { isBuiltIn } from "../../rules/built-in.ts";
import { currentSessions, currentLine } from "../../outbox/current-sessions.ts";
import { describeMute, type Mute } from "../../policies/mute.ts";
import { readMutes } from "../../outbox/attention.ts";
import { listDeliveries } from "../../outbox/deliveries/deliveries.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { listEndpoints, type Endpoint } from "../../outbox/endpoints.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { changedByAnother, findChangedFiles, judgeScripts } from "../../own-files/changed-files.ts";
import { foldersOf, layoutOf } from "../../outbox/layout.ts";
import { findLeaseHolder } from "../../outbox/lease/lease.ts";
import { describeWork, findHung } from "../../outbox/stuck/find-hung.ts";
import { leaveOut } from "../../outbox/stuck/left-out.ts";
import { countRejected } from "../../outbox/rejected.ts";
import { hostName } from "../../system/process/identity.ts";
import { useOf } from "../../system/process/use.ts";
import { isDisabled } from "../../system/environment.ts";
import { statIfThere } from "../../system/files/files.ts";
import { requireFolder } from "../../system/files/inspect-path.ts";
import { parseArguments } from "../../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import { count, jsonLine, paint, wrapping } from "../../console/output/text.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { deafListeners } from "../../answers/listener-state.ts";
import { describeBroken, findBrokenState, showBroken, showBrokenState } from "./broken.ts";
import { localTime } from "../../console/output/show-entry.ts";
import {
  findFailing,
  findGivenUp,
  findUnshown,
  showEndpoint,
  showFailing,
  troubled,
  findWaiting,
  showGivenUp,
  showUnshown,
  showWaiting,
  waitingAsJson,
  type WaitingDeliveries,
} from "../pipeline/waiting.ts";

/** What `status` says, in words or as JSON. */
type Report = Awaited<ReturnType<typeof look>>;

export async function status(args: string[], io: CommandIo, wings: readonly Wing[]): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.status.flags, 0);
  if (values.line === true) {
    const layout = layoutOf(io.places.stateDir);
    const { problems } = await readRules(io.places.rulesFile, undefined);
    const line = currentLine(layout, io.clock.now(), problems.length > 0);
    io.stdout(line === "" ? "" : `${line}\n`);
    return exitCodes.done;
  }
  const report = await look(io);
  if (values.json) io.stdout(jsonLine(asJson(report, io)));
  else {
    if (statIfThere(io.places.stateDir) === undefined) wrapping(io).stdout(`${withoutFolder(io)}\n`);
    const ofWings: string[] = [];
    for (const { status: part } of wings) if (part !== undefined) ofWings.push(...(await part.load())(io));
    show(report, wrapping(io), { isVerbose: values.verbose === true, ofWings });
  }
  return report.brokenState === undefined ? exitCodes.done : exitCodes.failed;
}

/** Zeros alone would look as if hooks ran and nothing had happened. */
function withoutFolder({ places, env }: CommandIo): string {
  const named = env.HOOKBELL_STATE_DIR ?? "";
  const isRelative = named !== "" && !isAbsolute(named);
  const why = isRelative ? "; HOOKBELL_STATE_DIR is relative, so it depends on the current folder" : "";
  return printableLine(`there is no state folder ${places.stateDir} yet, because no hook has run${why}`);
}

async function look(io: CommandIo) {
  const layout = layoutOf(io.places.stateDir);
  leaveOut(layout);
  const now = io.clock.now();
  for (const folder of [...foldersOf(layout), questionsFolder(layout)]) requireFolder(folder);
  const file = io.places.rulesFile;
  const current = await readRules(file, layout);
  const isBroken = current.problems.length > 0;
  const sessions = currentSessions(layout, now);
  const asking = waitingSessions(sessions, now);
  const holder = findLeaseHolder(layout, now);
  return {
    counts: {
      incoming: listIncoming(layout).length,
      outbox: listDeliveries(layout, "outbox").length,
      dead: listDeliveries(layout, "dead").length,
      rejected: countRejected(layout),
    },
    holder,
    hung: findHung(layout, now),
    isSuspended: holder?.host === hostName() && useOf(holder.pid)?.isSuspended === true,
    brokenRules: isBroken ? describeBroken(current, lastGoodPath(layout), file) : undefined,
    brokenState: findBrokenState(layout),
    changedFiles: findChangedFiles(layout),
    oldScripts: judgeScripts(layout).flatMap(({ path, judgement }) => (judgement === "older" ? [path] : [])),
    endpoints: troubled(listEndpoints(layout), current, now),
    waiting: findWaiting(layout, current.rules, now),
    givenUp: findGivenUp(layout),
    unshown: findUnshown(layout),
    ownChannels: Object.values(current.rules.channels)
      .filter(isBuiltIn)
      .map(({ name }) => name),
    failing: findFailing(layout, current.rules),
    asking,
    failed: failedSessions(sessions, now),
    mutes: [
      ...readMutes(layout, now).map((mute) => withSessionName(mute, sessions, now)),
      ...mutesOfFiles(asking, sessions, current.rules, io.places.home),
    ],
    full: fullMachines(layout),
    // Why an answer to an open question could not come.
    deaf: deafListeners(layout, openQuestions(layout, now)),
    now,
  };
}

function asJson(report: Report, io: CommandIo): object {
  const { counts, holder, hung, asking, failed, now } = report;
  return {
    ...counts,
    dispatcher: {
      ...(holder === undefined ? { running: false } : { running: true, pid: holder.pid, host: holder.host }),
      suspended: report.isSuspended || undefined,
      trouble: holder?.trouble,
      hung: hung && { pid: hung.pid, silentMs: hung.silentMs, work: hung.work, file: hung.file },
    },
    endpoints: report.endpoints.map(endpointAsJson),
    waiting: unlessEmpty(report.waiting.map(waitingAsJson)),
    givenUp: unlessEmpty(report.givenUp),
    unshown: report.unshown,
    failing: unlessEmpty(report.failing),
    asking: unlessEmpty(asking.map((each) => sessionAsJson(each, each.question))),
    failed: unlessEmpty(failed.map((each) => sessionAsJson(each, each.failure))),
    muted: unlessEmpty(report.mutes.map((mute) => describeMute(mute, now))),
    full: unlessEmpty(report.full.map((machine = hostName()) => machine)),
    brokenRules: report.brokenRules,
    brokenState: report.brokenState,
    changedFiles: unlessEmpty(
      report.changedFiles.map(({ path, changedAtMs }) => ({ path, changedAt: new Date(changedAtMs).toISOString() })),
    ),
    oldScripts: unlessEmpty(report.oldScripts),
    isDisabled: isDisabled(io.env) || undefined,
  };
}

function unlessEmpty<T>(list: T[]): T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Who needs the person, what failed and what to do about it, what is quiet, and then the plumbing. */
function show(
  report: Report,
  io: CommandIo,
  { isVerbose, ofWings }: { isVerbose: boolean; ofWings: readonly string[] },
): void {
  const { full, deaf, mutes, now } = report;
  const needs = [
    ...showAsking(report.asking, now),
    ...showFailed(report.failed, now),
    ...full.map((machine) =>
      printableLine(`${describeFull(machine)}; its further ones are asked only in its terminal`),
    ),
    ...deaf.map((line) => line.trimEnd()),
  ];
  const lines = [
    ...(report.asking.length === 0 ? ["no session needs you"] : []),
    ...needs,
    ...ofWings.map((line) => paint(io, "yellow", line)),
    ...showTrouble(report, io),
    ...mutes.map((mute) => `${paint(io, "yellow", "muted")}: ${printableLine(describeMute(mute, now))}`),
    ...(isVerbose ? showQueue(report, io) : []),
    ...dispatcherLine(report, io),
  ];
  for (const line of lines) io.stdout(`${line}\n`);
}

/** What failed, is broken or switched off, and what to do about it. */
function showTrouble(report: Report, io: CommandIo): string[] {
  const { counts, endpoints, waiting, givenUp, unshown, brokenRules, brokenState, now } = report;
  const isOwn = (channel: string): boolean => report.ownChannels.includes(channel);
  const shown = new Set([...endpoints, ...givenUp].map(({ channel }) => channel));
  // That the screen and the speakers are not there is said once.
  const isSaid = (channel: string): boolean => shown.has(channel) || (unshown !== undefined && isOwn(channel));
  const whyOf = (name: string): string | undefined => waiting.find(({ channel }) => channel === name)?.detail;
  const disabling = `HOOKBELL_DISABLE=${printableLine(io.env.HOOKBELL_DISABLE ?? "")}`;
  const dead = givenUpOf(report);
  return [
    ...(brokenState === undefined ? [] : showBrokenState(brokenState, io)),
    ...report.changedFiles.map((file) => {
      const what = paint(io, "red", changedByAnother(file, now));
      return `${what}: ${printableLine(file.path)}; no question that comes by it has buttons. hookbell doctor says more`;
    }),
    ...report.oldScripts.map((path) => `${printableLine(path)} is of an older version of hookbell: hookbell init`),
    ...(brokenRules === undefined ? [] : [showBroken(brokenRules, io)]),
    ...(isDisabled(io.env) ? [`${paint(io, "yellow", `${disabling} is set`)}: every event is dropped`] : []),
    ...(dead === 0 ? [] : [`${paint(io, "yellow", `${deliveries(dead)} given up`)}: ${retryAdvice}`]),
    ...givenUp.map(showGivenUp),
    ...(unshown === undefined ? [] : showUnshown(unshown)),
    ...endpoints.map((endpoint) => showEndpoint(endpoint, now, whyOf(endpoint.channel))),
    ...report.failing.filter(({ channel }) => !isSaid(channel)).map(showFailing),
    ...waiting
      .filter(({ detail, channel }) => detail !== undefined && !endpoints.some((each) => each.channel === channel))
      .map((each) => showWaiting(each, now)),
    ...(counts.rejected === 0
      ? []
      : [`${paint(io, "yellow", `${count(counts.rejected, "invalid payload")} kept`)}: ${rejectedAdvice(io)}`]),
  ];
}

const retryAdvice = "hookbell retry --all, or hookbell discard --all";

function rejectedAdvice(io: CommandIo): string {
  const { rejected } = layoutOf(io.places.stateDir);
  return `hookbell log --failed says why; to delete them: ${removeCommand([rejected], io.platform)}`;
}

/** Failed deliveries that are kept, but for those whose absence is said by `unshown`. */
function givenUpOf({ counts, unshown }: Report): number {
  return counts.dead - (unshown?.count ?? 0);
}

/** Whether a dispatcher runs, and what it has before it. What waits for a reason has said it above. */
function dispatcherLine(report: Report, io: CommandIo): string[] {
  // What is broken has said that none can run.
  if (report.brokenState !== undefined && report.holder === undefined) return [];
  const { incoming } = report.counts;
  const due = report.waiting.filter(({ until }) => until <= report.now).reduce((sum, each) => sum + each.count, 0);
  const before = [
    ...(incoming === 0 ? [] : [`${count(incoming, "payload")} not processed yet`]),
    // A dispatcher that runs sends them within seconds.
    ...(due === 0 || report.holder !== undefined ? [] : [`${deliveries(due)} due`]),
  ];
  const waits = before.length === 0 ? "" : ` (${before.join(", ")})`;
  return [
    `${paint(io, "dim", "dispatcher")}: ${describeDispatcher(report, nextAt(incoming, report.waiting), report.now)}${waits}`,
  ];
}

function showQueue(report: Report, io: CommandIo): string[] {
  const { counts } = report;
  const row = (title: string, amount: number, meaning: string): string =>
    `${title.padEnd(10)}${paint(io, "bold", String(amount).padStart(6))}  ${paint(io, "dim", meaning)}`;
  return [
    row("incoming", counts.incoming, "payloads not processed yet"),
    row("outbox", counts.outbox, "deliveries waiting"),
    row("given up", givenUpOf(report), "failed deliveries kept"),
    row("rejected", counts.rejected, "invalid payloads kept"),
  ];
}

/** Each question in full, so that it can be decided on. */
function showAsking(asking: readonly WaitingSession[], now: number): string[] {
  if (asking.length === 0) return [];
  const lines = asking.flatMap((each) => wholeSessionLine(each, ageOf(now - each.question.at), agentName).split("\n"));
  return [`${waitingTitle(asking.length)}:`, ...lines.map((line) => `  ${printable(line)}`)];
}

function showFailed(failed: readonly FailedSession[], nowMs: number): string[] {
  if (failed.length === 0) return [];
  const lines = failed.map((each) =>
    sessionLine(each, { ...each.failure, since: ageOf(nowMs - each.failure.at), nameOf: agentName }),
  );
  return [
    `the last turn of ${count(failed.length, "session")} failed:`,
    ...lines.map((line) => `  ${printableLine(line)}`),
  ];
}

/** The mutes in the files of repositories whose sessions wait. */
function mutesOfFiles(
  asking: readonly WaitingSession[],
  sessions: readonly SessionRecord[],
  { projectFiles }: CurrentRules["rules"],
  home: string,
): Mute[] {
  if (projectFiles === false) return [];
  const isAsking = ({ agent, session }: SessionRecord): boolean =>
    asking.some((each) => each.agent === agent && each.session === session);
  const folders = new Set(sessions.filter(isAsking).flatMap(({ folder = "" }) => folder));
  const muting = [...folders].flatMap((folder) =>
    mutesOf(goodFile(readProjectFile(folder, findWorkTree(folder, home)?.root))),
  );
  return muting.filter(({ name }, index) => muting.findIndex((each) => each.name === name) === index);
}

function sessionAsJson(
  { agent, session, project, names }: Omit<WaitingSession, "question">,
  { at, words }: { at: number; words?: string | undefined },
): Record<string, unknown> {
  return { agent, session, project, name: sessionNameOf(names), since: new Date(at).toISOString(), words };
}

const deliveries = (amount: number): string => count(amount, "delivery", "deliveries");

/** When the next message is due, in milliseconds since the epoch; undefined if nothing waits. */
function nextAt(incoming: number, waiting: readonly WaitingDeliveries[]): number | undefined {
  if (incoming > 0) return 0;
  return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ until }) => until));
}

function describeDispatcher(
  { holder, hung, isSuspended }: Pick<Report, "holder" | "hung" | "isSuspended">,
  dueAt: number | undefined,
  now: number,
): string {
  if (hung !== undefined) {
    const since = formatDuration(hung.silentMs);
    return printableLine(
      `process ${hung.pid} has given no sign of life for ${since}${describeWork(hung)}; hookbell doctor says more`,
    );
  }
  if (holder !== undefined && isSuspended) return `suspended, process ${holder.pid}; hookbell doctor says more`;
  if (holder?.trouble !== undefined) {
    return printableLine(`running, process ${holder.pid}, but it waits: ${holder.trouble}`);
  }
  if (holder !== undefined) {
    const where = `process ${holder.pid} on ${printableLine(holder.host)}`;
    return `running, ${where}, for ${formatDuration(now - holder.startedAt)}`;
  }
  if (dueAt === undefined) return "not running; the next hook starts it";
  if (dueAt > now) {
    return `not running; next attempt at ${localTime(dueAt)}, by the next hook or: hookbell dispatch`;
  }
  return "not running, and something is waiting. Send it now: hookbell dispatch --until-idle";
}

/** What the user can act on. */
function endpointAsJson({ channel, notBefore, breaker, missingSecret, switchedOff }: Endpoint): object {
  const off = switchedOff && { reason: switchedOff.reason, detail: switchedOff.detail, at: switchedOff.at };
  return { channel, notBefore, breaker, missingSecret, switchedOff: off };
}
