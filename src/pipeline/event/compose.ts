// Compose: one delivery for each chosen channel, with the message before any channel's syntax.
import { retractReason } from "../../policies/answered.ts";
import { withChannels } from "../../policies/duplicates.ts";
import { type AgentEvent, isQuestion } from "../../model/event.ts";
import { deliveryFileName } from "../../outbox/deliveries/deliveries.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import type { Selection } from "../../rules/apply/select.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { type Composed, type Decided, decidedOf, type Derived } from "./context.ts";
import { composeFor } from "./compose-for.ts";
import { suppressChannels } from "./route.ts";
import { withFinding } from "../stages.ts";

/** The event's own deliveries, and those of what is derived from it. */
export function compose(context: Derived, dispatcher: Dispatcher): Decided {
  const { reading, position, event, original, selection, alreadyNotified, recent, limit, watch, before, after } =
    context;
  const { rules } = dispatcher.rules();
  const now = dispatcher.tools.clock.now();
  const told = [alreadyNotified, limit?.alreadyNotified].flatMap((each) =>
    each === undefined || each.channels.length === 0 ? [] : [each],
  );
  const isNews = ({ delivery }: Composed): boolean =>
    told.every((each) => delivery.escalatesAfterMs === undefined && !each.channels.includes(delivery.channel));
  const derived = [...(limit?.events ?? []), ...(watch === undefined ? [] : [watch])];
  const composed = [
    ...composeFor({ event: original, payload: reading.payload, selection }, rules, now).filter(isNews),
    ...derived.flatMap((each) => composeFor({ ...each, event: each.original }, rules, now)),
  ];
  const heardNow = heardBy(selection, event);
  const session = {
    ...withTold(after, event, [...heardNow, ...selection.steps.map(({ channel }) => channel.name)]),
    recent: withChannels(recent ?? [], event.id, heardNow),
  };
  const trace = withFinding(
    context.trace,
    "compose",
    composed.length === 1 ? "1 message" : `${composed.length} messages`,
  );
  return {
    ...decidedOf({ ...context, trace }),
    // The names sort in the order in which they are sent.
    planned: composed.map((each, order) => ({ ...each, file: deliveryFileName(position, order, each.delivery.id) })),
    selection: told.reduce((all, { why, channels }) => suppressChannels(all, why, channels), selection),
    session,
    retraction: retractReason(before, after, event),
    suppressed: undefined,
    limit: limit?.events ?? [],
  };
}

/** Only these channels may list the question, and those that its reminder is for. */
function withTold(session: SessionRecord, { id }: AgentEvent, channels: string[]): SessionRecord {
  const { reminds } = session.open?.find((each) => each.id === id) ?? {};
  return {
    ...session,
    open: session.open?.map((each) => {
      if (each.id === id) return { ...each, channels };
      return each.id === reminds ? { ...each, channels: [...new Set([...(each.channels ?? []), ...channels])] } : each;
    }),
  };
}

/**
 * A channel that is silent because the user is there counts too: the user has seen the message. Of a question, so does each whose
 * rules wanted it: what the policies decided holds for its reminder.
 */
function heardBy({ chosen, silent }: Selection, event: AgentEvent): string[] {
  const isHeard = ({ by }: Selection["silent"][number]): boolean =>
    by === "presence" || (by !== undefined && by !== "project" && isQuestion(event));
  const decided = silent.flatMap((each) => (each.channel !== undefined && isHeard(each) ? [each.channel] : []));
  return [...chosen.map(({ channel }) => channel.name), ...decided];
}
