// Asks attention again about deliveries that it holds: when their time has come, or their session goes on.
import { wantsPresence } from "../../attention/presence.ts";
import type { Decision, Verdict, Weighed } from "../../attention/verdict.ts";
import type { Delivery } from "../../model/delivery.ts";
import { escalationOf, removeDelivery, writeDelivery } from "../../outbox/deliveries/deliveries.ts";
import { writeJournal } from "../../outbox/journal.ts";
import { originalOf } from "../../model/privacy/originals.ts";
import { hiddenPath, readSession } from "../../outbox/sessions.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { Channel, Rule } from "../../rules/rules.ts";
import { observeWork } from "../../system/terminal/work.ts";
import type { Dispatcher } from "../dispatcher.ts";
import { goodFile } from "../../rules/project-file.ts";
import { createWeigh, deferredBy, ofSeveral, takeTokens, type Circumstances } from "../plan/hold-back.ts";
import { asReset, limitedSessions } from "../plan/limit.ts";
import { projectFileOf } from "../understand/project-file-of.ts";
import { readWaiting } from "../policy/waiting-delivery.ts";

export interface WeighedAgain {
  /** Files that may be sent. */
  released: string[];
  /** Deliveries that stay held, each with the time of the next question. */
  held: { file: string; until: number }[];
  /** Files that are gone from the outbox. */
  gone: string[];
}

/** `isDue`: their time has come. Writes nothing without the lease. */
export async function weighAgain(
  dispatcher: Dispatcher,
  files: readonly string[],
  isDue: boolean,
  hasLease: () => boolean,
): Promise<WeighedAgain> {
  const result: WeighedAgain = { released: [], held: [], gone: [] };
  let takeToken = (): void => {};
  const presences = new Map<string, Circumstances["presence"]>();
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (typeof delivery !== "object") continue;
    presences.set(file, await presenceFor(dispatcher, delivery, ruleOf(dispatcher, delivery)));
  }
  // While the person was looked for, sessions have gone on: from here to the verdicts, nothing waits.
  if (!hasLease()) return result;
  for (const file of files) {
    const delivery = readWaiting(dispatcher, file);
    if (typeof delivery !== "object") {
      result.gone.push(file);
      continue;
    }
    const rule = ruleOf(dispatcher, delivery);
    const presence = presences.get(file);
    const channel = findChannel(dispatcher.rules().rules, delivery.channel);
    settleVerdict(dispatcher, { file, delivery, rule, channel, presence, isDue }, result);
    if (channel !== undefined && result.released.includes(file)) {
      takeToken = () => takeTokens(dispatcher, delivery.event, rule, channel);
    }
  }
  // Messages that leave together count as one.
  takeToken();
  return result;
}

function ruleOf({ rules }: Dispatcher, { rule, channel }: Delivery): Rule | undefined {
  const named = rules().rules.rules.filter(({ name }) => name === rule);
  return named.find(({ notify }) => notify.includes(channel)) ?? named[0];
}

async function presenceFor(
  dispatcher: Dispatcher,
  { event }: Delivery,
  rule: Rule | undefined,
): Promise<Circumstances["presence"]> {
  if (rule === undefined || !wantsPresence(rule.attention)) return undefined;
  const { layout, tools } = dispatcher;
  const { agent, session } = event;
  const { terminal } = readSession(layout, agent, session);
  const at = tools.clock.now();
  const presence = await dispatcher.observePresence?.(terminal, tools.env, event);
  if (presence !== undefined) writeJournal(layout, at, { kind: "presence", agent, session, presence });
  return presence;
}

interface Held {
  file: string;
  delivery: Delivery;
  rule: Rule | undefined;
  channel: Channel | undefined;
  presence: Circumstances["presence"];
  isDue: boolean;
}

function settleVerdict(
  dispatcher: Dispatcher,
  { file, delivery, rule, channel, presence, isDue }: Held,
  result: WeighedAgain,
): void {
  const { layout, tools } = dispatcher;
  const now = tools.clock.now();
  // Sending the delivery reports that the channel is gone.
  if (channel === undefined || delivery.hold === undefined) {
    result.released.push(file);
    return;
  }
  const session = readSession(layout, delivery.event.agent, delivery.event.session);
  const isWatch = delivery.kind === "stuck";
  const look = dispatcher.observeWork ?? (() => observeWork(hiddenPath(session.transcript), session.terminal, now));
  const signsOfWork = isWatch ? look(delivery.event) : undefined;
  const limited = delivery.kind === "limitReset" ? limitedSessions(dispatcher, delivery) : undefined;
  const until = isDue ? Math.min(delivery.notBefore, now) : delivery.notBefore;
  const message = weighedOf(delivery, until, channel);
  const project = goodFile(projectFileOf(dispatcher, originalOf(delivery.event.cwd)));
  const verdict = createWeigh(dispatcher, { session, presence, signsOfWork, limited, project })(rule, channel, message);
  switch (verdict.verdict) {
    case "send":
      if (verdict.joins !== undefined) writeDelivery(layout, "outbox", file, { ...delivery, joins: verdict.joins });
      if (delivery.kind === "limitReset" && limited !== undefined)
        writeDelivery(layout, "outbox", file, asReset(dispatcher, delivery, rule, limited));
      result.released.push(file);
      break;
    case "hold": {
      const next = { ...delivery, joins: verdict.joins, ...deferredBy(verdict, delivery, channel.expiresAfterMs) };
      const isSame = next.notBefore === delivery.notBefore && next.hold?.why === delivery.hold.why;
      if (!isSame) writeDelivery(layout, "outbox", file, next);
      result.held.push({ file, until: verdict.until });
      break;
    }
    case "drop":
      removeDelivery(layout, "outbox", file);
      result.gone.push(file);
      break;
  }
  const isNews = verdict.verdict !== "hold" || verdict.by !== delivery.hold.by;
  // Nearly every turn ends before it is stuck.
  if (isNews && !(isWatch && verdict.verdict === "drop")) writeVerdict(dispatcher, delivery, verdict);
}

function weighedOf(delivery: Delivery, until: number, channelOf: Channel): Weighed {
  const isForPeople = channelOf.channelType.isForPrograms !== true;
  const { event, message, rule, channel, createdAt, expiresAt, hold } = delivery;
  // After the clock was turned back, an event may be from the future.
  const since = Math.min(Date.parse(event.at), createdAt);
  const held = hold && { by: hold.by as Decision, until };
  const several = ofSeveral(channelOf, delivery.kind === "question");
  return {
    event,
    level: message.level,
    rule,
    channel,
    isForPeople,
    ofSeveral: several,
    since,
    expiresAt,
    escalatesAfterMs: escalationOf(delivery),
    held,
  };
}

function writeVerdict(
  { layout, tools }: Dispatcher,
  { id, event, channel, rule, hold }: Delivery,
  verdict: Verdict,
): void {
  writeJournal(layout, tools.clock.now(), {
    kind: "attention",
    event: event.id,
    delivery: id,
    channel,
    rule,
    verdict: verdict.verdict,
    by: verdict.verdict === "send" ? hold?.by : verdict.by,
    why: verdict.verdict === "send" ? hold?.why : verdict.why,
    until: verdict.verdict === "hold" ? new Date(verdict.until).toISOString() : undefined,
  });
}
