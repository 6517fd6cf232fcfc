import { expect, it } from "vitest";
import { describeWithParts } from "../../support/parts.ts";
import { addHost, quietRules, stormOf } from "../../support/faults/remote-storm.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { tree } from "../../support/faults/tree.ts";
import { sshHosts, sshParts } from "../../support/faults/ssh-host.ts";

describeWithParts("three machines over ssh", [...sshParts, "busybox"], () => {
  it("lose and double none of 2,004 events while everything between is killed and cut, and keep no trace", async () => {
    const project = temporaryProject();
    project.writeRules(quietRules);
    const hosts = await sshHosts(project, ["web1", "web2", "tiny"], ["tiny"]);
    for (const host of hosts) host.put(".claude/settings.json", '{ "model": "opus" }\n', 0o640);
    const before = hosts.map(({ home }) => tree(home));
    for (const host of hosts) await addHost(project, host);
    const breaks = await stormOf(project, hosts, { each: 668, breaks: 60, seed: 7 });
    for (const count of Object.values(breaks)) expect(count).toBeGreaterThan(5);
    for (const { name } of hosts)
      expect(await project.run(["remote", "remove", name, "--yes"])).toMatchObject({ code: 0 });
    expect(hosts.map(({ home }) => tree(home))).toEqual(before);
    process.stderr.write(`${JSON.stringify(breaks)}\n`);
  });
});
