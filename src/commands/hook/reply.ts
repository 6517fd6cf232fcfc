import type { Agent } from "../../agents/dialect/agent.ts";
import type { Dispatcher } from "../../dispatch/dispatcher.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Delivery } from "../../model/delivery.ts";
import { exitCodes, type ExitCode } from "../../model/errors.ts";
import type { AgentEvent } from "../../model/event.ts";
import { writeDelivery } from "../../outbox/deliveries.ts";
import type { CommandIo } from "../console/command-io.ts";
import { claim, deliverNow } from "../send/deliver-now.ts";
import { jsonLine } from "../console/text.ts";
import { wake } from "../pipeline/open-dispatcher.ts";

/**
 * What `--reply` does: the agent's hooks have no terminal, but the agent has, and shows what stands in their answer. All
 * other deliveries wait for the dispatcher as ever, so that the agent does not wait for the network. Always exit 0, since
 * an answer counts with that alone; and nothing else on standard output.
 */
export async function replyToAgent(
  io: CommandIo,
  dispatcher: Dispatcher,
  { event, planned }: { event: AgentEvent; planned: readonly { file: string; delivery: Delivery }[] },
  agent: Pick<Agent, "showsInTerminal">,
  onPlaced: () => void,
): Promise<ExitCode> {
  const { rules } = dispatcher.rules();
  const isTaken = agent.showsInTerminal?.includes(event.name) === true;
  const isForReply = ({ delivery }: { delivery: Delivery }): boolean =>
    isTaken && findChannel(rules, delivery.channel)?.channelType.isShownInTerminal === true;
  const others = planned.filter((each) => !isForReply(each));
  for (const { file, delivery } of others) writeDelivery(dispatcher.layout, "outbox", file, delivery);

  const sequences: string[] = [];
  const replyTerminal = (sequence: string): void => void sequences.push(sequence);
  const answering = { ...dispatcher, tools: { ...dispatcher.tools, replyTerminal } };
  const answers = planned.filter(isForReply);
  claim(answering, answers);
  onPlaced();
  // Before anything is waited for: the agent may kill us in the middle, and then somebody takes it up.
  if (planned.length > 0) await wake(io);
  const results = await deliverNow(answering, answers, () => {});
  if (sequences.length > 0) io.stdout(jsonLine({ terminalSequence: sequences.join("") }));
  if (results.some(({ next }) => next === "retry")) await wake(io);
  return exitCodes.done;
}
