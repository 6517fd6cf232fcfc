// `hookbell hooks --cost` runs the hook that is set up, with the built programs.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { objectsOf, objectOf, parseJson } from "../../../../src/model/json.ts";
import { writeJournal } from "../../../../src/outbox/journal.ts";
import { ensureLayout } from "../../../../src/outbox/layout.ts";
import { hostName } from "../../../../src/system/process/identity.ts";
import { describeWithParts } from "../../../support/parts.ts";
import { processesWithEnvironment } from "../../../support/project/processes.ts";
import { type Project, temporaryProject } from "../../../support/project/running-project.ts";

/** Nothing runs in it but what a test starts. */
async function projectWith(agents: string, rules?: object): Promise<Project> {
  const project = temporaryProject(".local/state/hookbell");
  project.env.TMPDIR = join(project.home, "tmp");
  mkdirSync(project.env.TMPDIR);
  ensureLayout(project.layout);
  if (rules !== undefined) project.writeRules(rules);
  expect(await project.run(["init", "--yes", "--agent", agents])).toMatchObject({ code: 0 });
  return project;
}

/** As the dispatcher records an event. */
function record({ layout }: Project, event: object, more: object = {}): void {
  const usual = { session: "s1", host: hostName(), agent: "claude-code" };
  writeJournal(layout, Date.now(), { kind: "event", event: { ...usual, ...event }, ...more });
}

function write({ home }: Project, path: string, line: object): void {
  mkdirSync(dirname(join(home, path)), { recursive: true });
  writeFileSync(join(home, path), `${JSON.stringify(line)}\n`);
}

async function costsOf(project: Project): Promise<Readonly<Record<string, unknown>>[]> {
  const { code, stdout, stderr } = await project.run(["hooks", "--cost", "--json"]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return objectsOf(objectOf(parseJson(stdout)).hooks);
}

/** Every file of the state folder but those that Node makes of hookbell's own programs. */
function filesOf({ layout }: Project): Record<string, string> {
  const names = readdirSync(layout.root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes("compile-cache"))
    .map(({ parentPath, name }) => join(parentPath, name));
  return Object.fromEntries(names.map((name) => [name, readFileSync(name, "latin1")]));
}

// Gemini CLI runs its hooks in bash.
describeWithParts("what hookbell's own hook costs (posix)", ["bash"], () => {
  it("is measured for each agent and event that came, and leaves nothing", async () => {
    const project = await projectWith("claude-code,gemini-cli,cline,opencode");
    for (let nth = 0; nth < 3; nth += 1) record(project, { name: "Stop" });
    record(project, { name: "UserPromptSubmit" }, { duplicateOf: "evt_1", calledAs: "claude-code" });
    record(project, { name: "Stop", agentEvent: "AfterAgent", agent: "gemini-cli" });
    record(project, { name: "Stop", agentEvent: "TaskComplete", agent: "cline" });
    // Its plug-in does not hold it.
    record(project, { name: "Stop", agentEvent: "session.idle", agent: "opencode" });
    // None of these was a call of a hook here.
    record(project, { name: "Stop" }, { known: { observed: { kind: "ended" } } });
    record(project, { name: "Stop", host: "another" });
    record(project, { name: "Stop", session: "hookbell-verify-0123456789abcdef01234567" });
    const before = filesOf(project);
    const costs = await costsOf(project);
    const rows = costs.map(({ agent, event, calls, source, isOwn }) => ({ agent, event, calls, source, isOwn }));
    const measured = { source: "measured", isOwn: true };
    expect(new Set(rows)).toEqual(
      new Set([
        { agent: "claude-code", event: "Stop", calls: 3, ...measured },
        { agent: "claude-code", event: "UserPromptSubmit", calls: 1, ...measured },
        { agent: "gemini-cli", event: "AfterAgent", calls: 1, ...measured },
        { agent: "cline", event: "TaskComplete", calls: 1, ...measured },
      ]),
    );
    for (const { medianMs, p95Ms, secondsADay, commands } of costs) {
      expect(medianMs).toBeGreaterThan(0);
      expect(p95Ms).toBeGreaterThanOrEqual(Number(medianMs));
      expect(secondsADay).toBeGreaterThan(0);
      expect(commands).toEqual([expect.stringMatching(/hookbell/)]);
    }
    expect(filesOf(project)).toEqual(before);
    expect(readdirSync(project.env.TMPDIR ?? "")).toEqual([]);
    expect(processesWithEnvironment(project.env.TMPDIR ?? "")).toEqual([]);
  });

  it("is not measured again where the agent has recorded it by itself", async () => {
    const project = await projectWith("claude-code,droid");
    for (const agent of ["claude-code", "droid"]) {
      record(project, { name: "Stop", agent });
      record(project, { name: "SessionEnd", agent });
    }
    const commandFor = (agent: string): string => `"$HOME"/.local/state/hookbell/hookbell-hook.sh --agent ${agent}`;
    write(project, ".claude/projects/-home-ann-shop/s.jsonl", {
      subtype: "stop_hook_summary",
      hookInfos: [{ command: commandFor("claude-code"), durationMs: 9 }],
      timestamp: new Date().toISOString(),
    });
    write(project, ".factory/sessions/-home-ann-shop/s.jsonl", {
      type: "message",
      message: {
        hookEventName: "Stop",
        hookCommands: [
          { type: "command", command: commandFor("droid") },
          { type: "command", command: "say done" },
        ],
        hookStartTime: Date.now() - 62,
        hookEndTime: Date.now(),
      },
    });
    const costs = await costsOf(project);
    const rows = costs.map(({ agent, event, source, isOwn }) => [agent, event, source, isOwn].join(" "));
    expect(rows.toSorted()).toEqual([
      "claude-code SessionEnd measured true",
      "claude-code Stop recorded true",
      "droid SessionEnd measured true",
      // What Droid has recorded is of two hooks together.
      "droid Stop measured true",
      "droid Stop recorded false",
    ]);
  });

  it("is what a question costs until a person is asked, not until the answer", async () => {
    const project = await projectWith("claude-code", {
      answers: { allow: ["Bash(true)"], hold: "always" },
      channels: {
        phone: { type: "telegram", token: "123:abcdefghijklmnopqrstuvwxyzabcdefghi", chat: 77, answers: true },
      },
      rules: [{ name: "asks", when: { event: "PermissionRequest" }, notify: ["phone"] }],
    });
    record(project, { name: "PermissionRequest" });
    const before = filesOf(project);
    const [only, ...others] = await costsOf(project);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ event: "PermissionRequest", source: "measured", calls: 1 });
    expect(only?.commands).toEqual([expect.stringMatching(/--answer$/)]);
    // A hook that waited for an answer would have been ended, and its row left out.
    expect(only?.medianMs).toBeGreaterThan(0);
    expect(filesOf(project)).toEqual(before);
  });

  it("is left out for a hook that does not work", async () => {
    const project = await projectWith("claude-code");
    record(project, { name: "Stop" });
    writeFileSync(join(project.layout.root, "hookbell-hook.sh"), "#!/bin/sh\nexit 1\n");
    expect(await costsOf(project)).toEqual([]);
    const { stdout } = await project.run(["hooks", "--cost"]);
    expect(stdout).toContain("no agent recorded a hook in the last 7 days");
  });
});
