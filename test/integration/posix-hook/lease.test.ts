// Whether the shell's hook starts a dispatcher: by the lease, and by the mark of another that is coming up.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
import { touch } from "../../../src/system/files/write.ts";
import { isAlive } from "../../../src/system/process/identity.ts";
import { deadPid, forgeLease, livingPid, strangerPid, zombiePid } from "../../support/project/forged-lease.ts";
import { dispatcherPid } from "../../support/project/dispatcher-process.ts";
import { describeWithParts } from "../../support/parts.ts";
import {
  countStarts,
  putScript,
  quietProject,
  runScript,
  shellsHere,
  silent,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { payloadOf, type Project } from "../../support/project/running-project.ts";

function putPipe(folder: string, path: string): void {
  mkdirSync(folder, { recursive: true });
  execFileSync("mkfifo", [path]);
}

function putLink(target: string, { root, lease }: Project["layout"]): void {
  mkdirSync(root, { recursive: true });
  symlinkSync(target, lease);
}

type Row = [name: string, prepare: (project: Project) => void | Promise<void>, isStarted: boolean];

/** What a shell can know only where there is /proc. */
const linuxRows: Row[] = [
  [
    "of a killed process that still has its number",
    async ({ layout }) => forgeLease(layout, await zombiePid(), Date.now() + leaseMs),
    true,
  ],
  [
    "of hours ahead, for the clock was turned back, whose number has gone to another process",
    ({ layout }) => forgeLease(layout, strangerPid(), Date.now() + 3 * 3_600_000),
    true,
  ],
  [
    "of hours ahead, for the clock was turned back, held by a living process",
    ({ layout }) => forgeLease(layout, livingPid(), Date.now() + 3 * 3_600_000),
    false,
  ],
  ["that is a link to a file that never ends", ({ layout }) => putLink("/proc/self/pagemap", layout), true],
  ["that is a link to nothing", ({ layout }) => putLink("nowhere", layout), true],
  [
    "held on another machine that shares this home",
    ({ layout }) => forgeLease(layout, deadPid, Date.now() + leaseMs, "elsewhere"),
    false,
  ],
];

for (const [program, shell] of shellsHere()) {
  describeWithParts(`the shell's hook and the lease under ${shell.join(" ")}`, [program, "find", "mkfifo"], () => {
    it.each<Row>([
      ["none", () => {}, true],
      ...(process.platform === "linux" ? linuxRows : []),
      ["held by a living process", ({ layout }) => forgeLease(layout, livingPid(), Date.now() + leaseMs), false],
      ["of a process that was killed", ({ layout }) => forgeLease(layout, deadPid, Date.now() + leaseMs), true],
      ["that has run out", ({ layout }) => forgeLease(layout, livingPid(), Date.now() - 2000), true],
      [
        "of a day ahead, by a process that is gone",
        ({ layout }) => forgeLease(layout, deadPid, Date.now() + 86_400_000),
        true,
      ],
      [
        "torn",
        (project) => (
          forgeLease(project.layout, 1, 0),
          writeFileSync(project.layout.lease, "{"),
          touch(project.layout.lease, Date.now() + leaseMs)
        ),
        true,
      ],
      ["a pipe", ({ layout }) => putPipe(layout.root, layout.lease), true],
      [
        "none, and the mark of one that is coming up is a pipe",
        ({ layout }) => putPipe(layout.root, `${layout.lease}.starting`),
        true,
      ],
    ])("starts a dispatcher only where the lease holds for no one: %s", async (_name, prepare, isStarted) => {
      const project = quietProject();
      await prepare(project);
      const script = putScript(join(project.home, "hook.sh"));
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      if (isStarted) {
        await untilEvents(project, 1);
        // The event goes on record a moment before its payload leaves.
        await project.until("an empty incoming/", () => listIncoming(project.layout).length === 0);
      }
      expect(existsSync(`${project.layout.lease}.starting`) || countStarts(project) > 0).toBe(isStarted);
      expect(listIncoming(project.layout).length).toBe(isStarted ? 0 : 1);
    });

    it("is not kept from starting one by a mark that a crash has left", async () => {
      const project = quietProject();
      const mark = `${project.layout.lease}.starting`;
      mkdirSync(project.layout.root);
      writeFileSync(mark, `${deadPid}\n`);
      const script = putScript(join(project.home, "hook.sh"));
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      await untilEvents(project, 1);
      const pid = dispatcherPid(project);
      process.kill(pid, "SIGKILL");
      // The shell reads /proc, where a dead process stays until its parent has noticed.
      await project.until("its death", () => !isAlive(pid) && !existsSync(`/proc/${pid}`));
      // Its process id belongs to someone else by now.
      writeFileSync(mark, `${livingPid()}\n`);
      touch(mark, Date.now() - 600_000);
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      await untilEvents(project, 2);
    });
  });
}
