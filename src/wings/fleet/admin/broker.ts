// Connects to the broker for a command, and says in plain words why it cannot; what the system account of the broker can do.
import {
  AuthorizationError,
  connect,
  credsAuthenticator,
  type NatsConnection,
  PermissionViolationError,
} from "@nats-io/transport-node";
import { messageOf, UserError } from "../../../model/errors.ts";
import { parseJson, textOf } from "../../../model/json.ts";
import { claimsOf } from "../credentials.ts";
import { inboxPrefix } from "../names.ts";
import { accountToken, type Authority, briefCredentials, publicKeyOf } from "./authority.ts";
import { addressOf } from "./server-config.ts";

const connectTimeoutMs = 5000;
const answerTimeoutMs = 5000;
/** Servers of a cluster answer one by one. */
const otherServersMs = 500;

export interface BrokerTarget {
  servers: readonly string[];
  ca: string | undefined;
  /** The text of a credentials file. */
  credentials: string;
  inboxPrefix?: string;
}

/** Uses a connection and closes it. Throws as `connectToBroker` does, or what `use` throws. */
export async function withBroker<T>(target: BrokerTarget, use: (connection: NatsConnection) => Promise<T>): Promise<T> {
  const connection = await connectToBroker(target);
  try {
    return await use(connection);
  } finally {
    await connection.close();
  }
}

/** Uses a connection with keys that the administrator's keys sign for it. */
export async function withKeys<T>(
  authority: Authority,
  what: Parameters<typeof briefCredentials>[1],
  nowMs: number,
  use: (connection: NatsConnection) => Promise<T>,
): Promise<T> {
  const { servers, ca, org } = authority;
  const credentials = await briefCredentials(authority, what, nowMs);
  const member = typeof what === "object" ? { inboxPrefix: inboxPrefix({ org, ...what }) } : {};
  return await withBroker({ servers, ca, credentials, ...member }, use);
}

/** Throws a `UserError` (`fleet.unreachable`, `fleet.refused`). */
export async function connectToBroker(target: BrokerTarget): Promise<NatsConnection> {
  const { servers, ca, credentials, inboxPrefix = "_INBOX_admin" } = target;
  const isTls = servers.some((server) => addressOf(server).isTls);
  const tls = ca === undefined ? {} : { caFile: ca };
  try {
    return await connect({
      servers: servers.map((server) => `${addressOf(server).host}:${addressOf(server).port}`),
      // The client finds the key only where a line ends behind it, and a secret from a file has lost its last line end.
      authenticator: credsAuthenticator(new TextEncoder().encode(`${credentials}\n`)),
      inboxPrefix,
      name: "hookbell fleet",
      timeout: connectTimeoutMs,
      reconnect: false,
      // The client then refuses a server that speaks no TLS.
      ...(isTls ? { tls } : {}),
    });
  } catch (error) {
    throw describeFailure(error, servers, isTls);
  }
}

function describeFailure(error: unknown, servers: readonly string[], isTls: boolean): UserError {
  const where = servers.join(", ");
  if (error instanceof AuthorizationError) {
    return new UserError("fleet.refused", `the broker at ${where} refuses these credentials`, {
      hint: "they were revoked or ended, or belong to another broker: hookbell fleet rotate, on the administrator's machine",
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : "";
  return new UserError("fleet.unreachable", `cannot connect to the broker at ${where}: ${messageOf(error)}${cause}`, {
    hint: isTls
      ? "see that nats-server runs, that its certificate is for this name, and the setting fleet.ca"
      : "see that nats-server runs there",
  });
}

export function isDenied(error: unknown): boolean {
  if (error instanceof PermissionViolationError) return true;
  return error instanceof Error && (error.message.startsWith("Permissions Violation") || isDenied(error.cause));
}

/** Hands the account's token to all servers; they end the connections of revoked keys at once. */
export async function pushAccount(system: NatsConnection, authority: Authority): Promise<void> {
  const token = await accountToken(authority);
  const answer = await system.request("$SYS.REQ.CLAIMS.UPDATE", token, { timeout: answerTimeoutMs });
  const said = parseJson(answer.string()) as {
    data?: { code?: number; message?: string };
    error?: { description?: string };
  };
  if (said.data?.code === 200) return;
  throw new UserError(
    "fleet.refused",
    `the broker did not take the account: ${said.error?.description ?? answer.string()}`,
  );
}

/** The public keys that have been used on any server since it was started, in connections that are open or ended. */
export async function usedKeys(system: NatsConnection, { seeds }: Authority): Promise<Set<string>> {
  const options = JSON.stringify({ auth: true, state: 2, limit: 100_000 });
  const answers = await answersOf(system, `$SYS.REQ.ACCOUNT.${publicKeyOf(seeds.account)}.CONNZ`, options);
  const keys = new Set<string>();
  for (const answer of answers as { data?: { connections?: { authorized_user?: string; jwt?: string }[] } }[]) {
    for (const { authorized_user: user, jwt = "" } of answer.data?.connections ?? []) {
      // nats-server 2.9 names the user of an ended connection by its token only.
      const key = user ?? textOf(claimsOf(jwt).sub);
      if (key !== undefined) keys.add(key);
    }
  }
  return keys;
}

export interface ServerFacts {
  name: string;
  version: string;
  /** Undefined if the server does not say; before 2.10 it cannot be set. */
  syncsAlways: boolean | undefined;
}

export async function serverFacts(system: NatsConnection): Promise<ServerFacts[]> {
  const answers = (await answersOf(system, "$SYS.REQ.SERVER.PING.VARZ", "")) as {
    data?: {
      server_name?: string;
      version?: string;
      jetstream?: { config?: { sync_always?: boolean; sync_interval?: number } };
    };
  }[];
  return answers.map(({ data }) => {
    const { sync_always: always, sync_interval: interval } = data?.jetstream?.config ?? {};
    const says = always !== undefined || interval !== undefined;
    return {
      name: data?.server_name ?? "?",
      version: data?.version ?? "?",
      syncsAlways: says ? always === true : undefined,
    };
  });
}

async function answersOf(system: NatsConnection, subject: string, body: string): Promise<unknown[]> {
  const options = { strategy: "stall" as const, maxWait: answerTimeoutMs, stall: otherServersMs };
  const found: unknown[] = [];
  for await (const answer of await system.requestMany(subject, body, options)) found.push(parseJson(answer.string()));
  return found;
}
