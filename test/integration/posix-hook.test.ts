// hooks/hookbell-hook.sh under every shell that may be somebody's /bin/sh.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { listJournal } from "../../src/outbox/journal.ts";
import { listIncoming } from "../../src/outbox/incoming.ts";
import { leaseMs } from "../../src/outbox/lease.ts";
import { layoutOf } from "../../src/outbox/layout.ts";
import { touch } from "../../src/system/files.ts";
import { isAlive } from "../../src/system/host.ts";
import { describeWithParts } from "../support/parts.ts";
import { putLonelyScript, putScript, runScript, shells, startScript } from "../support/posix-hook.ts";
import { cliPath, hookPath, payloadOf, temporaryProject, type Project } from "../support/running-project.ts";
import { temporaryFolder } from "../support/temporary-state.ts";

const payloads = new URL("../fixtures/payloads/", import.meta.url);
const captured = readdirSync(payloads).flatMap((agent) =>
  readdirSync(new URL(`${agent}/`, payloads)).map((file) => [agent, file] as const),
);
const silent = { code: 0, signal: null, stdout: "", stderr: "" };
// Node itself loads no module from a folder with a backslash in its name.
const awkward = 'it\'s "q" $HOME `x` *\n日本 ';

function quietProject(): Project {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [] });
  return project;
}

function bytesWaiting({ layout }: Project): Buffer[] {
  return listIncoming(layout).map((file) => readFileSync(join(layout.incoming, file)));
}

function forgeLease({ layout }: Project, pid: number, mtimeMs: number, host = hostname().split(".")[0]): void {
  mkdirSync(layout.root, { recursive: true });
  writeFileSync(layout.lease, JSON.stringify({ token: "forged", pid, host, startedAt: 1 }));
  touch(layout.lease, mtimeMs);
}

/** A process that does nothing; the project's end kills whoever a lease names. */
function livingPid(): number {
  const child = spawn("sleep", ["60"], { stdio: "ignore" });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child.pid ?? 0;
}

function deadPid(): number {
  return spawnSync("true").pid;
}

async function untilEvents(project: Project, count: number): Promise<void> {
  await project.until(
    `${count} events`,
    () => project.journal().filter(({ kind }) => kind === "event").length >= count,
  );
}

function starts(project: Project): number {
  return project.journal().filter(({ kind, what }) => kind === "dispatcher" && what === "started").length;
}

for (const [program, shell] of shells) {
  describeWithParts(`the shell's hook under ${shell.join(" ")}`, [program], () => {
    it("takes every captured payload as it came, for the owner alone", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      for (const [agent, file] of captured) {
        const bytes = readFileSync(new URL(`${agent}/${file}`, payloads));
        await runScript(project, [...shell, script, "--agent", agent], bytes);
        expect(bytesWaiting(project)).toEqual([bytes]);
        const [name = ""] = listIncoming(project.layout);
        expect(name).toMatch(new RegExp(`^sh-\\d+-\\d+-\\d+\\.${agent}\\.-\\.json$`));
        expect(statSync(join(project.layout.incoming, name)).mode & 0o777).toBe(0o600);
        rmSync(join(project.layout.incoming, name));
      }
      expect(readdirSync(project.layout.incoming)).toEqual([]);
      expect(statSync(project.layout.incoming).mode & 0o777).toBe(0o700);
      expect(statSync(project.layout.root).mode & 0o777).toBe(0o700);
    });

    it("changes no byte, whatever came", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      const inputs = ["\0", "-n\n", "\\c", "%s%n", "\r\n\r\n", "ü\n\n\n", `${"x".repeat(70_000)}\n`].map((text) =>
        Buffer.from(text),
      );
      inputs.push(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
      for (const input of inputs) {
        await runScript(project, [...shell, script, "--agent", "droid"], input);
        expect(bytesWaiting(project)).toEqual([input]);
        for (const name of listIncoming(project.layout)) rmSync(join(project.layout.incoming, name));
      }
    });

    it("starts a dispatcher, finds it at work the next time, and says nothing", async () => {
      const project = quietProject();
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
      expect(starts(project)).toBe(1);
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
      const { pid } = JSON.parse(readFileSync(moved.layout.lease, "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
      const xdg = { ...env, XDG_STATE_HOME: join(home, "xdg") };
      forgeLease({ ...project, layout: layoutOf(join(home, "xdg", "hookbell")) }, livingPid(), Date.now() + leaseMs);
      expect(await runScript(project, [...shell, script, "--agent=droid"], payloadOf("Stop"), xdg)).toEqual(silent);
      expect(readdirSync(join(home, "xdg", "hookbell", "incoming")).length).toBe(1);
    });

    it.each<[string, (project: Project) => void, boolean]>([
      ["none", () => {}, true],
      ["held by a living process", (project) => forgeLease(project, livingPid(), Date.now() + leaseMs), false],
      ["of a process that was killed", (project) => forgeLease(project, deadPid(), Date.now() + leaseMs), true],
      ["that has run out", (project) => forgeLease(project, livingPid(), Date.now() - 2000), true],
      [
        "of a day ahead, by a process that is gone",
        (project) => forgeLease(project, deadPid(), Date.now() + 86_400_000),
        true,
      ],
      [
        "torn",
        (project) => (
          forgeLease(project, 1, 0),
          writeFileSync(project.layout.lease, "{"),
          touch(project.layout.lease, Date.now() + leaseMs)
        ),
        true,
      ],
    ])("looks at the lease: %s", async (_name, prepare, isStarted) => {
      const project = quietProject();
      prepare(project);
      const script = putScript(join(project.home, "hook.sh"));
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      if (isStarted) {
        await untilEvents(project, 1);
        // The event goes on record a moment before its payload leaves.
        await project.until("an empty incoming/", () => listIncoming(project.layout).length === 0);
      }
      expect(existsSync(`${project.layout.lease}.starting`) || starts(project) > 0).toBe(isStarted);
      expect(listIncoming(project.layout).length).toBe(isStarted ? 0 : 1);
    });

    it("is not kept from starting one by a mark that a crash has left", async () => {
      const project = quietProject();
      const mark = `${project.layout.lease}.starting`;
      mkdirSync(project.layout.root);
      writeFileSync(mark, `${deadPid()}\n`);
      const script = putScript(join(project.home, "hook.sh"));
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      await untilEvents(project, 1);
      const { pid } = JSON.parse(readFileSync(project.layout.lease, "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
      await project.until("its death", () => !isAlive(pid));
      // Its process id belongs to somebody else by now.
      writeFileSync(mark, `${livingPid()}\n`);
      touch(mark, Date.now() - 600_000);
      expect(await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
      await untilEvents(project, 2);
    });

    it("keeps the payload and says so when Node or hookbell has moved away", async () => {
      const project = quietProject();
      const line =
        /^hookbell: the payload is kept in .*incoming, but there is no .* any more: run hookbell init again\n$/;
      const gone = [{ nodePath: "/nowhere/node" }, { hook: "/nowhere/dist/hook.cjs" }, { nodePath: project.home }];
      for (const [index, paths] of gone.entries()) {
        const script = putScript(join(project.home, "hook.sh"), paths);
        const result = await runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop"));
        expect(result).toMatchObject({ code: 1, stdout: "" });
        expect(result.stderr).toMatch(line);
        expect(listIncoming(project.layout).length).toBe(index + 1);
      }
    });

    it("drops everything at once when it is switched off", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      const off = { HOOKBELL_DISABLE: "1" };
      expect(await runScript(project, [...shell, script, "--agent", "droid"], undefined, off)).toEqual(silent);
      expect(existsSync(project.layout.root)).toBe(false);
    });

    it("refuses an empty standard input, and a closed one", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      const empty = await runScript(project, [...shell, script, "--agent", "droid"], "");
      expect(empty).toMatchObject({
        code: 1,
        stdout: "",
        stderr: "hookbell: payload: expected one JSON object, came nothing\n",
      });
      const closing = ["sh", "-c", 'exec "$@" <&-', "sh", ...shell, script, "--agent", "droid"];
      expect(await runScript(project, closing, "")).toMatchObject({
        code: 1,
        stdout: "",
        stderr: "hookbell: payload: expected one JSON object, came a standard input that cannot be read\n",
      });
      expect(readdirSync(project.layout.incoming)).toEqual([]);
    });

    it("leaves all that it does not know to the hook in Node", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"));
      const hook = (args: readonly string[], input = payloadOf("Stop"), env = {}) =>
        runScript(project, [...shell, script, ...args], input, env);
      expect(await hook(["--wait", "--json", "--agent", "droid"])).toMatchObject({ code: 0, stderr: "" });
      expect((await hook(["--unknown"])).stderr).toContain("--unknown: expected --agent ID");
      expect((await hook(["--agent"])).stderr).toContain("--agent: expected a value");
      expect((await hook(["--agent="])).stderr).toContain("--agent: expected a value");
      expect((await hook([], "{}")).stderr).toContain("session_id");
      expect(await hook(["--agent", "droid"], payloadOf("Stop"), { HOOKBELL_STATE_DIR: "relative" })).toEqual(silent);
      await project.until("the state in a relative folder", () => existsSync(join(project.home, "relative", "lease")));
      const { pid } = JSON.parse(readFileSync(join(project.home, "relative", "lease"), "utf8")) as { pid: number };
      process.kill(pid, "SIGKILL");
    });

    it("writes no name that is not safe in a file's name", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      for (const name of ["../../x", "a b", "a.b", "ü\n", "x".repeat(65), "*"]) {
        await runScript(project, [...shell, script, "--agent", name, "--event", name], "{}");
      }
      const names = listIncoming(project.layout);
      expect(names.length).toBe(6);
      for (const name of names) expect(name).toMatch(/^sh-\d+-\d+-\d+\.-\.-\.json$/);
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

    it("takes eight mebibytes, and says when it is more", async () => {
      const project = quietProject();
      const script = putScript(join(project.home, "hook.sh"));
      const hook = (bytes: number) =>
        runScript(project, [...shell, script, "--agent", "droid"], payloadOf("Stop", { x: "y".repeat(bytes) }));
      const most = 8 * 1024 * 1024;
      expect(await hook(most - 200)).toEqual(silent);
      await untilEvents(project, 1);
      const larger = await hook(3 * most);
      expect(larger).toMatchObject({ code: 1, stdout: "" });
      expect(larger.stderr).toBe("hookbell: payload: expected at most 8388608 bytes, came more\n");
      await project.until("the refusal", () => project.journal().some(({ kind }) => kind === "rejected"));
      await project.until("its removal", () => readdirSync(project.layout.incoming).length === 0);
      expect(readdirSync(project.layout.rejected).some((name) => name.endsWith(".payload"))).toBe(true);
    });
  });
}

describe("the shell's hook", () => {
  it("accepts two hundred at once, and few of them start a dispatcher", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    const count = 200;
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
    expect(starts(project)).toBe(1);
  });

  it("takes the next name when a payload of an earlier process with its number still waits", async () => {
    const project = quietProject();
    const script = putLonelyScript(project);
    // The shell's process ids are ours to foretell here: it writes names for its own id before it becomes the hook.
    const foretell = `cd "$HOOKBELL_STATE_DIR/incoming" && echo old >sh-$$-$PPID-0.droid.-.json && : >.tmp-sh-$$-$PPID-1.droid.-.json && exec "$0" --agent droid`;
    mkdirSync(project.layout.incoming, { recursive: true });
    await runScript(project, ["sh", "-c", foretell, script], "new");
    expect(bytesWaiting(project).map(String).sort()).toEqual(["new", "old\n"]);
    expect(listIncoming(project.layout).some((name) => /^sh-\d+-\d+-2\.droid/.test(name))).toBe(true);
  });

  it("tells the person of a payload that does not validate, once for each kind of fault", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    const inputs = ["not JSON", "no JSON either", '{"hook_event_name":"Stop"}'];
    for (const input of inputs) {
      expect(await runScript(project, [script, "--agent", "droid"], input)).toEqual(silent);
    }
    const entries = (kind: string) => project.journal().filter((entry) => entry.kind === kind);
    await project.until("three refusals", () => entries("rejected").length === 3);
    await project.until("two notices", () => entries("notice").length === 2);
    expect(entries("notice").map(({ body }) => body)).toEqual(
      expect.arrayContaining([expect.stringContaining("text that is not JSON"), expect.stringContaining("session_id")]),
    );
    const status = await project.run(["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ rejected: 3, incoming: 0 });
  });

  it("ends when its standard input is left open, and takes what has come whole", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    const open = (input: string) => {
      const child = startScript(project, [script, "--agent", "droid"]);
      child.stdin?.write(input);
      let stderr = "";
      child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
      return once(child, "close").then(([code]) => ({ code, stderr }));
    };
    const [whole, nothing] = await Promise.all([open(payloadOf("Stop")), open("")]);
    expect(whole).toEqual({ code: 0, stderr: "" });
    expect(nothing).toEqual({
      code: 1,
      stderr: "hookbell: payload: expected one JSON object, came 0 bytes on a standard input left open\n",
    });
    await untilEvents(project, 1);
  });

  it("ends by itself when there is no dispatcher to end it", async () => {
    const project = quietProject();
    const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], undefined);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain("0 bytes on a standard input left open");
    expect(readdirSync(project.layout.incoming)).toEqual([]);
  });

  it("loses nothing that had come when the agent kills it in the middle", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    const child = startScript(project, [script, "--agent", "droid"], { options: { detached: true } });
    child.stdin?.write(payloadOf("Stop"));
    const { incoming } = project.layout;
    await project.until(
      "the payload aside",
      () => existsSync(incoming) && readdirSync(incoming).some((name) => statSync(join(incoming, name)).size > 0),
    );
    process.kill(-(child.pid ?? 0), "SIGKILL");
    await untilEvents(project, 1);
    expect(readdirSync(incoming)).toEqual([]);
  });

  it.each(["SIGTERM", "SIGKILL", "SIGHUP"] as const)(
    "leaves a dispatcher that outlives its process group and holds nothing of the agent's: %s",
    async (signal) => {
      const project = quietProject();
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
        // Nobody is left in the group.
      }
      await Promise.all(ends);
      await untilEvents(project, 1);
      const { pid } = JSON.parse(readFileSync(project.layout.lease, "utf8")) as { pid: number };
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

  it("says so when the folder cannot be made, and does not exit with 2", async () => {
    const project = quietProject();
    writeFileSync(join(project.home, "file"), "");
    const env = { HOOKBELL_STATE_DIR: join(project.home, "file", "state") };
    const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], payloadOf("Stop"), env);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: .*\n$/);
  });
});

describe("the shell's hook as init installs it", () => {
  const commandOf = ({ home }: Project): string =>
    (
      JSON.parse(readFileSync(join(home, ".factory", "hooks.json"), "utf8")) as {
        Stop: { hooks: { command: string }[] }[];
      }
    ).Stop[0]?.hooks[0]?.command ?? "";

  it("runs, is missed by doctor, and comes back with the next init", async () => {
    const project = quietProject();
    const init = ["init", "--agent", "droid", "--yes"];
    expect(await project.run(init)).toMatchObject({ code: 0, stderr: "" });
    const script = join(project.layout.root, "hookbell-hook.sh");
    expect(commandOf(project)).toBe(`${script} --agent droid`);
    expect(await runScript(project, ["sh", "-c", commandOf(project)], payloadOf("Stop"))).toEqual(silent);
    await untilEvents(project, 1);
    expect((await project.run(["doctor"])).stdout).toContain("Droid: its hooks call this hookbell");
    rmSync(script);
    // Not 2, which agents read as "block".
    expect((await runScript(project, ["sh", "-c", commandOf(project)], payloadOf("Stop"))).code).toBe(127);
    const missed = await project.run(["doctor"]);
    expect(missed.code).toBe(1);
    expect(missed.stdout).toContain(`Droid: its hooks call ${script}, which is missing`);
    expect((await project.run(init)).stdout).toContain(`wrote ${script}`);
    writeFileSync(script, "#!/bin/sh\n");
    expect((await project.run(["doctor"])).stdout).toContain(`${script}, which is not up to date`);
    expect((await project.run(["uninstall", "--yes"])).stdout).toContain(`removed ${script}`);
    expect(existsSync(script)).toBe(false);
  });
});

describeWithParts("the shell's hook without setsid", ["env", "cat", "mv", "find", "rm", "mkdir", "sleep", "wc"], () => {
  it("has Node make the session", async () => {
    const project = quietProject();
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
    const { pid } = JSON.parse(readFileSync(project.layout.lease, "utf8")) as { pid: number };
    // Field 6 of its line is the session.
    const [, , , session] = readFileSync(`/proc/${pid}/stat`, "latin1")
      .replace(/^.*\) /, "")
      .split(" ");
    expect(Number(session)).toBe(pid);
  });
});

describeWithParts("the processes that the shell's hook forks", ["strace"], () => {
  it("are two while a dispatcher is at work", async () => {
    const project = quietProject();
    const script = putScript(join(project.home, "hook.sh"));
    await runScript(project, [script, "--agent", "droid"], payloadOf("Stop"));
    await untilEvents(project, 1);
    const trace = join(project.home, "trace");
    const traced = [
      "strace",
      "-f",
      "-o",
      trace,
      "-e",
      "trace=fork,vfork,clone,clone3,execve",
      script,
      "--agent",
      "droid",
    ];
    expect(await runScript(project, traced, payloadOf("Stop"))).toEqual(silent);
    const lines = readFileSync(trace, "utf8").split("\n");
    expect(lines.filter((line) => /\b(?:v?fork|clone3?)\(/.test(line)).length).toBe(2);
    const programs = lines.flatMap((line) =>
      line.includes("ENOENT") ? [] : (/execve\("[^"]*\/([^"/]+)"/.exec(line)?.[1] ?? []),
    );
    expect(programs).toEqual(["hook.sh", "cat", "mv"]);
  });
});

describeWithParts("the shell's hook at a terminal", ["script"], () => {
  it("says how to try it instead of waiting for ever", async () => {
    const project = quietProject();
    const line = `'${putLonelyScript(project)}' --agent droid`;
    const child = startScript(project, ["script", "-qec", line, "/dev/null"]);
    let output = "";
    child.stdout?.on("data", (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output).toContain("came a terminal (to try it: hookbell test)");
    expect(existsSync(project.layout.root)).toBe(false);
  });
});

/** Mounting is the superuser's. */
const mountParts = ["mount", "umount", ...(process.getuid?.() === 0 ? [] : ["root"])];

describeWithParts("the shell's hook on a bad disk", mountParts, () => {
  const mounted = async (options: string, test: (folder: string) => Promise<void>): Promise<void> => {
    const folder = temporaryFolder();
    const mounting = spawnSync("mount", ["-t", "tmpfs", "-o", options, "none", folder], { encoding: "utf8" });
    expect(mounting).toMatchObject({ status: 0, stderr: "" });
    try {
      await test(folder);
    } finally {
      spawnSync("umount", ["-l", folder]);
    }
  };

  it.each(shells)("says so when it is full, and leaves nothing half written: %s", async (_program, shell) => {
    await mounted("size=64k", async (folder) => {
      const project = quietProject();
      const env = { HOOKBELL_STATE_DIR: join(folder, "state") };
      const argv = [...shell, putLonelyScript(project), "--agent", "droid"];
      const incoming = join(folder, "state", "incoming");
      const tooMuch = await runScript(project, argv, payloadOf("Stop", { x: "y".repeat(200_000) }), env);
      expect(tooMuch).toMatchObject({ code: 1, stdout: "" });
      expect(tooMuch.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: the disk is full, or .*\n$/);
      expect(readdirSync(incoming)).toEqual([]);
      // Not one byte more.
      spawnSync("sh", ["-c", `cat /dev/zero >'${folder}/filler'`]);
      const full = await runScript(project, argv, payloadOf("Stop"), env);
      expect(full).toMatchObject({ code: 1, stdout: "" });
      expect(full.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: the disk is full, or .*\n$/);
      expect(readdirSync(incoming)).toEqual([]);
    });
  });

  it("makes way for the Node form where no program may run", async () => {
    await mounted("size=1m,noexec", async (folder) => {
      const project = quietProject();
      project.env.HOOKBELL_STATE_DIR = join(folder, "state");
      const init = await project.run(["init", "--agent", "droid", "--yes"]);
      expect(init).toMatchObject({ code: 0 });
      expect(init.stderr).toContain("lets no program run");
      const settings = join(project.home, ".factory", "hooks.json");
      expect(readFileSync(settings, "utf8")).toContain(hookPath);
      expect((await project.run(["init", "--agent", "droid", "--yes"])).stdout).toBe("Droid: nothing to change\n");
    });
  });

  it("says so when it is read-only", async () => {
    await mounted("size=64k", async (folder) => {
      const project = quietProject();
      spawnSync("mount", ["-o", "remount,ro", folder]);
      const env = { HOOKBELL_STATE_DIR: join(folder, "state") };
      const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], payloadOf("Stop"), env);
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toMatch(/^hookbell: cannot keep the payload in .*incoming: .*\n$/);
    });
  });
});
