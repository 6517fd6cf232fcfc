// Connects to NATS servers with their official clients, which load with the first connection only.
import type { PeerCertificate } from "node:tls";
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

export interface Nats {
  /** False from the moment that the connection breaks until there is another one. */
  isUp(): boolean;
  /** Calls `call` whenever `isUp` changes. */
  onChange(call: () => void): void;
  /**
   * Resolves when the stream has stored it; the broker drops a second one with the same id. `sentMs` is when it is sent, by this
   * machine's clock.
   */
  publish(subject: string, body: Uint8Array | string, id: string, sentMs: number): Promise<void>;
  /** Resolves to the new revision. With `revision`, it must be the key's current one; 0: there is none yet. */
  put(bucket: string, key: string, value: string, revision?: number): Promise<number>;
  /** Leaves a mark that the entry is gone, until the bucket's age ends it. */
  remove(bucket: string, key: string): Promise<void>;
  /** Calls `onEntry` for each entry that matches, and again when one changes. `onRemoved` hears of those that were removed. */
  watch(
    bucket: string,
    key: string,
    onEntry: (entry: NatsEntry) => void,
    onRemoved?: (gone: GoneEntry) => void,
  ): Promise<void>;
  /** Creates the durable pull consumer unless it is there. `onMessages` gets what has arrived, oldest first. */
  consume(consumer: NatsConsumer, onMessages: (messages: readonly NatsMessage[]) => Promise<void>): Promise<void>;
  /** Resolves when the connection has ended for good. */
  ended: Promise<unknown>;
  close(): Promise<void>;
}

const connectTimeoutMs = 5000;
const requestTimeoutMs = 3000;
const reconnectMs = 1000;
const prefetched = 200;
const sentHeader = "Hookbell-Sent";

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

/** Rejects with the client's error if there is no connection within five seconds. */
export async function connectToNats(options: NatsOptions): Promise<Nats> {
  const [
    { connect, credsAuthenticator, headers, nkeyAuthenticator, nanos },
    { jetstream, AckPolicy, DeliverPolicy },
    { Kvm },
  ] = await Promise.all([import("@nats-io/transport-node"), import("@nats-io/jetstream"), import("@nats-io/kv")]);
  const credentials = options.credentials?.reveal();
  // The client finds the key only where a line ends behind it, and a secret from a file has lost its last line end.
  const bytes = new TextEncoder().encode(`${credentials ?? ""}\n`);
  const isSeed = credentials !== undefined && /^SU[A-Z2-7]+$/.test(credentials.trim());
  const connection = await connect({
    servers: options.servers.map((server) => server.replace(/^\w+:\/\//, "")),
    name: options.name,
    inboxPrefix: options.inboxPrefix,
    timeout: connectTimeoutMs,
    maxReconnectAttempts: -1,
    reconnectTimeWait: reconnectMs,
    // The client would note for each request where it was made: half of the time that a publish takes.
    noAsyncTraces: true,
    ...(credentials === undefined
      ? {}
      : {
          authenticator: isSeed
            ? nkeyAuthenticator(new TextEncoder().encode(credentials.trim()))
            : credsAuthenticator(bytes),
        }),
    ...(options.servers.some((server) => server.startsWith("tls:"))
      ? {
          tls: {
            ...(options.authority === undefined ? { caFile: options.ca } : { ca: options.authority }),
            ...(await checkedByAddress(options.servers)),
          },
        }
      : {}),
  });
  // The check of the account would need a permission more.
  const js = jetstream(connection, { timeout: requestTimeoutMs, checkAPI: false });
  const kvm = new Kvm(js);
  const buckets = new Map<string, ReturnType<typeof kvm.open>>();
  const open = (bucket: string): ReturnType<typeof kvm.open> => {
    const opened = buckets.get(bucket) ?? kvm.open(bucket);
    buckets.set(bucket, opened);
    return opened;
  };
  let isUp = true;
  let onChange = (): void => {};
  const change = (now: boolean): void => {
    if (isUp === now) return;
    isUp = now;
    onChange();
  };
  void (async () => {
    for await (const { type } of connection.status()) {
      if (type === "disconnect" || type === "close") change(false);
      if (type === "reconnect") change(true);
    }
  })();
  return {
    isUp: () => isUp,
    onChange: (call) => (onChange = call),
    async publish(subject, body, id, sentMs) {
      const sent = headers();
      sent.set(sentHeader, String(sentMs));
      await js.publish(subject, body, { msgID: id, headers: sent });
    },
    async put(bucket, key, value, revision) {
      const kv = await open(bucket);
      return await kv.put(key, value, revision === undefined ? {} : { previousSeq: revision });
    },
    async remove(bucket, key) {
      await (await open(bucket)).delete(key);
    },
    async watch(bucket, key, onEntry, onRemoved) {
      const entries = await (await open(bucket)).watch({ key });
      void (async () => {
        for await (const entry of entries) {
          const { operation, revision, created } = entry;
          const createdMs = created.getTime();
          if (operation === "PUT") onEntry({ key: entry.key, value: entry.string(), revision, createdMs });
          else onRemoved?.({ key: entry.key, createdMs });
        }
      })();
    },
    async consume({ stream, name, filter, inactiveMs, maxUnacknowledged, begin, ackWaitMs }, onMessages) {
      const manager = await js.jetstreamManager(false);
      const info = await manager.consumers.add(stream, {
        durable_name: name,
        filter_subject: filter,
        ack_policy: AckPolicy.Explicit,
        deliver_policy: begin === "oldest" ? DeliverPolicy.All : DeliverPolicy.New,
        ...(ackWaitMs === undefined ? {} : { ack_wait: nanos(ackWaitMs) }),
        inactive_threshold: nanos(inactiveMs),
        max_ack_pending: maxUnacknowledged,
      });
      const consumer = js.consumers.getConsumerFromInfo(info);
      const messages = await consumer.consume({ max_messages: prefetched });
      let arrived: NatsMessage[] = [];
      let working: Promise<void> | undefined;
      const work = async (): Promise<void> => {
        while (arrived.length > 0) {
          const batch = arrived;
          arrived = [];
          // What is not acknowledged comes again.
          await onMessages(batch).catch(() => {});
        }
        working = undefined;
      };
      void (async () => {
        for await (const message of messages) {
          const { subject, data, info: stored } = message;
          const storedMs = stored.timestampNanos / 1e6;
          const sentMs = Number(message.headers?.get(sentHeader) ?? storedMs);
          arrived.push({ subject, data, storedMs, sentMs, ack: () => message.ack() });
          working ??= Promise.resolve().then(work);
        }
      })();
    },
    ended: connection.closed(),
    close: async () => connection.close(),
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
