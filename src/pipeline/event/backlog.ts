// Which payload is taken in next: the oldest, but a session that asks comes first when many payloads wait.
import { listIncoming } from "../../outbox/incoming.ts";
import type { Layout } from "../../outbox/layout.ts";
import type { Clock } from "../../system/clock.ts";

export interface Backlog {
  /** The next payload's file; undefined if none waits. Throws the system's error. */
  next(): string | undefined;
  isEmpty(): boolean;
  /** Lists the folder again next time. */
  forget(): void;
}

export interface Glance {
  session: string;
  isQuestion: boolean;
}

/** Fewer than this are taken in within a moment, so their order does not matter. */
const few = 64;
/** Until all payloads have been read, a question may wait among them; messages are sent in between. */
const readForMs = 50;
/** Listing thousands of files takes as long as taking in ten payloads, so it takes a tenth of the time at most. */
const lookAgainMs = 1000;
const lookAgainFactor = 10;

/** `isInHand`: taken, but not removed from incoming/ yet. `read` looks at a payload without taking it in. */
export function createBacklog(
  layout: Layout,
  clock: Clock,
  isInHand: (file: string) => boolean,
  read: (file: string) => Glance,
): Backlog {
  let waiting: string[] = [];
  let unread: string[] = [];
  let known = new Map<string, Glance>();
  let listAgainAt = -Infinity;

  const list = (): void => {
    const startedAt = clock.now();
    waiting = listIncoming(layout).filter((file) => !isInHand(file));
    const isMany = waiting.length > few;
    const before = known;
    known = new Map();
    unread = [];
    for (const file of isMany ? waiting : []) {
      const glance = before.get(file);
      if (glance === undefined) unread.push(file);
      else known.set(file, glance);
    }
    bringQuestionsForward();
    const now = clock.now();
    listAgainAt = now + Math.max(lookAgainMs, (now - startedAt) * lookAgainFactor);
  };
  /** Brings all that their sessions have sent, too: within a session, order is kept. */
  const bringQuestionsForward = (): void => {
    if (unread.length > 0) return;
    const asking = new Set([...known.values()].flatMap((each) => (each.isQuestion ? [each.session] : [])));
    if (asking.size === 0) return;
    const isUrgent = (file: string): boolean => asking.has(known.get(file)?.session ?? "");
    waiting = [...waiting.filter(isUrgent), ...waiting.filter((file) => !isUrgent(file))];
  };
  const readSome = (): void => {
    if (unread.length === 0) return;
    const startedAt = clock.now();
    let count = 0;
    for (const file of unread) {
      known.set(file, read(file));
      count += 1;
      if (clock.now() - startedAt >= readForMs) break;
    }
    unread = unread.slice(count);
    bringQuestionsForward();
  };

  return {
    next() {
      if (waiting.length === 0 || (waiting.length > few && clock.now() >= listAgainAt)) list();
      readSome();
      const file = waiting.shift();
      if (file !== undefined) known.delete(file);
      return file;
    },
    isEmpty: () => waiting.length === 0,
    forget() {
      waiting = [];
    },
  };
}
