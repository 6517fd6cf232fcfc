// How a channel shows what joins a message that has just rung there, and which message that is.
import type { JoinedAs } from "../../policies/decision.ts";
import { canJoin, ringingAfter } from "../../policies/together.ts";
import { type AgentEvent, isQuestion } from "../../model/event.ts";
import { readRinging, writeRinging } from "../../outbox/attention.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Channel } from "../../rules/rules.ts";

/** Each question with buttons needs a message of its own, and so does a session whose message is edited. Each terminal shows its own session. */
export function joinedAs({ channelType, settings, answers }: Channel, event: AgentEvent, isAsked: boolean): JoinedAs {
  if (channelType.noticing?.how === "hear") return "nothing";
  if (channelType.isShownInTerminal === true) return "ownMessage";
  const isInList = isQuestion(event) && channelType.showsList?.(settings as never) !== undefined;
  const isEdited = channelType.editsEarlier?.(settings as never) === true;
  return isInList || isEdited || (isAsked && answers) ? "silentMessage" : "summary";
}

/** The event was sent to the channel, or waits there for others until `waitsUntil`; so what follows within seconds joins it. */
export function noteRung(
  layout: Layout,
  event: AgentEvent,
  { name, channelType }: Channel,
  nowMs: number,
  waitsUntil?: number,
): void {
  if (!canJoin({ event, isForPeople: channelType.isForPrograms !== true })) return;
  writeRinging(layout, ringingAfter(event, name, readRinging(layout), nowMs, waitsUntil));
}
