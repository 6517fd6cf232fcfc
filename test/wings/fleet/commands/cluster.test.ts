// Three nats-servers on one machine, from the three files that one `fleet init` writes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream, jetstreamManager } from "@nats-io/jetstream";
import { expect, it, onTestFinished } from "vitest";
import { runCommand } from "../../../../src/cli/command-line.ts";
import { briefCredentials, readAuthority } from "../../../../src/wings/fleet/admin/authority.ts";
import { connectToBroker } from "../../../../src/wings/fleet/admin/broker.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { type BrokerProcess, startBroker } from "../../../support/fleet/broker-process.ts";
import { describeWithParts, pathWithDaemons } from "../../../support/parts.ts";
import { commandIo } from "../../../support/project/command-io.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";
import { freePort } from "../../../support/random/free-port.ts";

/** The route's port, 2000 above it, is none that the system gives to a program that takes any. */
async function portWithRoute(): Promise<number> {
  const port = await freePort();
  return port < 30_000 ? port : await portWithRoute();
}

describeWithParts("fleet init with three servers", ["nats-server"], () => {
  it("writes files that work beside each other: a cluster that keeps three copies, and goes on without one server", async () => {
    const home = temporaryFolder();
    const config = join(home, "config");
    const env = { HOME: home, HOOKBELL_CONFIG_DIR: config, PATH: pathWithDaemons() };
    const said = { out: "" };
    const io = commandIo(home, { env, stdout: (text) => void (said.out += text) });
    const ports = [await portWithRoute(), await portWithRoute(), await portWithRoute()];
    const servers = ports.flatMap((port) => ["--server", `nats://127.0.0.1:${port}`]);
    const init = ["fleet", "init", "--org", "acme", "--person", "ada", "--host", "laptop", ...servers, "--yes"];
    expect(await runCommand(init, io)).toBe(0);
    const files = ports.map((_port, index) => join(config, "fleet", `nats-server-${index + 1}.conf`));
    const start = async (index: number): Promise<BrokerProcess> =>
      await startBroker(files[index] ?? "", ports[index] ?? 0);
    const processes = await Promise.all(ports.map(async (_port, index) => await start(index)));
    // The servers choose a leader first.
    const setUp = async (): Promise<number | string> => await runCommand(["fleet", "init"], io).catch(String);
    await expect.poll(setUp).toBe(0);

    const authority = readAuthority(config);
    if (authority === undefined) throw new Error("no keys");
    const credentials = await briefCredentials(authority, "admin", systemClock.now());
    const connection = await connectToBroker({ servers: authority.servers, ca: undefined, credentials });
    onTestFinished(async () => await connection.close());
    const manager = await jetstreamManager(connection, { checkAPI: false });
    const { config: stream, cluster } = await manager.streams.info("EVENTS");
    expect(stream.num_replicas).toBe(3);
    const names = [cluster?.leader, ...(cluster?.replicas ?? []).map(({ name }) => name)];
    expect(new Set(names)).toEqual(new Set(["hookbell-1", "hookbell-2", "hookbell-3"]));
    await jetstream(connection).publish("hb.acme.ada.box.e1", "x");

    const own = connection.getServer().split(":").at(-1);
    const other = ports.findIndex((port) => String(port) !== own);
    await processes[other]?.stop();
    const publish = async (): Promise<boolean> =>
      await jetstream(connection)
        .publish("hb.acme.ada.box.e2", "x")
        .then(
          () => true,
          () => false,
        );
    await expect.poll(publish).toBe(true);
    await start(other);
    const states = async (): Promise<unknown> =>
      (await manager.streams.info("EVENTS")).cluster?.replicas?.map(({ current }) => current);
    await expect.poll(states).toEqual([true, true]);
    expect(readFileSync(files[other] ?? "", "utf8")).toContain(`/hookbell-${other + 1}"`);
  });
});
