// How a channel shows what joins a message that has just rung there, and which message that is.
import type { JoinedAs } from "../../policies/decision.ts";
import { canJoin, ringingAfter } from "../../policies/together.ts";
import type { AgentEvent } from "../../model/event.ts";
import { readRinging, writeRinging } from "../../outbox/attention.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Channel } from "../../rules/rules.ts";

/** Each question with buttons needs a message of its own, and each terminal shows its own session. */
export function joinedAs({ channelType, settings, answers }: Channel, isAsked: boolean): JoinedAs {
  if (channelType.noticing?.how === "hear") return "nothing";
  if (channelType.isShownInTerminal === true) return "ownMessage";
  const isUpdated = (isAsked && answers) || channelType.showsList?.(settings as never) !== undefined;
  return isUpdated ? "silentMessage" : "summary";
}

/** The event was sent to the channel, so what follows within seconds joins it. */
export function noteRung(layout: Layout, event: AgentEvent, { name, channelType }: Channel, nowMs: number): void {
  if (!canJoin({ event, isForPeople: channelType.isForPrograms !== true })) return;
  writeRinging(layout, ringingAfter(event, name, readRinging(layout), nowMs));
}
