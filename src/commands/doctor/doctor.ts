// `hookbell doctor`: checks everything between the agent and the user.
import { typedWord } from "../../model/places/user-shell.ts";
import { docsUrl, codeOf, describeWriteError, exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { examinePresenceFile } from "./presence-file.ts";
import { parseArguments } from "../../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import type { Wing } from "../../console/command.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { examineAgents, tryHooks } from "./agents.ts";
import { examineNotUnderstood, examineVersions } from "./not-understood.ts";
import { examineChannels, examineNotices, examineRules } from "./rules.ts";
import { examineQueue, examineState } from "./state.ts";
import {
  type Area,
  areas,
  broken,
  findingAsJson,
  type Finding,
  ok,
  showFindings,
  warning,
} from "../../console/output/finding.ts";
import { requireRulesFile } from "../pipeline/load-rules.ts";
import { jsonLine } from "../../console/output/text.ts";
import { viewDispatcher } from "../../daemon/open-dispatcher.ts";
import { listListeners, type ListenerState } from "../../answers/listener-state.ts";
import { sendersOf } from "../../answers/senders.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import { findLeaseHolder } from "../../outbox/lease/lease.ts";
import type { Channel } from "../../rules/rules.ts";
import { remedyFor } from "../../system/files/unwritable.ts";

export async function doctor(args: string[], io: CommandIo, wings: readonly Wing[]): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.doctor.flags, 0);
  requireRulesFile(values.config);
  const dispatcher = await viewDispatcher(io, values.config);
  const { layout } = dispatcher;
  const all: Check[] = [
    ["agents", () => examineAgents(io, wings)],
    ...(values.verify === true ? [["agents", () => tryHooks(io)] satisfies Check] : []),
    ["agents", () => examineVersions(io)],
    ["agents", () => examineNotUnderstood(io, layout)],
    ["agents", () => examinePresenceFile(io, dispatcher)],
    ["rules", () => examineRules(io, dispatcher, values.config)],
    ["channels", () => examineChannels(dispatcher)],
    ["channels", () => examineNotices(dispatcher)],
    ["channels", () => examineAnswers(dispatcher)],
    ["state", () => examineState(io, layout)],
    ["queue", () => examineQueue(io, layout)],
    ...wings.flatMap(({ checks: own = [] }) =>
      own.map(({ area, load }): Check => [area, async () => await (await load())(io, dispatcher)]),
    ),
  ];
  const checks = all.toSorted(([one], [other]) => areas.indexOf(one) - areas.indexOf(other));
  const findings: (Finding & { area: Area })[] = [];
  for (const [area, check] of checks) {
    findings.push(...(await runCheck(check, io.places)).map((finding) => ({ area, ...finding })));
  }
  const isBroken = findings.some(({ status }) => status === "broken");
  if (values.json) io.stdout(jsonLine({ findings: findings.map(findingAsJson) }));
  else {
    const verdict = isBroken ? "Something is broken; see above." : "Nothing is broken.";
    io.stdout(`${showFindings(findings, io)}\n${verdict}\n`);
  }
  return isBroken ? exitCodes.failed : exitCodes.done;
}

type Check = [Area, () => Finding[] | Promise<Finding[]>];

/** An unreadable folder must not stop the other checks. */
async function runCheck(
  check: () => Finding[] | Promise<Finding[]>,
  { stateDir }: CommandIo["places"],
): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof UserError || codeOf(error) === undefined) throw error;
    const { path } = error as { path?: unknown };
    const what = typeof path === "string" ? path : stateDir;
    const text = `cannot read ${what}: ${describeWriteError(error)}`;
    const { command, fix } = remedyFor(error, what);
    return [broken(text, command, fix)];
  }
}

/** Empty if no channel takes answers over a connection. */
function examineAnswers({ layout, rules, tools }: Dispatcher): Finding[] {
  const { answers, channels } = rules().rules;
  if (answers === undefined) return Object.values(channels).flatMap(answersAreOff);
  const now = tools.clock.now();
  const isRunning = findLeaseHolder(layout, now) !== undefined;
  const states = listListeners(layout);
  return Object.values(channels).flatMap(({ name, type, channelType, answers: isAsked }): Finding[] => {
    const transport = channelType.answers;
    if (!isAsked || transport?.listen === undefined) return [];
    const about = `${name} (${type}), answers`;
    if (transport.namesSender && sendersOf(layout, name, type).length === 0) {
      const command = `hookbell channels pair ${typedWord(name)}`;
      return [warning(`${about}: no account may answer yet`, command)];
    }
    const state = states.find((each) => each.channel === name && each.type === type);
    const text = `${about}: ${describe(state, isRunning, now)}`;
    if (state?.what !== "failed") return [ok(text)];
    const fix = "until that is fixed, answer at the terminal or in a shell:";
    return [warning(text, "hookbell pending", fix)];
  });
}

function answersAreOff({ name, type, answers }: Channel): Finding[] {
  if (!answers) return [];
  const text = `${name} (${type}): "answers": true does nothing, because the rules file has no "answers"`;
  const fix = `add "answers": {} beside "channels", as in ${docsUrl("reference/ANSWERS.md")}, then:`;
  return [warning(text, "hookbell init", fix)];
}

function describe(state: ListenerState | undefined, isRunning: boolean, now: number): string {
  if (state === undefined) return "it listens while a question is open; there has been none yet";
  const ago = `${formatDuration(Math.max(0, now - state.at))} ago`;
  if (state.what === "failed") return `listening failed ${ago}: ${state.why ?? ""}`;
  return state.what === "listens" && isRunning ? "it is listening" : `it listens while a question is open, last ${ago}`;
}
