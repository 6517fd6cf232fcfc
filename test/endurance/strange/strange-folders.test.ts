// Something else in the place of a folder of the state: nothing hangs, no payload is given up, and one message says where.
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { readLease } from "../../../src/outbox/lease/lease.ts";
import { longestWaitMs } from "../../support/longest-wait.ts";
import { putScript, runScript } from "../../support/project/posix-hook.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject } from "../../support/project/running-project.ts";
import { startHttpReceiver } from "../../support/receivers/http-receiver.ts";
import { capturedQuestion } from "../../integration/answers/asking.ts";

const main = ["incoming", "outbox", "journal", "questions"];
const folders = [...main, "sessions", "endpoints", "dead", "rejected"];
/** Without these no dispatcher takes anything in. */
const waiting = ["outbox", "journal", "sessions", "endpoints", "dead", "rejected"];

/** As `project.until`, which reads the journal. */
async function until(check: () => boolean): Promise<void> {
  const deadline = Date.now() + longestWaitMs;
  while (!check()) {
    expect(Date.now()).toBeLessThan(deadline);
    await sleep(20);
  }
}

/** A hook that comes when a dispatcher waits says so. */
const kept = /^(?:hookbell: .*the payload is kept in .*incoming, but nothing can be sent: [^\n]+\n)?$/;
const strange: [name: string, make: (path: string) => void, among: string[]][] = [
  ["a pipe", (path) => execFileSync("mkfifo", [path]), folders],
  ["a link to files that never end", (path) => symlinkSync("/proc/self/fd", path), folders],
  ["a link to nothing", (path) => symlinkSync("/nonexistent/folder", path), main],
  ["a link to itself", (path) => symlinkSync(path, path), main],
];

describe.runIf(process.platform === "linux").each(strange)("%s in the place of", (_name, make, among) => {
  it.each(among)("%s/ stops no hook and no command, and no payload is given up", async (folder) => {
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    const project = temporaryProject();
    const { layout } = project;
    project.writeRules({ ...(rulesTo(`${receiver.origin}/x`) as object), answers: { hold: "always" } });
    ensureLayout(layout);
    mkdirSync(join(layout.root, "questions"), { mode: 0o700 });
    const path = join(layout.root, folder);
    rmSync(path, { recursive: true });
    make(path);

    const lost = folder === "incoming";
    const script = putScript(join(project.home, "hook.sh"));
    const hooks = [
      await project.hook(payloadOf("Stop")),
      await runScript(project, [script, "--agent", "droid"], payloadOf("Stop", { session_id: "s2" }), project.env),
      await project.hook(JSON.stringify(capturedQuestion), ["--agent", "claude-code", "--answer"]),
    ];
    const said = lost ? /^hookbell: .*cannot keep (?:the payload|it) in .*incoming: [^\n]+\n$/ : kept;
    for (const { stderr } of hooks) expect(stderr).toMatch(said);
    const dispatched = await project.run(["dispatch", "--until-idle"]);
    const [status, doctor] = [await project.run(["status"]), await project.run(["doctor"])];
    for (const { stdout, stderr } of [dispatched, status, doctor]) {
      expect(stdout + stderr).not.toMatch(/this is a bug|^\s+at /m);
    }
    expect(doctor.stdout).toContain(`${path} is not writable: `);

    const isTroubled = (): boolean => readLease(layout)?.holder.trouble?.includes(path) === true;
    if (waiting.includes(folder)) await until(() => isTroubled() || receiver.requests.length >= 3);
    if (isTroubled()) {
      // A dispatcher waits by now for the folder to be repaired, and hooks say so.
      const told = [
        await project.hook(payloadOf("Stop", { session_id: "s3" })),
        await runScript(project, [script, "--agent", "droid"], payloadOf("Stop", { session_id: "s4" }), project.env),
      ];
      for (const { code, stderr } of told) {
        expect(code).toBe(1);
        expect(stderr).toMatch(said);
        expect(stderr).toContain(path);
      }
    }
    rmSync(path);
    const heard = (session: string, agent: string): boolean =>
      receiver.requests.some(({ body }) => body.includes(`"agent":"${agent}","session":"${session}`));
    if (lost) await until(() => !isTroubled());
    // No further hook is needed.
    else {
      await project.until(
        "what came meanwhile",
        () => heard("s1", "generic") && heard("s2", "droid") && heard("", "claude-code"),
      );
    }
    expect(project.journal().filter(({ kind, what }) => kind === "rejected" || what === "bug")).toEqual([]);
    expect((await project.hook(payloadOf("Stop", { session_id: "after" }))).code).toBe(0);
    await project.until("the delivery after it", () => heard("after", "generic"));
  });
});
