// `hookbell hook`, including its foreground flags --wait and --reply.
import { isDisabled } from "../../system/environment.ts";
import { randomId } from "../../system/crypto.ts";
import { uniqueName } from "../../system/files/files.ts";
import { decidePayload } from "../../pipeline/pipeline.ts";
import { recordEvent } from "../../pipeline/event/record-event.ts";
import { type ExitCode, exitCodes } from "../../model/errors.ts";
import { ownPid } from "../../system/process/identity.ts";
import { layoutOf } from "../../outbox/layout.ts";
import { agentNameHint } from "../explain/agent-name-hint.ts";
import type { CommandIo } from "../../console/command-io.ts";
import { requireRulesFile, usableRules } from "../pipeline/load-rules.ts";
import { parseHookArguments } from "../../intake/hook-arguments.ts";
import { wake } from "../../daemon/open-dispatcher.ts";
import { openDispatcher } from "../pipeline/open-dispatcher.ts";
import { readHookInput } from "../../intake/read-hook-input.ts";
import { reportDeliveries } from "./report.ts";
import { takePayload } from "../../intake/take-payload.ts";
import type { Agent } from "../../agents/dialect/agent.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { AgentEvent } from "../../model/event.ts";
import { writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { claim, deliverNow } from "./deliver-now.ts";
import { jsonLine } from "../../console/output/text.ts";

export async function hook(args: string[], io: CommandIo): Promise<ExitCode> {
  if (isDisabled(io.env)) return exitCodes.done;
  const options = parseHookArguments(args);
  if (options.status === "wrong") return complain(io, options.problems);
  if (options.status === "plain") return complain(io, await takePayload(options, io.env, io.readPayload));

  if (options.isAnswer) return await (await import("./answer-agent.ts")).answerAgent(options, io);
  // Users read the output of `--wait`; an agent would obey it.
  const slip = options.isReply ? undefined : agentNameHint(options.agentId);
  if (slip !== undefined) io.stderr(`hookbell: ${slip}\n`);
  const layout = layoutOf(io.places.stateDir);
  const input = await readHookInput(options, io.env, layout, io.readPayload);
  if (input.status === "refused") return complain(io, input.lines);
  requireRulesFile(options.rulesFile);
  const dispatcher = await openDispatcher(io, options.rulesFile);
  usableRules(dispatcher, undefined, io);
  const receivedAt = io.clock.now();
  const origin = {
    eventId: `evt_${randomId()}`,
    receivedAt,
    position: uniqueName(receivedAt),
    callerPids: [ownPid],
    setupName: options.setupName,
  };
  const plan = await decidePayload(dispatcher, { reading: input.reading, origin });
  // From now on, the same event from another hook is a duplicate.
  const onPlaced = (): void => recordEvent(dispatcher, plan);
  if (options.isReply) return await replyToAgent(io, dispatcher, plan, input.reading.agent, onPlaced);
  if (plan.planned.length === 0 && !options.isJson) {
    const why = plan.suppressed?.why;
    const said = why === undefined ? "no rule sends this event to a channel" : `no channel is notified: ${why}`;
    io.stdout(`${said}. See: hookbell explain\n`);
  }
  return await reportDeliveries(io, dispatcher, plan, options.isJson, onPlaced);
}

/** The exit code is never 2 or more: agents read that as "block". */
function complain(io: CommandIo, lines: readonly string[]): ExitCode {
  io.stderr(lines.map((line) => `hookbell: ${line}\n`).join(""));
  return lines.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** The dispatcher sends the rest, so the agent does not wait. Exits with 0, because agents ignore other answers. */
export async function replyToAgent(
  io: CommandIo,
  dispatcher: Dispatcher,
  { event, planned }: { event: AgentEvent; planned: readonly { file: string; delivery: Delivery }[] },
  agent: Pick<Agent, "showsInTerminal">,
  onPlaced: () => void,
): Promise<ExitCode> {
  const { rules } = dispatcher.rules();
  const canShow = agent.showsInTerminal?.includes(event.name) === true;
  const isForReply = ({ delivery }: { delivery: Delivery }): boolean =>
    canShow &&
    delivery.hold === undefined &&
    findChannel(rules, delivery.channel)?.channelType.isShownInTerminal === true;
  const others = planned.filter((each) => !isForReply(each));
  for (const { file, delivery } of others) writeDelivery(dispatcher.layout, "outbox", file, delivery);

  const sequences: string[] = [];
  const replyTerminal = (sequence: string): void => void sequences.push(sequence);
  const answering = { ...dispatcher, tools: { ...dispatcher.tools, replyTerminal } };
  const answers = planned.filter(isForReply);
  claim(answering, answers);
  onPlaced();
  // Wake a dispatcher first: if the agent kills this process, the dispatcher continues.
  if (planned.length > 0) wake(io);
  const results = await deliverNow(answering, answers, () => {});
  if (sequences.length > 0) io.stdout(jsonLine({ terminalSequence: sequences.join("") }));
  if (results.some(({ next }) => next === "retry")) wake(io);
  return exitCodes.done;
}
