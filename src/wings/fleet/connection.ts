// Keeps a connection to the fleet's broker: when it cannot be made, or ends, after growing pauses there is another.
import { type Clock, type Random, sleep } from "../../system/clock.ts";
import { connectToNats, type Nats, type NatsOptions } from "../../system/network/nats.ts";
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

/** After a request without an answer, the broker counts as away for so long. */
const awayMs = 5000;
const connectWaitMs = 3000;
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

/** The broker, by the connection of the moment. Requests reject while there is none. */
export class Broker implements Pick<Nats, "isUp" | "put" | "remove" | "publish"> {
  private readonly now: () => number;
  private nats: Nats | undefined;
  /** True once everything is watched that says who tells. */
  private isReady = false;
  private awayUntil = 0;
  /** The first connection takes a moment, and so does one after a break; until then it is not known who tells. */
  private connectBy: number;

  constructor(now: () => number) {
    this.now = now;
    this.connectBy = now() + connectWaitMs;
  }

  isUp(): boolean {
    return this.isConnected() && this.now() >= this.awayUntil;
  }

  /** Whether it may soon be known who tells. */
  isConnecting(): boolean {
    return !this.isConnected() && this.now() < this.connectBy;
  }

  async put(...given: Parameters<Nats["put"]>): Promise<number> {
    return await this.connected().put(...given);
  }

  async remove(...given: Parameters<Nats["remove"]>): Promise<void> {
    await this.connected().remove(...given);
  }

  async publish(...given: Parameters<Nats["publish"]>): Promise<void> {
    await this.connected().publish(...given);
  }

  /** From now on, this is the connection. `onChange` is called when it breaks, and when it is back. */
  begin(nats: Nats, onChange: () => void): void {
    this.nats = nats;
    nats.onChange(() => {
      if (this.isReady && !nats.isUp()) this.connectBy = this.now() + connectWaitMs;
      onChange();
    });
  }

  onReady(): void {
    this.isReady = true;
  }

  onFailed(): void {
    this.awayUntil = this.now() + awayMs;
  }

  onEnded(): void {
    this.nats = undefined;
    if (!this.isReady) this.connectBy = 0;
    this.isReady = false;
  }

  async close(): Promise<void> {
    await this.nats?.close().catch(() => {});
  }

  private isConnected(): boolean {
    return this.isReady && this.nats?.isUp() === true;
  }

  private connected(): Nats {
    if (this.nats === undefined) throw new Error("the broker is away");
    return this.nats;
  }
}
