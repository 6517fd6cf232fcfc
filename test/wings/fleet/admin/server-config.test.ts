import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { briefCredentials, createAuthority, serverTokens } from "../../../../src/wings/fleet/admin/authority.ts";
import { connectToBroker } from "../../../../src/wings/fleet/admin/broker.ts";
import { type ServerPlan, serverConfigs } from "../../../../src/wings/fleet/admin/server-config.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { startBroker } from "../../../support/fleet/broker-process.ts";
import { freePort } from "../../../support/random/free-port.ts";
import { describeWithParts } from "../../../support/parts.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { makeSelfSigned } from "../../../support/receivers/self-signed.ts";

const plan: ServerPlan = {
  servers: ["tls://nats.example.com:4222"],
  certificate: "/etc/nats/server.pem",
  key: "/etc/nats/server-key.pem",
  ca: undefined,
  storeDir: "/var/lib/nats",
  canSyncAlways: true,
};
const tokens = { operator: "op", system: ["S", "s"] } satisfies Parameters<typeof serverConfigs>[1];

describe("the configuration of nats-server", () => {
  it("encrypts off this machine, also between servers, which check each other", () => {
    const [one] = serverConfigs(plan, tokens);
    expect(one?.text).toContain('tls {\n  cert_file: "/etc/nats/server.pem"');
    const servers = ["tls://a.example.com", "tls://b.example.com", "tls://c.example.com"];
    const three = serverConfigs({ ...plan, servers, ca: "/etc/nats/ca.pem" }, tokens);
    expect(three.map(({ name }) => name)).toEqual(["nats-server-1.conf", "nats-server-2.conf", "nats-server-3.conf"]);
    for (const { text } of three) {
      expect(text.match(/tls \{/g)).toHaveLength(2);
      expect(text).toContain("verify: true");
      expect(text).toContain("nats-route://c.example.com:6222");
    }
  });

  it("has a folder, a name and ports of its own for each server, also where all run on one machine", () => {
    const own = (servers: string[]) =>
      serverConfigs({ ...plan, servers }, tokens).map(({ text }) => {
        const found = [...text.matchAll(/(?:server_name|listen|store_dir|dir): "?([^"\n]+)/g)].map(
          ([, value]) => value,
        );
        const routes = /routes: \[(.*)\]/.exec(text)?.[1]?.split(", ") ?? [];
        return { found, routes: routes.map((each) => Number(/:(\d+)"$/.exec(each)?.[1])) };
      });
    for (const ports of [
      [4222, 4223, 4224],
      [1, 2001, 4001],
      [65_535, 63_535, 64_000],
    ]) {
      for (const scheme of ["nats://127.0.0.1", "tls://localhost"]) {
        const configs = own(ports.map((port) => `${scheme}:${port}`));
        const all = configs.flatMap(({ found }) => found);
        expect(new Set(all).size).toBe(3 * 5);
        const [first] = configs;
        expect(new Set([...ports, ...(first?.routes ?? [])]).size).toBe(6);
        for (const { routes } of configs) {
          expect(routes).toEqual(first?.routes);
          expect(routes.every((port) => port > 0 && port <= 65_535)).toBe(true);
        }
      }
    }
    expect(own(["nats://127.0.0.1:4222"])[0]?.found).toContain("/var/lib/nats");
  });

  it("stays on this machine without TLS", () => {
    const [one] = serverConfigs({ ...plan, servers: ["nats://127.0.0.1:4222"] }, tokens);
    expect(one?.text).toContain('listen: "127.0.0.1:4222"');
    expect(one?.text).not.toContain("tls");
  });

  it("syncs before it confirms, where the server knows how", () => {
    expect(serverConfigs(plan, tokens)[0]?.text).toContain("sync_interval: always");
    expect(serverConfigs({ ...plan, canSyncAlways: false }, tokens)[0]?.text).not.toContain("sync_interval");
  });
});

describeWithParts("a broker that is configured so", ["nats-server", "openssl"], () => {
  it("speaks TLS only, and a client without its authority does not trust it", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const { key, cert, certFile } = makeSelfSigned(["localhost"]);
    writeFileSync(join(folder, "key.pem"), key);
    writeFileSync(join(folder, "cert.pem"), cert);
    const servers = [`tls://localhost:${port}`];
    const authority = createAuthority({ org: "acme", servers, ca: certFile });
    const here = { certificate: join(folder, "cert.pem"), key: join(folder, "key.pem"), storeDir: folder };
    const [config] = serverConfigs({ ...plan, ...here, servers, canSyncAlways: false }, await serverTokens(authority));
    // The test's server is heard on this machine only.
    writeFileSync(join(folder, "c.conf"), config?.text.replace("0.0.0.0", "127.0.0.1") ?? "");
    await startBroker(join(folder, "c.conf"), port);
    const credentials = await briefCredentials(authority, "system", systemClock.now());
    const connection = await connectToBroker({ servers, ca: certFile, credentials });
    onTestFinished(async () => await connection.close());
    await expect(connectToBroker({ servers, ca: undefined, credentials })).rejects.toMatchObject({
      code: "fleet.unreachable",
      message: expect.stringMatching(/self-signed certificate/) as unknown,
    });
  });

  it("is refused by the client where it speaks no TLS", async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const authority = createAuthority({ org: "acme", servers: [`nats://localhost:${port}`] });
    const local = { ...plan, servers: [`nats://127.0.0.1:${port}`], storeDir: folder, canSyncAlways: false };
    const [config] = serverConfigs(local, await serverTokens(authority));
    writeFileSync(join(folder, "c.conf"), config?.text ?? "");
    await startBroker(join(folder, "c.conf"), port);
    const credentials = await briefCredentials(authority, "system", systemClock.now());
    const servers = [`tls://localhost:${port}`];
    await expect(connectToBroker({ servers, ca: undefined, credentials })).rejects.toMatchObject({
      code: "fleet.unreachable",
    });
  });
});

it("names the client's own errors plainly", async () => {
  const port = await freePort();
  const authority = createAuthority({ org: "acme", servers: [] });
  const credentials = await briefCredentials(authority, "admin", systemClock.now());
  await expect(
    connectToBroker({ servers: [`nats://127.0.0.1:${port}`], ca: undefined, credentials }),
  ).rejects.toMatchObject({
    code: "fleet.unreachable",
    message: expect.stringContaining(`nats://127.0.0.1:${port}`) as unknown,
    hint: "see that nats-server runs there",
  });
});
