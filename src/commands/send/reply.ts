// `hook --reply`: returns the text of `terminal` channels to the agent, which shows it.
import type { Agent } from "../../agents/dialect/agent.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Delivery } from "../../model/delivery.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { writeDelivery } from "../../outbox/deliveries.ts";
import type { CommandIo } from "../console/command-io.ts";
import { claim, deliverNow } from "./deliver-now.ts";
import { jsonLine } from "../console/text.ts";
import { wake } from "../pipeline/open-dispatcher.ts";

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
  // First: if the agent kills this process, a dispatcher continues.
  if (planned.length > 0) wake(io);
  const results = await deliverNow(answering, answers, () => {});
  if (sequences.length > 0) io.stdout(jsonLine({ terminalSequence: sequences.join("") }));
  if (results.some(({ next }) => next === "retry")) wake(io);
  return exitCodes.done;
}
