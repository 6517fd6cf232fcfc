// A question of an agent on another machine, answered on a phone: the hook there prints what the agent reads.
import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { describeWithParts } from "../../../support/parts.ts";
import { endDispatcher } from "../../../support/project/dispatcher-process.ts";
import { type SshHost, sshHosts, sshParts } from "../../../support/faults/ssh-host.ts";
import { objectOf } from "../../../../src/model/json.ts";
import { readStatus } from "../../../../src/wings/remote/remotes.ts";
import { addRemote, end, type Project } from "../../../support/project/running-project.ts";
import { ann, type PretendTelegram, startPretendTelegram } from "../../../support/receivers/pretend-telegram.ts";
import { capturedQuestion, decisionOf, onlyQuestion, telegramProject } from "../../answers/asking.ts";

async function start(): Promise<{ telegram: PretendTelegram; project: Project; host: SshHost }> {
  const telegram = await startPretendTelegram();
  onTestFinished(telegram.close);
  const project = telegramProject(telegram);
  const [host] = await sshHosts(project, ["tiny"], ["tiny"]);
  if (host === undefined) throw new Error("no host");
  host.put(".claude/settings.json", "{}\n");
  expect(await addRemote(project, "tiny", "--yes")).toMatchObject({ code: 0, stderr: "" });
  await project.until("the connection", () => readStatus(project.layout, "tiny")?.what === "connected");
  return { telegram, project, host };
}

const asking = ["--agent", "claude-code", "--answer"];

function payloadOf(command: string): string {
  return JSON.stringify({ ...capturedQuestion, cwd: "/srv/shop", tool_input: { command } });
}

const ask = (host: SshHost, command = "touch made") => host.hook(payloadOf(command), asking);

async function tap(project: Project, telegram: PretendTelegram, button: string): Promise<void> {
  await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0 && telegram.isPolled());
  const message = telegram.messages.at(-1);
  const pressed = message?.buttons.find(({ text }) => text === button);
  if (message === undefined || pressed === undefined) throw new Error(`no button ${button}`);
  telegram.tap(ann, message, pressed.callback_data);
}

const leftThere = ({ state }: SshHost): string[] => readdirSync(join(state, "questions"));

describeWithParts("a question over ssh", [...sshParts, "busybox"], () => {
  it("names the machine, is answered by the list of this one, and leaves nothing there", async () => {
    const { telegram, project, host } = await start();
    const hook = ask(host);
    await tap(project, telegram, "Allow");
    expect(telegram.messages.at(-1)?.text).toContain("tiny");
    const { code, stdout } = await hook;
    expect({ code, decision: JSON.parse(stdout) as unknown }).toEqual({ code: 0, decision: decisionOf("allow") });
    expect(leftThere(host)).toEqual([]);

    // This list allows no other command.
    const other = ask(host, "rm -rf /srv");
    await tap(project, telegram, "Deny");
    expect(telegram.messages.at(-1)?.buttons.map(({ text }) => text)).not.toContain("Allow");
    expect(JSON.parse((await other).stdout)).toEqual(decisionOf("deny", "The user denied this."));
  });

  it("is answered although dispatcher and connection are killed meanwhile", async () => {
    const { telegram, project, host } = await start();
    const hook = ask(host);
    await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    await endDispatcher(project);
    project.start(["dispatch", "--detached"]);
    await project.until("another listener", () => telegram.isPolled());
    await host.cut();
    await tap(project, telegram, "Allow");
    await host.start();
    expect(JSON.parse((await hook).stdout)).toEqual(decisionOf("allow"));
  });

  it.each(["SIGTERM", "SIGKILL"] as const)("is over here once its agent has ended the hook with %s", async (signal) => {
    const { telegram, project, host } = await start();
    const hook = host.startHook(asking);
    const ended = end(hook, payloadOf("touch made"));
    await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    hook.kill(signal);
    expect((await ended).stdout).toBe("");
    await project.until("its end", () => telegram.messages.at(-1)?.text.includes("answered at the terminal") === true);
    await project.until("the session's state", () =>
      project.journal().some(({ kind, event }) => kind === "event" && objectOf(event).name === "Answered"),
    );
    await project.until("no mark there", () => leftThere(host).length === 0 && host.waiting().length === 0);
  });

  it("is over here once Claude Code notes that it no longer waits, although it goes on with its hook", async () => {
    const { telegram, project, host } = await start();
    const note = (status: string) =>
      host.put(".claude/sessions/4711.json", JSON.stringify({ pid: 4711, sessionId: "s", status, updatedAt: 1 }));
    // This one tells that the hook has looked.
    const looks = join(host.home, "looks");
    const cat = `#!/bin/sh\ncase $1 in */4711.json) echo look >>'${looks}' ;; esac\nexec /bin/cat "$@"\n`;
    const bin = dirname(host.put("bin/cat", cat, 0o755));
    note("waiting");
    const env = { CLAUDE_PID: "4711", PATH: `${bin}:/usr/bin:/bin` };
    const ended = end(host.startHook(asking, env), payloadOf("touch made"));
    await project.until("the card", () => (onlyQuestion(project)?.shown.length ?? 0) > 0);
    await project.until("a look", () => existsSync(looks));
    note("busy");
    expect(await ended).toMatchObject({ code: 0, stdout: "" });
    await project.until("its end", () => telegram.messages.at(-1)?.text.includes("answered at the terminal") === true);
  });

  it("is left to the terminal at once if no one is connected, or the person is not to be asked", async () => {
    const { project, host } = await start();
    const silent = { code: 0, signal: null, stdout: "", stderr: "" };
    const bypassed = { ...capturedQuestion, permission_mode: "bypassPermissions" };
    expect(await host.hook(JSON.stringify(bypassed), ["--agent", "claude-code", "--answer"])).toEqual(silent);
    await host.cut();
    host.killScripts();
    expect(await ask(host)).toEqual(silent);
    expect(host.waiting()).toHaveLength(1);
    expect(onlyQuestion(project)).toBeUndefined();
  });
});
