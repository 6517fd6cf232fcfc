// The stream and the buckets as they must be on the broker: makes what is missing, and names what differs.
import {
  DiscardPolicy,
  type JetStreamManager,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
} from "@nats-io/jetstream";
import { codeOf } from "../../../model/errors.ts";
import { buckets, limits, stream } from "../names.ts";

const nanos = (ms: number): number => ms * 1_000_000;
/** A message's headers and what wraps the payload. */
const maxMessageBytes = 2 * limits.maxBodyBytes;
const bucketDuplicateWindowMs = 2 * 60 * 1000;
/** Raft needs an odd number; more than three cost more than they protect. */
const productionReplicas = 3;

/** What is compared. A field that a broker does not know yet is undefined in its answer. */
type Expected = Pick<
  StreamConfig,
  | "name"
  | "subjects"
  | "storage"
  | "retention"
  | "discard"
  | "num_replicas"
  | "max_age"
  | "max_bytes"
  | "max_msg_size"
  | "max_msgs_per_subject"
  | "duplicate_window"
  | "allow_rollup_hdrs"
  | "allow_direct"
  | "deny_delete"
>;

/** One for a single server, three for a cluster of three or more. */
export const replicasFor = (servers: number): number => (servers >= productionReplicas ? productionReplicas : 1);

export function expectedStreams(replicas: number): Expected[] {
  const common = {
    storage: StorageType.File,
    retention: RetentionPolicy.Limits,
    // A full stream refuses new entries, which then wait on their machines, instead of dropping old ones unseen.
    discard: DiscardPolicy.New,
    num_replicas: replicas,
    max_msg_size: maxMessageBytes,
    // A message to one's own key could otherwise empty the whole bucket: `Nats-Rollup: all`.
    allow_rollup_hdrs: false,
    // Members read through consumers only; see rights.ts.
    allow_direct: false,
    deny_delete: true,
  };
  const events: Expected = {
    ...common,
    name: stream.name,
    subjects: [...stream.subjects],
    max_age: nanos(stream.maxAgeMs),
    max_bytes: stream.maxBytes,
    max_msgs_per_subject: -1,
    duplicate_window: nanos(stream.duplicateWindowMs),
  };
  return [
    events,
    ...Object.values(buckets).map(({ name, maxAgeMs, maxBytes }): Expected => ({
      ...common,
      name: `KV_${name}`,
      subjects: [`$KV.${name}.>`],
      max_age: nanos(maxAgeMs),
      max_bytes: maxBytes,
      max_msgs_per_subject: 1,
      duplicate_window: nanos(bucketDuplicateWindowMs),
    })),
  ];
}

export interface StreamState {
  name: string;
  what: "made" | "right" | "different" | "missing";
  /** Such as `max_bytes is 5, expected 10`. */
  differences: string[];
}

/** `change`: makes missing ones and corrects others. Storage and retention cannot be changed: the broker's error says so. */
export async function checkStreams(
  manager: JetStreamManager,
  { replicas, change }: { replicas: number; change: "nothing" | "missing" | "all" },
): Promise<StreamState[]> {
  const states: StreamState[] = [];
  for (const expected of expectedStreams(replicas)) {
    const { name } = expected;
    const found = await configOf(manager, name);
    const differences = found === undefined ? [] : differencesOf(expected, found);
    if (found === undefined && change === "nothing") states.push({ name, what: "missing", differences });
    else if (found === undefined) {
      await manager.streams.add(expected);
      states.push({ name, what: "made", differences });
    } else if (differences.length === 0) states.push({ name, what: "right", differences });
    else {
      if (change === "all") await manager.streams.update(name, { ...found, ...expected });
      states.push({ name, what: change === "all" ? "made" : "different", differences });
    }
  }
  return states;
}

async function configOf(manager: JetStreamManager, name: string): Promise<StreamConfig | undefined> {
  try {
    return (await manager.streams.info(name)).config;
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

const streamNotFound = 10_059;

function isNotFound(error: unknown): boolean {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : codeOf(error);
  return code === streamNotFound;
}

/** hookbell never sets these fields, which could send members' entries elsewhere, or drop them. */
const unwanted = ["mirror", "sources", "republish", "subject_transform", "sealed"] as const;

function differencesOf(expected: Expected, found: StreamConfig): string[] {
  const differing = Object.entries(expected).flatMap(([key, value]) => {
    const is: unknown =
      Object.entries(found).find(([name]) => name === key)?.[1] ?? (value === false ? false : undefined);
    const [is_, want] = [JSON.stringify(is) ?? "absent", JSON.stringify(value)];
    return is_ === want ? [] : [`${key} is ${is_}, expected ${want}`];
  });
  const extra = unwanted.flatMap((key) => {
    const is: unknown = Object.entries(found).find(([name]) => name === key)?.[1];
    return is === undefined || is === false ? [] : [`${key} is set, expected none`];
  });
  return [...differing, ...extra];
}
