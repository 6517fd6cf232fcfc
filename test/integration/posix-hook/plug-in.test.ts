// The program of the plug-ins: which hookbell it finds, that it passes on every event, once, and what it says where there is none.
import { chmodSync, copyFileSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { plugInScriptName } from "../../../src/install/plug-in-files.ts";
import { disableValues } from "../../support/home/disable-values.ts";
import { arriveTogether } from "../../support/project/arrive-together.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import { putScript, quietProject, runScript, shells, silent, untilEvents } from "../../support/project/posix-hook.ts";
import { cliPath, payloadOf, type Ended, type Project } from "../../support/project/running-project.ts";

const root = fileURLToPath(new URL("../../../", import.meta.url));

interface PlugIn {
  project: Project;
  script: string;
  run(agent?: string, env?: NodeJS.ProcessEnv): Promise<Ended>;
}

/** The plug-in's program where agents copy it to, with nothing around it and nothing on PATH but what it needs. */
function plugIn(shell: readonly string[], folder = "plug-in/hooks"): PlugIn {
  const project = quietProject();
  const script = join(project.home, folder, plugInScriptName);
  mkdirSync(dirname(script), { recursive: true });
  copyFileSync(join(root, "hooks", plugInScriptName), script);
  const bin = join(project.home, "bin");
  mkdirSync(bin);
  for (const program of ["sh", "cat", "mv", "mkdir", "rm", "find", "setsid"]) {
    symlinkSync(findPart(program) ?? "/nowhere", join(bin, program));
  }
  const [name = "", ...args] = shell;
  const argv = [findPart(name) ?? name, ...args];
  return {
    project,
    script,
    run: (agent, env) =>
      runScript(project, [...argv, script, ...(agent === undefined ? [] : [agent])], payloadOf("Stop"), {
        PATH: bin,
        ...env,
      }),
  };
}

function write(project: Project, path: string, text: string): void {
  mkdirSync(dirname(join(project.home, path)), { recursive: true });
  writeFileSync(join(project.home, path), text);
}

const agentsHeard = ({ journal }: Project): unknown[] =>
  journal().flatMap(({ kind, event }) => (kind === "event" ? [(event as { agent: string }).agent] : []));

/** Of each event: which one it repeats. */
const duplicates = ({ journal }: Project): unknown[] =>
  journal().flatMap(({ kind, duplicateOf }) => (kind === "decision" ? [duplicateOf] : []));

for (const [program, shell] of shells) {
  describeWithParts(`the plug-ins' program under ${shell.join(" ")}`, [program, "setsid"], () => {
    it("calls the hook beside the state, for the agent that it is named, or that it finds itself run by", async () => {
      const { project, run } = plugIn(shell);
      putScript(join(project.layout.root, "hookbell-hook.sh"));
      expect(await run("gemini-cli")).toEqual(silent);
      expect(await run(undefined, { DROID_PLUGIN_ROOT: "/plug-in" })).toEqual(silent);
      expect(await run()).toEqual(silent);
      await untilEvents(project, 3);
      expect(new Set(agentsHeard(project))).toEqual(new Set(["claude-code", "droid", "gemini-cli"]));
    });

    it("says in one line that there is no hookbell, and blocks nothing", async () => {
      const { run } = plugIn(shell);
      expect(await run()).toEqual({
        code: 1,
        signal: null,
        stdout: "",
        stderr: "hookbell: the plug-in is here, but hookbell is not: npm install --global hookbell\n",
      });
    });

    it("passes on every event, whatever the settings say; what they call for as well is told once", async () => {
      const settings = [
        "{}",
        '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"/gone/hookbell-hook.sh --agent gemini-cli"}]}]}}',
        '{"hooks":{\n// "Stop":[{"hooks":[{"type":"command","command":"/s/hookbell-hook.sh --agent gemini-cli"}]}]\n}}',
      ];
      const { project, run } = plugIn(shell);
      const hook = putScript(join(project.layout.root, "hookbell-hook.sh"));
      const byPlugIn = settings.map((text) => async () => {
        write(project, ".gemini/settings.json", text);
        expect(await run("gemini-cli")).toEqual(silent);
      });
      const bySettings = Array.from({ length: 4 }, () => async () => {
        expect(await runScript(project, [...shell, hook, "--agent", "gemini-cli"], payloadOf("Stop"))).toEqual(silent);
      });
      await arriveTogether(project, [...byPlugIn, ...bySettings]);
      // By the plug-in alone, each one is an event of its own.
      expect(duplicates(project).slice(0, settings.length)).toEqual([undefined, undefined, undefined]);
      const repeated = expect.stringMatching(/^evt_/) as unknown;
      expect(duplicates(project).slice(settings.length)).toEqual([repeated, repeated, repeated, undefined]);
    });

    it("drops everything where hookbell is switched off, by the words that switch off the hook", async () => {
      const codes = await Promise.all(
        disableValues.map(async ([value]) => [
          value,
          (await plugIn(shell).run("codex", { HOOKBELL_DISABLE: value })).code,
        ]),
      );
      expect(codes).toEqual(disableValues.map(([value, isDropping]) => [value, isDropping ? 0 : 1]));
    });
  });
}

describeWithParts("the plug-ins' program without the hook beside the state", ["setsid"], () => {
  it.each([
    ["as it lies in the package", "hookbell/hooks", undefined],
    ["as Gemini CLI links it", "hookbell/hooks/gemini-cli/hooks", "gemini-cli"],
  ])("calls the hook that is built there: %s", async (_name, folder, agent) => {
    const { project, run } = plugIn(["sh"], folder);
    symlinkSync(dirname(cliPath), join(project.home, "hookbell/dist"));
    symlinkSync(process.execPath, join(project.home, "bin/node"));
    expect(await run(agent)).toEqual(silent);
    await untilEvents(project, 1);
    expect(agentsHeard(project)).toEqual([agent ?? "claude-code"]);
  });

  it("calls the hookbell on PATH", async () => {
    const { project, run } = plugIn(["sh"]);
    const program = join(project.home, "bin/hookbell");
    writeFileSync(program, `#!/bin/sh\nexec '${process.execPath}' '${cliPath}' "$@"\n`);
    chmodSync(program, 0o755);
    expect(await run("codex")).toEqual(silent);
    await untilEvents(project, 1);
    expect(agentsHeard(project)).toEqual(["codex"]);
    // Not run where it cannot be.
    rmSync(program);
    expect(existsSync(program)).toBe(false);
    expect((await run("codex")).code).toBe(1);
  });
});
