// Lets the policies decide again about deliveries that they defer: when their time has come, or their session goes on.
import type { AboutLimit, LimitedSessions } from "../../policies/limit.ts";
import { wantsPresence } from "../../policies/presence.ts";
import type { PolicyName, Decision, Candidate } from "../../policies/decision.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { joinedAs } from "../coalescer/joined-as.ts";
import { createDecide, deferredBy, noteWaits, takeTokens, type Circumstances } from "../decide/decide.ts";
import { asReset, limitedSessions } from "../decide/limit.ts";
import { readWaiting } from "../channel/waiting-delivery.ts";
import { projectFileOf } from "../understand/project-file-of.ts";
import type { Delivery } from "../../model/delivery.ts";
import type { Level } from "../../model/level.ts";
import { originalOf } from "../../model/privacy/originals.ts";
import { escalationOf, removeDelivery, writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { hiddenPath, readSession } from "../../outbox/sessions.ts";
import { readLimit } from "../../outbox/shared/limits.ts";
import { findChannel } from "../../rules/built-in.ts";
import { goodFile } from "../../rules/project-file.ts";
import { rulesNamed } from "../../rules/schema/old-names.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import { observeWork, type WorkLooks } from "../../system/terminal/work.ts";
import type { Ended } from "../stages.ts";
import type { Collected, DecidedAgain, DeliveryTools } from "./context.ts";

/**
 * What they release is sent next; what they suppress leaves the outbox; the rest waits until the next question. Nothing is
 * written without the lease.
 */
export function decideAgain(context: Collected, tools: DecideTools): DecidedAgain | Promise<DecidedAgain | Ended> {
  const { together, waiting } = context;
  return together === undefined ? { ...context, released: [waiting.file] } : decideTogether(context, together, tools);
}

type DecideTools = Pick<DeliveryTools, "dispatcher" | "queues" | "lease">;

async function decideTogether(
  context: Collected,
  files: readonly string[],
  { dispatcher, queues, lease }: DecideTools,
): Promise<DecidedAgain | Ended> {
  const { clock } = dispatcher.tools;
  const presences = new Map<string, Circumstances["presence"]>();
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (typeof delivery !== "object") continue;
    presences.set(file, await presenceFor(dispatcher, delivery, ruleOf(dispatcher, delivery)));
  }
  // While the person was looked for, sessions have gone on: from here to the decisions, nothing waits.
  if (!lease.renew()) return { ended: "deferred", why: "another dispatcher has the lease" };
  const decisions: [file: string, decided: Decided][] = [];
  let takeToken = (): void => {};
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (typeof delivery !== "object") {
      decisions.push([file, { next: "leave" }]);
      continue;
    }
    const rule = ruleOf(dispatcher, delivery);
    const presence = presences.get(file);
    const channel = findChannel(dispatcher.rules().rules, delivery.channel);
    const decided = decideOne(dispatcher, { file, delivery, rule, channel, presence, isDue: context.isDue });
    decisions.push([file, decided]);
    if (channel !== undefined && decided.next === "send") {
      takeToken = () => takeTokens(dispatcher, delivery.event, rule, channel);
    }
  }
  // Messages that leave together count as one.
  takeToken();
  for (const [file, decided] of decisions) {
    if (decided.next === "leave") queues.dequeue(file);
    if (decided.next === "defer") queues.deferUntil(file, decided.until);
    if (decided.next === "send") queues.change(file, { deferred: undefined, notBefore: clock.now() });
  }
  const released = decisions.filter(([, { next }]) => next === "send").map(([file]) => file);
  if (released.length > 0) return { ...context, released };
  const isDeferred = decisions.some(([, { next }]) => next === "defer");
  return { ended: isDeferred ? "deferred" : "suppressed", why: "policies release none of them" };
}

function ruleOf({ rules }: Dispatcher, { rule, channel }: Delivery): Rule | undefined {
  const named = rulesNamed(rules().rules.rules, rule);
  return named.find(({ notify }) => notify.includes(channel)) ?? named[0];
}

async function presenceFor(
  dispatcher: Dispatcher,
  { event }: Delivery,
  rule: Rule | undefined,
): Promise<Circumstances["presence"]> {
  if (rule === undefined || !wantsPresence(rule.policies)) return undefined;
  const { layout, tools } = dispatcher;
  const { agent, session } = event;
  const { terminal } = readSession(layout, agent, session);
  const at = tools.clock.now();
  const presence = await dispatcher.observePresence?.(terminal, tools.env, event);
  if (presence !== undefined) writeJournal(layout, at, { kind: "presence", agent, session, presence });
  return presence;
}

interface Deferred {
  file: string;
  delivery: Delivery;
  rule: Rule | undefined;
  channel: Channel | undefined;
  presence: Circumstances["presence"];
  isDue: boolean;
}

type Decided = { next: "send" } | { next: "defer"; until: number } | { next: "leave" };

const workLooks = (): WorkLooks => new Map();

/** Puts the decision on the disk. */
function decideOne(dispatcher: Dispatcher, { file, delivery, rule, channel, presence, isDue }: Deferred): Decided {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  // Sending the delivery reports that the channel is gone.
  if (channel === undefined || delivery.hold === undefined) return { next: "send" };
  const session = readSession(layout, delivery.event.agent, delivery.event.session);
  const isWatch = delivery.kind === "stuck";
  const looks = layout.memory(workLooks);
  const look =
    dispatcher.observeWork ?? (() => observeWork(hiddenPath(session.transcript), session.terminal, looks, now));
  const signsOfWork = isWatch ? look(delivery.event) : undefined;
  const limited = delivery.kind === "limitReset" ? limitedSessions(dispatcher, delivery) : undefined;
  const until = isDue ? Math.min(delivery.notBefore, now) : delivery.notBefore;
  const message = messageToDecide(delivery, until, channel);
  const limit = aboutLimit(dispatcher, delivery, limited);
  const project = goodFile(projectFileOf(dispatcher, originalOf(delivery.event.cwd)));
  const decision = createDecide(dispatcher, { session, presence, signsOfWork, limit, project })(rule, channel, message);
  switch (decision.action) {
    case "send": {
      const isReset = delivery.kind === "limitReset" && limited !== undefined;
      const told = isReset ? asReset(dispatcher, delivery, rule, limited) : delivery;
      const levelled = decision.level === undefined ? told : withLevel(told, decision.level);
      const released = decision.joins === undefined ? levelled : { ...levelled, joins: decision.joins };
      if (released !== delivery) writeDelivery(layout, "outbox", file, released);
      break;
    }
    case "defer": {
      const next = { ...delivery, joins: decision.joins, ...deferredBy(decision, delivery, channel.expiresAfterMs) };
      const isSame = next.notBefore === delivery.notBefore && next.hold?.why === delivery.hold.why;
      if (!isSame) writeDelivery(layout, "outbox", file, next);
      noteWaits(dispatcher, delivery.event, channel, decision);
      break;
    }
    case "suppress":
      removeDelivery(layout, "outbox", file);
      break;
  }
  const isNews = decision.action !== "defer" || decision.by !== delivery.hold.by;
  // Nearly every turn ends before it is stuck.
  if (isNews && !(isWatch && decision.action === "suppress")) recordDecision(dispatcher, delivery, decision);
  if (decision.action === "defer") return { next: "defer", until: decision.until };
  return { next: decision.action === "send" ? "send" : "leave" };
}

/** Its fallbacks are told at that level, too. */
function withLevel(delivery: Delivery, level: Level): Delivery {
  const message = { ...delivery.message, level };
  const fallback = delivery.fallback.map((each) => ({ ...each, message: { ...each.message, level } }));
  return { ...delivery, message, fallback };
}

function aboutLimit(
  { layout }: Dispatcher,
  { kind, event }: Delivery,
  limited: LimitedSessions | undefined,
): AboutLimit | undefined {
  if (kind === "limitReset") return { is: "reset", limited };
  return kind === "limitReached" ? { is: "reached", told: readLimit(layout, event.agent).told } : undefined;
}

function messageToDecide(delivery: Delivery, until: number, channelOf: Channel): Candidate {
  const { event, message, rule, channel, createdAt, expiresAt, hold } = delivery;
  // After the clock was turned back, an event may be from the future.
  const since = Math.min(Date.parse(event.at), createdAt);
  return {
    event,
    level: message.level,
    rule,
    channel,
    isForPeople: channelOf.channelType.isForPrograms !== true,
    joinedAs: joinedAs(channelOf, event, delivery.kind === "question"),
    since,
    expiresAt,
    escalatesAfterMs: escalationOf(delivery),
    deferred: hold && { by: hold.by as PolicyName, until },
  };
}

/** The journal keeps the words that it had before. */
const journalWords = { send: "send", defer: "hold", suppress: "drop" } as const;

function recordDecision(
  { layout, tools }: Dispatcher,
  { id, event, channel, rule, hold }: Delivery,
  decision: Decision,
): void {
  writeJournal(layout, tools.clock.now(), {
    kind: "attention",
    event: event.id,
    delivery: id,
    channel,
    rule,
    verdict: journalWords[decision.action],
    by: decision.action === "send" ? hold?.by : decision.by,
    why: decision.action === "send" ? hold?.why : decision.why,
    until: decision.action === "defer" ? new Date(decision.until).toISOString() : undefined,
  });
}
