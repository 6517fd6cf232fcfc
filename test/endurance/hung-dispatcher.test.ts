// Dispatchers in a loop that does not end, in real time and by real hooks: at most one hangs at a time, and all events are told.
import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { leaseMs, readLease } from "../../src/outbox/lease/lease.ts";
import { stuckAfterCpuMs } from "../../src/outbox/stuck/judge.ts";
import { readStuckRecord, writeStuckRecord } from "../../src/outbox/stuck/left-out.ts";
import { useOf } from "../../src/system/process/use.ts";
import { projectThatHangsAt } from "../support/faults/hang-at.ts";
import { putScript, runScript } from "../support/project/posix-hook.ts";
import { processesWithEnvironment } from "../support/project/processes.ts";
import { payloadOf, type Ended } from "../support/project/running-project.ts";

/** A dispatcher that works uses less than this, and one that hangs has used it after three seconds. */
const hangsFromCpuMs = 3000;
const hookEveryMs = 4000;
const watchedMs = 60_000;

describe.runIf(process.platform === "linux")("while each dispatcher hangs in one repository's file", () => {
  it.each(["shell", "Node"])("one hangs at a time, and every event is told, with hooks in %s", async (form) => {
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/);
    const { receiver, repository } = project;
    const script = putScript(join(project.home, "hook.sh"));
    const hook = (session_id: string, cwd: string): Promise<Ended> => {
      const text = payloadOf("Stop", { session_id, cwd });
      return form === "Node"
        ? project.hook(text, ["--agent", "droid"])
        : runScript(project, ["sh", script, "--agent", "droid"], text);
    };
    const isHung = (pid: number): boolean => (useOf(pid)?.cpuMs ?? 0) >= hangsFromCpuMs && isDispatcher(pid);
    const told = (): number => new Set(receiver.requests.map(({ body }) => /"session":"(\w+)"/.exec(body)?.[1])).size;

    let sent = 0;
    let most = 0;
    let firstToldMs = Infinity;
    const since = Date.now();
    const elapsed = (): number => Date.now() - since;
    // The file changes after a while, so that a dispatcher hangs in it once more.
    let isChanged = false;
    while (elapsed() < watchedMs) {
      if (elapsed() >= sent * hookEveryMs) {
        expect(await hook(`s${sent}`, sent % 2 === 0 ? repository : project.home)).toMatchObject({
          code: 0,
          stderr: "",
        });
        sent += 1;
      }
      if (!isChanged && elapsed() > watchedMs / 2) {
        isChanged = true;
        writeFileSync(project.projectFile, "{ }");
      }
      most = Math.max(most, processesWithEnvironment(project.home).filter(isHung).length);
      if (told() > 0) firstToldMs = Math.min(firstToldMs, elapsed());
      await sleep(250);
    }
    // One more hook for what waits when the file hangs the last dispatcher.
    await sleep(leaseMs);
    await hook("last", project.home);
    await project.until("all events", () => told() === sent + 1);
    const ended = project.journal().filter(({ what }) => what === "ended one that hung").length;
    process.stdout.write(
      `${form}: first told after ${firstToldMs} ms, ${ended} ended, at most ${most} hung at a time\n`,
    );
    expect(most).toBe(1);
    expect(ended).toBe(2);
    expect(project.journal().filter(({ kind }) => kind === "rejected")).toEqual([]);
  });
});

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

  it("with an event twice gives the event up, says so, and tells the others", async () => {
    const project = await projectThatHangsAt(/incoming\/.*Notification/);
    project.accept("bad", "Notification");
    project.accept("good");
    const [file] = listIncoming(project.layout);
    await project.hang();
    // It is tried once more, and hangs again.
    const again = await project.hang();
    expect(project.details("ended one that hung")).toHaveLength(1);
    expect((await project.dispatch()).code).toBe(0);
    expect(await again.end).toEqual([null, "SIGKILL"]);
    expect(project.told("good")).toHaveLength(1);
    expect(project.told("bad")).toEqual([]);
    expect(project.journal().filter(({ kind }) => kind === "rejected")).toEqual([
      expect.objectContaining({ cameAs: `incoming/${file}`, reasons: ["the dispatcher hung twice with it"] }),
    ]);
    expect(project.journal().filter(({ kind }) => kind === "notice")).toContainEqual(
      expect.objectContaining({ body: expect.stringContaining(`It hung twice with incoming/${file}`) }),
    );
  });

  it("in the rules file leaves the last good rules in force, and says so", async () => {
    const project = await projectThatHangsAt(/config\/rules\.jsonc$/);
    const { TEST_HANG_AT } = project.env;
    delete project.env.TEST_HANG_AT;
    project.accept("before");
    expect((await project.dispatch()).code).toBe(0);
    project.env.TEST_HANG_AT = TEST_HANG_AT;
    writeFileSync(project.rulesFile, `${readFileSync(project.rulesFile, "utf8")}\n`);
    project.accept("after");
    const { end } = await project.hang();
    expect((await project.dispatch()).code).toBe(0);
    expect(await end).toEqual([null, "SIGKILL"]);
    expect(project.told("after")).toHaveLength(1);
    expect(project.journal().filter(({ kind }) => kind === "notice")).toEqual([
      expect.objectContaining({ title: "hookbell: the rules file has a mistake" }),
    ]);
  });

  it("and was suspended meanwhile is ended by a later dispatcher, once it goes on", async () => {
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/);
    project.accept("first");
    const { pid, end } = await project.hang();
    process.kill(pid, "SIGSTOP");
    delete project.env.TEST_HANG_AT;
    expect((await project.dispatch()).code).toBe(0);
    expect(project.told("first")).toHaveLength(1);
    expect(project.details("ended one that hung")).toEqual([]);
    process.kill(pid, "SIGCONT");
    const cpuMs = useOf(pid)?.cpuMs ?? 0;
    await project.until("its work", () => (useOf(pid)?.cpuMs ?? 0) > cpuMs + stuckAfterCpuMs);
    expect((await project.dispatch()).code).toBe(0);
    expect(await end).toEqual([null, "SIGKILL"]);
  });

  it("with its lease still valid is found by doctor", async () => {
    const project = await projectThatHangsAt(/\.hookbell\.jsonc$/);
    project.accept("first");
    const { pid } = await project.hang({ isExpired: false });
    expect((await project.run(["doctor"])).stdout).toMatch(new RegExp(`\\(process ${pid}\\) hangs`));
  });
});

function isDispatcher(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").includes("dispatch");
  } catch {
    return false;
  }
}
