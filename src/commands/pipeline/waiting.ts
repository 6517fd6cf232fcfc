// What waits for each channel, until when, and why; and what reached none.
import { openFrom } from "../../pipeline/channel/endpoint-policy.ts";
import { findChannel } from "../../rules/built-in.ts";
import type { CurrentRules } from "../../pipeline/current-rules.ts";
import { formatDuration } from "../../model/figures/duration.ts";
import type { Failed } from "../../model/outcome.ts";
import type { Delivery } from "../../model/delivery.ts";
import { textOf } from "../../model/json.ts";
import { cut, printableLine } from "../../model/text.ts";
import { listDeliveries, readDelivery } from "../../outbox/deliveries/deliveries.ts";
import { readEndpoint, type Endpoint } from "../../outbox/endpoints.ts";
import { journalBytes, listJournal, readJournalOn, type JournalEntry } from "../../outbox/journal.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Rules } from "../../rules/rules.ts";
import { localTime } from "../../console/output/show-entry.ts";
import { count } from "../../console/output/text.ts";

export interface WaitingDeliveries {
  channel: string;
  count: number;
  /** When something can be sent, in milliseconds since the epoch. In the past means at once. */
  until: number;
  /** The reason of the last failed attempt. */
  reason?: Failed["reason"];
  /** Why they wait: the last failure's detail, or what holds them back, such as "quiet hours until 07:00". */
  detail?: string;
}

/** Reads only the oldest; thousands of files would take too long. */
const maxRead = 500;

export function findWaiting(layout: Layout, rules: Rules, nowMs: number): WaitingDeliveries[] {
  const byChannel = new Map<string, { count: number; dueAt: Map<string, number>; failure?: Failure; held?: string }>();
  for (const file of listDeliveries(layout, "outbox").slice(0, maxRead)) {
    const reading = readDelivery(layout, "outbox", file);
    if (reading.status !== "read") continue;
    const { delivery } = reading;
    const { channel, event, notBefore, lastFailure } = delivery;
    const found = byChannel.get(channel) ?? { count: 0, dueAt: new Map<string, number>() };
    byChannel.set(channel, found);
    found.count += 1;
    // Order is kept within a session: its deliveries wait for the first.
    if (!found.dueAt.has(event.session)) found.dueAt.set(event.session, notBefore);
    if (notBefore > nowMs) found.held ??= whatFor(delivery);
    if (lastFailure !== undefined && lastFailure.at >= (found.failure?.at ?? 0)) found.failure = lastFailure;
  }
  return [...byChannel].map(([channel, { count, dueAt, failure, held }]) => {
    const endpoint = readEndpoint(layout, channel);
    const openAt = openFrom(endpoint, findChannel(rules, channel)?.channelType.rate, nowMs);
    const until = Math.max(Math.min(...dueAt.values()), openAt);
    const lacking = endpoint.missingSecret?.detail;
    const why = failure ?? (lacking === undefined ? undefined : { reason: "missingSecret" as const, detail: lacking });
    if (why !== undefined) return { channel, count, until, reason: why.reason, detail: why.detail };
    return { channel, count, until, ...(held === undefined ? {} : { detail: held }) };
  });
}

/** What a delivery that has not failed waits for; undefined if it is only waiting for its turn. */
function whatFor({ kind, hold }: Delivery): string | undefined {
  if (kind === "stuck") return "sent only if the turn is stuck by then";
  return kind === "limitReset" ? "sent when the usage limit resets" : hold?.why;
}

/** What was given up, by channel. */
export interface GivenUp {
  channel: string;
  count: number;
  /** The newest one. Its title is untrusted. */
  last: { title: string; at: string; detail: string };
}

/** What only this machine's own screen and speakers were to show, where it has neither. All of it is still kept. */
export interface Unshown {
  count: number;
  last: GivenUp["last"];
}

export function findUnshown(layout: Layout): Unshown | undefined {
  const unshown = readDead(layout).filter(isUnshown);
  const [last] = unshown;
  return last && { count: unshown.length, last: asLast(last) };
}

function asLast({ message, event, lastFailure }: Delivery): GivenUp["last"] {
  return { title: message.title, at: event.at, detail: lastFailure?.detail ?? "" };
}

function isUnshown({ lastFailure, ...delivery }: Delivery): boolean {
  return lastFailure?.reason === "unavailable" && "isOnlyHere" in delivery && delivery.isOnlyHere === true;
}

export const addPhone = "hookbell channels add ntfy";

export function showUnshown({ count: amount, last }: Unshown): string[] {
  const { what, fix } = describeUnshown(amount);
  return [`${what}; the last at ${inWords(last)}`, `  ${fix}: ${addPhone}`, "  to delete them: hookbell discard --all"];
}

export function describeUnshown(amount: number): { what: string; fix: string } {
  return {
    what: `${count(amount, "message")} kept, because this machine can neither show nor play ${amount === 1 ? "it" : "them"}`,
    fix: "add a channel that reaches you elsewhere, such as your phone",
  };
}

/** The newest first, and no more than can be read quickly. */
function readDead(layout: Layout): Delivery[] {
  return listDeliveries(layout, "dead")
    .toReversed()
    .slice(0, maxRead)
    .flatMap((file) => {
      const reading = readDelivery(layout, "dead", file);
      return reading.status === "read" ? [reading.delivery] : [];
    });
}

/** Without what this machine could not show, which is told as one. */
export function findGivenUp(layout: Layout): GivenUp[] {
  const byChannel = new Map<string, GivenUp>();
  for (const delivery of readDead(layout).filter((each) => !isUnshown(each))) {
    const { channel } = delivery;
    const last = asLast(delivery);
    const found = byChannel.get(channel) ?? { channel, count: 0, last };
    byChannel.set(channel, { ...found, count: found.count + 1 });
  }
  return [...byChannel.values()];
}

/** A channel whose newest message failed and waits for no attempt. */
export interface Failing {
  channel: string;
  at: string;
  /** How many messages failed since one arrived. They are not kept: another channel was told, or nothing would hear it later. */
  notKept: number;
  /** Perhaps a receiver's words: untrusted. */
  detail: string;
}

/** Bytes of the journal's end: more than a day of most people's. */
const maxJournalBytes = 1024 * 1024;

/** The journal tells, because not every message is kept: a sound that could not be played has only its line there. */
export function findFailing(layout: Layout, { channels }: Rules): Failing[] {
  const newest = new Map<string, { entry: JournalEntry; notKept: number }>();
  for (const file of listJournal(layout).slice(-2)) {
    const offsets = new Map([[file, Math.max(0, journalBytes(layout, file) - maxJournalBytes)]]);
    for (const entry of readJournalOn(layout, file, offsets)) {
      const channel = textOf(entry.channel);
      if (entry.kind !== "attempt" || channel === undefined || !Object.hasOwn(channels, channel)) continue;
      const before = newest.get(channel)?.notKept ?? 0;
      const notKept = entry.outcome === "failed" ? before + (entry.next === "done" ? 1 : 0) : 0;
      newest.set(channel, { entry, notKept });
    }
  }
  return [...newest]
    .filter(([, { entry }]) => entry.outcome === "failed" && entry.next !== "retry")
    .map(([channel, { entry, notKept }]) => {
      const detail = textOf(entry.detail) ?? textOf(entry.reason) ?? "";
      return { channel, at: entry.at, notKept, detail };
    });
}

/** `desktop: 2 given up, the last at 2026-01-31 17:51:19: shop-web: Claude Code is done (no screen)` */
export function showGivenUp({ channel, count, last }: GivenUp): string {
  return `  ${channel}: ${count} given up, the last at ${inWords(last)}`;
}

function inWords({ title, at, detail }: GivenUp["last"]): string {
  const words = printableLine(`${title}${detail === "" ? "" : ` (${shortWhy(detail)})`}`);
  return `${localTime(at)}: ${words}`;
}

/** `channel sound: its last message failed at 2026-01-31 17:51:19: no sound server or device? (not kept: 4)` */
export function showFailing({ channel, at, detail, notKept }: Failing): string {
  const lost = notKept === 0 ? "" : ` (not kept: ${notKept})`;
  return `channel ${channel}: its last message failed at ${localTime(at)}${detail === "" ? "" : `: ${shortWhy(detail)}`}${lost}`;
}

/** Characters; `hookbell log` has all of them. */
const maxWhy = 120;

/** Programs may print many lines; the message shows few of them. */
export function shortWhy(detail: string): string {
  return cut(printableLine(detail), maxWhy);
}

type Failure = Pick<Failed, "reason" | "detail"> & { at: number };

/** `12 waiting until 2026-01-31 17:51:19 (ops: connection refused)`. */
export function showWaiting({ channel, count, until, detail }: WaitingDeliveries, nowMs: number): string {
  const when = until > nowMs ? ` until ${localTime(until)}` : "";
  return `${count} waiting${when} (${printableLine(detail === undefined ? channel : `${channel}: ${detail}`)})`;
}

export function waitingAsJson({ until, ...rest }: WaitingDeliveries): Record<string, unknown> {
  return { ...rest, until: new Date(until).toISOString() };
}

/** A channel whose settings changed is on again, and one that was removed has no trouble, even if its record is still there. */
export function troubled(endpoints: readonly Endpoint[], { rules, problems }: CurrentRules, nowMs: number): Endpoint[] {
  const isKnown = problems.length === 0;
  return endpoints.flatMap(({ switchedOff, ...endpoint }) => {
    const channel = findChannel(rules, endpoint.channel);
    if (isKnown && channel === undefined) return [];
    const isOff = switchedOff !== undefined && (!isKnown || switchedOff.fingerprint === channel?.fingerprint);
    if (isOff) return [{ ...endpoint, switchedOff }];
    return openFrom(endpoint, undefined, nowMs) > nowMs || endpoint.missingSecret !== undefined ? [endpoint] : [];
  });
}

/** `channel ops: failed 3 times in a row (connection refused); next attempt in 40s`. `why` is the last failure's. */
export function showEndpoint(endpoint: Endpoint, nowMs: number, why?: string): string {
  const { why: trouble, nextAt } = troubleOf(endpoint, nowMs, why);
  const joined = trouble === asksToWait ? " another " : "; next attempt in ";
  const next = nextAt === undefined ? "" : `${joined}${formatDuration(nextAt - nowMs)}`;
  return `channel ${endpoint.channel}: ${trouble}${next}`;
}

const asksToWait = "its receiver asks hookbell to wait";

/** Why nothing is sent to a troubled endpoint, and when something will be; undefined where the user must do something. */
export function troubleOf(endpoint: Endpoint, nowMs: number, why?: string): { why: string; nextAt?: number } {
  const { channel, switchedOff, missingSecret, notBefore = 0, breaker } = endpoint;
  if (switchedOff !== undefined) {
    const reason = `${switchedOff.reason}: ${printableLine(switchedOff.detail)}`;
    return { why: `switched off (${reason}). When it works again: hookbell test ${channel}` };
  }
  if (missingSecret !== undefined) return { why: `waiting: ${printableLine(missingSecret.detail)}` };
  const nextAt = openFrom(endpoint, undefined, nowMs);
  if (notBefore > nowMs) return { why: asksToWait, nextAt };
  const failures = `failed ${breaker?.failures ?? 0} times in a row`;
  return { why: why === undefined ? failures : `${failures} (${shortWhy(why)})`, nextAt };
}
