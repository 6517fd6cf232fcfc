import type { ChildProcess } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { listDeliveries } from "../../src/outbox/deliveries/deliveries.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { ensureLayout } from "../../src/outbox/layout.ts";
import { writeIncoming } from "../../src/outbox/write-incoming.ts";
import { startHttpReceiver, type HttpReceiver } from "../support/receivers/http-receiver.ts";
import { describeWithParts } from "../support/parts.ts";
import { rulesTo } from "../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject, type Ended, type Project } from "../support/project/running-project.ts";
import { temporaryFolder } from "../support/project/temporary-state.ts";
import { fillForGood, mountSmallDisk, mountParts, type SmallDisk } from "../support/project/small-disk.ts";

type Trouble = "full" | "read-only";

interface Place {
  project: Project;
  disk: SmallDisk;
  receiver: HttpReceiver;
  cause(trouble: Trouble): Promise<void>;
  fix(trouble: Trouble): void;
}

/** A person whose whole home, settings and state, lies on a small disk. */
async function place(): Promise<Place> {
  const project = temporaryProject();
  project.env.XDG_RUNTIME_DIR = temporaryFolder();
  const disk = mountSmallDisk(project.home);
  mkdirSync(join(project.home, "config"));
  // Each process may write what it keeps of its code at any time, and leaves room when that does not fit.
  ensureLayout(project.layout);
  mountSmallDisk(join(project.layout.root, "compile-cache"));
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  project.writeRules(rulesTo(`${receiver.origin}/x`));
  return {
    project,
    disk,
    receiver,
    cause: async (trouble) => {
      if (trouble === "full") await fillForGood(disk);
      else disk.setReadOnly(true);
    },
    fix: (trouble) => (trouble === "full" ? disk.makeRoom() : disk.setReadOnly(false)),
  };
}

const said: Record<Trouble, RegExp> = {
  full: /the disk is full \(ENOSPC\)/,
  "read-only": /the file system is read-only \(EROFS\)/,
};
const troubles: Trouble[] = ["full", "read-only"];

function expectNoBug({ stdout, stderr }: Ended): void {
  expect(stderr).not.toMatch(/this is a bug|^\s+at /m);
  expect(stdout).not.toMatch(/^\s+at /m);
}

/** Without what processes keep of their code. */
function allFiles(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return names.filter((name) => !name.startsWith("compile-cache")).sort();
}

/** Its lease does not run out meanwhile, so that no other dispatcher takes over. */
function freeze({ layout }: Project, dispatcher: ChildProcess): void {
  dispatcher.kill("SIGSTOP");
  const later = Date.now() / 1000 + 3600;
  utimesSync(layout.lease, later, later);
}

function isQueueEmpty({ layout }: Project): boolean {
  return listIncoming(layout).length + listDeliveries(layout, "outbox").length === 0;
}

function sessionsOf(requests: HttpReceiver["requests"]): string[] {
  return requests.map(({ body }) => (JSON.parse(body) as { data: { event: { session: string } } }).data.event.session);
}

describeWithParts("a disk that takes nothing", mountParts, () => {
  it.each(troubles)(
    "(%s) the hook says so with exit 1, leaves nothing torn, and takes the next one",
    async (trouble) => {
      const { project, cause, fix } = await place();
      expect(await project.hook(payloadOf("Stop"))).toMatchObject({ code: 0, stderr: "" });
      await project.until("the delivery", () => project.journal().some(({ kind }) => kind === "attempt"));
      await project.until("an empty queue", () => isQueueEmpty(project));
      const before = allFiles(project.layout.root);
      await cause(trouble);
      for (const input of [payloadOf("Stop", { last_assistant_message: "x".repeat(20_000) }), "{}", "no JSON"]) {
        const ended = await project.hook(input);
        expect(ended).toMatchObject({ code: 1, stdout: "" });
        expect(ended.stderr).toMatch(said[trouble]);
        for (const line of ended.stderr.trimEnd().split("\n")) expect(line).toMatch(/^hookbell: /);
        expectNoBug(ended);
      }
      expect(allFiles(project.layout.root)).toEqual(before);
      fix(trouble);
      expect(await project.hook(payloadOf("Stop"))).toMatchObject({ code: 0, stderr: "" });
    },
  );

  it.each(troubles)(
    "(%s) every command says what it can and cannot, and nothing calls itself a bug",
    async (trouble) => {
      const { project, receiver, cause, fix } = await place();
      receiver.behave({ answer: 400 });
      expect((await project.run(["send", "--wait", "refused"])).code).toBe(1);
      expect(listDeliveries(project.layout, "dead").length).toBe(1);
      receiver.behave({ answer: 200, body: "ok" });
      // A dispatcher that still holds the lease would make `dispatch` say that another one is at work.
      await project.until("no dispatcher", () => !existsSync(project.layout.lease));
      const payload = join(project.home, "payload.json");
      writeFileSync(payload, payloadOf("Stop"));
      await cause(trouble);

      const cannotWrite = [73, said[trouble]] as const;
      const isFull = trouble === "full";
      const commands: [string[], number, RegExp?][] = [
        [["status"], 1],
        [["status", "--json"], 1],
        [["log"], 0],
        [["explain", payload], 0],
        [["check"], 0],
        [["doctor"], 1],
        [["send", "hello"], ...cannotWrite],
        [["test"], 0],
        [["dispatch", "--until-idle"], ...cannotWrite],
        [["init", "--yes", "--agent", "droid"], ...cannotWrite],
        [["uninstall", "--yes"], ...(isFull ? ([0] as const) : cannotWrite)],
        // Moving and removing need no room.
        [["retry", "--all"], ...(isFull ? ([0] as const) : cannotWrite)],
        [["discard", "--all"], ...(isFull ? ([0] as const) : cannotWrite)],
      ];
      for (const [args, code, message] of commands) {
        const ended = await project.run(args);
        expect([args.join(" "), ended.code, ended.stderr]).toEqual([args.join(" "), code, ended.stderr]);
        if (message === undefined) expect([args.join(" "), ended.stderr]).toEqual([args.join(" "), ""]);
        else expect(ended.stderr).toMatch(message);
        expectNoBug(ended);
      }
      expect((await project.run(["doctor"])).stdout).toMatch(said[trouble]);
      fix(trouble);
      expect((await project.run(["send", "--wait", "hello"])).code).toBe(0);
    },
  );

  it.each(troubles)(
    "(%s) a dispatcher at work loses nothing, repeats nothing, and goes on when it can",
    async (trouble) => {
      const { project, receiver, cause, fix } = await place();
      receiver.behave({ answer: 503 });
      const dispatcher = project.start(["dispatch"]);
      await project.until("a dispatcher", () => project.journal().some(({ what }) => what === "started"));
      expect((await project.hook(payloadOf("Stop", { session_id: "waits" }))).code).toBe(0);
      await project.until("its failure", () => project.journal().some(({ kind }) => kind === "attempt"));
      freeze(project, dispatcher);
      const sessions = Array.from({ length: 20 }, (_, index) => `s${index}`);
      for (const session_id of sessions.slice(0, 4))
        expect((await project.hook(payloadOf("Stop", { session_id }))).code).toBe(0);
      await cause(trouble);
      receiver.behave({ answer: 200 });
      const asked = receiver.requests.length;
      dispatcher.kill("SIGCONT");
      if (trouble === "full") await project.until("a request", () => receiver.requests.length > asked);
      // Long enough for it to try, to rest, and to try again.
      await sleep(7000);
      // What was in the outbox needs no room to be crossed out, and leaves some to another; on a disk that takes not even
      // that, nothing is sent.
      expect(sessionsOf(receiver.requests.slice(asked))[0]).toBe(trouble === "full" ? "waits" : undefined);
      fix(trouble);
      for (const session_id of sessions.slice(4))
        expect((await project.hook(payloadOf("Stop", { session_id }))).code).toBe(0);
      await project.until("an empty queue", () => isQueueEmpty(project));
      const delivered = sessionsOf(receiver.requests.slice(asked));
      expect(delivered.sort()).toEqual(["waits", ...sessions].sort());
      expect(readdirSync(project.layout.rejected)).toEqual([]);
      dispatcher.kill("SIGTERM");
    },
  );

  it("(full) a payload that does not fit holds back none of those that came before it", async () => {
    const { project, disk, receiver } = await place();
    disk.fill();
    disk.makeRoom(400_000);
    const nowMs = Date.now();
    const accept = (session_id: string, message: string, index: number): void => {
      const payload = payloadOf("Stop", { session_id, last_assistant_message: message });
      writeIncoming(project.layout, payload, { agentId: "generic", nowMs: nowMs + index });
    };
    const sessions = ["s0", "s1", "s2"];
    sessions.forEach((session, index) => accept(session, "small", index));
    // Not so large that it is shortened.
    accept("large", "x".repeat(250_000), sessions.length);
    const dispatcher = project.start(["dispatch"]);
    await project.until("a rest", () => project.journal().some(({ what }) => what === "stalled"));
    await project.until("the small ones", () => receiver.requests.length === sessions.length);
    expect(sessionsOf(receiver.requests).sort()).toEqual(sessions);
    expect(listIncoming(project.layout).length).toBe(1);
    dispatcher.kill("SIGTERM");
  });

  it("(full) a refusal that cannot be written down is not asked for again", async () => {
    const { project, receiver, cause, fix } = await place();
    receiver.behave({ answer: 503 });
    const dispatcher = project.start(["dispatch"]);
    await project.until("a dispatcher", () => project.journal().some(({ what }) => what === "started"));
    expect((await project.hook(payloadOf("Stop"))).code).toBe(0);
    await project.until("its failure", () => project.journal().some(({ kind }) => kind === "attempt"));
    freeze(project, dispatcher);
    await cause("full");
    receiver.behave({ answer: 400 });
    const asked = receiver.requests.length;
    dispatcher.kill("SIGCONT");
    await project.until("the refusal", () => receiver.requests.length > asked);
    await sleep(7000);
    expect(receiver.requests.length).toBe(asked + 1);
    fix("full");
    await project.until("the dead letter", () => listDeliveries(project.layout, "dead").length === 1);
    const attempts = (): number => project.journal().filter(({ kind }) => kind === "attempt").length;
    await project.until("its journal", () => attempts() === asked + 1);
    const [file = ""] = listDeliveries(project.layout, "dead");
    expect(JSON.parse(readFileSync(join(project.layout.dead, file), "utf8"))).toMatchObject({
      attempts: asked + 1,
      lastFailure: { reason: "rejected" },
    });
    expect(receiver.requests.length).toBe(asked + 1);
    dispatcher.kill("SIGTERM");
  });
});
