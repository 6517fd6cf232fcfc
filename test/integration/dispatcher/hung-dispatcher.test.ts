// What doctor and status say of a dispatcher that hangs or is suspended. How the next one ends it is in test/endurance/.
import { describe, expect, it } from "vitest";
import { useOf } from "../../../src/system/process/use.ts";
import { projectThatHangsAt } from "../../support/faults/hang-at.ts";

describe.runIf(process.platform === "linux")("a dispatcher that hangs", () => {
  it("is found by doctor and status, with what it hangs in", async () => {
    // It is busy until doctor has started, and then for the 600 ms that doctor calls much.
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/, { restsAfterMs: 5000 });
    project.accept("first");
    const { pid } = await project.hang();
    const { code, stdout } = await project.builtCommand(["doctor", "--json"]);
    expect(code).toBe(1);
    const { findings } = JSON.parse(stdout) as { findings: { area: string }[] };
    expect(findings.filter(({ area }) => area === "queue")).toEqual([
      {
        area: "queue",
        status: "broken",
        text: expect.stringMatching(
          new RegExp(`^1 payload .*\\(process ${pid}\\) hangs at incoming/\\S+, in the file ${project.projectFile}: `),
        ),
        fix: expect.stringContaining("without that file; to do that now"),
        command: "hookbell dispatch --until-idle",
      },
    ]);
    expect((await project.command(["status"])).stdout).toMatch(
      new RegExp(
        `^dispatcher: process ${pid} has given no sign of life for .* in the file ${project.projectFile};`,
        "m",
      ),
    );
    expect(JSON.parse((await project.command(["status", "--json"])).stdout)).toMatchObject({
      dispatcher: { hung: { pid, file: project.projectFile, silentMs: expect.any(Number) } },
    });
  });

  it("is told by doctor from one that is suspended, and from one that works", async () => {
    const project = await projectThatHangsAt(/nowhere/);
    const dispatcher = project.start(["dispatch"]);
    await project.until("the dispatcher", () => project.journal().some(({ what }) => what === "started"));
    const queue = async (): Promise<object[]> => {
      const { findings } = JSON.parse((await project.builtCommand(["doctor", "--json"])).stdout) as {
        findings: { area: string }[];
      };
      return findings.filter(({ area }) => area === "queue");
    };
    expect(await queue()).toEqual([
      { area: "queue", status: "ok", text: "nothing is waiting; the dispatcher is running" },
    ]);
    dispatcher.kill("SIGSTOP");
    await project.until("its stop", () => useOf(dispatcher.pid ?? 0)?.isSuspended === true);
    expect((await project.command(["status"])).stdout).toContain(`dispatcher: suspended, process ${dispatcher.pid};`);
    expect(await queue()).toEqual([
      expect.objectContaining({
        status: "warning",
        text: `nothing is waiting; the dispatcher (process ${dispatcher.pid}) is suspended`,
        command: `kill -CONT ${dispatcher.pid}`,
      }),
    ]);
  });
});
