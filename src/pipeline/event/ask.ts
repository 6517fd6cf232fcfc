// Ask: which channels may carry the question with buttons. It decides only; the journal's lines are written by `enqueue`.
import type { Delivery } from "../../model/delivery.ts";
import { endedSince, whyHookIsNotOurs } from "../../answers/own-hook.ts";
import { withNote } from "../../model/message.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { cardInstead } from "../answers/ask.ts";
import { whyElsewhere } from "../answers/route.ts";
import type { Asked, Decided } from "./context.ts";
import { someOf, withFinding } from "../stages.ts";

export function ask(decided: Decided, dispatcher: Dispatcher): Asked {
  const { question, planned } = decided;
  if (question === undefined) return withReason(unasked(decided));
  const notOurs = whyHookIsNotOurs(dispatcher.layout, question, dispatcher.tools.clock.now());
  if (notOurs !== undefined) return withoutButtons(decided, notOurs);
  const notAsked: { channel: string; why: string }[] = [];
  const deliveries = planned.map((each) => {
    const { delivery, channel } = each;
    const shown = cardInstead(question, delivery, channel);
    const why = "why" in shown ? shown.why : whyElsewhere(dispatcher, question, channel);
    if (why === undefined)
      return { ...each, delivery: { ...delivery, kind: "question" as const, question: question.id } };
    if (!channel.answers) return each;
    notAsked.push({ channel: channel.name, why });
    return "why" in shown ? { ...each, delivery: withNoButtons(delivery, why) } : each;
  });
  const isShownElsewhere = question.isOnPage === true || dispatcher.fleet() !== undefined;
  const isUnshown = !isShownElsewhere && deliveries.every(({ delivery }) => delivery.kind !== "question");
  const over = isUnshown ? "no channel shows it" : undefined;
  const asking = deliveries
    .filter(({ delivery }) => delivery.kind === "question")
    .map(({ delivery }) => delivery.channel);
  const trace = withFinding(
    decided.trace,
    "ask",
    asking.length === 0 ? "no channel has buttons for it" : `buttons on ${someOf(asking)}`,
    notAsked.length === 0 ? undefined : `not asked: ${someOf(notAsked.map(({ channel }) => channel))}`,
  );
  return { decided: { ...decided, trace }, deliveries, notAsked, over };
}

/** Channels that could carry the answer say why they do not, and the question is over. */
function withoutButtons(decided: Decided, why: string): Asked {
  const notAsked = decided.planned.filter(({ channel }) => channel.answers).map(({ channel: { name } }) => name);
  return {
    decided: { ...decided, trace: withFinding(decided.trace, "ask", `no buttons: ${why}`) },
    deliveries: noted(decided, why),
    notAsked: notAsked.map((channel) => ({ channel, why })),
    over: endedSince(why),
  };
}

function withReason(asked: Asked): Asked {
  const { noButtons } = asked.decided.facts;
  return noButtons === undefined ? asked : { ...asked, deliveries: noted(asked.decided, noButtons) };
}

/** The deliveries, with the reason on channels that could carry the answer. */
function noted({ planned }: Decided, why: string): Asked["deliveries"] {
  return planned.map((each) => {
    const { delivery, channel } = each;
    return channel.answers ? { ...each, delivery: withNoButtons(delivery, why) } : each;
  });
}

function withNoButtons<Any extends Delivery>(delivery: Any, why: string): Any {
  return { ...delivery, message: withNote(delivery.message, `no buttons: ${why}`) };
}

/** An event that asks through no hook has no buttons. */
export function unasked(decided: Decided): Asked {
  return { decided, deliveries: decided.planned, notAsked: [] };
}
