// From an agent that sits in a terminal, whose hooks do not, to what that terminal is told to show.
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { terminal } from "../../../src/channels/local/terminal/terminal.ts";
import { cliPath, hookPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import type { AgentTerminal } from "../../../src/model/places/agent-terminal.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { findTerminal } from "../../../src/system/terminal/find-terminal.ts";
import { askPs, processLook } from "../../../src/system/process/facts.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { writeTerminal } from "../../../src/system/terminal/write-terminal.ts";
import { localRequest, localTools } from "../../support/channels/channel-request.ts";
import { describeWithParts } from "../../support/parts.ts";
import { putScript } from "../../support/project/posix-hook.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";
import { openWindow, runHook, windowParts, type Window } from "../../support/desktop/window.ts";

const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");

interface Seat {
  project: Project;
  folder: string;
  /** The shell line with which the agent runs its hook for an event. */
  line(event: string, hook?: string): string;
}

function takeSeat(channel: object = {}): Seat {
  const project = temporaryProject();
  const script = putScript(join(project.home, "hookbell-hook.sh"));
  project.writeRules({
    channels: {
      here: { type: "terminal", ...channel },
      spare: { type: "command", argv: ["true"] },
    },
    rules: [
      {
        name: "all",
        when: { event: { not: "UserPromptSubmit" } },
        notify: ["here"],
        title: "{event}",
        body: "{message}",
        fallback: ["spare"],
      },
    ],
  });
  const folder = join(project.home, "agent");
  mkdirSync(folder);
  const line = (event: string, hook = `sh '${script}' --agent generic`): string => {
    const payload = join(folder, `${event}.json`);
    writeFileSync(payload, payloadOf(event, { message: "Über uns;\u001B]0;evil\u0007 done" }));
    return `${hook} <'${payload}' >'${join(folder, "stdout")}' 2>&1`;
  };
  return { project, folder, line };
}

const isDelivered = (project: Project, count = 1): boolean =>
  project.journal().filter(({ kind }) => kind === "attempt").length >= count;

describeWithParts("an agent in a terminal", windowParts, () => {
  it.each([
    ["of an unknown kind", {}, "\u001B]777;notify;Notification;Über uns, done\u0007\u0007"],
    ["that is iTerm2's", { TERM_PROGRAM: "iTerm.app" }, "\u001B]9;Notification: Über uns; done\u0007"],
    ["that is kitty's", { TERM: "xterm-kitty" }, `:d=0:e=1;${base64("Notification")}\u001B\\`],
    ["of VS Code", { TERM_PROGRAM: "vscode" }, "\u0007"],
  ])("%s is told in a way that it shows", async (_what, env, expected) => {
    const { project, folder, line } = takeSeat();
    const window = await openWindow(folder, { ...project.env, ...env });
    runHook(folder, 0, line("Notification"));
    await window.until(expected, () => window.shown().includes(expected));
    expect(window.shown()).not.toContain("evil");
    await project.until("the outcome", () => isDelivered(project));
    expect(project.journal().find(({ kind }) => kind === "attempt")).toMatchObject({
      outcome: "delivered",
      detail: expect.stringContaining(window.device),
    });
  });

  it("is found by the hook in Node as well", async () => {
    const { project, folder, line } = takeSeat();
    const window = await openWindow(folder, project.env);
    runHook(folder, 0, line("Stop", `'${process.execPath}' '${hookPath}'`));
    await window.until("the message", () => window.shown().includes("]777;notify;Stop;"));
    expect(read(join(folder, "stdout"))).toBe("");
  });

  it("shows one notification a session in kitty, which the next one replaces", async () => {
    const { project, folder, line } = takeSeat({ update: "replace" });
    const window = await openWindow(folder, { ...project.env, TERM: "xterm-kitty" });
    for (const [index, event] of ["Stop", "Notification"].entries()) {
      runHook(folder, index, line(event));
      await window.until(event, () => window.shown().includes(base64(event)));
    }
    const shownIds = () => [...window.shown().matchAll(/\]99;i=([^:;]+)/g)].map(([, id]) => id);
    await window.until("both titles and both bodies", () => shownIds().length === 4);
    const ids = shownIds();
    expect(new Set(ids).size).toBe(1);

    runHook(folder, 2, line("UserPromptSubmit"));
    await window.until("its end", () => window.shown().includes(`]99;i=${ids[0]}:p=close:e=1;\u001B\\`));
  });

  it("answers its agent, where that shows it, and lets everything else go its way", async () => {
    const { project, folder, line } = takeSeat();
    const [hook, answer] = [`'${process.execPath}' '${hookPath}' --agent claude-code --reply`, join(folder, "stdout")];
    const window = await openWindow(folder, { ...project.env, TERM_PROGRAM: "iTerm.app" });
    runHook(folder, 0, line("Notification", hook));
    await project.until("the answer", () => isDelivered(project));
    await window.until("the end of the hook", () => read(answer).endsWith("\n"));
    expect(JSON.parse(read(answer))).toEqual({ terminalSequence: "\u001B]9;Notification: Über uns; done\u0007" });
    expect(window.shown()).not.toContain("]9;");

    runHook(folder, 1, line("SubagentStop", hook));
    await window.until("what goes the usual way", () => window.shown().includes("]9;SubagentStop"));
    expect(read(answer)).toBe("");
  });

  it("that has none has its fallback", async () => {
    const { project, line } = takeSeat();
    spawnSync("setsid", ["-w", "sh", "-c", `cd /; (${line("Stop")})`], { env: project.env, stdio: "ignore" });
    await project.until("the fallback", () => isDelivered(project, 2));
    expect(project.journal().filter(({ kind }) => kind === "attempt")).toMatchObject([
      { channel: "here", outcome: "failed", reason: "unavailable", detail: expect.stringContaining("no terminal") },
      { channel: "spare", outcome: "delivered" },
    ]);
  });
});

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

describeWithParts("what stands between", [...windowParts, "tmux", "screen"], () => {
  const tmux = (folder: string, passthrough: string): string => {
    writeFileSync(join(folder, "tmux.conf"), `set -g allow-passthrough ${passthrough}\n`);
    return `tmux -S '${join(folder, "tmux")}' -f '${join(folder, "tmux.conf")}'`;
  };
  const stopTmux = (folder: string): void =>
    onTestFinished(() => {
      spawnSync("tmux", ["-S", join(folder, "tmux"), "kill-server"], { timeout: 5000, stdio: "ignore" });
    });

  it("tmux passes it on when it may, and rings in any case", async () => {
    const { project, folder, line } = takeSeat({ style: "osc99" });
    stopTmux(folder);
    const window = await openWindow(folder, project.env, (command) => `${tmux(folder, "on")} new-session "${command}"`);
    const bells = count(window.shown(), "\u0007");
    runHook(folder, 0, line("Notification"));
    await window.until("the body", () => window.shown().includes(`:p=body:e=1;${base64("Über uns; done")}\u001B\\`));
    await window.until("the bell", () => count(window.shown(), "\u0007") > bells);
    await project.until("the outcome", () => isDelivered(project));
    const attempt = project.journal().find(({ kind }) => kind === "attempt");
    expect(attempt).toMatchObject({ detail: expect.stringMatching(/^osc99 through tmux to [^:]*$/) });
    expect(window.shown()).toContain(`:d=0:e=1;${base64("Notification")}\u001B\\`);
  });

  it("tmux that passes nothing on rings", async () => {
    const { project, folder, line } = takeSeat();
    stopTmux(folder);
    const window = await openWindow(
      folder,
      project.env,
      (command) => `${tmux(folder, "off")} new-session "${command}"`,
    );
    const bells = count(window.shown(), "\u0007");
    runHook(folder, 0, line("Notification"));
    await window.until("the bell", () => count(window.shown(), "\u0007") > bells);
    expect(window.shown()).not.toContain("notify;");
    await project.until("the outcome", () => isDelivered(project));
    expect(project.journal().find(({ kind }) => kind === "attempt")).toMatchObject({
      outcome: "delivered",
      detail: expect.stringMatching(
        /^bel .*: only the bell, because tmux has allow-passthrough off; to turn it on: tmux set -g allow-passthrough on$/,
      ),
    });

    runHook(
      folder,
      1,
      `'${process.execPath}' '${cliPath}' doctor >'${join(folder, "doctor")}' 2>&1; echo end >>'${join(folder, "doctor")}'`,
    );
    await window.until("the findings", () => read(join(folder, "doctor")).endsWith("end\n"));
    expect(read(join(folder, "doctor"))).toMatch(
      /warning.*here \(terminal\): .*only the bell instead of osc777: tmux has allow-passthrough off/,
    );
  });

  it("screen passes it on, but for what it would break", async () => {
    const { project, folder, line } = takeSeat({ style: "osc777" });
    const sockets = join(folder, "screens");
    mkdirSync(sockets, { mode: 0o700 });
    const env = { ...project.env, SCREENDIR: sockets };
    onTestFinished(() => {
      spawnSync("screen", ["-S", "hb", "-X", "quit"], { env, timeout: 5000, stdio: "ignore" });
    });
    const window = await openWindow(folder, env, (command) => `screen -c /dev/null -U -S hb ${command}`);
    const message = "Über 😀 Лć …";
    writeFileSync(join(folder, "cyrillic.json"), payloadOf("Notification", { message }));
    runHook(folder, 0, line("Notification").replace(/<'[^']*'/, `<'${join(folder, "cyrillic.json")}'`));
    const expected = "\u001B]777;notify;Notification;Über ? ?? ...\u0007";
    await window.until("the message", () => window.shown().includes(expected));
    expect(window.shown()).not.toContain("\u001B]777;notify;Notification;Über 😀");
  });
});

function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

describeWithParts("a terminal's device", [...windowParts, "ps"], () => {
  const send = (found: AgentTerminal | undefined, signal?: AbortSignal): Promise<Outcome> => {
    const request = { ...localRequest({}, terminal.settings.parse({ style: "osc9" })), terminal: found };
    return terminal.send(request, localTools({}, "/nowhere", signal === undefined ? {} : { signal }));
  };
  const shownText = "]9;shop: done: All tests pass.";

  it("takes nothing while it is stopped, keeps no one waiting, and is told again later", async () => {
    const window = await openWindow(temporaryFolder(), { PATH: process.env.PATH });
    const found = findTerminal(window.pid, 0);
    expect(found).toMatchObject({ device: window.device, pid: window.pid, env: { TERM: "xterm-256color" } });
    window.type("\u0013");
    let outcome = await send(found);
    // Until the key has arrived, messages are shown.
    for (let tries = 0; outcome.status === "delivered" && tries < 200; tries += 1) outcome = await send(found);
    expect(outcome).toMatchObject({ status: "failed", reason: "timeout", detail: expect.stringContaining("Ctrl-S") });
    const before = count(window.shown(), shownText);
    window.type("\u0011");
    await window.until("a message", () => true);
    for (outcome = await send(found); outcome.status === "failed"; outcome = await send(found));
    await window.until("the message", () => count(window.shown(), shownText) > before);
  });

  it("is gone with its window", async () => {
    const window: Window = await openWindow(temporaryFolder(), { PATH: process.env.PATH });
    const found = findTerminal(window.pid, 0);
    await window.close();
    expect(await send(found)).toMatchObject({ reason: "unavailable", detail: expect.stringContaining("was closed") });
  });

  it("is not the one of a process that has got a dead one's id", async () => {
    const window = await openWindow(temporaryFolder(), { PATH: process.env.PATH });
    expect(findTerminal(window.pid, 0)).toBeDefined();
    expect(findTerminal(window.pid, 3_600_000)).toBeUndefined();
    const found = findTerminal(window.pid, 0) as AgentTerminal;
    expect(await send({ ...found, start: "1" })).toMatchObject({ reason: "unavailable" });
    expect(await send({ ...found, device: "/dev/pts/999999" })).toMatchObject({ reason: "unavailable" });
  });

  it("is found by ps as by /proc", async () => {
    const window = await openWindow(temporaryFolder(), { PATH: process.env.PATH });
    const [byPs, byProc] = [askPs().get(window.pid), processLook("linux")(window.pid)];
    const { ageMs: _age, start: _start, program: _program, ...same } = byProc ?? {};
    expect(byPs).toMatchObject(same);
    // ps has the name by which a program was called, /proc the file: on Debian, sh is dash.
    expect(byPs?.program).toBe("sh");
    expect(same).toMatchObject({ device: window.device, hasTerminal: true });
    expect(Math.abs((byPs?.ageMs ?? 0) - (byProc?.ageMs ?? 0))).toBeLessThan(60_000);
    expect(findTerminal(window.pid, 0, processLook("darwin"))).toMatchObject({ device: window.device });
    expect(processLook("win32")(window.pid)).toBeUndefined();
  });

  it.each([
    ["/dev/null", "is no terminal"],
    ["/nowhere/pts", "cannot be opened (ENOENT)"],
    ["/", "cannot be opened (EISDIR)"],
  ])("is not %s", async (device, why) => {
    const signal = new AbortController().signal;
    const write = await writeTerminal(device, "x", { clock: systemClock, signal });
    expect(write).toEqual({ status: "gone", why: `${device} ${why}` });
  });
});

describe("findTerminal", () => {
  const start = "1";
  const facts = (parentPid: number, device?: string) => ({
    parentPid,
    device,
    start,
    ageMs: 60_000,
    program: "sh",
    hasTerminal: device !== undefined,
    leadsSession: false,
    leadsGroup: false,
  });

  it("goes up to the nearest that has one, and no further than there are processes", () => {
    const tree = new Map([
      [9, facts(8)],
      [8, facts(7)],
      [7, facts(6, "/dev/pts/7")],
      [6, facts(1, "/dev/pts/6")],
      [5, facts(4)],
      [3, facts(3)],
    ]);
    const look = (pid: number) => tree.get(pid);
    expect(findTerminal(9, 0, look)).toMatchObject({ device: "/dev/pts/7", pid: 7, start });
    expect(findTerminal(5, 0, look)).toBeUndefined();
    expect(findTerminal(3, 0, look)).toBeUndefined();
    expect(findTerminal(2, 0, look)).toBeUndefined();
    expect(findTerminal(9, 70_000, look)).toBeUndefined();
  });
});
