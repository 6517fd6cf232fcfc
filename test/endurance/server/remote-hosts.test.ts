import { expect, it } from "vitest";
import { describeWithParts } from "../../support/parts.ts";
import { addHost, quietRules, stormOf } from "../../support/faults/remote-storm.ts";
import { temporaryProject } from "../../support/project/running-project.ts";
import { sshHosts, sshParts } from "../../support/faults/ssh-host.ts";

describeWithParts("three machines over ssh", [...sshParts, "busybox"], () => {
  it("lose and double none of 2,004 events while everything between is killed and cut", async () => {
    const project = temporaryProject();
    project.writeRules(quietRules);
    const hosts = await sshHosts(project, ["web1", "web2", "tiny"], ["tiny"]);
    for (const host of hosts) await addHost(project, host);
    await expect(stormOf(project, hosts, { each: 668, breaks: 60, seed: 7 })).resolves.toBeUndefined();
  });
});
