// An agent may start its hooks with a PATH that lacks what every system has: the disk is not to blame for that.
import { readdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { describeWithParts, findPart } from "../../support/parts.ts";
import {
  countStarts,
  putLonelyScript,
  putScript,
  quietProject,
  runScript,
  shellsHere,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { payloadOf } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

const programs = ["mkdir", "cat", "wc", "mv", "rm", "sleep", "sh"];

/** A folder with all that the hook calls but these. */
function pathWithout(lacking: readonly string[]): string {
  const bin = temporaryFolder();
  for (const name of programs.filter((each) => !lacking.includes(each)))
    symlinkSync(findPart(name) ?? "", join(bin, name));
  return bin;
}

// Busybox has all of them in itself.
const others = shellsHere().filter(([program]) => program !== "busybox");

describeWithParts("the shell's hook on a PATH without", [...programs, ...others.map(([program]) => program)], () => {
  it.each(
    others.flatMap(([name, argv]) => [
      { name, argv, lacking: programs, isNew: true, said: "PATH has no mkdir, cat, wc, rm" },
      { name, argv, lacking: programs, isNew: false, said: "PATH has no mkdir, cat, wc, rm" },
      { name, argv, lacking: ["mkdir"], isNew: true, said: "PATH has no mkdir" },
      { name, argv, lacking: ["cat"], isNew: false, said: "PATH has no cat" },
    ]),
  )("$lacking says so, in a new state folder: $isNew, in $name", async ({ argv, lacking, isNew, said }) => {
    for (const isLonely of [true, false]) {
      const project = quietProject();
      if (!isNew) ensureLayout(project.layout);
      const [program, ...args] = argv;
      const script = isLonely ? putLonelyScript(project) : putScript(join(project.home, "hook.sh"));
      const call = [findPart(program) ?? "", ...args, script, "--agent", "droid"];
      const result = await runScript(project, call, payloadOf("Stop"), { PATH: pathWithout(lacking) });
      const { incoming } = project.layout;
      expect(result).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `hookbell: cannot keep the payload in ${incoming}: ${said}\n`,
      });
      // Its folders are removed when this ends, and not before it is there.
      if (!isLonely && !isNew) await project.until("its dispatcher", () => countStarts(project) === 1);
    }
  });

  it("mv leaves the payload to the dispatcher", async () => {
    const project = quietProject();
    ensureLayout(project.layout);
    const call = [putScript(join(project.home, "hook.sh")), "--agent", "droid"];
    const result = await runScript(project, call, payloadOf("Stop"), { PATH: pathWithout(["mv"]) });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: the payload is left to a dispatcher as .*\.tmp-sh-.*: PATH has no mv\n$/);
    await untilEvents(project, 1);
    // The journal has the event before the payload is removed.
    await project.until("its payload to leave", () => readdirSync(project.layout.incoming).length === 0);
  });
});
