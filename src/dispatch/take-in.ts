import { messageOf } from "../model/errors.ts";
import { listDeliveries, removeDelivery, syncPlaced } from "../outbox/deliveries.ts";
import { listIncoming, readIncoming, removeIncoming } from "../outbox/incoming.ts";
import { writeJournal } from "../outbox/journal.ts";
import { setAsideBroken } from "../outbox/rejected.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { ingest, type Ingested } from "./plan/ingest.ts";
import type { LeaseState } from "./run/held-lease.ts";
import { isStorageTrouble, storageRetryMs } from "./policy/storage-trouble.ts";

/** So many payloads are taken in before deliveries get a turn again. */
const batch = 16;

/** `more`: there is more to take in at once. `againAt`: it failed; when to try again, in milliseconds since the epoch. */
export type TakenIn = { more: boolean; againAt?: number };

interface Taken {
  file: string;
  ingested: Ingested;
}

interface Trouble {
  error: unknown;
}

/** Takes in what lies in incoming/, some at a time, oldest first; `hold` is asked before. */
export function createTakingIn(
  dispatcher: Dispatcher,
  hold: () => LeaseState,
  onTaken: (ingested: Ingested) => void,
): () => TakenIn {
  const { layout, tools } = dispatcher;
  const { clock } = tools;
  // Listing thousands of names for each few of them would cost more than taking them in.
  let backlog: string[] = [];
  let restUntil = 0;
  let isResting = false;
  return () => {
    // A clock that was turned back must not make the rest longer.
    if (isResting && clock.now() < restUntil && restUntil <= clock.now() + storageRetryMs) {
      return { more: false, againAt: restUntil };
    }
    const listTrouble = backlog.length === 0 ? list() : undefined;
    // Of what another takes in, we would make deliveries that it has sent already.
    if (backlog.length > 0 && hold() === "lost") return { more: false };
    const { taken, trouble: ingestTrouble } = ingestAll(backlog.splice(0, batch));
    // One payload that does not fit must not hold back those that did.
    const trouble = handOver(taken) ?? ingestTrouble ?? listTrouble;
    if (trouble !== undefined) {
      if (!isResting) {
        const detail = messageOf(trouble.error);
        writeJournal(layout, clock.now(), { kind: "dispatcher", what: "stalled", detail });
      }
      isResting = true;
      backlog = [];
      restUntil = clock.now() + storageRetryMs;
      return { more: false, againAt: restUntil };
    }
    isResting = false;
    return { more: backlog.length > 0 };
  };

  function list(): Trouble | undefined {
    try {
      backlog = listIncoming(layout);
      return undefined;
    } catch (error) {
      if (!isStorageTrouble(error)) throw error;
      return { error };
    }
  }

  /** Up to the first that meets with trouble. */
  function ingestAll(files: readonly string[]): { taken: Taken[]; trouble?: Trouble } {
    const taken: Taken[] = [];
    for (const file of files) {
      try {
        taken.push({ file, ingested: ingest(dispatcher, file) });
      } catch (error) {
        if (!isStorageTrouble(error) && setAside(dispatcher, file, error)) continue;
        takeBack(dispatcher, file);
        return { taken, trouble: { error } };
      }
    }
    return { taken };
  }

  function handOver(taken: readonly Taken[]): Trouble | undefined {
    let handedOver = 0;
    try {
      // Once for all of them: each sync is a wait for the disk.
      const placed = taken.flatMap(({ ingested }) => ingested.deliveries.map(({ file }) => file));
      if (placed.length > 0) syncPlaced(layout, placed);
      for (const { file, ingested } of taken) {
        removeIncoming(layout, file);
        handedOver += 1;
        onTaken(ingested);
      }
      return undefined;
    } catch (error) {
      for (const { file } of taken.slice(handedOver)) takeBack(dispatcher, file);
      return { error };
    }
  }
}

/** A payload that cannot be read, or that we have a bug with, does not stop the others. */
function setAside({ layout, tools }: Dispatcher, file: string, error: unknown): boolean {
  try {
    setAsideBroken(layout, "incoming", file, `cannot be taken in: ${messageOf(error)}`, tools.clock.now());
    return true;
  } catch {
    return false;
  }
}

/** Deliveries of a payload that will be taken in again must not be sent before. */
function takeBack({ layout }: Dispatcher, file: string): void {
  try {
    const position = readIncoming(layout, file, 0)?.position;
    if (position === undefined) return;
    for (const name of listDeliveries(layout, "outbox")) {
      if (name.startsWith(`${position}-`)) removeDelivery(layout, "outbox", name);
    }
  } catch {
    // On a disk that takes nothing, not even removals, nothing is sent either.
  }
}
