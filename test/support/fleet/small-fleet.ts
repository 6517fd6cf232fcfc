// A fleet on a real broker, with its stream and buckets, and connections for its members with NATS's own client.
import "./native-keys.ts";
import { jetstreamManager, type JetStreamManager } from "@nats-io/jetstream";
import { connect, credsAuthenticator, type NatsConnection } from "@nats-io/transport-node";
import { onTestFinished } from "vitest";
import {
  type Authority,
  briefCredentials,
  createAuthority,
  issueCredentials,
  serverTokens,
} from "../../../src/wings/fleet/admin/authority.ts";
import { connectToBroker } from "../../../src/wings/fleet/admin/broker.ts";
import { serverConfigs } from "../../../src/wings/fleet/admin/server-config.ts";
import { checkStreams } from "../../../src/wings/fleet/admin/streams.ts";
import { inboxPrefix, type Member } from "../../../src/wings/fleet/names.ts";
import type { FleetRole } from "../../../src/wings/fleet/rights.ts";
import { publishAuthority, withRevoked } from "../../../src/wings/fleet/commands/authority.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { temporaryFolder } from "../project/temporary-state.ts";
import { startBroker, writeConfig } from "./broker-process.ts";
import { freePort } from "../random/free-port.ts";

export interface SmallFleet {
  authority: Authority;
  servers: string[];
  admin: NatsConnection;
  manager: JetStreamManager;
  /** Credentials of a new key. */
  issue(role: FleetRole, person: string, host: string): Promise<{ key: string; credentials: string }>;
  /** The broker ends the connections of this key, and refuses it from now on. */
  revoke(key: string): Promise<void>;
  /** Connects as a new member, with the plain client. */
  connectAs(role: FleetRole, person: string, host: string): Promise<NatsConnection>;
}

export async function startSmallFleet(): Promise<SmallFleet> {
  const folder = temporaryFolder();
  const port = await freePort();
  const servers = [`nats://127.0.0.1:${port}`];
  const authority = createAuthority({ org: "acme", servers });
  const plan = { servers, certificate: "", key: "", ca: undefined, storeDir: folder, canSyncAlways: false };
  const [config] = serverConfigs(plan, await serverTokens(authority));
  await startBroker(writeConfig(folder, config?.text ?? ""), port);
  await publishAuthority(authority, systemClock);
  const credentials = await briefCredentials(authority, "admin", systemClock.now());
  const admin = await connectToBroker({ servers, ca: undefined, credentials });
  onTestFinished(async () => await admin.close());
  const manager = await jetstreamManager(admin);
  await checkStreams(manager, { replicas: 1, change: "missing" });
  return {
    authority,
    servers,
    admin,
    manager,
    issue: async (role, person, host) => await issueCredentials(authority, { role, person, host }),
    async revoke(key) {
      await publishAuthority(withRevoked(authority, [key]), systemClock);
    },
    async connectAs(role, person, host) {
      const issued = await issueCredentials(authority, { role, person, host });
      return await connectPlainly(servers, issued.credentials, { org: "acme", person, host });
    },
  };
}

export async function connectPlainly(servers: string[], credentials: string, member: Member): Promise<NatsConnection> {
  const connection = await connect({
    servers,
    authenticator: credsAuthenticator(new TextEncoder().encode(credentials)),
    inboxPrefix: inboxPrefix(member),
    // A client that is refused tries once more, by its own choice after two seconds.
    reconnectTimeWait: 20,
    reconnectJitter: 0,
  });
  onTestFinished(async () => await connection.close());
  return connection;
}
