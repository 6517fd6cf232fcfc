// The deliveries of one channel that wait, in memory: which of them is next, and which leave together.
import type { AttemptResult } from "../attempt.ts";

/** Times are milliseconds since the epoch. */
export interface QueuedDelivery {
  file: string;
  session: string;
  notBefore: number;
  eventMs: number;
  /** A question goes before other sessions' news. */
  isUrgent?: boolean | undefined;
  /** A policy defers it until then; those with the same `gather` leave as one. */
  deferred?: { until: number; gather: string | undefined } | undefined;
  /**
   * Set when it is this machine's turn to notify, which is asked again before each attempt; `note` is a line that the
   * message gets.
   */
  claim?: { note: string | undefined } | undefined;
  /** The session whose escalation this is a step of. */
  step?: { agent: string; session: string } | undefined;
}

/** Sends one delivery at a time. */
export class ChannelQueue {
  readonly channel: string;
  /** Deliveries are in the order of time, once sorted. */
  waiting = new Map<string, QueuedDelivery>();
  isSorted = true;
  /** The file of the delivery that goes through the stages now. */
  sending: string | undefined;
  closedUntil = 0;
  /** Waiting for its secret keeps no dispatcher alive. */
  lacksSecret = false;
  /** The result of a message that was sent while the disk took no record of it; it is recorded first. */
  unrecorded: AttemptResult | undefined;
  private newest = "";
  private urgent = 0;

  constructor(channel: string) {
    this.channel = channel;
  }

  add(delivery: QueuedDelivery): void {
    const { file } = delivery;
    this.waiting.set(file, delivery);
    if (delivery.isUrgent === true) this.urgent += 1;
    if (file < this.newest) this.isSorted = false;
    else this.newest = file;
  }

  remove(file: string): void {
    if (this.waiting.get(file)?.isUrgent === true) this.urgent -= 1;
    this.waiting.delete(file);
  }

  /** A retried dead letter is older than the rest. */
  sort(): void {
    if (this.isSorted) return;
    const sorted = [...this.waiting].sort(([a], [b]) => (a < b ? -1 : 1));
    this.waiting = new Map(sorted);
    this.newest = sorted.at(-1)?.[0] ?? "";
    this.isSorted = true;
  }

  reopen(): void {
    if (this.unrecorded !== undefined) return;
    this.lacksSecret = false;
    this.closedUntil = 0;
  }

  /** The files that leave with this one when its time has come. */
  leavingWith({ file, deferred }: QueuedDelivery): string[] {
    if (deferred?.gather === undefined) return [file];
    return [...this.waiting.values()]
      .filter((each) => each.deferred?.gather === deferred.gather)
      .map((each) => each.file);
  }

  /** Those that no policy defers and that no retry waits for. */
  dueAt(now: number): QueuedDelivery[] {
    return [...this.waiting.values()].filter((each) => each.deferred === undefined && each.notBefore <= now);
  }

  /** Within a session, order is kept but for what policies defer; of several sessions, one that asks comes first. */
  next(now: number): { send: string } | { at: number } | undefined {
    if (this.sending !== undefined || this.waiting.size === 0) return undefined;
    const opensAt = Math.max(now, this.closedUntil);
    const first = this.unrecorded === undefined ? this.firstDue(opensAt) : { file: this.unrecorded.file, at: opensAt };
    return first.at <= now ? { send: first.file } : { at: first.at };
  }

  private firstDue(opensAt: number): { file: string; at: number } {
    const sessions = new Set<string>();
    let next = { file: "", at: Infinity };
    for (const { file, session, notBefore, deferred, isUrgent } of this.waiting.values()) {
      if (sessions.has(session)) continue;
      if (notBefore <= opensAt) {
        if (isUrgent === true || this.urgent === 0) return { file, at: opensAt };
        if (next.at > opensAt) next = { file, at: opensAt };
      }
      if (deferred === undefined) sessions.add(session);
      if (notBefore > opensAt && notBefore < next.at) next = { file, at: notBefore };
    }
    return next;
  }
}
