// `hookbell digest`: prints or sends a summary of what ran, for how long, what failed and what waits.
import {
  digestEventName,
  dueSpan,
  isEmpty,
  failureLine,
  summarise,
  type Digest,
  type Span,
} from "../../sessions/digest.ts";
import { agentName } from "../../agents/index.ts";
import { ageOf, sessionLine, waitingTitle } from "../../sessions/waiting.ts";
import { instantOf, parseTimeOfDay, wallTimeAt } from "../../model/figures/wall-clock.ts";
import { formatDuration, formatLocalTime, parseDuration } from "../../model/figures/duration.ts";
import { sparkline } from "../../model/figures/numbers.ts";
import { exitCodes, type ExitCode, usageError } from "../../model/errors.ts";
import { preview } from "../../model/privacy/scrub.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { asJson, queueDigest, readDigest } from "../../daemon/lasting/due-digest.ts";
import { parseArguments } from "../../console/arguments.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { renderTable } from "../../console/output/table.ts";
import { count, jsonLine, paint, wrapping } from "../../console/output/text.ts";
import { attentionCommands } from "../help/attention.ts";
import { usableRules } from "../pipeline/load-rules.ts";

import { viewDispatcher, wake } from "../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";

const dayMs = 24 * 60 * 60_000;
const maxFailures = 10;

export async function digest(args: string[], io: CommandIo, wings: readonly Wing[]): Promise<ExitCode> {
  const { values } = parseArguments(args, attentionCommands.digest.flags, 0);
  if (values.send === true) return await send(values, io);
  const data = readDigest(layoutOf(io.places.stateDir), spanSince(values.since, io.clock.now()));
  if (values.json) io.stdout(jsonLine(asJson(data)));
  else wrapping(io).stdout(show(data, io) + (await linesOf(wings, io, data)).map((line) => `${line}\n`).join(""));
  return exitCodes.done;
}

async function linesOf(wings: readonly Wing[], io: CommandIo, { from, to }: Digest): Promise<string[]> {
  const lines: string[] = [];
  for (const { digest: part } of wings) if (part !== undefined) lines.push(...(await part.load())(io, { from, to }));
  return lines;
}

function spanSince(text: string | undefined, nowMs: number): Span {
  // Events of this very moment count.
  return { from: text === undefined ? nowMs - dayMs : readSince(text, nowMs), to: nowMs + 1 };
}

async function send(
  { since, config, json }: { since?: string | undefined; config?: string | undefined; json?: boolean | undefined },
  io: CommandIo,
): Promise<ExitCode> {
  const now = io.clock.now();
  const { rules } = usableRules(await viewDispatcher(io, config), config, io);
  const span = since === undefined && rules.digest !== undefined ? dueSpan(rules.digest, now) : spanSince(since, now);
  const { layout } = await openDispatcher(io, config);
  const result = queueDigest(layout, span, now);
  if (result === "queued") wake(io);
  const texts = {
    queued: `sent to your rules as the event ${digestEventName}`,
    empty: "nothing happened, so there is nothing to send",
    known: "this digest was sent before",
  };
  io.stdout(json === true ? jsonLine({ digest: result }) : `${texts[result]}\n`);
  return exitCodes.done;
}

/** The last time the clock showed this time of day, or this long ago. */
function readSince(text: string, nowMs: number): number {
  const duration = parseDuration(text);
  if (duration !== undefined && duration > 0) return nowMs - duration;
  const minutes = parseTimeOfDay(text);
  if (minutes === undefined) {
    const hint = "hookbell digest --since 09:00, or hookbell digest --since 8h";
    const message = `${JSON.stringify(text)} is neither a time nor a duration`;
    throw usageError("digest", message, hint);
  }
  const { day } = wallTimeAt(nowMs, undefined);
  const today = instantOf(day, minutes, undefined);
  return today <= nowMs ? today : instantOf(day - 1, minutes, undefined);
}

function show(data: Digest, io: CommandIo): string {
  const { from, to, projects, total, failures, waiting, slots } = data;
  const span = `since ${formatLocalTime(from)}`;
  const told = total.sent + total.withheld + total.unreached;
  if (isEmpty(data) && told === 0) return `nothing happened ${span}\n`;
  const work = `${summarise(total)} ${span}`;
  const scale = `each bar is ${formatDuration((to - from) / slots.length)}; the highest is ${formatDuration(Math.max(...slots))} of work`;
  const parts = [`${paint(io, "bold", work)}\n${sparkline(slots)}\n${paint(io, "dim", scale)}\n`];
  if (projects.length > 0) parts.push(showProjects(projects, io));
  if (failures.length > 0) {
    const lines = failures
      .slice(-maxFailures)
      .map(
        (each) => `  ${failureLine({ ...each, words: preview(each.words) }, formatLocalTime(each.at), agentName)}\n`,
      );
    parts.push(`${paint(io, "red", count(failures.length, "failure"))}:\n${lines.join("")}`);
  }
  if (waiting.length > 0) {
    const lines = waiting.map(
      (each) =>
        `  ${sessionLine(each, { ...each.question, since: ageOf(to - each.question.at), nameOf: agentName })}\n`,
    );
    parts.push(`${paint(io, "yellow", waitingTitle(waiting.length))}:\n${lines.join("")}`);
  }
  const lost = total.unreached === 0 ? "" : `, ${total.unreached} reached no channel`;
  parts.push(
    `${count(total.sent, "notification")} sent, ${total.withheld} kept back or withdrawn${lost} (hookbell log)\n`,
  );
  return parts.join("\n");
}

function showProjects(projects: Digest["projects"], io: CommandIo): string {
  const numbers = (header: string, of: (project: Digest["projects"][number]) => number) => ({
    header,
    cells: projects.map((project) => String(of(project))),
    isRight: true,
  });
  return renderTable(
    [
      { header: "Project", cells: projects.map(({ project }) => project), minWidth: 12 },
      { header: "Agents", cells: projects.map(({ agents }) => agents.map(agentName).join(", ")), minWidth: 8, omit: 2 },
      numbers("Turns", ({ turns }) => turns),
      { header: "Work", cells: projects.map(({ workMs }) => formatDuration(workMs)), isRight: true },
      { header: "", cells: [], bars: projects.map(({ workMs }) => workMs), omit: 1 },
      numbers("Questions", ({ questions }) => questions),
      numbers("Failures", ({ failures }) => failures),
    ],
    io,
  );
}
