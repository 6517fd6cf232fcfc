// A dispatcher in a loop that does not end: the next one ends it, and goes on without what it hung in. More is in test/endurance/.
import { utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readLease } from "../../../src/outbox/lease/lease.ts";
import { readStuckRecord, writeStuckRecord } from "../../../src/outbox/stuck/left-out.ts";
import { useOf } from "../../../src/system/process/use.ts";
import { projectThatHangsAt } from "../../support/faults/hang-at.ts";

describe.runIf(process.platform === "linux")("a dispatcher that hangs", () => {
  it("in a repository's file is ended, and its event is told without the file until the file changes", async () => {
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/);
    project.accept("first");
    const { pid, end } = await project.hang();
    expect((await project.dispatch()).code).toBe(0);
    expect(await end).toEqual([null, "SIGKILL"]);
    expect(project.told("first")).toHaveLength(1);
    expect(project.details("ended one that hung")).toEqual([
      expect.stringMatching(new RegExp(`^process ${pid} .* at incoming/\\S+, in the file ${project.projectFile}$`)),
    ]);
    expect(project.journal().filter(({ kind }) => kind === "rejected")).toEqual([]);
    expect(project.journal().filter(({ kind }) => kind === "notice")).toEqual([
      expect.objectContaining({ body: expect.stringContaining(`${project.projectFile} is ignored`) }),
    ]);

    project.accept("second");
    expect((await project.dispatch()).code).toBe(0);
    expect(project.told("second")[0]).not.toContain("payments");
    writeFileSync(project.projectFile, '{ "label": "payments", "mute": false }');
    delete project.env.TEST_HANG_AT;
    project.accept("third");
    expect((await project.dispatch()).code).toBe(0);
    expect(project.told("third")[0]).toContain("payments");
  });

  it("is found by doctor and status, with what it hangs in", async () => {
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/);
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

  it("is never one that was suspended, has the lease again, and works on", async () => {
    const project = await projectThatHangsAt(/nowhere/);
    const { layout } = project;
    const dispatcher = project.start(["dispatch"]);
    await project.until("the dispatcher", () => readLease(layout)?.holder.pid === dispatcher.pid);
    dispatcher.kill("SIGSTOP");
    const past = Date.now() / 1000 - 1;
    utimesSync(layout.lease, past, past);
    expect((await project.dispatch()).code).toBe(0);
    expect(readStuckRecord(layout).former).toHaveLength(1);
    dispatcher.kill("SIGCONT");
    await project.until("its lease", () => readLease(layout)?.holder.pid === dispatcher.pid);
    // As if it had worked for an hour since.
    const record = readStuckRecord(layout);
    writeStuckRecord(layout, { ...record, former: record.former.map((each) => ({ ...each, cpuMs: -3_600_000 })) });
    expect((await project.dispatch()).stderr).toContain("another dispatcher is running");
    project.accept("later");
    await project.until("the event", () => project.told("later").length > 0);
    expect([dispatcher.exitCode, dispatcher.signalCode]).toEqual([null, null]);
    expect(project.details("ended one that hung")).toEqual([]);
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
