// Some agents never close the standard input of their hooks; a terminal never ends either.
import { once } from "node:events";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { describeWithParts } from "../../support/parts.ts";
import {
  putLonelyScript,
  putScript,
  quietProject,
  runScript,
  startScript,
  untilEvents,
} from "../../support/project/posix-hook.ts";
import { payloadOf } from "../../support/project/running-project.ts";

const nothingCame = "hookbell: payload: expected one JSON object, got 0 bytes on a standard input left open\n";

async function expectDispatcherToEndIt(): Promise<void> {
  const project = quietProject();
  const script = putScript(join(project.home, "hook.sh"));
  const open = async (input: string) => {
    const child = startScript(project, [script, "--agent", "droid"]);
    child.stdin?.write(input);
    let stderr = "";
    child.stderr?.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
    const [code] = (await once(child, "close")) as [number];
    return { code, stderr };
  };
  const [whole, nothing, torn] = await Promise.all([
    open(payloadOf("Stop")),
    open(""),
    open('{"hook_event_name":"Stop'),
  ]);
  expect(torn).toEqual({ code: 1, stderr: expect.stringMatching(/^hookbell: .*text that is not JSON/) as string });
  expect(whole).toEqual({ code: 0, stderr: "" });
  expect(nothing).toEqual({ code: 1, stderr: nothingCame });
  await untilEvents(project, 1);
}

async function expectItToEndByItself(): Promise<void> {
  const project = quietProject();
  const result = await runScript(project, [putLonelyScript(project), "--agent", "droid"], undefined);
  expect(result).toMatchObject({ code: 1, stdout: "", stderr: nothingCame });
  expect(readdirSync(project.layout.incoming)).toEqual([]);
}

async function expectNothingLostWhenKilled(): Promise<void> {
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
  // The event goes on record a moment before its payload leaves.
  await project.until("an empty incoming/", () => readdirSync(incoming).length === 0);
}

describe("the shell's hook whose standard input is left open", () => {
  // Each takes six seconds, so all three at once.
  it("is ended, ends without a dispatcher too, and loses nothing that had come when it is killed", async () => {
    await Promise.all([expectDispatcherToEndIt(), expectItToEndByItself(), expectNothingLostWhenKilled()]);
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
    expect(output).toContain("got a terminal (to try it: hookbell test)");
    expect(existsSync(project.layout.root)).toBe(false);
  });
});
