// `hookbell doctor`: checks everything between the agent and the user.
import { codeOf, describeWriteError, exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { parseArguments } from "../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import type { CommandIo } from "../console/command-io.ts";
import { examineAgents, tryHooks } from "./agents.ts";
import { examinePresenceFile } from "./presence-file.ts";
import { examineAnswers } from "./answers.ts";
import { examinePlatform } from "../usage/examine-platform.ts";
import { examineChannels, examineRules } from "./rules.ts";
import { examineQueue, examineState } from "./state.ts";
import { findingAsJson, showFindings, type Finding } from "../console/finding.ts";
import { requireRulesFile } from "../pipeline/load-rules.ts";
import { jsonLine } from "../console/text.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";

export async function doctor(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, inspectCommands.doctor.flags, 0);
  requireRulesFile(values.config);
  const dispatcher = await viewDispatcher(io, values.config);
  const { layout } = dispatcher;
  const checks: Check[] = [
    ["agents", () => examineAgents(io)],
    ...(values.verify === true ? [["agents", () => tryHooks(io)] satisfies Check] : []),
    ["agents", () => examinePresenceFile(io, dispatcher)],
    ["rules", () => examineRules(io, dispatcher, values.config)],
    ["channels", () => examineChannels(dispatcher)],
    ["channels", () => examineAnswers(dispatcher)],
    ["platform", () => examinePlatform(io, dispatcher.rules().rules.platform)],
    ["state", () => examineState(io, layout)],
    ["queue", () => examineQueue(io, layout)],
  ];
  const findings: Finding[] = [];
  for (const [area, check] of checks) findings.push(...(await runCheck(area, check)));
  const isBroken = findings.some(({ status }) => status === "broken");
  if (values.json) io.stdout(jsonLine({ findings: findings.map(findingAsJson) }));
  else {
    const verdict = isBroken ? "Something is broken; see above." : "Nothing is broken.";
    io.stdout(`${showFindings(findings, io)}\n${verdict}\n`);
  }
  return isBroken ? exitCodes.failed : exitCodes.done;
}

type Check = [Finding["area"], () => Finding[] | Promise<Finding[]>];

/** An unreadable folder must not stop the other checks. */
async function runCheck(area: Finding["area"], check: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    if (error instanceof UserError || codeOf(error) === undefined) throw error;
    const { path } = error as { path?: unknown };
    const what = typeof path === "string" ? path : "a file";
    const text = `cannot read ${what}: ${describeWriteError(error)}`;
    return [{ area, status: "broken", text, fix: "it must belong to you", command: "hookbell doctor" }];
  }
}
