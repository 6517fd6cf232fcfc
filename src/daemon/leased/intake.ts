// Takes payloads from incoming/ through the pipeline, one by one.
import { maxPayloadBytes } from "../../agents/read-payload.ts";
import { messageOf } from "../../model/errors.ts";
import { readIncoming } from "../../outbox/incoming.ts";
import { describeStorageTrouble, type Layout } from "../../outbox/layout.ts";
import { quarantine } from "../../outbox/rejected.ts";
import { beginWork } from "../../outbox/stuck/note.ts";
import { createBacklog, type Glance } from "../../pipeline/event/backlog.ts";
import type { Dispatcher } from "../../pipeline/dispatcher.ts";
import { Commits, filesOf } from "../../pipeline/event/commit.ts";
import type { Enqueued } from "../../pipeline/event/enqueue.ts";
import { validate } from "../../pipeline/event/ingest.ts";
import { processPayload } from "../../pipeline/pipeline.ts";
import { asks } from "../../pipeline/understand/event-of.ts";

export interface Intake {
  /** Takes one payload in, if one waits. Throws the system's error on a failing disk; what was taken in before it counts. */
  takeNext(): Promise<void>;
  /** More payloads wait than were taken in. */
  hasBacklog(): boolean;
  /** Some of them can be taken in now; otherwise the disk is busy, and `wake` is called when it is ready. */
  canTakeNext(): boolean;
  /** What was taken in waits for the disk. */
  isSyncing(): boolean;
  finish(): Promise<void>;
}

/** `onPlaced` is called before the disk has the deliveries, `onTaken` when they may be sent, `onFailed` if they are gone again. */
export function createIntake(
  dispatcher: Dispatcher,
  hasLease: () => boolean,
  {
    onPlaced,
    onTaken,
    onFailed,
    wake,
  }: {
    onPlaced(files: readonly string[]): void;
    onTaken(enqueued: Enqueued): void;
    onFailed(files: readonly string[]): void;
    wake(): void;
  },
): Intake {
  const { layout, tools } = dispatcher;
  const commits: Commits = new Commits(dispatcher, {
    hasLease,
    hasBacklog: () => !backlog.isEmpty(),
    onCommitted: onTaken,
    onFailed,
    wake,
  });
  const backlog = createBacklog(
    layout,
    tools.clock,
    (file) => commits.has(file),
    (file) => glanceAt(layout, file),
  );
  return {
    async takeNext() {
      try {
        commits.throwFailure();
        if (commits.isFull()) return;
        const file = backlog.next();
        if (file === undefined) return;
        const enqueued = await processOrQuarantine(dispatcher, file, hasLease);
        if (enqueued === undefined) return;
        onPlaced(filesOf(enqueued));
        commits.add(file, enqueued);
      } catch (error) {
        backlog.forget();
        throw error;
      } finally {
        commits.start();
      }
    },
    hasBacklog: () => !backlog.isEmpty(),
    canTakeNext: () => !backlog.isEmpty() && !commits.isFull(),
    isSyncing: () => commits.isBusy(),
    finish: () => commits.finish(),
  };
}

/** Which session a payload is of, and whether it asks; a payload that cannot be read is of none. */
function glanceAt(layout: Layout, file: string): Glance {
  const none = { session: "", isQuestion: false };
  const end = beginWork({ work: `incoming/${file}` });
  try {
    const incoming = readIncoming(layout, file, maxPayloadBytes);
    const reading = incoming && validate(incoming);
    if (reading?.status !== "valid") return none;
    return { session: `${reading.agentId}\n${reading.facts.session}`, isQuestion: asks(reading) };
  } catch {
    return none;
  } finally {
    end();
  }
}

/** A payload that meets a bug does not stop the others. */
async function processOrQuarantine(
  dispatcher: Dispatcher,
  file: string,
  hasLease: () => boolean,
): Promise<Enqueued | undefined> {
  const { layout, tools } = dispatcher;
  const end = beginWork({ work: `incoming/${file}` });
  try {
    const incoming = readIncoming(layout, file, maxPayloadBytes);
    return incoming === undefined ? { deliveries: [] } : await processPayload(dispatcher, incoming, hasLease);
  } catch (error) {
    if (describeStorageTrouble(layout, error) !== undefined) throw error;
    quarantine(layout, "incoming", file, `cannot be taken in: ${messageOf(error)}`, tools.clock.now());
    return { deliveries: [] };
  } finally {
    end();
  }
}
