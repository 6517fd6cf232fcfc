// Dedupe: what each channel was told already. It comes after `route`, since what counts as the same depends on the channels.
import { detectDuplicate } from "../../policies/duplicates.ts";
import type { AgentEvent } from "../../model/event.ts";
import { eachSession } from "../../outbox/sessions.ts";
import { levelOfEvent } from "../../model/level.ts";
import { doesRuleMatch, factsOf } from "../../rules/apply/match.ts";
import type { Rule } from "../../rules/rules.ts";
import { asksStill } from "../../sessions/state.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { type Decided, type Deduped, type Routed, suppress } from "./context.ts";
import { suppressChannels } from "./route.ts";
import { someOf, withFinding } from "../stages.ts";

export function dedupe(context: Routed, dispatcher: Dispatcher): Deduped | Decided {
  const { before, seen, selection } = context;
  const detected = detectDuplicate(before.recent ?? [], arrivalOf(context, dispatcher));
  const { alreadyNotified, recent } = detected;
  const duplicate = askedElsewhere(context, dispatcher) ?? detected.duplicate;
  const found =
    duplicate?.why ??
    (alreadyNotified === undefined ? "news" : `${alreadyNotified.why}, told to ${someOf(alreadyNotified.channels)}`);
  const deduped = { ...context, trace: withFinding(context.trace, "dedupe", found) };
  if (duplicate === undefined) return { ...deduped, alreadyNotified, recent };
  return suppress(
    deduped,
    { by: "duplicate", ...duplicate },
    { selection: suppressChannels(selection, duplicate.why), session: { ...seen, recent }, isHeeded: false },
  );
}

/** Milliseconds: a view of many sessions tells of a question some seconds after the session that asks. */
const tellsLaterMs = 30_000;

/** The question of another session, of which this event tells as well. */
function askedElsewhere({ event }: Routed, { layout, tools }: Dispatcher): { of: string; why: string } | undefined {
  if (event.means !== "elsewhere") return undefined;
  const at = Date.parse(event.at);
  for (const { agent, session, open = [] } of eachSession(layout, tools.clock.now())) {
    if (agent !== event.agent || session === event.session) continue;
    const asked = open.findLast((each) => asksStill(each) && Math.abs(at - each.at) <= tellsLaterMs);
    if (asked !== undefined) return { of: asked.id, why: `the session that asks has told of it: ${asked.id}` };
  }
  return undefined;
}

function arrivalOf(
  { event, original, reading, facts, before, selection: { chosen } }: Routed,
  { rules }: Dispatcher,
): Parameters<typeof detectDuplicate>[1] {
  const { channels, idle } = rules().rules;
  const { calledAs, agentId } = reading;
  const by = facts.setupName === undefined ? "" : ` by ${facts.setupName}`;
  return {
    event,
    way: `${calledAs ?? agentId}${by}:${event.agentEvent ?? event.name}`,
    channels: chosen.map(({ channel }) => channel.name),
    isToldAsError: chosen.every(({ rule }) => !holdsWithoutError(rule, original)),
    isOneSession: facts.isOfManySessions !== true,
    forPeople: new Set(
      Object.values(channels).flatMap(({ name, channelType }) => (channelType.isForPrograms === true ? [] : [name])),
    ),
    isReminded: idle === "remind",
    openQuestions: new Set((before.open ?? []).filter(asksStill).map(({ id }) => id)),
    // Two equal calls of a tool at once are two questions, if a hook waits for each.
    payloadKey: facts.isAsked === true ? undefined : facts.payload,
  };
}

function holdsWithoutError(rule: Rule, { reason: _reason, ...event }: AgentEvent): boolean {
  return doesRuleMatch(rule, factsOf({ ...event, level: levelOfEvent(event.name) }));
}
