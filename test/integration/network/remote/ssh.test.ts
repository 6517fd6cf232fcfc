// The events of agents on other machines, over real sshd's.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../../../src/outbox/deliveries/deliveries.ts";
import { readStatus } from "../../../../src/wings/remote/remotes.ts";
import { objectOf } from "../../../../src/model/json.ts";
import { rulesTo } from "../../../support/project/running-dispatcher.ts";
import { startHttpReceiver } from "../../../support/receivers/http-receiver.ts";
import { describeWithParts } from "../../../support/parts.ts";
import { addHost, quietRules, recorded, stopPayload, stormOf } from "../../../support/faults/remote-storm.ts";
import { type SshHost, sshHosts, sshParts } from "../../../support/faults/ssh-host.ts";
import { tree } from "../../../support/faults/tree.ts";
import { addRemote, type Project, temporaryProject } from "../../../support/project/running-project.ts";

function remoteProject(): Project {
  const project = temporaryProject();
  project.writeRules(quietRules);
  return project;
}

const eventsOf = (project: Project) =>
  project.journal().flatMap((entry) => (entry.kind === "event" ? [objectOf(entry.event)] : []));

const sessionIn = (body: string): string =>
  (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session;

function installed(host: SshHost): string {
  return host.put(".claude/settings.json", '{\n\t"model": "opus",\n\t"hooks": {}\n}', 0o640);
}

describeWithParts("remotes over ssh", [...sshParts, "busybox"], () => {
  it("sets up the agents there, fetches their events in order, and leaves no trace", async () => {
    const project = remoteProject();
    const hosts = await sshHosts(project, ["web1", "tiny"], ["tiny"]);
    for (const host of hosts) {
      const settings = installed(host);
      const before = tree(host.home);
      const added = await addRemote(project, host.name, "--yes");
      expect(added).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(settings, "utf8")).toContain(`${host.state}/hookbell-hook.sh --agent claude-code`);
      expect(statSync(settings).mode & 0o777).toBe(0o640);
      expect([settings, host.state].map((path) => statSync(path).uid)).toEqual([host.uid, host.uid]);

      for (let index = 0; index < 5; index += 1) {
        expect(await host.hook(stopPayload("s1", `turn ${index}`))).toEqual({
          code: 0,
          signal: null,
          stdout: "",
          stderr: "",
        });
      }
      const mine = () => eventsOf(project).filter((event) => event.host === host.name);
      await project.until("five events", () => mine().length === 5);
      expect(mine().map(({ message }) => message)).toEqual([0, 1, 2, 3, 4].map((index) => `turn ${index}`));
      expect(mine()[0]).toMatchObject({ session: `${host.name}:s1`, cwd: `${host.name}:/srv/shop`, project: "shop" });
      await project.until("their removal there", () => host.waiting().length === 0);

      const removed = await project.command(["remote", "remove", host.name, "--yes"]);
      expect(removed).toMatchObject({ code: 0, stderr: "" });
      expect(tree(host.home)).toEqual(before);
    }
    expect((await project.command(["remote", "list"])).stdout).toContain("no remotes");
  });

  it("loses and doubles nothing while connections, scripts and the dispatcher are killed", async () => {
    const project = remoteProject();
    const hosts = await sshHosts(project, ["web1", "tiny"], ["tiny"]);
    for (const host of hosts) await addHost(project, host);
    await expect(stormOf(project, hosts, { each: 40, breaks: 12, seed: 1 })).resolves.toBeDefined();
  });

  it("keeps events there while the machine cannot be reached, and says why", async () => {
    const project = remoteProject();
    const [host] = await sshHosts(project, ["web1"]);
    if (host === undefined) throw new Error("no host");
    await addHost(project, host);
    await host.cut();
    await project.until("a status", () => readStatus(project.layout, "web1")?.code === "remote.unreachable");
    for (const word of ["one", "two", "three"]) await host.hook(stopPayload("s1", word));
    expect(host.waiting()).toHaveLength(3);
    expect((await project.command(["remote", "list"])).stdout).toMatch(/web1 cannot be reached: .*next attempt in/);
    await host.start();
    await project.until("the events", () => recorded(project, host).length === 3);
    expect(recorded(project, host)).toEqual(["web1:s1 one", "web1:s1 two", "web1:s1 three"]);
  });

  it("sends a summary instead of many old messages", async () => {
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    const project = temporaryProject();
    project.writeRules(rulesTo(`${receiver.origin}/x`, { summary: 5 }));
    const [host] = await sshHosts(project, ["web1"]);
    if (host === undefined) throw new Error("no host");
    await addHost(project, host);
    await host.cut();
    await project.until("a status", () => readStatus(project.layout, "web1")?.code === "remote.unreachable");
    const hourAgo = Math.trunc(Date.now() / 1000) - 3600;
    for (let index = 0; index < 12; index += 1) {
      const name = `${hourAgo + index}000-000000000001-7-0.claude-code.Stop.-.json`;
      host.put(`.local/state/hookbell/incoming/${name}`, stopPayload(`s${index}`, `turn ${index}`));
    }
    await host.start();
    await project.until("all events", () => recorded(project, host).length === 12);
    await project.until("a message", () => receiver.requests.length > 0);
    await project.until("the end of all", () => listDeliveries(project.layout, "outbox").length === 0);
    expect(receiver.requests.map(({ body }) => sessionIn(body))).toEqual(["summary"]);
  });

  it("says what keeps it from the machine, and what to do", async () => {
    const project = remoteProject();
    const [host] = await sshHosts(project, ["web1"]);
    if (host === undefined) throw new Error("no host");
    await addHost(project, host);
    const finding = async () => {
      const { stdout } = await project.builtCommand(["doctor", "--json"]);
      const { findings } = JSON.parse(stdout) as { findings: Record<string, string>[] };
      const { status, text, fix } = findings.find(({ area }) => area === "remotes") ?? {};
      return { status, text, fix };
    };
    const config = join(project.home, "ssh", "config");
    const before = readFileSync(config, "utf8");

    writeFileSync(config, before.replace(/IdentityFile .*/g, "IdentityFile /dev/null"));
    expect(await finding()).toEqual({
      status: "broken",
      text: expect.stringContaining("web1 refuses your key: ") as unknown,
      fix: expect.stringContaining(
        "load a key into ssh-agent until this works: ssh -o BatchMode=yes web1 true",
      ) as unknown,
    });
    writeFileSync(config, before.replace("accept-new", "yes").replace(/(UserKnownHostsFile .*)/g, "$1-none"));
    expect(await finding()).toMatchObject({
      text: expect.stringContaining("web1 has a key that ssh does not know") as unknown,
      fix: expect.stringContaining("connect once by hand") as unknown,
    });
    writeFileSync(config, before);
    await host.cut();
    expect(await finding()).toMatchObject({
      text: expect.stringContaining("web1 cannot be reached: ") as unknown,
      fix: expect.stringContaining("to try it: ssh -o BatchMode=yes web1 true") as unknown,
    });
    rmSync(host.hostKey);
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-f", host.hostKey]);
    await host.start();
    expect(await finding()).toMatchObject({
      text: expect.stringContaining("web1 has another key than before") as unknown,
      fix: expect.stringContaining("this names the line to remove: ") as unknown,
    });
  });
});
