// Connects to NATS servers with their official clients, which load with the first connection only.
import type { PeerCertificate } from "node:tls";
import type { JetStreamClient } from "@nats-io/jetstream";
import type { KV, Kvm } from "@nats-io/kv";
import type { Authenticator, NatsConnection } from "@nats-io/transport-node";
import type { Secret } from "../../model/privacy/secret.ts";

export interface NatsOptions {
  servers: readonly string[];
  /** The text of a .creds file, or an nkey's seed. */
  credentials?: Secret | undefined;
  /** The file of the certificate authority. */
  ca?: string | undefined;
  /** Instead of `ca`, its certificate. */
  authority?: string | undefined;
  /** What the broker's own lists call this connection. */
  name: string;
  inboxPrefix: string;
}

/** An entry of a bucket; its time is the broker's, in milliseconds since the epoch. */
export interface NatsEntry {
  key: string;
  value: string;
  revision: number;
  createdMs: number;
}

export type GoneEntry = Pick<NatsEntry, "key" | "createdMs">;

export interface NatsMessage {
  subject: string;
  data: Uint8Array;
  /** When the broker stored it, by its clock. */
  storedMs: number;
  /** When it was sent, by the clock of the machine that sent it. */
  sentMs: number;
  ack(): void;
}

export interface NatsConsumer {
  stream: string;
  name: string;
  filter: string;
  inactiveMs: number;
  maxUnacknowledged: number;
  /** The first message that a new consumer gets: the stream's oldest, or by default the next one. */
  begin?: "oldest";
  /** What is not acknowledged comes again after this time; by default the broker's 30 seconds. */
  ackWaitMs?: number;
}

const connectTimeoutMs = 5000;
const requestTimeoutMs = 3000;
const reconnectMs = 1000;
const prefetched = 200;
const sentHeader = "Hookbell-Sent";

type Clients = Awaited<ReturnType<typeof loadClients>>;

async function loadClients() {
  const [transport, streams, kv] = await Promise.all([
    import("@nats-io/transport-node"),
    import("@nats-io/jetstream"),
    import("@nats-io/kv"),
  ]);
  return { transport, streams, kv };
}

/** Rejects with the client's error if there is no connection within five seconds. */
export async function connectToNats(options: NatsOptions): Promise<Nats> {
  const clients = await loadClients();
  const authority = options.authority === undefined ? { caFile: options.ca } : { ca: options.authority };
  const connection = await clients.transport.connect({
    servers: options.servers.map((server) => server.replace(/^\w+:\/\//, "")),
    name: options.name,
    inboxPrefix: options.inboxPrefix,
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    // The client would note for each request where it was made: half of the time that a publish takes.
    noAsyncTraces: true,
    ...(options.credentials === undefined
      ? {}
      : { authenticator: authenticatorOf(options.credentials, clients.transport) }),
    ...(options.servers.some((server) => server.startsWith("tls:"))
      ? { tls: { ...authority, ...(await checkedByAddress(options.servers)) } }
      : {}),
  });
  return new Nats(connection, clients);
}

function authenticatorOf(
  secret: Secret,
  { credsAuthenticator, nkeyAuthenticator }: Clients["transport"],
): Authenticator {
  const credentials = secret.reveal();
  const isSeed = /^SU[A-Z2-7]+$/.test(credentials.trim());
  if (isSeed) return nkeyAuthenticator(new TextEncoder().encode(credentials.trim()));
  // The client finds the key only where a line ends behind it, and a secret from a file has lost its last line end.
  return credsAuthenticator(new TextEncoder().encode(`${credentials}\n`));
}

/**
 * For a server that is given by its address, the client would have the certificate compared with the name `localhost`:
 * https://nodejs.org/api/tls.html#tlsconnectoptions-callback takes that without a server's name.
 */
async function checkedByAddress(servers: readonly string[]): Promise<object> {
  const hosts = servers.map((server) => new URL(server.replace(/^\w+:/, "https:")).hostname.replace(/^\[|\]$/g, ""));
  const [{ isIP }, { checkServerIdentity }] = await Promise.all([import("node:net"), import("node:tls")]);
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  if (addresses.length === 0) return {};
  return {
    checkServerIdentity(name: string, certificate: PeerCertificate): Error | undefined {
      if (name !== "localhost" || hosts.includes(name)) return checkServerIdentity(name, certificate);
      const problems = addresses.map((address) => checkServerIdentity(address, certificate));
      return problems.includes(undefined) ? undefined : problems[0];
    },
  };
}

export class Nats {
  /** Resolves when the connection has ended for good. */
  readonly ended: Promise<unknown>;
  private readonly clients: Clients;
  private readonly connection: NatsConnection;
  private readonly streams: JetStreamClient;
  private readonly kvm: Kvm;
  private readonly buckets = new Map<string, Promise<KV>>();
  private isConnected = true;
  private onChanged = (): void => {};

  constructor(connection: NatsConnection, clients: Clients) {
    this.clients = clients;
    this.connection = connection;
    this.ended = connection.closed();
    // The check of the account would need a permission more.
    this.streams = clients.streams.jetstream(connection, { timeout: requestTimeoutMs, checkAPI: false });
    this.kvm = new clients.kv.Kvm(this.streams);
    void this.followStatus();
  }

  /** False from the moment that the connection breaks until there is another one. */
  isUp(): boolean {
    return this.isConnected;
  }

  /** Calls `call` whenever `isUp` changes. */
  onChange(call: () => void): void {
    this.onChanged = call;
  }

  /**
   * Resolves when the stream has stored it; the broker drops a second one with the same id. `sentMs` is when it is sent, by this
   * machine's clock.
   */
  async publish(subject: string, body: Uint8Array | string, id: string, sentMs: number): Promise<void> {
    const headers = this.clients.transport.headers();
    headers.set(sentHeader, String(sentMs));
    await this.streams.publish(subject, body, { msgID: id, headers });
  }

  /** Resolves to the new revision. With `revision`, it must be the key's current one; 0: there is none yet. */
  async put(bucket: string, key: string, value: string, revision?: number): Promise<number> {
    const kv = await this.open(bucket);
    return await kv.put(key, value, revision === undefined ? {} : { previousSeq: revision });
  }

  /** Leaves a mark that the entry is gone, until the bucket's age ends it. */
  async remove(bucket: string, key: string): Promise<void> {
    const kv = await this.open(bucket);
    await kv.delete(key);
  }

  /** Calls `onEntry` for each entry that matches, and again when one changes. `onRemoved` hears of those that were removed. */
  async watch(
    bucket: string,
    key: string,
    onEntry: (entry: NatsEntry) => void,
    onRemoved?: (gone: GoneEntry) => void,
  ): Promise<void> {
    const kv = await this.open(bucket);
    const entries = await kv.watch({ key });
    void (async () => {
      for await (const entry of entries) {
        const { operation, revision, created } = entry;
        const createdMs = created.getTime();
        if (operation === "PUT") onEntry({ key: entry.key, value: entry.string(), revision, createdMs });
        else onRemoved?.({ key: entry.key, createdMs });
      }
    })();
  }

  /** Creates the durable pull consumer unless it is there. `onMessages` gets what has arrived, oldest first. */
  async consume(
    { stream, name, filter, inactiveMs, maxUnacknowledged, begin, ackWaitMs }: NatsConsumer,
    onMessages: (messages: readonly NatsMessage[]) => Promise<void>,
  ): Promise<void> {
    const { nanos } = this.clients.transport;
    const { AckPolicy, DeliverPolicy } = this.clients.streams;
    const manager = await this.streams.jetstreamManager(false);
    const info = await manager.consumers.add(stream, {
      durable_name: name,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: begin === "oldest" ? DeliverPolicy.All : DeliverPolicy.New,
      ...(ackWaitMs === undefined ? {} : { ack_wait: nanos(ackWaitMs) }),
      inactive_threshold: nanos(inactiveMs),
      max_ack_pending: maxUnacknowledged,
    });
    const messages = await this.streams.consumers.getConsumerFromInfo(info).consume({ max_messages: prefetched });
    const take = inBatches(onMessages);
    void (async () => {
      for await (const message of messages) {
        const { subject, data, info: stored } = message;
        const storedMs = stored.timestampNanos / 1e6;
        const sentMs = Number(message.headers?.get(sentHeader) ?? storedMs);
        take({ subject, data, storedMs, sentMs, ack: () => message.ack() });
      }
    })();
  }

  async close(): Promise<void> {
    await this.connection.close();
  }

  private async open(bucket: string): Promise<KV> {
    const opened = this.buckets.get(bucket) ?? this.kvm.open(bucket);
    this.buckets.set(bucket, opened);
    return await opened;
  }

  private async followStatus(): Promise<void> {
    for await (const { type } of this.connection.status()) {
      if (type === "disconnect" || type === "close") this.change(false);
      if (type === "reconnect") this.change(true);
    }
  }

  private change(isConnected: boolean): void {
    if (this.isConnected === isConnected) return;
    this.isConnected = isConnected;
    this.onChanged();
  }
}

/** Hands over what has arrived, oldest first, one batch after the other. */
function inBatches<Item>(onItems: (items: readonly Item[]) => Promise<void>): (item: Item) => void {
  let arrived: Item[] = [];
  let working: Promise<void> | undefined;
  const work = async (): Promise<void> => {
    while (arrived.length > 0) {
      const batch = arrived;
      arrived = [];
      // What is not acknowledged comes again.
      await onItems(batch).catch(() => {});
    }
    working = undefined;
  };
  return (item) => {
    arrived.push(item);
    working ??= Promise.resolve().then(work);
  };
}

/** The key has another revision: someone else was first. */
export function isConflict(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 10_071 || code === 10_164;
}

/** The credentials do not allow it. */
export function isDenied(error: unknown): boolean {
  const { name, cause } = error as { name?: unknown; cause?: unknown };
  return name === "PermissionViolationError" || (cause !== undefined && isDenied(cause));
}
