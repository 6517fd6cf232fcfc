// `hookbell explain`: which rules match a payload, and which channels get which text.
import type { PayloadProblem } from "../../agents/dialect/problem.ts";
import { describePayloadProblem, maxPayloadBytes, readPayload } from "../../agents/read-payload.ts";
import { planPayload } from "../../dispatch/plan/plan-payload.ts";
import { codeOf, describeWriteError, exitCodes, UserError, type ExitCode } from "../../model/errors.ts";
import { readStartIfThere } from "../../system/files/read.ts";
import { uniqueName } from "../../system/unique-name.ts";
import { agentNameHint } from "./agent-name-hint.ts";
import { parseArguments } from "../console/arguments.ts";
import { inspectCommands } from "../help/inspect.ts";
import { jsonLine, paint } from "../console/text.ts";
import type { CommandIo } from "../console/command-io.ts";
import { goodRules } from "../pipeline/load-rules.ts";
import { showExplanation } from "./show.ts";
import { viewDispatcher } from "../pipeline/open-dispatcher.ts";

export async function explain(args: string[], io: CommandIo): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, inspectCommands.explain.flags, 1);
  const file = positionals[0] === "-" ? undefined : positionals[0];
  if (file === undefined && io.isStdinTerminal) {
    throw new UserError("usage.explain", "no payload to explain", {
      hint: "hookbell explain FILE, or pipe a JSON object into it",
      exitCode: exitCodes.usage,
    });
  }
  const text = file === undefined ? await io.readStdin(maxPayloadBytes) : readPayloadFile(file);
  if (Buffer.byteLength(text) > maxPayloadBytes) {
    throw refused([{ field: "", expected: `at most ${maxPayloadBytes} bytes`, got: "more" }], undefined);
  }
  const hint = agentNameHint(values.agent);
  if (hint !== undefined) io.stderr(`hookbell: ${hint}\n`);
  const reading = readPayload(text, { agentId: values.agent, eventName: values.event, env: io.env });
  if (reading.status === "invalid") {
    throw refused(reading.problems, reading.eventName);
  }
  const dispatcher = await viewDispatcher(io, values.config);
  const { origin } = goodRules(dispatcher, values.config, io);
  const plan = planPayload(dispatcher, reading, {
    eventId: "evt_explained",
    receivedAt: io.clock.now(),
    position: uniqueName(io.clock.now()),
  });
  const { event, planned, selection } = plan;
  const deliveries = planned.map(({ delivery: { channel, message, rule } }) => ({
    channel,
    title: message.title,
    body: message.body,
    level: message.level,
    rule,
    scrubbed: selection.chosen.find((chosen) => chosen.channel.name === channel)?.scrubbed ?? [],
  }));
  if (values.json) {
    io.stdout(jsonLine({ event, rules: selection.rules, deliveries, silent: selection.silent }));
    return exitCodes.done;
  }
  if (origin === "builtIn")
    io.stdout(paint(io, "dim", `no rules file (${io.places.rulesFile}): the built-in rules apply\n`));
  io.stdout(showExplanation({ event, deliveries, rules: selection.rules, silent: selection.silent }, io));
  return exitCodes.done;
}

function refused(problems: readonly PayloadProblem[], eventName: string | undefined): UserError {
  const lines = problems.map((problem) => describePayloadProblem(problem, eventName));
  return new UserError("payload.invalid", `the hook would reject this payload\n  ${lines.join("\n  ")}`, {
    exitCode: exitCodes.badInput,
    details: { problems },
  });
}

function readPayloadFile(file: string): string {
  let text: string | undefined;
  try {
    text = readStartIfThere(file, maxPayloadBytes + 1)?.toString("utf8");
  } catch (error) {
    const why = codeOf(error) === "EISDIR" ? "it is a directory" : describeWriteError(error);
    throw new UserError("payload.unreadable", `cannot read ${file}: ${why}`, {
      exitCode: exitCodes.badInput,
    });
  }
  if (text === undefined)
    throw new UserError("payload.missing", `there is no file ${file}`, { exitCode: exitCodes.badInput });
  return text;
}
