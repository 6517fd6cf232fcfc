// What each member of a fleet may publish and subscribe to on the broker: the one table that credentials, `doctor` and tests use.
import {
  entryKey,
  buckets,
  consumerName,
  eventSubject,
  inboxPrefix,
  type Member,
  orgEvents,
  ownKeys,
  personEvents,
  personKeys,
  presenceKey,
  serveConsumer,
  stream,
} from "./names.ts";

/**
 * `device`: a person sits at it, or it sends to their phone. It tells of all events of its person, and answers. `host`: agents
 * run there, and no one sits at it. `server`: `hookbell serve`, which reads the events of everyone. `team`: counts, no content.
 */
export const roles = ["device", "host", "server", "team"] as const;
export type FleetRole = (typeof roles)[number];

export interface Rights {
  publish: string[];
  subscribe: string[];
}

type BucketName = keyof typeof buckets;
const allBuckets = Object.keys(buckets) as BucketName[];

const inBucket = (bucket: BucketName, key: string): string => `$KV.${bucket}.${key}`;

/**
 * A machine reads through consumers only, since their filter is a part of the subject, and the broker compares it with the
 * request's. Reading a message by its sequence or its subject (`STREAM.MSG.GET`, `DIRECT.GET`) is not among the rights: the broker
 * does not check the reply subject of a request, so an entry of one's own could be copied to the key of someone else.
 * See https://docs.nats.io/reference/reference-protocols/nats_api_reference and https://github.com/nats-io/nats-server/issues/8274.
 */
function rightsOf(role: FleetRole, member: Member, consumer = consumerName(member)): Rights {
  return { publish: publishOf(role, member, consumer), subscribe: [`${inboxPrefix(member)}.>`] };
}

function publishOf(role: FleetRole, member: Member, consumer: string): string[] {
  const { org } = member;
  switch (role) {
    case "device":
      return [
        ...own(member),
        inBucket("claims", personKeys(member)),
        inBucket("answers", personKeys(member)),
        ...consume(consumer, personEvents(member)),
        ...allBuckets.flatMap((bucket) => watch(bucket, personKeys(member))),
      ];
    case "host":
      return [
        ...own(member),
        inBucket("claims", entryKey(member, "*")),
        inBucket("answers", entryKey(member, "*")),
        ...watch("claims", ownKeys(member)),
        ...watch("answers", ownKeys(member)),
      ];
    case "server":
      return consume(serveConsumer, orgEvents(org));
    case "team":
      return [`$JS.API.STREAM.INFO.${stream.name}`];
  }
}

/** What a machine says about itself. */
function own(member: Member): string[] {
  return [
    eventSubject(member, "*"),
    inBucket("presence", presenceKey(member)),
    inBucket("sessions", entryKey(member, "*")),
    inBucket("questions", entryKey(member, "*")),
  ];
}

/** A durable pull consumer of events. Its name is fixed: who may create a consumer may also change one of that name. */
function consume(consumer: string, filter: string): string[] {
  return [
    `$JS.API.CONSUMER.CREATE.${stream.name}.${consumer}.${filter}`,
    `$JS.API.CONSUMER.INFO.${stream.name}.${consumer}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream.name}.${consumer}`,
    `$JS.ACK.${stream.name}.${consumer}.>`,
  ];
}

/** Watching keys of a bucket, with consumers of random names that end by themselves. */
function watch(bucket: BucketName, keys: string): string[] {
  const kvStream = `KV_${bucket}`;
  return [
    `$JS.API.CONSUMER.CREATE.${kvStream}.*.${inBucket(bucket, keys)}`,
    `$JS.API.CONSUMER.DELETE.${kvStream}.*`,
    `$JS.FC.${kvStream}.>`,
  ];
}

/**
 * The rights of a role with placeholders, which the broker fills in from the name and the tags of the member's token
 * (https://docs.nats.io/running-a-nats-service/configuration/securing_nats/auth_intro/jwt, scoped signing keys; nats-server 2.9).
 */
export function rightsTemplate(role: FleetRole, org: string): Rights {
  return rightsOf(role, { org, person: "{{tag(person)}}", host: "{{tag(host)}}" }, "{{name()}}");
}
