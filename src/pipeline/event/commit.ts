// Commit: what was enqueued is synced in batches. Only then do payloads leave incoming/, and may anything be sent.
import { isQuestion } from "../../model/event.ts";
import { removePlaced, syncPlaced } from "../../outbox/deliveries/deliveries.ts";
import { removeIncoming } from "../../outbox/incoming.ts";
import type { Dispatcher } from "../dispatcher.ts";
import type { Enqueued } from "./enqueue.ts";

/** The most payloads that wait for the disk at once. */
const maxUnsynced = 64;
/** While many payloads wait, so many are synced together: each sync makes all other writes to the disk wait. */
const syncedTogether = 32;

export interface CommitEffects {
  hasLease(): boolean;
  /** More payloads wait to be ingested. */
  hasBacklog(): boolean;
  /** Its deliveries may be sent. */
  onCommitted(enqueued: Enqueued): void;
  /** These deliveries are gone again. */
  onFailed(files: readonly string[]): void;
  /** The disk is ready for more. */
  wake(): void;
}

/** What one payload has become. */
interface Uncommitted {
  file: string;
  enqueued: Enqueued;
}

/** Those that are enqueued while the disk is busy wait for it together; in a backlog, more of them do. */
export class Commits {
  readonly #dispatcher: Dispatcher;
  readonly #effects: CommitEffects;
  readonly #inHand = new Set<string>();
  #waiting: Uncommitted[] = [];
  #syncing: Promise<void> | undefined;
  #failure: { error: unknown } | undefined;

  constructor(dispatcher: Dispatcher, effects: CommitEffects) {
    this.#dispatcher = dispatcher;
    this.#effects = effects;
  }

  /** Whether this payload is enqueued, and still in incoming/. */
  has(file: string): boolean {
    return this.#inHand.has(file);
  }

  add(file: string, enqueued: Enqueued): void {
    this.#inHand.add(file);
    this.#waiting.push({ file, enqueued });
  }

  isFull(): boolean {
    return this.#waiting.length >= maxUnsynced;
  }

  isBusy(): boolean {
    return this.#syncing !== undefined || this.#waiting.length > 0;
  }

  /** Throws the error of the last sync that failed, once. */
  throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** Begins a sync, if it is time and none is under way. */
  start(): void {
    if (this.#isDue()) this.#syncing ??= this.#syncWhileDue();
  }

  async finish(): Promise<void> {
    await this.#syncing;
    if (this.#waiting.length > 0) await this.#sync();
  }

  #isDue(): boolean {
    const enough = this.#effects.hasBacklog() ? syncedTogether : 1;
    return (
      this.#waiting.length >= enough ||
      this.#waiting.some(({ enqueued: { deliveries } }) =>
        deliveries.some(({ delivery }) => isQuestion(delivery.event)),
      )
    );
  }

  async #syncWhileDue(): Promise<void> {
    while (this.#isDue()) await this.#sync();
    this.#syncing = undefined;
    this.#effects.wake();
  }

  async #sync(): Promise<void> {
    const { layout, fleet } = this.#dispatcher;
    const batch = this.#waiting;
    this.#waiting = [];
    const left = [...batch];
    try {
      const placed = batch.flatMap(({ enqueued }) => filesOf(enqueued));
      if (placed.length > 0) await syncPlaced(layout, placed);
      await fleet()?.sync();
      if (!this.#effects.hasLease()) return;
      for (const { file, enqueued } of batch) {
        removeIncoming(layout, file);
        left.shift();
        this.#effects.onCommitted(enqueued);
      }
    } catch (error) {
      // A dispatcher that took the lease meanwhile has made the same files, and may have sent some of them: the rest is its own.
      for (const { enqueued } of this.#isOurs() ? left : []) removePlaced(layout, enqueued.deliveries);
      this.#effects.onFailed(left.flatMap(({ enqueued }) => filesOf(enqueued)));
      this.#failure = { error };
    } finally {
      for (const { file } of batch) this.#inHand.delete(file);
    }
  }

  /** What the disk does not say counts as no: a delivery that is sent twice is better than one that is lost. */
  #isOurs(): boolean {
    try {
      return this.#effects.hasLease();
    } catch {
      return false;
    }
  }
}

export function filesOf({ deliveries }: Enqueued): string[] {
  return deliveries.map(({ file }) => file);
}
