// Where the payload cannot be written: a line on stderr, exit 1, and nothing half written.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithParts } from "../../support/parts.ts";
import { putLonelyScript, quietProject, runScript, shellsHere } from "../../support/project/posix-hook.ts";
import { hookPath, payloadOf } from "../../support/project/running-project.ts";
import { mountParts } from "../../support/project/small-disk.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

describe("the shell's hook without a folder", () => {
  it("says so when the folder cannot be made, and does not exit with 2", async () => {
    const project = quietProject();
    writeFileSync(join(project.home, "file"), "");
    const env = { HOOKBELL_STATE_DIR: join(project.home, "file", "state") };
    const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], payloadOf("Stop"), env);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: .*\n$/);
  });
});

async function mounted(options: string, test: (folder: string) => Promise<void>): Promise<void> {
  const folder = temporaryFolder();
  const mounting = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder], { encoding: "utf8" });
  expect(mounting).toMatchObject({ status: 0, stderr: "" });
  try {
    await test(folder);
  } finally {
    spawnSync("umount", ["-l", folder]);
  }
}

for (const [program, shell] of shellsHere()) {
  describeWithParts(`the shell's hook on a full disk under ${shell.join(" ")}`, [program, ...mountParts], () => {
    it("says so, and leaves nothing half written", async () => {
      await mounted("size=64k", async (folder) => {
        const project = quietProject();
        const env = { HOOKBELL_STATE_DIR: join(folder, "state") };
        const argv = [...shell, putLonelyScript(project), "--agent", "droid"];
        const incoming = join(folder, "state", "incoming");
        const tooMuch = await runScript(project, argv, payloadOf("Stop", { x: "y".repeat(200_000) }), env);
        expect(tooMuch).toMatchObject({ code: 1, stdout: "" });
        expect(tooMuch.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: the disk is full, or .*\n$/);
        expect(readdirSync(incoming)).toEqual([]);
        // Not one byte more.
        spawnSync("sh", ["-c", `cat /dev/zero >'${folder}/filler'`]);
        const full = await runScript(project, argv, payloadOf("Stop"), env);
        expect(full).toMatchObject({ code: 1, stdout: "" });
        expect(full.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: the disk is full, or .*\n$/);
        expect(readdirSync(incoming)).toEqual([]);
      });
    });
  });
}

describeWithParts("the shell's hook on a bad disk", mountParts, () => {
  it("makes way for the Node form where no program may run", async () => {
    await mounted("size=1m,noexec", async (folder) => {
      const project = quietProject();
      project.env.HOOKBELL_STATE_DIR = join(folder, "state");
      const init = await project.run(["init", "--agent", "droid", "--yes"]);
      expect(init).toMatchObject({ code: 0 });
      expect(init.stderr).toContain("programs cannot run in");
      const settings = join(project.home, ".factory", "hooks.json");
      expect(readFileSync(settings, "utf8")).toContain(hookPath);
      expect((await project.run(["init", "--agent", "droid", "--yes"])).stdout).toBe("Droid: nothing to change\n");
    });
  });

  it("says so when it is read-only", async () => {
    await mounted("size=64k", async (folder) => {
      const project = quietProject();
      spawnSync("mount", ["-o", "remount,ro", folder]);
      const env = { HOOKBELL_STATE_DIR: join(folder, "state") };
      const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], payloadOf("Stop"), env);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: .*\n$/);
    });
  });
});
