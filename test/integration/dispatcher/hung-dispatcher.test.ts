// A dispatcher in a loop that does not end: the next one ends it, and goes on without what it hung in.
import { once } from "node:events";
import { mkdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { readLease } from "../../../src/outbox/lease.ts";
import { readNote } from "../../../src/outbox/stuck/note.ts";
import { writeIncoming } from "../../../src/outbox/write-incoming.ts";
import { hangingAt } from "../../support/faults/hang-at.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";

async function projectThatHangsAt(path: RegExp) {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const project = temporaryProject();
  const { layout } = project;
  Object.assign(project.env, hangingAt(path));
  project.writeRules(rulesTo(`${receiver.origin}/x`));
  ensureLayout(layout);
  const repository = join(project.home, "repository");
  mkdirSync(join(repository, ".git"), { recursive: true });
  writeFileSync(join(repository, ".git", "HEAD"), "ref: refs/heads/main\n");
  const projectFile = join(repository, ".hookbell.jsonc");
  writeFileSync(projectFile, '{ "label": "payments" }');
  const accept = (session_id: string, eventName = "Stop"): void => {
    const text = payloadOf(eventName, { session_id, cwd: repository });
    writeIncoming(layout, text, { agentId: "generic", eventName, nowMs: Date.now() });
  };
  return {
    ...project,
    projectFile,
    accept,
    told: (session: string): string[] =>
      receiver.requests.flatMap(({ body }) => (body.includes(`"session":"${session}"`) ? [body] : [])),
    details: (what: string): unknown[] =>
      project.journal().flatMap((entry) => (entry.what === what ? [entry.detail] : [])),
    /** Resolves when it hangs; its lease has run out then. */
    async hang() {
      const dispatcher = project.start(["dispatch"]);
      const end = once(dispatcher, "exit");
      const pid = dispatcher.pid ?? 0;
      const isAtIt = (): boolean => {
        const { file, work } = readNote(layout, pid) ?? {};
        return path.test(file ?? "") || path.test(work ?? "");
      };
      await project.until("the dispatcher that hangs", () => readLease(layout)?.holder.pid === pid && isAtIt());
      const past = Date.now() / 1000 - 1;
      utimesSync(layout.lease, past, past);
      return { pid, end };
    },
    dispatch: () => project.run(["dispatch", "--until-idle"]),
  };
}

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
});
