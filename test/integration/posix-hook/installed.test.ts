import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { quietProject, runScript, silent, untilEvents } from "../../support/project/posix-hook.ts";
import { payloadOf, type Project } from "../../support/project/running-project.ts";

describe("the shell's hook as init installs it", () => {
  const commandOf = ({ home }: Project): string =>
    (
      JSON.parse(readFileSync(join(home, ".factory", "hooks.json"), "utf8")) as {
        Stop: { hooks: { command: string }[] }[];
      }
    ).Stop[0]?.hooks[0]?.command ?? "";

  it("runs, is missed by doctor, and comes back with the next init", async () => {
    const project = quietProject();
    // Its rules wait for no event.
    const init = ["init", "--agent", "droid", "--yes", "--all-events"];
    expect(await project.run(init)).toMatchObject({ code: 0, stderr: "" });
    const script = join(project.layout.root, "hookbell-hook.sh");
    expect(commandOf(project)).toBe(`${script} --agent droid`);
    expect(await runScript(project, ["sh", "-c", commandOf(project)], payloadOf("Stop"))).toEqual(silent);
    await untilEvents(project, 1);
    expect((await project.builtCommand(["doctor"])).stdout).toContain("Droid: its hooks call this hookbell");
    rmSync(script);
    // Not 2, which agents read as "block".
    expect((await runScript(project, ["sh", "-c", commandOf(project)], payloadOf("Stop"))).code).toBe(127);
    const missed = await project.builtCommand(["doctor"]);
    expect(missed.code).toBe(1);
    expect(missed.stdout).toContain(`Droid: its hooks call ${script}, which is missing`);
    // A hook that is missing besides must not hide that.
    const channels = { c: { type: "command", argv: ["true"] } };
    project.writeRules({ channels, rules: [{ when: { event: "SubagentStop" }, notify: ["c"] }] });
    const settings = join(project.home, ".factory", "hooks.json");
    const { SubagentStop: _, ...hooks } = JSON.parse(readFileSync(settings, "utf8")) as Record<string, unknown>;
    writeFileSync(settings, JSON.stringify(hooks));
    const both = (await project.builtCommand(["doctor"])).stdout;
    expect(both).toContain(`broken   Droid: its hooks call ${script}, which is missing`);
    expect(both).toContain("no longer contains the hooks that init wrote for SubagentStop");
    expect((await project.builtCommand(init)).stdout).toContain(`wrote ${script}`);
    const text = readFileSync(script, "utf8");
    writeFileSync(script, text.replace(/^dist=.*$/m, "dist='/moved/it'\\''s/dist'"));
    const moved = await project.builtCommand(["doctor"]);
    expect(moved.code).toBe(1);
    expect(moved.stdout).toContain(
      `broken   Droid: its hooks call ${script}, which calls /moved/it's/dist/cli.js, and that no longer exists`,
    );
    writeFileSync(script, "#!/bin/sh\n");
    expect((await project.builtCommand(["doctor"])).stdout).toContain(
      `${script}, which was changed by another program at`,
    );
    expect(await project.builtCommand(init)).toMatchObject({ code: 0 });
    const command = commandOf(project);
    const { stdout } = await project.command(["uninstall", "--yes"]);
    expect(stdout).toContain("if they are running, restart Droid: until then they call the hooks that were removed\n");
    expect(stdout).toContain(`${script} now does nothing`);
    expect(await runScript(project, ["sh", "-c", command], payloadOf("Stop"))).toEqual(silent);
    expect((await project.command(["uninstall", "--yes"])).stdout).toContain(`removed ${script}`);
    expect(existsSync(script)).toBe(false);
  });
});
