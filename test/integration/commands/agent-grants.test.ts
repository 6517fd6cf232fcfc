// An agent tries to make credentials and rights for itself, in each way in which its shell tool could; its person may.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { shellQuoted } from "../../../src/model/text.ts";
import { describeWithParts } from "../../support/parts.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { processLook } from "../../../src/system/process/facts.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { readSession, writeSession } from "../../../src/outbox/sessions.ts";
import { startOf } from "../../../src/system/process/identity.ts";
import { personParts, runAsPerson, untilWritten } from "../../support/project/person-terminal.ts";
import { cliPath, temporaryProject, type Project } from "../../support/project/running-project.ts";

const grants: readonly (readonly string[])[] = [
  ["keys", "add", "me", "--role", "owner"],
  ["computers", "add", "build", "--", "sh", "-c", "id"],
  ["devices", "add", "--answer"],
  ["channels", "add", "desktop", "--set", "answers=true", "--events", "attention", "--yes", "--no-test"],
  ["channels", "pair", "phone"],
  ["remote", "add", "ci", "--by", "http"],
  ["remote", "add", "spool", "--by", "file", "--name", "box"],
  ["remote", "add", "root@web1", "--yes"],
  ["fleet", "init", "--org", "acme", "--person", "ada", "--host", "laptop", "--server", "nats://127.0.0.1:1", "--yes"],
  ["fleet", "add", "ada/box"],
  ["fleet", "rotate", "ada/laptop"],
  ["fleet", "join", "config/fleet/ada.box.creds", "--yes"],
];

type Way = [name: string, how: (script: string) => string];

/** Each starts the script at the path from the agent's shell. */
const usualWays: readonly Way[] = [
  ["as it is", (script) => `sh ${script}`],
  ["after env -i", (script) => `exec env -i sh ${script}`],
  ["after setsid", (script) => `exec env -i setsid sh ${script}`],
  ["after a double fork", (script) => `(exec env -i sh ${script} &) &`],
];
const otherWays: readonly Way[] = [
  ["in its own place", (script) => `exec sh ${script}`],
  ["after nohup", (script) => `nohup sh ${script}`],
  ["after setsid and a double fork", (script) => `(env -i setsid sh ${script} &) &`],
  ["in a terminal that it makes", (script) => `env -i script -qec 'sh ${script}' /dev/null; true`],
];

/** Runs the commands from one shell of an agent; resolves to the exit code and the words of each. */
async function runAsAgent(
  { home, env }: Project,
  how: (script: string) => string,
  commands: readonly (readonly string[])[],
): Promise<{ code: number; said: string }[]> {
  const folder = mkdtempSync(join(home, "try-"));
  const places = ["HOME", "HOOKBELL_CONFIG_DIR", "HOOKBELL_STATE_DIR"].map((name) => `${name}=${env[name]}`);
  const lines = commands.map((words, index) => {
    const command = [process.execPath, cliPath, ...words].map(shellQuoted).join(" ");
    // Only `env -i` takes the agent's variables away; without the others, it would look elsewhere.
    return `env ${places.map(shellQuoted).join(" ")} ${command} >${folder}/said${index} 2>&1; echo $? >${folder}/code${index}`;
  });
  writeFileSync(
    join(folder, "script"),
    [`cd ${home}`, ...lines, `echo >${folder}/d`, `mv ${folder}/d ${folder}/done`].join("\n"),
  );
  const agent = `require("node:child_process").spawn("sh", ["-c", process.argv[1]], { stdio: "ignore", env: { ...process.env, CLAUDECODE: "1" } })`;
  spawn(process.execPath, ["-e", agent, how(join(folder, "script"))], { env, cwd: home, stdio: "ignore" });
  await untilWritten(join(folder, "done"));
  return commands.map((_words, index) => ({
    code: Number(readFileSync(join(folder, `code${index}`), "utf8")),
    said: readFileSync(join(folder, `said${index}`), "utf8"),
  }));
}

const refusal =
  /runs this command \(.* is set\), and no agent may do that|needs a terminal in which a person has started it/;

/** Runs each line that is put into the folder. Nothing stays between the agent and a program that a line runs by `exec`. */
const agentInTerminal = `
  const { spawn } = require("node:child_process");
  const { existsSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
  process.chdir(process.argv[1]);
  writeFileSync("pid.tmp", String(process.pid));
  renameSync("pid.tmp", "pid");
  setInterval(() => {
    if (!existsSync("line")) return;
    const line = readFileSync("line", "utf8");
    rmSync("line");
    const name = /'([^']+)\\.tmp'/.exec(line)[1];
    spawn("sh", ["-c", line], { stdio: "ignore" }).on("exit", () => renameSync(name + ".tmp", name));
  }, 20);
`;

type Known = { pid: number; start: string };

/** How an agent reports another process in place of its recorded one. */
const ways = [
  { event: "UserPromptSubmit", names: "CLAUDE_PID=$!", facts: (process: Known) => ({ process }) },
  { event: "SessionEnd", names: "", facts: (known: Known) => ({ terminal: { device: "/dev/pts/9999", ...known } }) },
  {
    event: "UserPromptSubmit",
    names: "",
    facts: (known: Known) => ({ terminal: { device: "/dev/pts/9999", ...known } }),
  },
];

/** Every file of the configuration and the state that could hold a right. */
function held({ home }: Project): string[] {
  const all = readdirSync(home, { recursive: true, encoding: "utf8" });
  return all.filter((path) => !/^try-|compile-cache|^state$/.test(path));
}

function prepared(): Project {
  const project = temporaryProject();
  project.writeRules({ channels: {}, rules: [] });
  return project;
}

describeWithParts("a command that grants something", personParts, () => {
  it.each<[string, Way[1], typeof grants]>([
    ...usualWays.map(([name, how]): [string, Way[1], typeof grants] => [name, how, grants]),
    ...otherWays.map(([name, how]): [string, Way[1], typeof grants] => [name, how, grants.slice(0, 1)]),
  ])("is refused to an agent that starts it %s", async (_name, how, commands) => {
    const project = prepared();
    const before = held(project);
    const tried = await runAsAgent(project, how, commands);
    for (const [index, each] of tried.entries())
      expect(each, grants[index]?.join(" ")).toMatchObject({ code: 1, said: expect.stringMatching(refusal) as string });
    expect(held(project)).toEqual(before);
  });

  it("is refused to an agent in the person's own terminal that was seen at work, and empties its shell's environment", async () => {
    const project = prepared();
    const { env, home } = project;
    const agent = [process.execPath, "-e", agentInTerminal, home].map(shellQuoted).join(" ");
    spawn("script", ["-qec", `${agent}; true`, "/dev/null"], { env, cwd: home, stdio: ["pipe", "ignore", "inherit"] });
    const pid = Number(await untilWritten(join(home, "pid")));
    const places = ["HOME", "HOOKBELL_CONFIG_DIR", "HOOKBELL_STATE_DIR"].map((name) => `${name}=${env[name]}`);
    const runLine = async (name: string, line: string): Promise<string> => {
      const said = join(home, name);
      writeFileSync(join(home, "next"), `${line} >'${said}.tmp' 2>&1`);
      renameSync(join(home, "next"), join(home, "line"));
      return await untilWritten(said);
    };
    const run = async (name: string): Promise<string> => {
      const line = ["env", "-i", ...places, process.execPath, cliPath, "keys", "add", name].map(shellQuoted).join(" ");
      const within = ["env", "-i", "script", "-qec", line, "/dev/null"].map(shellQuoted).join(" ");
      return await runLine(name, `exec ${within}`);
    };
    ensureLayout(project.layout);
    const terminal = { device: processLook()(pid)?.device ?? "", pid, start: startOf(pid) ?? "" };
    writeSession(project.layout, recordOf({ agent: "codex", session: "s1", terminal }));
    expect(await run("me")).toContain("Codex runs this command, and no agent may do that");

    const known = { pid, start: startOf(pid) ?? "" };
    for (const [index, { facts, event, names }] of ways.entries()) {
      const session = `s${index + 2}`;
      const own = { agent: "claude-code", session };
      rmSync(project.layout.sessions, { recursive: true });
      ensureLayout(project.layout);
      writeSession(project.layout, recordOf({ ...own, ...facts(known) }));
      const payload = { hook_event_name: event, session_id: session, cwd: home, prompt: "go on", reason: "other" };
      const hook = [process.execPath, cliPath, "hook", "--agent", "claude-code", "--wait"].map(shellQuoted).join(" ");
      const line = `{ sleep 20 & echo ${shellQuoted(JSON.stringify(payload))} | ${names} ${hook}; }`;
      await runLine(`hook${index}`, line);
      const record = readSession(project.layout, "claude-code", session);
      expect(record.lastSeenAt).toBeGreaterThan(0);
      expect(await run(`me${index}`)).toContain("Claude Code runs this command, and no agent may do that");
    }
  });

  it("is done for a person at a terminal, also in a script", async () => {
    const project = prepared();
    const script = join(project.home, "set-up.sh");
    const lines = grants.map((words) => [process.execPath, cliPath, ...words].map(shellQuoted).join(" "));
    writeFileSync(script, lines.map((line, index) => `echo "== ${index}"; ${line} </dev/null`).join("\n"));
    const { shown } = await runAsPerson(project, ["run", "--terminal", "--", "sh", script]);
    const said = shown.split(/^== \d+\n/m).slice(1);
    expect(said).toHaveLength(grants.length);
    for (const each of said) expect(each).not.toMatch(refusal);
    expect(said[0]).toContain("key for me (Owner)");
    expect(said[1]).toContain("build is registered");
    expect(said[5]).toContain("HOOKBELL_SECRET=");
    expect(said[9]).toContain("ada.box.creds");
  });

  it("is done for a person's script in a terminal of its own, as over ssh -t and docker exec -it", async () => {
    const project = prepared();
    expect(await runAsPerson(project, grants[0] ?? [])).toMatchObject({ code: 0 });
    expect(await runAsPerson(project, grants[1] ?? [], "exec env -i HOME=$HOME")).toMatchObject({ code: 0 });
  });

  it("says what to do where there is no terminal, as under cron and with ssh without -t", async () => {
    const project = prepared();
    const { code, stderr } = await project.run(["keys", "add", "me"]);
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(
        /^hookbell: this command needs a terminal.*\n {2}run it in .*ssh, add -t.*docker exec, add -it/s,
      ) as string,
    });
  });
});

describeWithParts("a command that only revokes", personParts, () => {
  it("works from anywhere, so that a thief can be locked out from any shell", async () => {
    const project = prepared();
    await project.command(["keys", "add", "thief"]);
    await project.command(["remote", "add", "ci", "--by", "http"]);
    const init = ["fleet", "init", "--org", "acme", "--person", "ada", "--host", "laptop", "--yes"];
    expect(await project.command(init)).toMatchObject({ code: 0 });
    const [, afterSetsid = (script: string) => script] = otherWays.find(([name]) => name.includes("setsid and")) ?? [];
    const said = await runAsAgent(project, afterSetsid, [
      ["keys", "remove", "thief"],
      ["remote", "remove", "ci", "--yes"],
      ["devices", "revoke", "phone"],
      ["channels", "pair", "phone", "--remove"],
      ["fleet", "remove", "--yes"],
    ]);
    expect(said.map((each) => each.code)).toEqual([0, 0, 65, 65, 0]);
    expect(said[0]?.said).toContain("thief's key is no longer accepted");
    expect(said[1]?.said).toContain("its secret is no longer accepted");
    for (const each of said) expect(each.said).not.toMatch(refusal);
  });
});
