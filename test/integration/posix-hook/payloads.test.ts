// What comes on standard input lies in incoming/ afterwards, as it came.
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { layoutOf } from "../../../src/outbox/layout.ts";
import { leaseMs } from "../../../src/outbox/lease/lease.ts";
import { forgeLease, livingPid } from "../../support/project/forged-lease.ts";
import { describeWithParts } from "../../support/parts.ts";
import {
  bytesWaiting,
  putLonelyScript,
  putScript,
  quietProject,
  runScript,
  shellsHere,
  silent,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { capturedPayloads } from "../../support/agents/agent-payloads.ts";
import { payloadOf, type Project } from "../../support/project/running-project.ts";
import { everyRow } from "../../support/rows.ts";

const captured = capturedPayloads.map(({ agentId, file, text }) => [agentId, file, text] as const);

/** Runs the hook for each payload, from one shell, and with a state folder of its own for each: `kept/0` and so on. */
async function keepEach(
  project: Project,
  shell: readonly string[],
  payloads: readonly (readonly [agent: string, file: string, text: string | Buffer])[],
): Promise<void> {
  const script = putLonelyScript(project);
  const came = join(project.home, "came");
  mkdirSync(came);
  for (const [index, [agent, , text]] of payloads.entries()) writeFileSync(join(came, `${index}.${agent}`), text);
  const each = `for file in "$HOME"/came/*; do name=\${file##*/}
    HOOKBELL_STATE_DIR="$HOME/kept/\${name%%.*}" "$@" --agent "\${name#*.}" <"$file" || [ $? = 1 ] || exit
  done`;
  // In each new folder it says that there is no hookbell, with 1.
  expect(await runScript(project, ["sh", "-c", each, "sh", ...shell, script], "")).toMatchObject({ code: 0 });
}

for (const [program, shell] of shellsHere()) {
  describeWithParts(`what the shell's hook keeps under ${shell.join(" ")}`, [program], () => {
    it.each([
      [["--agent", "claude-code"], "66", "claude-code.-.p66"],
      [["--agent", "claude-code", "--by", "plugin"], "66", "claude-code.-.p66.plugin"],
      [["--agent", "claude-code"], "6;6", "claude-code.-"],
      [["--agent", "claude-code"], "12345678901", "claude-code.-"],
    ])("passes on with %j that the agent's process is %j", async (args, pid, name) => {
      const project = quietProject();
      const script = putLonelyScript(project);
      await runScript(project, [...shell, script, ...args], Buffer.from("{}"), { CLAUDE_PID: pid });
      expect(listIncoming(project.layout)).toEqual([
        expect.stringMatching(new RegExp(`^sh-[\\d-]+\\.${name}\\.json$`)),
      ]);
    });

    it("takes every captured payload as it came, for the owner alone", async () => {
      const project = quietProject();
      await keepEach(project, shell, captured);
      await everyRow(
        captured.map(([agent, file, text], index) => ({ name: `${agent}/${file}`, agent, text, index })),
        ({ agent, text, index }) => {
          const layout = layoutOf(join(project.home, "kept", String(index)));
          const [name = "", ...others] = readdirSync(layout.incoming);
          expect(name).toMatch(new RegExp(`^sh-\\d+(-\\d+){2,3}\\.${agent}\\.-\\.json$`));
          expect(others).toEqual([]);
          expect(readFileSync(join(layout.incoming, name))).toEqual(Buffer.from(text));
          expect(statSync(join(layout.incoming, name)).mode & 0o777).toBe(0o600);
          expect(statSync(layout.incoming).mode & 0o777).toBe(0o700);
          expect(statSync(layout.root).mode & 0o777).toBe(0o700);
        },
      );
    });

    it("changes no byte, whatever came", async () => {
      const project = quietProject();
      const inputs = ["\0", "-n\n", "\\c", "%s%n", "\r\n\r\n", "ü\n\n\n", `${"x".repeat(70_000)}\n`].map((text) =>
        Buffer.from(text),
      );
      inputs.push(Buffer.from([0xff, 0xfe, 0x00, 0x80]));
      await keepEach(
        project,
        shell,
        inputs.map((input) => ["droid", "", input]),
      );
      const kept = inputs.map((_, index) => {
        const { incoming } = layoutOf(join(project.home, "kept", String(index)));
        return readdirSync(incoming).map((name) => readFileSync(join(incoming, name)));
      });
      expect(kept).toEqual(inputs.map((input) => [input]));
    });

    it("refuses an empty standard input, and a closed one", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      const empty = await runScript(project, [...shell, script, "--agent", "droid"], "");
      expect(empty).toMatchObject({
        code: 1,
        stdout: "",
        stderr: "hookbell: payload: expected one JSON object, got nothing\n",
      });
      const unreadable = {
        code: 1,
        stdout: "",
        stderr: "hookbell: payload: expected one JSON object, got a standard input that cannot be read\n",
      };
      const closing = ["sh", "-c", 'exec "$@" <&-', "sh", ...shell, script, "--agent", "droid"];
      expect(await runScript(project, closing, "")).toMatchObject(unreadable);
      forgeLease(project.layout, livingPid(), Date.now() + leaseMs);
      expect(await runScript(project, closing, "")).toMatchObject(unreadable);
      const folder = ["sh", "-c", 'exec "$@" </', "sh", ...shell, script, "--agent", "droid"];
      expect(await runScript(project, folder, "")).toMatchObject(unreadable);
      expect(readdirSync(project.layout.incoming)).toEqual([]);
    });

    it("writes no name that is not safe in a file's name", async () => {
      const project = quietProject();
      const script = putLonelyScript(project);
      for (const name of ["../../x", "a b", "a.b", "ü\n", "x".repeat(65), "*"]) {
        await runScript(project, [...shell, script, "--agent", name, "--event", name], "{}");
      }
      const names = listIncoming(project.layout);
      expect(names.length).toBe(6);
      for (const name of names) expect(name).toMatch(/^sh-\d+(-\d+){2,3}\.-\.-\.json$/);
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
      expect(larger.stderr).toBe("hookbell: payload: expected at most 8388608 bytes, got more\n");
      await project.until("the refusal", () => project.journal().some(({ kind }) => kind === "rejected"));
      await project.until("its removal", () => readdirSync(project.layout.incoming).length === 0);
      expect(readdirSync(project.layout.rejected).some((name) => name.endsWith(".payload"))).toBe(true);
    });
  });
}

describe("what the shell's hook keeps", () => {
  it("takes the next name when a payload of an earlier process with its number still waits", async () => {
    const project = quietProject();
    const script = putLonelyScript(project);
    // The shell's process ids are ours to foretell here: it writes names for its own id before it becomes the hook.
    const callers = existsSync("/proc/self/stat") ? `$PPID-${process.ppid}` : "$PPID";
    const foretell = `cd "$HOOKBELL_STATE_DIR/incoming" && echo old >sh-$$-${callers}-0.droid.-.json && : >.tmp-sh-$$-${callers}-1.droid.-.json && exec "$0" --agent droid`;
    mkdirSync(project.layout.incoming, { recursive: true });
    await runScript(project, ["sh", "-c", foretell, script], "new");
    expect(bytesWaiting(project).map(String).sort()).toEqual(["new", "old\n"]);
    expect(listIncoming(project.layout).some((name) => /^sh-\d+(-\d+){1,2}-2\.droid/.test(name))).toBe(true);
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
    await project.until("an empty incoming/", () => listIncoming(project.layout).length === 0);
    const status = await project.command(["status", "--json"]);
    expect(JSON.parse(status.stdout)).toMatchObject({ rejected: 3, incoming: 0 });
  });
});
