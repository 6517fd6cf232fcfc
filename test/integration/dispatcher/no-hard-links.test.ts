// A state folder on storage without hard links: the lease is created exclusively instead.
import { spawn } from "node:child_process";
import { rmSync, utimesSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { findPart, describeWithParts } from "../../support/parts.ts";
import { pidSpace } from "../../../src/system/process/identity.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import {
  cliPath,
  end,
  hookPath,
  payloadOf,
  temporaryProject,
  type Ended,
  type Project,
} from "../../support/project/running-project.ts";

const codes = ["EPERM", "EOPNOTSUPP", "ENOSYS"];

/** Runs it where every `link(2)` is answered like this: as FAT, some network folders and Android do. */
function runWithoutLinks(project: Project, code: string, argv: string[], input = ""): Promise<Ended> {
  const calls = "link,linkat";
  const strace = ["-f", "-qq", "-o", "/dev/null", "-e", `trace=${calls}`, "-e", `inject=${calls}:error=${code}`];
  return end(spawn(findPart("strace") ?? "", [...strace, process.execPath, ...argv], { env: project.env }), input);
}

describeWithParts("a state folder on storage without hard links", ["strace"], () => {
  it.each(codes)("(%s) has one dispatcher at a time, which delivers everything once", async (code) => {
    const project = temporaryProject();
    const receiver = await startHttpReceiver();
    project.writeRules(rulesTo(`${receiver.origin}/x`));
    // Hooks that find a lease start no dispatcher, which strace would have to wait for.
    const events = 5;
    ensureLayout(project.layout);
    const host = hostname().split(".")[0];
    const holder = { token: "ours", pid: process.pid, host, pidSpace: pidSpace(), startedAt: Date.now() };
    writeFileSync(project.layout.lease, JSON.stringify(holder));
    for (let index = 0; index < events; index += 1) {
      utimesSync(project.layout.lease, Date.now() / 1000 + 14, Date.now() / 1000 + 14);
      const hook = await runWithoutLinks(project, code, [hookPath], payloadOf("Stop", { session_id: `s${index}` }));
      expect(hook).toMatchObject({ code: 0, stdout: "", stderr: "" });
    }
    rmSync(project.layout.lease);
    const dispatchers = await Promise.all(
      Array.from({ length: 4 }, () => runWithoutLinks(project, code, [cliPath, "dispatch", "--until-idle"])),
    );
    for (const { code: exitCode, stderr } of dispatchers) {
      expect(exitCode === 0 ? stderr : stderr.split("\n")[0]).toMatch(/^$|^hookbell: another dispatcher is running/);
    }
    expect(dispatchers.some((ended) => ended.code === 0)).toBe(true);
    await receiver.close();
    const ids = receiver.requests.map(({ headers }) => headers["webhook-id"]);
    expect([ids.length, new Set(ids).size]).toEqual([events, events]);
  });
});
