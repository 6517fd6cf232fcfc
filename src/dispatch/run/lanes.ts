/** What the dispatcher must know of a waiting delivery to choose the next one; the rest stays on the disk. */
export interface Waiting {
  file: string;
  channel: string;
  session: string;
  /** Milliseconds since the epoch. */
  notBefore: number;
  /** When its event came, in milliseconds since the epoch. */
  eventMs: number;
}

/** The outbox in memory. Per channel and session, order is kept: a delivery waits for the one before it. */
export interface Queue {
  add(waiting: Waiting): void;
  has(file: string): boolean;
  remove(file: string): void;
  postpone(file: string, notBefore: number): void;
  /** Everything is due so much earlier: the clock was turned back. */
  advance(ms: number): void;
  channels(): string[];
  size(): number;
  /** Files of the channel that are due and whose event came before this time, oldest first. */
  dueBefore(channel: string, eventMs: number, nowMs: number): string[];
  /** The first delivery of the channel that is due, or when the next one will be. */
  next(channel: string, nowMs: number): { due: Waiting } | { dueAt: number } | undefined;
}

export function createQueue(): Queue {
  const byChannel = new Map<string, Map<string, Waiting>>();
  const channelOf = new Map<string, string>();
  const unsorted = new Set<string>();
  /** Files sort by time; those that come late, such as retried dead letters, go to their place before they are asked for. */
  const entriesOf = (channel: string): Map<string, Waiting> => {
    const entries = byChannel.get(channel) ?? new Map<string, Waiting>();
    if (!unsorted.delete(channel)) return entries;
    const sorted = new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1)));
    byChannel.set(channel, sorted);
    return sorted;
  };
  const newest = new Map<string, string>();
  return {
    add(waiting) {
      const { file, channel } = waiting;
      if (channelOf.has(file)) return;
      channelOf.set(file, channel);
      const entries = byChannel.get(channel) ?? new Map<string, Waiting>();
      byChannel.set(channel, entries);
      entries.set(file, waiting);
      if (file > (newest.get(channel) ?? "")) newest.set(channel, file);
      else unsorted.add(channel);
    },
    has: (file) => channelOf.has(file),
    remove(file) {
      const channel = channelOf.get(file);
      if (channel === undefined) return;
      channelOf.delete(file);
      byChannel.get(channel)?.delete(file);
      if (byChannel.get(channel)?.size !== 0) return;
      byChannel.delete(channel);
      newest.delete(channel);
      unsorted.delete(channel);
    },
    postpone(file, notBefore) {
      const entry = byChannel.get(channelOf.get(file) ?? "")?.get(file);
      if (entry !== undefined) entry.notBefore = notBefore;
    },
    advance(ms) {
      for (const entries of byChannel.values()) for (const waiting of entries.values()) waiting.notBefore -= ms;
    },
    channels: () => [...byChannel.keys()],
    size: () => channelOf.size,
    dueBefore: (channel, eventMs, nowMs) =>
      [...entriesOf(channel).values()]
        .filter((waiting) => waiting.eventMs < eventMs && waiting.notBefore <= nowMs)
        .map(({ file }) => file),
    next(channel, nowMs) {
      const waitingSessions = new Set<string>();
      let dueAt = Infinity;
      for (const waiting of entriesOf(channel).values()) {
        if (waitingSessions.has(waiting.session)) continue;
        if (waiting.notBefore <= nowMs) return { due: waiting };
        waitingSessions.add(waiting.session);
        dueAt = Math.min(dueAt, waiting.notBefore);
      }
      return dueAt === Infinity ? undefined : { dueAt };
    },
  };
}
