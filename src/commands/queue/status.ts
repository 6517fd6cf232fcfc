// `hookbell status`: prints the state of the queue. Writes nothing.
import { type CurrentRules, readRules } from "../../dispatch/current-rules.ts";
import { mutesOf } from "../../dispatch/plan/hold-back.ts";
import { goodFile } from "../../dispatch/understand/moment.ts";
import { readProjectFile } from "../../rules/project-file.ts";
import { findWorkTree } from "../../system/files/git.ts";
import { breakerThreshold } from "../../dispatch/policy/endpoint-policy.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { printableLine } from "../../model/text.ts";
import { waitingMessage, waitingSessions, type WaitingSession } from "../../attention/grouping.ts";
import { describeMute, type Mute } from "../../attention/mute.ts";
import { readMutes } from "../../outbox/attention.ts";
import { listDeliveries } from "../../outbox/deliveries.ts";
import { listSessions, type SessionRecord } from "../../outbox/sessions.ts";
import { listEndpoints, type Endpoint } from "../../outbox/endpoints.ts";
import { listIncoming } from "../../outbox/incoming.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { findLeaseHolder, type LeaseHolder } from "../../outbox/lease.ts";
import { countRejected } from "../../outbox/rejected.ts";
import { isDisabled } from "../../system/environment.ts";
import { requireFolder } from "../../system/files/inspect-path.ts";
import { parseArguments } from "../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import { count, jsonLine, paint, wrapping } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { deafness, openQuestions } from "./pending.ts";
import { localTime } from "./show-entry.ts";
import { insteadOfBroken } from "../pipeline/load-rules.ts";
import { findWaiting, showWaiting, waitingAsJson, type Waiting } from "./waiting.ts";

export async function status(args: string[], given: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.status.flags, 0);
  const io = values.json ? given : wrapping(given);
  const layout = layoutOf(io.places.stateDir);
  const now = io.clock.now();
  for (const dir of [layout.root, layout.incoming, layout.outbox, layout.dead, layout.rejected]) requireFolder(dir);
  const holder = findLeaseHolder(layout, now);
  const file = io.places.rulesFile;
  // Without a folder for the last good rules, since this command writes nothing.
  const current = await readRules(file, undefined);
  const broken = current.problems.length === 0 ? undefined : { file, ...describeBroken(await readRules(file, layout)) };
  const endpoints = troubled(listEndpoints(layout), current, now);
  const counts = {
    incoming: listIncoming(layout).length,
    outbox: listDeliveries(layout, "outbox").length,
    dead: listDeliveries(layout, "dead").length,
    rejected: countRejected(layout),
  };
  const waiting = findWaiting(layout, current.rules, now);
  const sessions = listSessions(layout);
  const asking = waitingSessions(sessions, now);
  const mutes = [...readMutes(layout, now), ...mutesOfFiles(asking, sessions, current.rules, io.places.home)];
  if (values.json) {
    const dispatcher =
      holder === undefined ? { running: false } : { running: true, pid: holder.pid, host: holder.host };
    io.stdout(
      jsonLine({
        ...counts,
        dispatcher,
        endpoints: endpoints.map(endpointAsJson),
        ...(waiting.length === 0 ? {} : { waiting: waiting.map(waitingAsJson) }),
        ...(asking.length === 0 ? {} : { asking: asking.map(askingAsJson) }),
        ...(mutes.length === 0 ? {} : { muted: mutes.map((mute) => describeMute(mute, now)) }),
        ...(broken === undefined ? {} : { brokenRules: broken }),
        ...(isDisabled(io.env) ? { isDisabled: true } : {}),
      }),
    );
    return exitCodes.done;
  }
  const rows: [string, number, string][] = [
    ["incoming", counts.incoming, `${payloads(counts.incoming)} not processed yet`],
    ["outbox", counts.outbox, `${deliveries(counts.outbox)} waiting`],
    [
      "dead",
      counts.dead,
      counts.dead === 0
        ? "failed deliveries"
        : `failed ${deliveries(counts.dead)}: hookbell retry --all, or hookbell discard --all`,
    ],
    [
      "rejected",
      counts.rejected,
      `invalid ${payloads(counts.rejected)}${counts.rejected === 0 ? "" : ": hookbell log --failed"}`,
    ],
  ];
  for (const [name, amount, meaning] of rows) {
    const isBad = amount > 0 && (name === "dead" || name === "rejected");
    io.stdout(
      `${name.padEnd(10)}${paint(io, isBad ? "yellow" : "bold", String(amount).padStart(6))}  ${paint(io, "dim", meaning)}\n`,
    );
  }
  io.stdout(`dispatcher: ${describeDispatcher(holder, nextAt(counts.incoming, waiting), now)}\n`);
  if (broken !== undefined) {
    const { file, problems, applies } = broken;
    io.stdout(
      `rules: ${paint(io, "red", "broken")}: ${file} (${count(problems, "problem")}: hookbell check); ${applies}\n`,
    );
  }
  if (isDisabled(io.env)) {
    const value = printableLine(io.env.HOOKBELL_DISABLE ?? "");
    io.stdout(`${paint(io, "yellow", `HOOKBELL_DISABLE=${value} is set`)}: every event is dropped\n`);
  }
  for (const mute of mutes) io.stdout(`${paint(io, "yellow", "muted")}: ${printableLine(describeMute(mute, now))}\n`);
  if (asking.length > 0) {
    const { title, body } = waitingMessage(asking, now);
    io.stdout(
      `${title}:\n${body
        .split("\n")
        .map((line) => `  ${printableLine(line)}\n`)
        .join("")}`,
    );
  }
  deafness(layout, openQuestions(layout, now)).forEach(io.stdout);
  for (const endpoint of endpoints) io.stdout(`${showEndpoint(endpoint, now)}\n`);
  const shown = new Set(endpoints.map(({ channel }) => channel));
  for (const each of waiting) {
    if (each.reason !== undefined && !shown.has(each.channel)) io.stdout(`${showWaiting(each, now)}\n`);
  }
  return exitCodes.done;
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

function askingAsJson({ agent, session, project, question: { at, words } }: WaitingSession): Record<string, unknown> {
  return { agent, session, project, since: new Date(at).toISOString(), ...(words === undefined ? {} : { words }) };
}

const payloads = (amount: number): string => (amount === 1 ? "payload" : "payloads");
const deliveries = (amount: number): string => (amount === 1 ? "delivery" : "deliveries");

/** When the next message is due, in milliseconds since the epoch; undefined if nothing waits. */
function nextAt(incoming: number, waiting: readonly Waiting[]): number | undefined {
  if (incoming > 0) return 0;
  return waiting.length === 0 ? undefined : Math.min(...waiting.map(({ until }) => until));
}

function describeDispatcher(holder: LeaseHolder | undefined, dueAt: number | undefined, now: number): string {
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

function describeBroken({ problems, origin }: CurrentRules): { problems: number; applies: string } {
  return { problems: problems.length, applies: insteadOfBroken[origin] };
}

/** A channel whose settings changed is on again, even if its record is still there. */
function troubled(endpoints: readonly Endpoint[], { rules, problems }: CurrentRules, nowMs: number): Endpoint[] {
  const isKnown = problems.length === 0;
  return endpoints.flatMap(({ switchedOff, ...endpoint }) => {
    const channel = Object.hasOwn(rules.channels, endpoint.channel) ? rules.channels[endpoint.channel] : undefined;
    const isOff = switchedOff !== undefined && (!isKnown || switchedOff.fingerprint === channel?.fingerprint);
    if (isOff) return [{ ...endpoint, switchedOff }];
    return waitsUntil(endpoint) > nowMs || endpoint.missingSecret !== undefined ? [endpoint] : [];
  });
}

/** What the user can act on. */
function endpointAsJson({ channel, notBefore, breaker, missingSecret, switchedOff }: Endpoint): object {
  return {
    channel,
    ...(notBefore === undefined ? {} : { notBefore }),
    ...(breaker === undefined ? {} : { breaker }),
    ...(missingSecret === undefined ? {} : { missingSecret }),
    ...(switchedOff === undefined
      ? {}
      : { switchedOff: { reason: switchedOff.reason, detail: switchedOff.detail, at: switchedOff.at } }),
  };
}

/** When the next message may be sent, in milliseconds since the epoch. */
function waitsUntil({ notBefore = 0, breaker }: Endpoint): number {
  const { failures = 0, probeAt = 0 } = breaker ?? {};
  return Math.max(notBefore, failures >= breakerThreshold ? probeAt : 0);
}

function showEndpoint(endpoint: Endpoint, nowMs: number): string {
  const { channel, switchedOff, missingSecret, notBefore = 0, breaker } = endpoint;
  if (switchedOff !== undefined) {
    const why = `${switchedOff.reason}: ${printableLine(switchedOff.detail)}`;
    return `channel ${channel}: switched off (${why}). When it works again: hookbell test ${channel}`;
  }
  if (missingSecret !== undefined) return `channel ${channel}: waiting: ${printableLine(missingSecret.detail)}`;
  const wait = formatDuration(waitsUntil(endpoint) - nowMs);
  return notBefore > nowMs
    ? `channel ${channel}: its receiver asked to wait another ${wait}`
    : `channel ${channel}: failed ${breaker?.failures ?? 0} times in a row; next attempt in ${wait}`;
}
