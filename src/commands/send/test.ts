// `hookbell test`: sends a sample through each channel and prints the result.
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import { readEndpoint, writeEndpoint } from "../../outbox/endpoints.ts";
import type { Layout } from "../../outbox/layout.ts";
import { parseArguments } from "../../console/arguments.ts";
import { setUpCommands } from "../help/set-up.ts";
import { askAtTerminal, type Ask } from "../../console/ask.ts";
import { askSeen, onlyYouCanTell } from "./ask-seen.ts";
import { chooseChannels } from "./choose-channels.ts";
import { jsonLine, paint, wrapping } from "../../console/output/text.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { goodRules } from "../pipeline/load-rules.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";
import { outcomeAsJson, showOutcome } from "./report.ts";
import { sendSample } from "./sample.ts";

export async function test(
  args: string[],
  io: CommandIo,
  ask: Pick<Ask, "confirm"> = askAtTerminal,
): Promise<ExitCode> {
  const { values, positionals } = parseArguments(args, setUpCommands.test.flags);
  const dispatcher = await openDispatcher(io, values.config);
  const { rules, origin } = goodRules(dispatcher, values.config, io);
  const channels = chooseChannels(rules, positionals);
  if (origin === "builtIn" && !values.json) {
    io.stdout(paint(io, "dim", `no rules file (${io.places.rulesFile}): testing the built-in channels\n`));
  }
  const mayAsk = io.isTerminal && values.json !== true;
  let hasFailed = false;
  let hasArrived = false;
  for (const channel of channels) {
    const { outcome, ms, isTakenBack } = await sendSample(dispatcher, channel);
    if (isTakenBack) wake(io);
    hasFailed ||= outcome.status === "failed";
    hasArrived ||= outcome.status === "delivered";
    const isBack = outcome.status === "delivered" && switchOn(dispatcher.layout, channel.name);
    if (values.json) {
      io.stdout(jsonLine({ channel: channel.name, type: channel.type, ...outcomeAsJson(outcome), ms }));
      continue;
    }
    const back = isBack ? "; it was switched off and is on again" : "";
    const isUnsure = outcome.status === "delivered" && !mayAsk;
    const unsure = isUnsure ? onlyYouCanTell(channel) : "";
    wrapping(io).stdout(`${channel.name} (${channel.type}): ${showOutcome(io, outcome, ms)}${back}${unsure}\n`);
    if (outcome.status === "failed" || !mayAsk) continue;
    const isSeen = await askSeen(io, ask, channel);
    if (isSeen === undefined) {
      io.stderr("hookbell: stopped\n");
      return exitCodes.failed;
    }
    hasFailed ||= !isSeen;
  }
  if (channels.length === 0) io.stderr("hookbell: your rules define no channel\n");
  if (!hasArrived && origin === "builtIn" && !values.json) {
    io.stdout("To be notified elsewhere, on your phone or in a chat: hookbell channels add\n");
  }
  return hasFailed ? exitCodes.failed : exitCodes.done;
}

/** The receiver works again: resets its switch-off and circuit breaker. */
function switchOn(layout: Layout, channel: string): boolean {
  const { switchedOff, breaker, ...endpoint } = readEndpoint(layout, channel);
  if (switchedOff !== undefined || breaker !== undefined) writeEndpoint(layout, endpoint);
  return switchedOff !== undefined;
}
