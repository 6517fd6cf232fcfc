import { existsSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { droid } from "../agents/known/droid/recipe.ts";
import { startAgentSession, type AgentSession, type Received } from "../support/agents/agent-session.ts";
import { dispatcherPid, openDescriptors } from "../support/project/dispatcher-process.ts";
import { promptFor } from "../support/agents/pretend-model.ts";

const settings = ".factory/settings.json";
const hooks = ".factory/hooks.json";

/** Someone's own hook, as an entry of an event. */
function othersEntry({ project }: AgentSession): object {
  return { hooks: [{ type: "command", command: `touch ${join(project.home, "others-hook-ran")}` }] };
}

function writeNothing(): void {}

function writeInSettings(session: AgentSession): void {
  const given = JSON.parse(session.read(settings) ?? "") as object;
  session.write(settings, JSON.stringify({ ...given, hooks: { Stop: [othersEntry(session)] } }));
}

function writeInHooksFile(session: AgentSession): void {
  session.write(hooks, `// mine\n{"Stop" : [${JSON.stringify(othersEntry(session))}]}`);
}

/** What Droid itself wrote down about each hook: the event, and what each of its commands gave back. */
function hookRows({ read, project }: AgentSession, received: Received[]): unknown[] {
  const path = String(received[0]?.payload.transcript_path).replace(`${project.home}/`, "");
  return (read(path) ?? "")
    .split("\n")
    .filter((line) => line.includes('"hookEventName"'))
    .map((line) => JSON.parse(line) as { message: { hookEventName: string; hookResults: unknown } })
    .map(({ message: { hookEventName, hookResults } }) => [hookEventName, hookResults]);
}

const silent = { exitCode: 0, stdout: "", stderr: "" };

describe.each(clisHere(droid))("Droid $version ($package)", (cli) => {
  let program = "";
  beforeAll(async () => {
    program = await installAgentCli(cli);
  });

  it.each([
    ["without hooks", writeNothing, 1],
    ["with someone's own hook in settings.json", writeInSettings, 2],
    ["with someone's own hook in hooks.json", writeInHooksFile, 2],
  ])("tells of a turn once, in silence, and is left as it was: %s", async (_name, writeOthers, stopHooks) => {
    const session = await startAgentSession(droid);
    writeOthers(session);
    const original = [settings, hooks].map(session.read);
    await session.install("init");
    // Where no one has hooks, they stand as the platform's document shows it: by event, at the top of a file of their own.
    const ofHooksFile = Object.keys(JSON.parse(session.read(hooks)?.replace("// mine", "") ?? "{}") as object);
    expect(ofHooksFile.includes("Stop")).toBe(writeOthers !== writeInSettings);

    const ended = await session.run(program, promptFor({ say: "The shop sells again." }));
    expect(ended).toEqual({ code: 0, signal: null, stdout: "The shop sells again.\n", stderr: "" });

    const received = await session.settled();
    const { session: id } = received[0]?.event ?? {};
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    const common = { agent: "droid", session: id, cwd: session.cwd, project: "shop-web" };
    expect(received.map(({ event }) => event)).toEqual([
      expect.objectContaining({ ...common, name: "Stop", level: "success" }),
      expect.objectContaining({ ...common, name: "SessionEnd", reason: "other" }),
    ]);
    expect(new Set(received.map(({ deliveryId }) => deliveryId)).size).toBe(2);
    expect(hookRows(session, received)).toEqual([
      ["SessionStart", [silent]],
      ["Stop", Array.from({ length: stopHooks }, () => silent)],
      ["SessionEnd", [silent]],
    ]);
    expect(existsSync(join(session.project.home, "others-hook-ran"))).toBe(stopHooks === 2);

    await session.install("uninstall");
    expect([settings, hooks].map(session.read)).toEqual(original);
  });

  it("tells of a turn that the model's error ended, by the transcript: Droid says nothing of it to its hooks", async () => {
    const session = await startAgentSession(droid);
    await session.install("init");
    const ended = await session.run(program, promptFor({ failWith: 401 }));
    expect(ended.code).toBe(1);
    const events = (await session.settled()).map(({ event }) => event);
    expect(events).toEqual([
      expect.objectContaining({ name: "StopFailure", reason: "authentication_failed", level: "error" }),
      expect.objectContaining({ name: "SessionEnd" }),
    ]);
  });

  it("does not wait for a receiver that never answers", async () => {
    const session = await startAgentSession(droid);
    session.receiver.behave("hangAfterReading");
    await session.install("init");
    const ended = await session.run(program, promptFor({ say: "Done." }));
    expect(ended).toEqual({ code: 0, signal: null, stdout: "Done.\n", stderr: "" });
    await session.project.until("the first request", () => session.receiver.requests.length > 0);
    // The agent is gone, and what it set off is still at work.
    expect(session.project.journal().filter(({ kind }) => kind === "attempt")).toEqual([]);
    expect(openDescriptors(dispatcherPid(session.project))).toEqual(["/dev/null", "/dev/null", "/dev/null"]);
  });
});
