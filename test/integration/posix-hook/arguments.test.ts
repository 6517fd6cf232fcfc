// What the shell's hook does itself, and what it leaves to the hook in Node.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { disableValues } from "../../support/home/disable-values.ts";
import { describeWithParts } from "../../support/parts.ts";
import {
  putLonelyScript,
  putScript,
  quietProject,
  runScript,
  shellsHere,
  silent,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { payloadOf } from "../../support/project/running-project.ts";

for (const [program, shell] of shellsHere()) {
  describeWithParts(`the shell's hook's arguments under ${shell.join(" ")}`, [program], () => {
    it("drops everything at once when it is switched off, by the words that switch off the hook in Node", async () => {
      const dropped = await Promise.all(
        disableValues.map(async ([value]) => {
          const project = quietProject();
          const script = putLonelyScript(project);
          const off = { HOOKBELL_DISABLE: value };
          const ended = await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"), off);
          const isDropped = !existsSync(project.layout.root);
          if (isDropped) expect(ended).toEqual(silent);
          return [value, isDropped];
        }),
      );
      expect(dropped).toEqual(disableValues);
    });

    it("does not wait for standard input when it is switched off", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      const off = { HOOKBELL_DISABLE: "1" };
      expect(await runScript(project, [...shell, script, "--agent", "droid"], undefined, off)).toEqual(silent);
    });

    it("leaves all that it does not know to the hook in Node", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"));
      const hook = (args: readonly string[], input = payloadOf("Stop"), env = {}) =>
        runScript(project, [...shell, script, ...args], input, env);
      expect(await hook(["--wait", "--json", "--agent", "droid"])).toMatchObject({ code: 0, stderr: "" });
      const wrong = [hook(["--unknown"]), hook(["--agent"]), hook(["--agent="]), hook([], "{}")];
      expect((await Promise.all(wrong)).map(({ stderr }) => stderr)).toEqual([
        expect.stringContaining("--unknown: expected --agent ID"),
        expect.stringContaining("--agent: expected a value"),
        expect.stringContaining("--agent: expected a value"),
        expect.stringContaining("session_id"),
      ]);
      expect(await hook(["--agent", "droid"], payloadOf("Stop"), { HOOKBELL_STATE_DIR: "relative" })).toEqual(silent);
      await project.until("the state in a relative folder", () => existsSync(join(project.home, "relative", "lease")));
      const { pid } = JSON.parse(readFileSync(join(project.home, "relative", "lease"), "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
    });

    it("hands such a name on where there is Node", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"));
      const payload = JSON.stringify({ session_id: "s", cwd: "/" });
      const args = ["--agent", "my.agent", "--event", "turn end"];
      expect(await runScript(project, [...shell, script, ...args], payload)).toEqual(silent);
      await untilEvents(project, 1);
      const event = project.journal().find(({ kind }) => kind === "event")?.event;
      expect(event).toMatchObject({ agent: "my.agent", name: "turn end" });
    });
  });
}
