// Keeps a connection to the fleet's broker: when it cannot be made, or ends, after growing pauses there is another.
import { type Clock, type Random, sleep } from "../system/clock.ts";
import { connectToNats, type Nats, type NatsOptions } from "../system/network/nats.ts";
import { inboxPrefix, type Member } from "./names.ts";

export interface ConnectionOptions {
  member: Member;
  tools: { clock: Clock; random: Random };
  /** Throws a `UserError` for credentials that are not there. */
  connection(): Promise<Pick<NatsOptions, "servers" | "credentials" | "ca" | "authority">>;
  /** Resolves when the connection has ended. */
  work(nats: Nats): Promise<void>;
  onFailed(error: unknown): void;
  /** There is no connection now. */
  onEnded(): void;
  signal: AbortSignal;
}

const minPauseMs = 1000;
const maxPauseMs = 60_000;

/** Resolves when the signal is aborted. */
export async function keepConnected(options: ConnectionOptions): Promise<void> {
  const { member, tools, signal } = options;
  let pauseMs = minPauseMs;
  while (!signal.aborted) {
    let nats: Nats | undefined;
    try {
      const { host, person } = member;
      const name = `hookbell ${person} ${host}`;
      nats = await connectToNats({ ...(await options.connection()), name, inboxPrefix: inboxPrefix(member) });
      await options.work(nats);
      pauseMs = minPauseMs;
    } catch (error) {
      if (!signal.aborted) options.onFailed(error);
    } finally {
      options.onEnded();
      await nats?.close().catch(() => {});
    }
    if (signal.aborted) return;
    await sleep(tools.clock, Math.round(pauseMs * (0.5 + tools.random() / 2)), signal);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
  }
}
