// `hookbell serve --fleet`: the events of everyone by the stream, with two servers of which one is killed.
import { jetstream } from "@nats-io/jetstream";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { withServers } from "../../../src/wings/fleet/credentials.ts";
import { serveConsumer, stream } from "../../../src/wings/fleet/names.ts";
import { openDatabase } from "../../../src/wings/platform/server/store/database.ts";
import { type SmallFleet, startSmallFleet } from "../../support/fleet/small-fleet.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { describeWithParts } from "../../support/parts.ts";
import { type Project, temporaryProject } from "../../support/project/running-project.ts";
import { startServerHere, startServerProcess } from "../../support/usage/server-process.ts";

const slow = { timeout: longestWaitMs };

async function serverFile(fleet: SmallFleet, folder: string, role: "server" | "device"): Promise<string> {
  const { credentials } = await fleet.issue(role, "ops", "serve");
  const file = join(folder, `${role}.creds`);
  writeFileSync(file, withServers(credentials, { servers: fleet.servers }));
  return file;
}

async function publisher(fleet: SmallFleet, person: string) {
  const js = jetstream(await fleet.connectAs("host", person, "box"));
  return async (index: number, more: Record<string, unknown> = {}, again = ""): Promise<void> => {
    const id = `evt_${index.toString(16).padStart(24, "0")}`;
    const payload = { hook_event_name: "UserPromptSubmit", session_id: `s${index % 7}`, cwd: "/w", prompt: "go" };
    const body = { version: 1, agentId: "claude-code", at: Date.now(), text: JSON.stringify(payload), ...more };
    await js.publish(`hb.acme.${person}.box.${id}`, JSON.stringify(body), { msgID: `${id}${again}` });
  };
}

/** What the stopped server has stored. */
async function storedIn({ layout }: Project): Promise<{ user: string; prompts: number; hooks: number }[]> {
  const database = await openDatabase(join(layout.root, "server/usage.db"), Date.now());
  try {
    const rows = database.all(
      "SELECT u.name AS user, d.counts FROM session_days d JOIN sessions s ON s.id = d.session JOIN users u ON u.id = s.user",
    );
    return [...new Set(rows.map(({ user }) => String(user)))].sort().map((user) => {
      const counts = rows
        .filter((row) => row.user === user)
        .map((row) => JSON.parse(String(row.counts)) as Record<string, number>);
      const sum = (of: (key: string) => boolean): number =>
        counts.flatMap((each) => Object.entries(each)).reduce((all, [key, value]) => all + (of(key) ? value : 0), 0);
      return { user, prompts: sum((key) => key === "prompt"), hooks: sum((key) => key.startsWith("hook")) };
    });
  } finally {
    database.close();
  }
}

const left = async ({ manager }: SmallFleet): Promise<number> => {
  const { num_pending: pending, num_ack_pending: unacknowledged } = await manager.consumers.info(
    stream.name,
    serveConsumer,
  );
  return pending + unacknowledged;
};

describeWithParts("a server of a fleet", ["nats-server"], () => {
  it("counts each event once, also when it is killed and another one takes over", async () => {
    const fleet = await startSmallFleet();
    const project = temporaryProject();
    const file = await serverFile(fleet, project.home, "server");
    const publish = await publisher(fleet, "ada");
    // These are there before any server.
    for (let index = 0; index < 100; index += 1) await publish(index);
    const first = await startServerProcess(project, ["--fleet", file]);
    const standby = startServerHere(project, ["--fleet", file, "--standby"]);
    const all = (async (): Promise<void> => {
      for (let index = 100; index < 600; index += 1) await publish(index);
    })();
    const acknowledged = async (): Promise<number> =>
      (await fleet.manager.consumers.info(stream.name, serveConsumer)).ack_floor.stream_seq;
    await expect.poll(acknowledged, slow).toBeGreaterThan(200);
    await first.end("SIGKILL");
    await all;
    // The broker's own window for duplicates does not know these.
    for (let index = 0; index < 300; index += 3) await publish(index, {}, "-again");
    const second = await standby;
    await expect.poll(async () => await left(fleet), slow).toBe(0);
    expect(await second.end()).toBe(0);
    expect(await storedIn(project)).toEqual([{ user: "ada", prompts: 600, hooks: 600 }]);
  });

  it("counts as by HTTPS: each under its person, repeats not, and nothing that is too old or no event", async () => {
    const fleet = await startSmallFleet();
    const project = temporaryProject();
    const file = await serverFile(fleet, project.home, "server");
    const [ada, bob] = [await publisher(fleet, "ada"), await publisher(fleet, "bob")];
    await ada(1);
    await ada(2, { silence: "repeat" });
    await ada(3, { silence: "ignored" });
    await ada(4, { at: Date.now() - 31 * 86_400_000 });
    await ada(5, { text: "no JSON" });
    await bob(6);
    const server = await startServerHere(project, ["--fleet", file]);
    await expect.poll(async () => await left(fleet).catch(() => -1), slow).toBe(0);
    await server.end();
    expect(await storedIn(project)).toEqual([
      { user: "ada", prompts: 1, hooks: 2 },
      { user: "bob", prompts: 1, hooks: 1 },
    ]);
  });

  it("shares the events with another one that has a folder of its own", async () => {
    const fleet = await startSmallFleet();
    const projects = [temporaryProject(), temporaryProject()];
    const publish = await publisher(fleet, "ada");
    const servers = [];
    for (const project of projects)
      servers.push(await startServerHere(project, ["--fleet", await serverFile(fleet, project.home, "server")]));
    for (const { stderr } of servers) await expect.poll(stderr, slow).toContain("counting the events of acme");
    for (let index = 0; index < 200; index += 1) await publish(index);
    await expect.poll(async () => await left(fleet), slow).toBe(0);
    for (const server of servers) await server.end();
    const stored = (await Promise.all(projects.map(storedIn))).flat();
    expect(stored.reduce((all, { prompts }) => all + prompts, 0)).toBe(200);
  });

  it("takes no file of another role", async () => {
    const fleet = await startSmallFleet();
    const project = temporaryProject();
    const file = await serverFile(fleet, project.home, "device");
    await expect(startServerHere(project, ["--fleet", file])).rejects.toThrow(
      /is not a file of hookbell fleet add --role server: its role is device/,
    );
  });
});
