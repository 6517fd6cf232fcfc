// Every name and limit of a fleet on NATS JetStream: subjects, the stream, the buckets, their keys, the consumers.
// One account of the broker is one organisation's, so the stream and the buckets have the same names everywhere.

const secondMs = 1000;
const dayMs = 24 * 60 * 60 * secondMs;
const heartbeatMs = 30 * secondMs;

/**
 * A part of a subject or key: letters, digits, `_` and `-`. A dot would make two parts of it, and `*` and `>` are wildcards
 * (https://docs.nats.io/nats-concepts/subjects).
 */
export const isToken = (text: string): boolean => /^[A-Za-z0-9_-]{1,64}$/.test(text);

/** A machine's name as a part of a subject; what is not allowed there becomes `_`. */
export function hostToken(hostName: string): string {
  return hostName.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64) || "_";
}

/** Who a machine is in its fleet. Each is a token. */
export interface Member {
  org: string;
  person: string;
  host: string;
}

/** The stream of events: a machine publishes under its own prefix only, and reads those of its person. */
export const stream = {
  name: "EVENTS",
  subjects: ["hb.>"],
  /** After this time, or beyond so many bytes, new events are refused or old ones end; `fleet init` may change it. */
  maxAgeMs: 7 * dayMs,
  maxBytes: 1024 * 1024 * 1024,
  /** The broker drops an event that comes again within this time. Consumers remember ids for `rememberMs` themselves. */
  duplicateWindowMs: 60 * 60 * secondMs,
} as const;

/** The subject of one event; its id is the message's id too. */
export function eventSubject({ org, person, host }: Member, eventId: string): string {
  return `hb.${org}.${person}.${host}.${eventId}`;
}

/** What a machine may publish: events of its own. */
export function ownEvents({ org, person, host }: Member): string {
  return `hb.${org}.${person}.${host}.*`;
}

/** What a person's machines read. */
export function personEvents({ org, person }: Pick<Member, "org" | "person">): string {
  return `hb.${org}.${person}.>`;
}

/** What one instance of `hookbell serve` reads, of everyone. */
export function orgEvents(org: string): string {
  return `hb.${org}.>`;
}

/** The parts of an event's subject; undefined if it is not one. */
export function readEventSubject(subject: string): (Member & { eventId: string }) | undefined {
  const [prefix, org, person, host, eventId, ...rest] = subject.split(".");
  if (prefix !== "hb" || org === undefined || person === undefined || host === undefined) return undefined;
  return eventId === undefined || rest.length > 0 ? undefined : { org, person, host, eventId };
}

/**
 * The durable pull consumer of one machine; it stays while the machine sleeps. No token contains the `+`: with a `-`, a-b's
 * machine c and a's machine b-c would share a consumer, and each could change what it delivers to the other.
 */
export function consumerName({ person, host }: Member): string {
  return `machine+${person}+${host}`;
}

/** Where the broker's answers to a machine arrive. Who may read all of `_INBOX.>` reads what others are answered. */
export function inboxPrefix({ person, host }: Member): string {
  return `_INBOX.${person}.${host}`;
}

/** The durable pull consumer that all instances of `hookbell serve` share. */
export const serveConsumer = "serve";

/** After this time without its machine, the broker removes a machine's consumer. */
export const consumerLifeMs = 30 * dayMs;

/**
 * The buckets. Machines read them by watching keys, never by `get`: the broker does not check where the answer to a request
 * goes, so a machine that may read an entry of its own could have it copied to someone else's key. A bucket's stream is `KV_<name>`, and a key is the subject `$KV.<name>.<key>`
 * (https://docs.nats.io/nats-concepts/jetstream/key-value-store). `maxAgeMs` is after how long an entry ends.
 */
export const buckets = {
  /** Who is where: `presenceKey`. Its machine alone writes an entry; the person's machines read it. */
  presence: { name: "presence", maxAgeMs: 7 * dayMs, maxBytes: 16 * 1024 * 1024 },
  /** What each session does. Its machine alone writes an entry; the person's machines read it. */
  sessions: { name: "sessions", maxAgeMs: dayMs, maxBytes: 256 * 1024 * 1024 },
  /** Questions, open and ended. The asking machine alone writes an entry; the person's machines read it. */
  questions: { name: "questions", maxAgeMs: dayMs, maxBytes: 64 * 1024 * 1024 },
  /** Who tells of an event. Each of the person's machines writes and reads it. */
  claims: { name: "claims", maxAgeMs: 8 * dayMs, maxBytes: 256 * 1024 * 1024 },
  /** Answers to questions. The asking machine reads it; machines that the person may answer from create it. */
  answers: { name: "answers", maxAgeMs: dayMs, maxBytes: 64 * 1024 * 1024 },
} as const;

/** `<person>.<host>` */
export function presenceKey({ person, host }: Member): string {
  return `${person}.${host}`;
}

/**
 * `<person>.<host>.<id>`, in any bucket but `presence`: the id is an event's, or a session's as the hex digest of agent and
 * session id. The host is the machine whose session or event it is, so one that only runs agents may claim no other's event,
 * and reads only answers to its own questions.
 */
export function entryKey({ person, host }: Member, id: string): string {
  return `${person}.${host}.${id}`;
}

/** All entries of a person, in any bucket. */
export function personKeys({ person }: Pick<Member, "person">): string {
  return `${person}.>`;
}

/** A machine's own entries, in any bucket but `presence`. */
export function ownKeys({ person, host }: Member): string {
  return `${person}.${host}.>`;
}

/** What is bounded, and how long the machines of a fleet wait for each other. */
export const limits = {
  /** A larger payload is shortened until it fits, and the message says where the whole one is. */
  maxBodyBytes: 64 * 1024,
  /** Consumers remember ids of events for so long: a machine may sleep longer than the broker's window for duplicates. */
  rememberMs: 30 * dayMs,
  /** What is said of one session; longer words are shortened. */
  maxSessionBytes: 8 * 1024,
  /** A machine says no more than this of its sessions: the last that gave a sign. */
  maxSessions: 200,
  /** A change is said after this time, together with what comes meanwhile. */
  sessionPauseMs: 3 * secondMs,
  /** While the broker is away, this is how many events may wait; later ones are told on their machine alone. */
  maxUnpublished: 10_000,
  /** This is how many publishes may wait for their acknowledgement. */
  maxInFlight: 100,
  heartbeatMs,
  /** A machine without a heartbeat for this long is not there. */
  presenceLifeMs: 3 * heartbeatMs,
  /** A claim that is not renewed for this long, by the broker's clock, may be taken by another machine. */
  claimLifeMs: 2 * heartbeatMs,
  /** Machines other than the one with the freshest presence wait this long before they claim. */
  othersWaitMs: 3 * secondMs,
} as const;
