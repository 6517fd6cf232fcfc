import { exitCodes, type ExitCode } from "../model/errors.ts";
import { parseArguments } from "./arguments.ts";
import type { CommandIo } from "./command-io.ts";
import { examineAgents } from "./examine-agents.ts";
import { examineChannels, examineRules } from "./examine-rules.ts";
import { examineQueue, examineState } from "./examine-state.ts";
import { showFindings, type Finding } from "./finding.ts";
import { openDispatcher } from "./open-dispatcher.ts";

/** Looks at everything between an agent and the person; sends nothing. */
export async function doctor(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values } = parseArguments(args, { json: { type: "boolean" }, config: { type: "string" } });
  const dispatcher = openDispatcher(io, values.config);
  const file = values.config ?? io.places.rulesFile;
  const findings: Finding[] = [
    ...examineAgents(io),
    ...examineRules(dispatcher, file),
    ...(await examineChannels(dispatcher)),
    ...examineState(io, dispatcher.layout),
    ...examineQueue(io, dispatcher.layout),
  ];
  const isBroken = findings.some(({ status }) => status === "broken");
  if (values.json) io.stdout(`${JSON.stringify({ findings })}\n`);
  else
    io.stdout(
      `${showFindings(findings, io)}\n${isBroken ? "Something is broken; see above." : "Nothing is broken."}\n`,
    );
  return isBroken ? exitCodes.failed : exitCodes.done;
}
