// How the shell's hook starts a dispatcher, and finds the one that is at work.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { listJournal } from "../../../src/outbox/journal.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
import { forgeLease, livingPid } from "../../support/project/forged-lease.ts";
import { dispatcherPid, expectOneAtATime } from "../../support/project/dispatcher-process.ts";
import { describeWithParts } from "../../support/parts.ts";
import {
  countStarts,
  putScript,
  quietProject,
  runScript,
  shellsHere,
  silent,
  stayingProject,
  startScript,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { cliPath, end, payloadOf } from "../../support/project/running-project.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

// Node itself loads no module from a folder with a backslash in its name.
const awkward = 'it\'s "q" $HOME `x` *\n日本 ';

for (const [program, shell] of shellsHere()) {
  describeWithParts(`the shell's hook and its dispatcher under ${shell.join(" ")}`, [program], () => {
    it("starts a dispatcher, finds it at work the next time, and says nothing", async () => {
      const project = stayingProject();
      const script = putScript(join(project.home, "hook.sh"));
      const argv = [...shell, script, "--agent", "droid", "--event", "Stop"];
      expect(await runScript(project, argv, '{"session_id":"a","cwd":"/x/shop"}')).toEqual(silent);
      await untilEvents(project, 1);
      expect(await runScript(project, argv, payloadOf("Notification"))).toEqual(silent);
      await untilEvents(project, 2);
      expect(project.journal().filter(({ kind }) => kind === "event")).toMatchObject([
        { event: { agent: "droid", name: "Stop", project: "shop" } },
        { event: { agent: "droid", name: "Notification" } },
      ]);
      expect(countStarts(project)).toBe(1);
    });

    it("bears quotes, spaces and lines in every path", async () => {
      const project = quietProject();
      const home = join(project.home, awkward);
      const bin = join(home, "bin");
      mkdirSync(bin, { recursive: true });
      symlinkSync(process.execPath, join(bin, "node"));
      const dist = join(home, "package", "dist");
      cpSync(dirname(cliPath), dist, { recursive: true });
      for (const name of ["package.json", "node_modules", "config", "sounds"]) {
        symlinkSync(join(dirname(cliPath), "..", name), join(home, "package", name));
      }
      const script = putScript(join(home, "hook.sh"), { nodePath: join(bin, "node"), hook: join(dist, "hook.cjs") });
      const env = { HOME: home, HOOKBELL_STATE_DIR: "", XDG_STATE_HOME: "not/absolute" };
      const moved = { ...project, layout: layoutOf(join(home, ".local", "state", "hookbell")) };
      expect(await runScript(project, [...shell, script, "--agent=droid"], payloadOf("Stop"), env)).toEqual(silent);
      await project.until(
        "the payload to be taken in",
        () => listJournal(moved.layout).length > 0 && listIncoming(moved.layout).length === 0,
      );
      process.kill(dispatcherPid(moved), "SIGKILL");
      const xdg = { ...env, XDG_STATE_HOME: join(home, "xdg") };
      forgeLease(layoutOf(join(home, "xdg", "hookbell")), livingPid(), Date.now() + leaseMs);
      expect(await runScript(project, [...shell, script, "--agent=droid"], payloadOf("Stop"), xdg)).toEqual(silent);
      expect(readdirSync(join(home, "xdg", "hookbell", "incoming")).length).toBe(1);
    });

    it("keeps the payload and says so when there is no Node any more", async () => {
      const project = quietProject();
      const bin = pathWithoutNode(project.home, program);
      for (const [index, nodePath] of ["/nowhere/node", project.home].entries()) {
        const script = putScript(join(project.home, "hook.sh"), { nodePath });
        const args = [...shell, script, "--agent", "droid"];
        const result = await runScript(project, args, payloadOf("Stop"), { PATH: bin });
        expect(result).toMatchObject({ code: 1, stdout: "" });
        const kept = `hookbell: the payload is kept in ${project.layout.incoming}, but there is no ${nodePath} any more`;
        const fix = "where hookbell is now, run: node dist/cli.js init";
        expect(result.stderr).toBe(`${kept}, and no node on PATH: ${fix}\n`);
        expect(listIncoming(project.layout).length).toBe(index + 1);
      }
    });

    it("goes on with the node on PATH when its own has moved, but not with one of the agent's folder", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"), { nodePath: "/nowhere/node" });
      const args = [...shell, script, "--agent", "droid"];
      const bin = pathWithoutNode(project.home, program);
      writeFileSync(join(project.home, "node"), '#!/bin/sh\n: >"$HOME/ran"\n', { mode: 0o755 });
      const ofFolder = { PATH: `.:${bin}`, HOME: project.home };
      const inFolder = startScript(project, args, { env: ofFolder, options: { cwd: project.home } });
      expect(await end(inFolder, payloadOf("Stop"))).toMatchObject({ code: 1 });
      expect(existsSync(join(project.home, "ran"))).toBe(false);
      const env = { PATH: `${bin}:${dirname(process.execPath)}` };
      expect(await runScript(project, args, payloadOf("Stop"), env)).toEqual(silent);
      await untilEvents(project, 2);
    });

    it("says once that hookbell is gone, then is silent and keeps a bounded number of payloads", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"), { hook: "/nowhere/dist/hook.cjs" });
      const run = () => runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"));
      const kept = `hookbell: the payload is kept in ${project.layout.incoming}, but there is no hookbell in /nowhere/dist any more`;
      const files = ["/home/u/.claude/settings.json", "/home/u/my files/hooks.json"];
      const record = { hookPaths: [], files: files.map((path) => ({ path, originalBackup: "/b", addedEvents: [] })) };
      mkdirSync(project.layout.root);
      writeFileSync(join(project.layout.root, "installed.json"), JSON.stringify(record, undefined, 2));
      const byHand = `remove its hooks from ${files.join(", ")}, or install it and run hookbell uninstall`;
      const fix = `${byHand}; if it has moved, where hookbell is now, run: node dist/cli.js init`;
      expect(await run()).toMatchObject({ code: 1, stdout: "", stderr: `${kept}: ${fix}\n` });
      expect(await run()).toEqual(silent);
      expect(listIncoming(project.layout)).toHaveLength(2);
      for (let index = 0; index < 200; index += 1) writeFileSync(join(project.layout.incoming, `${index}.json`), "");
      expect(await run()).toEqual(silent);
      expect(listIncoming(project.layout).filter((name) => name.startsWith("sh-"))).toHaveLength(2);
    });
  });
}

/** A folder to use as PATH, with what the script needs and no Node. */
function pathWithoutNode(home: string, shell: string): string {
  const bin = join(home, "bin-without-node");
  const folders = (process.env.PATH ?? "").split(":");
  mkdirSync(bin);
  for (const name of new Set([shell, "sh", "cat", "mv", "rm", "mkdir", "sleep", "find", "wc", "setsid"])) {
    const path = folders.map((folder) => join(folder, name)).find((each) => existsSync(each));
    if (path !== undefined) symlinkSync(path, join(bin, name));
  }
  return bin;
}

describe("the shell's hook and its dispatcher", () => {
  it("accepts sixty at once, each once, and one of them starts the dispatcher", async () => {
    const project = stayingProject();
    const script = putScript(join(project.home, "hook.sh"));
    const count = 60;
    const results = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        runScript(project, [script, "--agent", "droid"], payloadOf("Stop", { session_id: `s${index}` })),
      ),
    );
    expect(results.filter((result) => JSON.stringify(result) !== JSON.stringify(silent))).toEqual([]);
    await untilEvents(project, count);
    const sessions = project
      .journal()
      .flatMap(({ event }) => (event as { session?: string } | undefined)?.session ?? []);
    expect(new Set(sessions).size).toBe(count);
    expect(sessions).toHaveLength(count);
    expectOneAtATime(project);
  });

  it.each(["SIGTERM", "SIGKILL", "SIGHUP"] as const)(
    "leaves a dispatcher that outlives its process group and holds nothing of the agent's: %s",
    async (signal) => {
      const project = stayingProject();
      const script = putScript(join(project.home, "hook.sh"));
      const child = startScript(project, ["sh", "-c", `'${script}' --agent droid`], {
        options: { detached: true, stdio: ["pipe", "pipe", "pipe", "pipe", "ignore", "pipe"] },
      });
      const ends = [1, 2, 3, 5].map((index) => {
        const stream = child.stdio[index] as NodeJS.ReadableStream;
        stream.resume();
        return once(stream, "end");
      });
      child.stdin?.end(payloadOf("Stop"));
      await once(child, "exit");
      try {
        process.kill(-(child.pid ?? 0), signal);
      } catch {
        // No one is left in the group.
      }
      await Promise.all(ends);
      await untilEvents(project, 1);
      const pid = dispatcherPid(project);
      expect(() => process.kill(pid, 0)).not.toThrow();
      const links = readdirSync(`/proc/${pid}/fd`).filter((fd) => Number(fd) <= 2);
      expect(links.length).toBe(3);
    },
  );

  it("works in a folder that has been deleted", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    const line = 'mkdir gone && cd gone && rmdir ../gone && exec "$0" --agent droid';
    // A shell may complain of the folder before it comes to our first line.
    expect(await runScript(project, ["sh", "-c", line, script], payloadOf("Stop"))).toMatchObject({
      code: 0,
      stdout: "",
    });
    await untilEvents(project, 1);
  });
});

describeWithParts("the shell's hook without setsid", ["env", "cat", "mv", "find", "rm", "mkdir", "sleep", "wc"], () => {
  it("has Node make the session", async () => {
    const project = stayingProject();
    const bin = temporaryFolder();
    for (const name of ["sh", "cat", "mv", "find", "rm", "mkdir", "sleep", "wc"]) {
      symlinkSync(execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim(), join(bin, name));
    }
    const script = putScript(join(project.home, "hook.sh"));
    const child = startScript(project, [script, "--agent", "droid"], {
      env: { PATH: bin },
      options: { detached: true },
    });
    child.stdin?.end(payloadOf("Stop"));
    expect(await once(child, "close")).toEqual([0, null]);
    await untilEvents(project, 1);
    const pid = dispatcherPid(project);
    // Field 6 of its line is the session.
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /, "")
      .split(" ");
    expect(Number(session)).toBe(pid);
  });
});
