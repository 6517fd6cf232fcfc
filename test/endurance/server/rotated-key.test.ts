// A machine's key is rotated to its end under a dispatcher that publishes, with the command killed before each of its steps in turn.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { shellQuoted } from "../../../src/model/text.ts";
import { readAuthority, type Authority } from "../../../src/wings/fleet/admin/authority.ts";
import { withKeys } from "../../../src/wings/fleet/admin/broker.ts";
import { readCredentials } from "../../../src/wings/fleet/credentials.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { startBroker } from "../../support/fleet/broker-process.ts";
import { connectPlainly } from "../../support/fleet/small-fleet.ts";
import { stoppedBefore } from "../../support/faults/stop-at-step.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { personParts, runAsPerson } from "../../support/project/person-terminal.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { freePort } from "../../support/random/free-port.ts";

const laptop = { org: "acme", person: "ada", host: "laptop" };
/** What it changes in the fleet's folder, each connection, and what it asks the broker's system account. */
const ownSteps = /\/fleet\/|^connect|^(?:write|push) .*(?:CLAIMS|CONNZ|code":200)/s;
const refused = /Authorization|Authentication/;

describeWithParts("a rotation", ["nats-server", ...personParts], () => {
  it("is completed by the same command, whenever it was killed: the old key ends, no event is lost or stored twice", async () => {
    const project = temporaryProject();
    project.writeRules({ channels: {}, rules: [] });
    const port = await freePort();
    const server = `nats://127.0.0.1:${port}`;
    const who = ["--org", "acme", "--person", "ada", "--host", "laptop", "--server", server, "--yes"];
    expect(await project.command(["fleet", "init", ...who])).toMatchObject({ code: 0, stderr: "" });
    const configDir = join(project.home, "config");
    await startBroker(join(configDir, "fleet/nats-server.conf"), port);
    expect(await project.command(["fleet", "init"])).toMatchObject({ code: 0, stderr: "" });
    const authority = (): Authority => readAuthority(configDir) as Authority;
    const ownFile = (): string => readFileSync(join(configDir, "fleet/ada.laptop.creds"), "utf8");

    project.start(["dispatch"]);
    let sent = 0;
    const send = async (): Promise<void> => {
      expect(await project.hook(payloadOf("Stop", { session_id: `s${sent}` }))).toMatchObject({ code: 0 });
      sent += 1;
    };
    const stored = async (): Promise<unknown> =>
      await withKeys(authority(), "admin", systemClock.now(), async (connection) => {
        const { streams } = await jetstreamManager(connection);
        const { state } = await streams.info("EVENTS", { subjects_filter: ">" });
        return { messages: state.messages, once: Object.values(state.subjects ?? {}).every((times) => times === 1) };
      });
    const waiting = (): string[] => readdirSync(join(project.layout.root, "fleet/unpublished"));
    const allStored = async (): Promise<void> => {
      await expect.poll(stored, { timeout: longestWaitMs }).toEqual({ messages: sent, once: true });
      await expect.poll(waiting, { timeout: longestWaitMs }).toEqual([]);
    };
    await send();
    await allStored();

    const ended: string[] = [];
    let steps = 0;
    let reissued = 0;
    for (let isKilled = true; isKilled;) {
      steps += 1;
      const before = ownFile();
      const open: NatsConnection = await connectPlainly([server], before, laptop);
      const environment = Object.entries(stoppedBefore(ownSteps, steps)).map(([name, value]) =>
        shellQuoted(`${name}=${value}`),
      );
      const sending = send();
      const first = await runAsPerson(project, ["fleet", "rotate", "ada/laptop"], `exec env ${environment.join(" ")}`);
      await sending;
      isKilled = first.code === 137;
      if (isKilled) {
        const again = await runAsPerson(project, ["fleet", "rotate", "ada/laptop"]);
        expect(again, `after step ${steps}: ${again.shown}`).toMatchObject({ code: 0 });
        if (again.shown.includes("the key that was made before is revoked")) reissued += 1;
      } else
        expect(first).toMatchObject({
          code: 0,
          shown: expect.stringMatching(/revoked.* the old key of ada.laptop/) as string,
        });
      await open.closed();
      ended.push(before);
      const { members, revoked } = authority();
      expect(members).toEqual([
        { person: "ada", host: "laptop", role: "device", key: readCredentials(ownFile())?.key },
      ]);
      expect(Object.keys(revoked)).toEqual(expect.arrayContaining(ended.map((each) => readCredentials(each)?.key)));
      await expect(connectPlainly([server], before, laptop)).rejects.toThrow(refused);
      await send();
      await allStored();
    }
    for (const each of ended) await expect(connectPlainly([server], each, laptop)).rejects.toThrow(refused);
    process.stdout.write(
      `a rotation: killed before each of ${steps - 1} steps, ${reissued} lost keys, ${sent} events\n`,
    );
    expect(steps).toBeGreaterThan(7);
    expect(reissued).toBeGreaterThan(0);
  });
});
