import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
import { describeWithParts } from "../../support/parts.ts";
import { forgeLease, livingPid } from "../../support/project/forged-lease.ts";
import { putScript, quietProject, runScript, silent } from "../../support/project/posix-hook.ts";
import { payloadOf } from "../../support/project/running-project.ts";

describeWithParts("the processes that the shell's hook forks", ["strace"], () => {
  it("are two while a dispatcher is at work", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    ensureLayout(project.layout);
    forgeLease(project.layout, livingPid(), Date.now() + leaseMs);
    const trace = join(project.home, "trace");
    const traced = [
      "strace",
      "-f",
      "-o",
      trace,
      "-e",
      "trace=fork,vfork,clone,clone3,execve",
      script,
      "--agent",
      "droid",
    ];
    expect(await runScript(project, traced, payloadOf("Stop"))).toEqual(silent);
    const lines = readFileSync(trace, "utf8").split("\n");
    expect(lines.filter((line) => /\b(?:v?fork|clone3?)\(/.test(line)).length).toBe(2);
    const programs = lines.flatMap((line) =>
      line.includes("ENOENT") ? [] : (/execve\("[^"]*\/([^"/]+)"/.exec(line)?.[1] ?? []),
    );
    expect(programs).toEqual(["hook.sh", "cat", "mv"]);
  });
});
