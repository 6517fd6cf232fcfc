// Plug-ins on a machine that has Node and no hookbell.
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { findHookSetup } from "../../../src/agents/hook-setups.ts";
import { emptyHookScript } from "../../../src/install/hook-script.ts";
import { plugInAgents } from "../../../src/install/plug-in-files.ts";
import { listIncoming } from "../../../src/outbox/incoming.ts";
import { findLeaseHolder } from "../../../src/outbox/lease/lease.ts";
import { listSessions } from "../../../src/outbox/sessions.ts";
import { disableValues } from "../../support/home/disable-values.ts";
import { describeWithParts } from "../../support/parts.ts";
import { installPlugIn, plugInsForFile, type InstalledPlugIn } from "../../support/agents/plug-ins.ts";
import { arriveTogether } from "../../support/project/arrive-together.ts";
import { putScript, quietProject, runScript, silent, untilEvents } from "../../support/project/posix-hook.ts";
import { rulesTo } from "../../support/project/running-dispatcher.ts";
import { payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { startHttpReceiver, unusedOrigin } from "../../support/receivers/http-receiver.ts";

const plugIns = plugInsForFile();
const node = process.execPath;
const root = fileURLToPath(new URL("../../../", import.meta.url));

const sampleOf = (agent: string, event: string, cwd: string): string =>
  JSON.stringify(findHookSetup(agent)?.sample.payload({ event, session: "s-1", cwd, at: "2026-11-23T12:00:00.000Z" }));

/** The program of the dispatcher at work, which has put its whole command in its title. */
function dispatcherProgram({ layout }: Project): string {
  const holder = findLeaseHolder(layout, Date.now());
  if (holder === undefined) return "";
  return readFileSync(`/proc/${holder.pid}/cmdline`, "utf8").split(/[\0 ]/)[1] ?? "";
}

/** Its dispatcher stays, since no one listens at the only channel. */
async function withDispatcher(): Promise<{ project: Project; plugIn: InstalledPlugIn }> {
  const project = temporaryProject();
  project.writeRules(rulesTo(unusedOrigin));
  const plugIn = installPlugIn(plugIns(), "claude-code", project, node);
  expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
  await project.until("a dispatcher at work", () => dispatcherProgram(project) !== "");
  return { project, plugIn };
}

describeWithParts("a plug-in without a hookbell beside it", ["setsid"], () => {
  it.each(plugInAgents)("of %s takes its events, and notifies", async (agent) => {
    const receiver = await startHttpReceiver();
    onTestFinished(receiver.close);
    const project = temporaryProject();
    project.writeRules(rulesTo(receiver.origin));
    const plugIn = installPlugIn(plugIns(), agent, project, node);
    // The usual places, since the person has set none.
    const env = { HOOKBELL_STATE_DIR: "", HOOKBELL_CONFIG_DIR: project.env.HOOKBELL_CONFIG_DIR };
    for (const event of plugIn.events) {
      expect(await plugIn.hook(event, sampleOf(agent, event, project.home), env)).toEqual(silent);
    }
    await project.until("a message", () => receiver.requests.length > 0);
    const { data } = JSON.parse(receiver.requests[0]?.body ?? "") as { data: { event: { agent: string } } };
    expect(data.event.agent).toBe(agent);
    expect(existsSync(join(project.home, ".local/state/hookbell/journal"))).toBe(true);
  });

  it("notifies by the built-in rules while there is no rules file", async () => {
    const project = temporaryProject();
    const plugIn = installPlugIn(plugIns(), "claude-code", project, node);
    expect(await plugIn.hook("Notification", sampleOf("claude-code", "Notification", project.home))).toEqual(silent);
    const channels = (): unknown[] =>
      project.journal().flatMap(({ kind, deliveries }) => (kind === "decision" ? [deliveries] : []));
    await project.until("a decision", () => channels().length > 0);
    expect(JSON.stringify(channels())).toMatch(/"desktop"/);
  });

  it("is the command `hookbell`, with which the agents' slash commands call it", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "claude-code", project, node);
    expect(await plugIn.run("why")).toMatchObject({ code: 0, stdout: "no event has arrived yet\n" });
    expect(await plugIn.run("mute", "1h")).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/muted/i) as string,
    });
    expect(await plugIn.hook("Stop", sampleOf("claude-code", "Stop", project.home))).toEqual(silent);
    await untilEvents(project, 1);
    await project.until("a decision", () => project.journal().some(({ kind }) => kind === "decision"));
    expect(await plugIn.run("why")).toMatchObject({ code: 0, stdout: expect.stringMatching(/Stop/) as string });
    expect(await plugIn.run("status")).toMatchObject({ code: 0, stdout: expect.stringMatching(/muted/i) as string });
  });

  it("does the work of an agent's hooks, as doctor says", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "claude-code", project, node);
    for (const folder of [".claude", ".codex"]) mkdirSync(join(project.home, folder));
    const agents = async (): Promise<unknown[]> => {
      const { findings } = JSON.parse((await plugIn.run("doctor", "--json")).stdout) as {
        findings: { area: string }[];
      };
      return findings.filter(({ area }) => area === "agents");
    };
    const hookMissing = (name: string): unknown =>
      expect.objectContaining({
        status: "warning",
        text: `${name}: no event of a plug-in has come, and its settings call no hookbell`,
        fix: expect.stringContaining(
          "if you have installed its plug-in, restart it; otherwise: hookbell init",
        ) as string,
      });
    expect(await agents()).toEqual([hookMissing("Claude Code"), hookMissing("Codex")]);
    expect(await plugIn.hook("Stop", sampleOf("claude-code", "Stop", project.home))).toEqual(silent);
    await project.until("its session", () => listSessions(project.layout).length === 1);
    expect(await agents()).toEqual([
      expect.objectContaining({
        status: "ok",
        text: expect.stringMatching(/^Claude Code: its plug-in calls hookbell; the last event came .+ ago$/) as string,
      }),
      hookMissing("Codex"),
    ]);
  });

  it("has no database for serve, and says how to get one", async () => {
    const plugIn = installPlugIn(plugIns(), "claude-code", quietProject(), node);
    expect(await plugIn.run("serve", "--port", "0")).toEqual({
      code: 1,
      signal: null,
      stdout: "",
      stderr:
        "hookbell: serve needs SQLite, which is not in hookbell's plug-ins\n  npm install --global hookbell, then: hookbell serve\n",
    });
  });

  it("drops everything where hookbell is switched off, by the words that switch off the hook", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "codex", project);
    for (const [value, isDropping] of disableValues) {
      const { code, stdout } = await plugIn.hook("Stop", payloadOf("Stop"), { HOOKBELL_DISABLE: value });
      rmSync(project.layout.root, { recursive: true, force: true });
      // Without Node, it says so.
      expect({ value, code, isSilent: stdout === "" }).toEqual({ value, code: 0, isSilent: isDropping });
    }
  });

  it("calls the hook in Node from Git Bash, which has other paths than Windows", async () => {
    const { project, plugIn } = await withDispatcher();
    expect(await plugIn.hook("Stop", payloadOf("Stop"), { MSYSTEM: "MINGW64" })).toEqual(silent);
    await untilEvents(project, 2);
  });
});

describeWithParts("a plug-in without a Node that can run it", ["setsid"], () => {
  const message =
    /^\{"systemMessage":"hookbell: the plug-in needs Node\.js 20\.19 or newer, and PATH has none\. [^"]*"\}\n$/;
  const said = { code: 0, signal: null, stdout: expect.stringMatching(message) as string, stderr: "" };

  it("says so once, keeps nothing, and works when there is one", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "claude-code", project);
    expect(await plugIn.hook("SessionStart", payloadOf("SessionStart"))).toEqual(said);
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
    expect(listIncoming(project.layout)).toEqual([]);
    expect((await plugIn.run("status")).code).toBe(1);
    symlinkSync(node, join(plugIn.bin, "node"));
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
    await untilEvents(project, 1);
    // The message comes again should Node go away.
    expect(existsSync(join(project.layout.root, "plug-in-lacks-node"))).toBe(false);
  });

  it("passes by one that is too old, and remembers the one that is not", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "claude-code", project);
    const old = join(plugIn.bin, "node");
    writeFileSync(old, `#!/bin/sh\nexec '${node}' -r '${join(project.home, "old.cjs")}' "$@"\n`);
    writeFileSync(
      join(project.home, "old.cjs"),
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } });\n',
    );
    chmodSync(old, 0o755);
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(said);
    const path = `${plugIn.bin}:${join(node, "..")}`;
    expect(await plugIn.hook("Stop", payloadOf("Stop"), { PATH: path })).toEqual(silent);
    await untilEvents(project, 1);
    expect(readFileSync(join(project.layout.root, "plug-in-node"), "utf8")).toBe(`${node}\n`);
  });

  it("asks for the version that the package needs", () => {
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { engines: { node: string } };
    const [, major = "", minor = ""] = /^>=(\d+)\.(\d+)\.0$/.exec(engines.node) ?? [];
    const script = readFileSync(join(plugIns(), "claude-code/bin/hookbell"), "utf8");
    expect(script).toContain(`v[0] > ${major} || (v[0] == ${major} && v[1] >= ${minor})`);
    expect(script).toContain(`needs Node.js ${major}.${minor} or newer`);
  });
});

describeWithParts("a plug-in beside a hookbell that is installed", ["setsid"], () => {
  it("has the installed one dispatch, and itself once that is gone or was uninstalled", async () => {
    const project = temporaryProject();
    project.writeRules(rulesTo(unusedOrigin));
    const plugIn = installPlugIn(plugIns(), "claude-code", project, node);
    const installed = join(project.home, "installed");
    cpSync(join(plugIns(), "codex"), installed, { recursive: true });
    const script = putScript(join(project.layout.root, "hookbell-hook.sh"), { hook: join(installed, "dist/hook.cjs") });
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
    await project.until("the installed one", () => dispatcherProgram(project).startsWith(installed));
    // It may end by itself when it loads a part of a program that is gone, so it ends before.
    process.kill(findLeaseHolder(project.layout, Date.now())?.pid ?? Number.NaN);
    await project.until("its end", () => dispatcherProgram(project) === "");
    rmSync(installed, { recursive: true });
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
    await project.until("the plug-in's own", () => dispatcherProgram(project).startsWith(plugIn.folder));
    emptyHookScript(script);
    expect(await plugIn.hook("Stop", payloadOf("Stop"))).toEqual(silent);
    await untilEvents(project, 3);
  });

  it("notifies once of what the agent's settings call hookbell for as well", async () => {
    const project = quietProject();
    const plugIn = installPlugIn(plugIns(), "gemini-cli", project, node);
    const script = putScript(join(project.layout.root, "hookbell-hook.sh"));
    const payload = sampleOf("gemini-cli", "AfterAgent", project.home);
    await arriveTogether(project, [
      () => plugIn.hook("AfterAgent", payload),
      () => runScript(project, [script, "--agent", "gemini-cli"], payload),
    ]);
    const duplicates = project.journal().flatMap(({ kind, duplicateOf }) => (kind === "decision" ? [duplicateOf] : []));
    expect(duplicates).toEqual([undefined, expect.stringMatching(/^evt_/)]);
  });
});
