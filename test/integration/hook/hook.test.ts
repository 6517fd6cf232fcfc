// The hook as agents run it: what it takes, what it refuses, and what it leaves behind.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isFrequent, isToolCall } from "../../../src/model/event.ts";
import { objectOf } from "../../../src/model/json.ts";
import { usageLimitSession } from "../../../src/model/own-events.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { takeLease } from "../../../src/outbox/lease/lease.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { describeWithParts } from "../../support/parts.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";
import { hookPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { everyRow } from "../../support/rows.ts";

/** Those of two agents: the unit tests read all of all agents. */
const captured = capturedPayloads
  .filter(({ agentId }) => ["claude-code", "droid"].includes(agentId))
  .map(({ agentId, file, text }) => [agentId, file, text] as const);
const silent = { code: 0, signal: null, stdout: "", stderr: "" };

/** A project whose rules tell no one, so that only the hook is looked at. */
function quietProject(): Project {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [] });
  return project;
}

describe("the hook", () => {
  it("takes what Claude Code and Droid send in silence, and it goes on record", async () => {
    const project = quietProject();
    ensureLayout(project.layout);
    // While this is held, no hook starts a dispatcher.
    const lease = takeLease(project.layout, systemClock);
    let taken = 0;
    await everyRow(
      captured,
      async ([agent, , text]) => {
        expect(await project.command(["hook", "--agent", agent], text)).toEqual(silent);
        taken += 1;
        expect(listIncoming(project.layout)).toHaveLength(taken);
      },
      ([agent, file]) => `${agent}/${file}`,
    );
    lease?.release();
    expect(await project.command(["dispatch", "--until-idle"])).toMatchObject({ code: 0, stderr: "" });
    expect(listIncoming(project.layout)).toEqual([]);
    // The two events that hookbell makes of a usage limit are of a session of its own.
    const events = project
      .journal()
      .flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event)] : []))
      .filter(({ session }) => session !== usageLimitSession);
    // A frequent event that no channel hears of is not put on record.
    const recorded = captured
      .map(([agent, file]) => ({ agent, name: file.replace(/[-.].*/, ""), project: "proj" }))
      .filter(({ name }) => isToolCall(name) || !isFrequent(name));
    expect(events.map(({ agent, name, project: its }) => ({ agent, name, project: its }))).toEqual(recorded);
  });

  it.each(["claude-code", "droid"])("has %s's event taken in by the dispatcher that it starts", async (wanted) => {
    const project = quietProject();
    const [agent, , text] = captured.find(([each, file]) => each === wanted && file.startsWith("Stop")) ?? ["", "", ""];
    expect(await project.hook(text, ["--agent", agent])).toEqual(silent);
    const events = (): unknown[] => project.journal().flatMap(({ kind, event }) => (kind === "event" ? [event] : []));
    await project.until("its end", () => events().length > 0);
    expect(events()).toMatchObject([{ agent, name: "Stop", project: "proj" }]);
  });

  it("keeps the payload as it came, for the owner alone", async () => {
    const project = quietProject();
    // No dispatcher can start where there is no other bundle beside the hook.
    const alone = join(project.home, "hook.cjs");
    writeFileSync(alone, readFileSync(hookPath));
    const text = `  ${payloadOf("Stop", { extra: "ü" })}\n`;
    const child = spawn(process.execPath, [alone, "--agent", "droid"], { env: project.env });
    child.stdin.end(text);
    expect(await once(child, "close")).toEqual([0, null]);
    const [file = ""] = listIncoming(project.layout);
    expect(readFileSync(join(project.layout.incoming, file), "utf8")).toBe(text);
    const { incoming, root } = project.layout;
    const modes = [join(incoming, file), incoming, root].map((path) => statSync(path).mode & 0o777);
    // Windows has other rights, which node:fs does not show.
    if (process.platform !== "win32") expect(modes).toEqual([0o600, 0o700, 0o700]);
  });

  it.each<[string, string | Buffer, string]>([
    ["nothing", "", "expected one JSON object, got nothing"],
    ["no JSON", "hello", "text that is not JSON"],
    ["an array", "[]", "got an array"],
    ["bytes that are no text", Buffer.from([0xff, 0xfe, 0x00]), "text that is not JSON"],
    ["missing fields", '{"hook_event_name":"Stop"}', "Stop: session_id: expected a non-empty string, got nothing"],
    [
      "a wrong type",
      payloadOf("Stop", { stop_hook_active: "no" }),
      'Stop: stop_hook_active: expected a boolean, got the string "no"',
    ],
    ["too much", payloadOf("Stop", { x: "y".repeat(8 * 1024 * 1024) }), "expected at most 8388608 bytes, got more"],
  ])("refuses %s with a line, exit 1, and keeps it", async (name, input, line) => {
    const project = quietProject();
    const result = await (name === "no JSON" ? project.hook(input) : project.command(["hook"], input));
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toContain(line);
    expect(result.stderr).toMatch(/^(hookbell: .*\n)+$/);
    const kept =
      input.length === 0 ? [] : readdirSync(project.layout.rejected).map((name) => name.replace(/^[^.]*/, ""));
    expect(kept).toEqual(input.length === 0 ? [] : [".payload", ".reasons.txt"]);
    expect(existsSync(project.layout.incoming) ? listIncoming(project.layout) : []).toEqual([]);
  });

  it("takes a payload of almost eight mebibytes", async () => {
    const project = quietProject();
    expect(await project.hook(payloadOf("Stop", { x: "y".repeat(8 * 1024 * 1024 - 200) }))).toEqual(silent);
  });

  it("gives up on a standard input that stays open and silent, and takes a complete payload from one", async () => {
    const project = quietProject();
    const child = spawn(process.execPath, [hookPath], { env: project.env });
    child.stdin.write(payloadOf("Stop"));
    // Both wait for two seconds.
    const [result, closed] = await Promise.all([project.hook(undefined), once(child, "close")]);
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toBe(
      "hookbell: payload: expected one JSON object, got 0 bytes on a standard input left open\n",
    );
    expect(closed).toEqual([0, null]);
  });

  it("drops everything at once when it is switched off", async () => {
    const project = quietProject();
    expect(await project.hook("not JSON", [], { HOOKBELL_DISABLE: "1" })).toEqual(silent);
    expect(existsSync(project.layout.root)).toBe(false);
  });

  it("says so when it cannot write, and does not exit with 2", async () => {
    const project = quietProject();
    writeFileSync(join(project.home, "file"), "");
    const result = await project.hook(payloadOf("Stop"), [], {
      HOOKBELL_STATE_DIR: join(project.home, "file", "state"),
    });
    expect(result).toMatchObject({ code: 1, stdout: "" });
    expect(result.stderr).toMatch(/^hookbell: Stop: cannot keep the payload in .*: a part of the path is a file/);
  });

  it.runIf(process.platform === "linux")(
    "says so for a state folder below /proc, where Node's mkdir never ends",
    async () => {
      const result = await quietProject().hook(payloadOf("Stop"), [], { HOOKBELL_STATE_DIR: "/proc/self/state" });
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toMatch(
        /^hookbell: Stop: cannot keep the payload in \/proc\/self\/state\/incoming: there is no such file or folder/,
      );
    },
  );

  it.each([["--unknown"], ["--agent"], ["--agent="], ["Stop"]])(
    "refuses the argument %s with exit 1",
    async (...args) => {
      const project = quietProject();
      const result = await (args[0] === "--unknown"
        ? project.hook(payloadOf("Stop"), args)
        : project.command(["hook", ...args], payloadOf("Stop")));
      expect(result).toMatchObject({ code: 1, stdout: "" });
      expect(result.stderr).toMatch(/^hookbell: .*expected/);
    },
  );

  it("leaves the dispatcher no descriptor of the agent's", async () => {
    const project = quietProject();
    // Besides the three streams an agent's own pipe, at a number that no one expects.
    const child = spawn(process.execPath, [hookPath], {
      env: project.env,
      stdio: ["pipe", "pipe", "pipe", "pipe", "ignore", "pipe"],
    });
    const ends = [1, 2, 3, 5].map((index) => {
      const stream = child.stdio[index] as NodeJS.ReadableStream;
      stream.resume();
      return once(stream, "end");
    });
    child.stdin?.end(payloadOf("Stop"));
    await Promise.all(ends);
    await project.until("a dispatcher at work", () => project.journal().some(({ kind }) => kind === "dispatcher"));
    const { pid } = JSON.parse(readFileSync(project.layout.lease, "utf8")) as { pid: number };
    expect(() => process.kill(pid, 0)).not.toThrow();
  });

  it("works in a folder that has been deleted (posix)", async () => {
    const project = quietProject();
    const script = `mkdir gone && cd gone && rmdir ../gone && exec "$0" "$1" --agent droid`;
    const child = spawn("sh", ["-c", script, process.execPath, hookPath], { env: project.env, cwd: project.home });
    child.stdin.end(payloadOf("Stop"));
    expect(await once(child, "close")).toEqual([0, null]);
  });

  it("is what `hookbell` alone does with something piped into it", async () => {
    const project = quietProject();
    expect(await project.run([], payloadOf("Stop"))).toEqual(silent);
    expect(await project.run(["hook", "--agent", "droid"], payloadOf("Stop"))).toEqual(silent);
    expect(await project.run(["--agent", "droid"], "{}")).toMatchObject({ code: 1, stdout: "" });
  });

  it("finds its state in a folder that someone made read-only, or says so (posix)", async () => {
    const project = quietProject();
    await project.hook(payloadOf("Stop"));
    await project.until("the event", () => project.journal().some(({ kind }) => kind === "event"));
    chmodSync(project.layout.incoming, 0o500);
    const result = await project.hook(payloadOf("Stop"));
    chmodSync(project.layout.incoming, 0o700);
    // Root may write anywhere.
    if (process.getuid?.() === 0) expect(result).toEqual(silent);
    else expect(result.stderr).toContain("permission denied (EACCES)");
  });
});

describeWithParts("the hook at a terminal", ["script"], () => {
  it("says how to try it instead of waiting for ever", async () => {
    const project = quietProject();
    const child = spawn("script", ["-qec", `'${process.execPath}' '${hookPath}'`, "/dev/null"], { env: project.env });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    expect(await once(child, "close")).toEqual([1, null]);
    expect(output).toContain("got a terminal (to try it: hookbell test)");
  });
});

describe("a state folder named by a relative path", () => {
  it("is the same folder for the hook and for the dispatcher that it starts", async () => {
    const project = quietProject();
    const more = { HOOKBELL_STATE_DIR: "rel/state", HOOKBELL_CONFIG_DIR: "config" };
    expect(await project.hook(payloadOf("Stop"), [], more)).toEqual(silent);
    const journal = join(project.home, "rel", "state", "journal");
    await project.until("the journal", () => existsSync(journal) && readdirSync(journal).length > 0);
    const { pid } = JSON.parse(readFileSync(join(project.home, "rel", "state", "lease"), "utf8")) as { pid: number };
    process.kill(pid, "SIGKILL");
    expect(existsSync(join(project.home, "rel", "state", "rel"))).toBe(false);
  });
});
