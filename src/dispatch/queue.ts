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
  const newest = new Map<string, string>();
  return {
    add(waiting) {
      if (channelOf.has(waiting.file)) return;
      channelOf.set(waiting.file, waiting.channel);
      const entries = byChannel.get(waiting.channel) ?? new Map<string, Waiting>();
      byChannel.set(waiting.channel, entries);
      entries.set(waiting.file, waiting);
      // Files sort by time; one that comes late, such as a retried dead letter, goes to its place.
      const last = newest.get(waiting.channel) ?? "";
      if (waiting.file > last) newest.set(waiting.channel, waiting.file);
      else byChannel.set(waiting.channel, new Map([...entries].sort(([a], [b]) => (a < b ? -1 : 1))));
    },
    has: (file) => channelOf.has(file),
    remove(file) {
      const channel = channelOf.get(file);
      if (channel === undefined) return;
      channelOf.delete(file);
      byChannel.get(channel)?.delete(file);
      if (byChannel.get(channel)?.size === 0) byChannel.delete(channel);
    },
    postpone(file, notBefore) {
      const entry = byChannel.get(channelOf.get(file) ?? "")?.get(file);
      if (entry !== undefined) entry.notBefore = notBefore;
    },
    channels: () => [...byChannel.keys()],
    size: () => channelOf.size,
    dueBefore: (channel, eventMs, nowMs) =>
      [...(byChannel.get(channel)?.values() ?? [])]
        .filter((waiting) => waiting.eventMs < eventMs && waiting.notBefore <= nowMs)
        .map(({ file }) => file),
    next(channel, nowMs) {
      const waitingSessions = new Set<string>();
      let dueAt = Infinity;
      for (const waiting of byChannel.get(channel)?.values() ?? []) {
        if (waitingSessions.has(waiting.session)) continue;
        if (waiting.notBefore <= nowMs) return { due: waiting };
        waitingSessions.add(waiting.session);
        dueAt = Math.min(dueAt, waiting.notBefore);
      }
      return dueAt === Infinity ? undefined : { dueAt };
    },
  };
}
