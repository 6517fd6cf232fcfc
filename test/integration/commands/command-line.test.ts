// What every command has in common: help, usage errors, terminals, and places that cannot be used.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { commandTable } from "../../../src/cli/table.ts";
import { ensureLayout } from "../../../src/outbox/layout.ts";
import { version } from "../../../src/system/version.ts";
import { describeWithParts } from "../../support/parts.ts";
import { everyRow } from "../../support/rows.ts";
import { cliPath, payloadOf, temporaryProject, type Project } from "../../support/project/running-project.ts";
import { shell, webhookProject } from "./webhook-project.ts";

const names = Object.keys(commandTable).filter((name) => !name.includes(" "));
const escape = /\u001b/;

describe("help", () => {
  it("of every command comes for --help, -h and as a word after help, and does nothing else", async () => {
    const project = temporaryProject();
    await everyRow(names, async (name) => {
      const { stdout, ...ended } = await project.command([name, "--help"]);
      expect(ended).toEqual({ code: 0, signal: null, stderr: "" });
      expect(stdout).toMatch(new RegExp(`^hookbell ${name}\\b`));
      expect(stdout).toContain("--help, -h");
      expect((await project.command([name, "-h"])).stdout).toBe(stdout);
      expect((await project.command(["help", name])).stdout).toBe(stdout);
      expect(existsSync(project.layout.root)).toBe(false);
    });
    expect(await project.run(["status", "--help"])).toEqual(await project.command(["status", "--help"]));
  });

  it("in general names every command", async () => {
    const project = temporaryProject();
    const { stdout } = await project.run(["--help"]);
    const words = stdout.replaceAll(/\s+/g, " ");
    for (const name of names) expect(words).toMatch(new RegExp(`[ ,]${name}[ ,]`));
    expect((await project.command(["help"])).stdout).toBe(stdout);
    expect((await project.command(["-h"])).stdout).toBe(stdout);
  });

  it("is no flag behind --", async () => {
    const project = await webhookProject();
    const result = await project.command(["send", "--channel", "ops", "--json", "--", "--help"]);
    expect(JSON.parse(result.stdout)).toMatchObject({ event: { message: "--help" } });
  });
});

describe("the version", () => {
  it("comes for --version and -v", async () => {
    const project = temporaryProject();
    const said = { code: 0, stdout: `${version}\n`, stderr: "" };
    expect(await project.run(["--version"])).toMatchObject(said);
    expect(await project.command(["--version"])).toMatchObject(said);
    expect(await project.command(["-v"])).toMatchObject(said);
  });
});

describe("a mistake on the command line", () => {
  const mistakes: [args: string[], stderr: string][] = [
    [["statsu"], 'hookbell: there is no command "statsu"\n  did you mean "status"?\n'],
    [["remote", "ad"], 'hookbell: there is no command "remote ad"\n  did you mean "add"?\n'],
    [["computers"], "hookbell: computers needs a subcommand\n  commands: install-deps, list, add\n"],
    [["help", "discrad"], 'hookbell: there is no command "discrad"\n  did you mean "discard"?\n'],
    [["frobnicate"], `hookbell: there is no command "frobnicate"\n  commands: ${names.join(", ")}\n`],
    [["\u001b[2J"], 'hookbell: there is no command "\\u001b[2J"\n'],
    [["status", "--jsno"], 'hookbell: there is no flag --jsno\n  did you mean "--json"?\n'],
    [["status", "--json=yes"], "hookbell: --json takes no value\n  see --help\n"],
    [["doctor", "--config"], "hookbell: --config needs a value\n  see --help\n"],
    [
      ["log", "-x"],
      "hookbell: there is no flag -x\n  flags: --follow, --last, --all, --channel, --agent, --failed, --why, --json\n",
    ],
    [["status", "all"], 'hookbell: unexpected argument "all"\n  see --help\n'],
    [["log", "all"], 'hookbell: unexpected argument "all"\n'],
    [["doctor", "all"], 'hookbell: unexpected argument "all"\n'],
  ];
  it("is exit 64 with what was probably meant", async () => {
    const project = temporaryProject();
    const tryArgs = async ([args, stderr]: (typeof mistakes)[number]): Promise<void> => {
      const result = await project.command(args);
      expect(result).toMatchObject({ code: 64, stdout: "" });
      expect(result.stderr.slice(0, stderr.length)).toBe(stderr);
      expect(existsSync(project.layout.root)).toBe(false);
    };
    await everyRow(mistakes, tryArgs, ([args]) => args.join(" "));
  });
});

describe("a flag without a command", () => {
  const flags: [flag: string, meant: string][] = [
    ["--verison", "--version"],
    ["-V", "-v"],
    ["--hlep", "--help"],
    ["--status", "status"],
    ["--stats", "status"],
  ];
  it("is told from the hook's", async () => {
    const project = temporaryProject();
    await everyRow(flags, async ([flag, meant]) => {
      // An agent may have been told to run it.
      expect(await project.command([flag], payloadOf("Stop"))).toMatchObject({
        code: 1,
        stdout: "",
        stderr: `hookbell: there is no flag "${flag}"\n  did you mean "${meant}"?\n`,
      });
      expect(existsSync(project.layout.root)).toBe(false);
    });
  });

  it.each(["--agnet droid", "--frobnicate"])("is the hook's where no one sits at it: %s", async (line) => {
    const result = await temporaryProject().command(line.split(" "), payloadOf("Stop"));
    expect(result).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("expected --agent ID") });
  });
});

describe("an error, to a program that asked for JSON", () => {
  it.each<[args: string, input: string, code: number, error: object]>([
    ["status --josn --json", "", 64, { code: "usage.flag", message: "there is no flag --josn" }],
    ["send --json --channel opps x", "", 64, { code: "channel.unknown", hint: 'did you mean "ops"?' }],
    ["check --json nowhere.jsonc", "", 65, { code: "rules.missing" }],
    [
      "explain --json",
      "{}",
      65,
      {
        code: "payload.invalid",
        message: "the hook would reject this payload",
        problems: expect.arrayContaining([
          { field: "hook_event_name", expected: expect.any(String), got: expect.any(String) },
        ]),
      },
    ],
  ])("is data as well: %s", async (line, input, code, error) => {
    const result = await (await webhookProject()).command(line.split(" "), input);
    expect(result).toMatchObject({ code, stderr: expect.stringMatching(/^hookbell: /) });
    expect(JSON.parse(result.stdout)).toEqual({ error: expect.objectContaining(error) });
  });

  it("says each problem of a rules file with its place and its fix", async () => {
    const project = temporaryProject();
    project.writeRules('{ "channels": { "a": { "type": "desktp" } }, "rules": [] }');
    const { code, stdout } = await project.command(["test", "--json"]);
    expect(code).toBe(78);
    expect(JSON.parse(stdout)).toEqual({
      error: {
        code: "rules.broken",
        message: "the rules file is broken",
        file: project.rulesFile,
        problems: [expect.objectContaining({ line: 1, column: 32, hint: expect.stringContaining("desktop") })],
      },
    });
  });

  it("is none of the hook's, whose answer an agent obeys, nor of a word behind --", async () => {
    const project = await webhookProject();
    expect(await project.command(["hook", "--json", "--config", "nowhere"], payloadOf("Stop"))).toMatchObject({
      code: 1,
      stdout: "",
    });
    expect(await project.command(["status", "--", "--json"])).toMatchObject({ code: 64, stdout: "" });
  });
});

const lookCommand = process.platform === "win32" ? "dir" : "ls -ld";

describe("a state folder that cannot be made", () => {
  it.each(["test", "send hello", "retry --all", "dispatch"])("is exit 73 with a hint: %s", async (line) => {
    const project = await webhookProject();
    writeFileSync(join(project.home, "file"), "");
    const state = join(project.home, "file", "state");
    project.env.HOOKBELL_STATE_DIR = state;
    expect(await project.command(line.split(" "))).toEqual({
      code: 73,
      signal: null,
      stdout: "",
      stderr: `hookbell: cannot create the folder ${state}: a part of the path is a file, not a folder (ENOTDIR)\n  move what is there away, or set HOOKBELL_STATE_DIR to another folder; to look at it:\n  ${lookCommand} ${join(project.home, "file")}\n`,
    });
  });

  it.each(["log --json", "discard --all"])("is an empty one to what only looks: %s", async (line) => {
    const project = temporaryProject();
    writeFileSync(join(project.home, "file"), "");
    project.env.HOOKBELL_STATE_DIR = join(project.home, "file", "state");
    expect(await project.command(line.split(" "))).toMatchObject({ code: 0, stderr: "" });
  });
});

describeWithParts("a state of which nothing may be written", ["setpriv"], () => {
  async function readOnlyState(): Promise<Project> {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop"));
    writeFileSync(join(project.home, "payload.json"), payloadOf("Stop"));
    for (const dir of [...Object.values(project.layout), project.home, join(project.home, "config")]) {
      if (existsSync(dir)) chmodSync(dir, 0o500);
    }
    return project;
  }
  function giveBack(project: Project): void {
    for (const dir of [project.home, project.layout.root, ...Object.values(project.layout)]) {
      if (existsSync(dir)) chmodSync(dir, 0o700);
    }
  }

  it.each<[string, RegExp, code?: number]>([
    // It says that events are being lost.
    ["status", /^no session needs you$/m, 1],
    ["status --json", /"outbox":0/, 1],
    ["log", /attempt {3}ops delivered/],
    ["log --json", /"kind":"attempt"/],
    ["explain payload.json", /by rule "done"/],
    ["check", /1 rule/],
  ])("does not trouble what only reads: %s", async (line, stdout, code = 0) => {
    const project = await readOnlyState();
    const result = await shell(project, `ordinarily hookbell ${line}`);
    giveBack(project);
    expect(result).toMatchObject({ code, stderr: "" });
    expect(result.stdout).toMatch(stdout);
  });

  it.each<[string, number]>([
    ["send --channel ops hello", 73],
    ["hook --wait <payload.json", 1],
    ["hook <payload.json", 1],
  ])("is said, not shown as a bug: %s", async (line, code) => {
    const project = await readOnlyState();
    const result = await shell(project, `ordinarily hookbell ${line}`);
    giveBack(project);
    expect(result).toMatchObject({ code, stdout: "" });
    expect(result.stderr).toContain("permission denied (EACCES)");
    expect(result.stderr).not.toMatch(/this is a bug|^ +at /m);
  });

  it.each(["status", "log", "retry --all", "discard --all"])("and nothing read is said too: %s", async (line) => {
    const project = await webhookProject();
    ensureLayout(project.layout);
    for (const dir of Object.values(project.layout)) if (existsSync(dir)) chmodSync(dir, 0);
    chmodSync(project.layout.root, 0);
    const result = await shell(project, `ordinarily hookbell ${line}`);
    giveBack(project);
    expect(result).toMatchObject({ stdout: "" });
    expect([1, 73]).toContain(result.code);
    expect(result.stderr).toMatch(/^hookbell: cannot \w+ (the folder )?\/.*: permission denied \(EACCES\)\n {2}/);
    expect(result.stderr).not.toMatch(/this is a bug|^ +at /m);
  });
});

describe("output that no one reads", () => {
  it("is no error", async () => {
    const project = temporaryProject();
    const child = spawn(process.execPath, [cliPath, "statsu"], { env: project.env, cwd: project.home });
    child.stderr.destroy();
    child.stdout.destroy();
    expect(await once(child, "close")).toEqual([64, null]);
  });
});

describe("without a terminal", () => {
  it("no command prints colour", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop"));
    await everyRow(["--help", "status", "doctor", "check", "log"], async (command) => {
      const { stdout, stderr } = await project.run([command]);
      expect(stdout).not.toBe("");
      expect(stdout).not.toMatch(escape);
      expect(stderr).not.toMatch(escape);
    });
  });
});

describeWithParts("at a terminal", ["script"], () => {
  async function atTerminal(project: Project, args: string): Promise<{ code: number | null; output: string }> {
    const line = `'${process.execPath}' '${cliPath}' ${args}`;
    const child = spawn("script", ["-qec", line, "/dev/null"], {
      env: { ...project.env, TERM: "xterm" },
      cwd: project.home,
    });
    let output = "";
    child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, "close")) as [number | null];
    return { code, output: output.replaceAll("\r\n", "\n") };
  }

  it("hookbell alone shows what there is", async () => {
    const { code, output } = await atTerminal(temporaryProject(), "");
    expect(code).toBe(0);
    expect(output).toContain("To start: hookbell init\n");
    const words = output.replaceAll(/\s+/g, " ");
    for (const name of names) expect(words).toMatch(new RegExp(`[ ,]${name}[ ,]`));
  });

  it("uses colour, and none where NO_COLOR or a dumb terminal says so", async () => {
    const project = temporaryProject();
    expect((await atTerminal(project, "status")).output).toMatch(escape);
    project.env.NO_COLOR = "1";
    expect((await atTerminal(project, "status")).output).not.toMatch(escape);
    // https://no-color.org: an empty value says nothing.
    project.env.NO_COLOR = "";
    expect((await atTerminal(project, "status")).output).toMatch(escape);
  });

  it("send says whom it was handed to, and to a script nothing", async () => {
    const project = await webhookProject([{ name: "all", notify: ["ops", "spare"] }]);
    const sent = await atTerminal(project, "send hello");
    expect(sent).toEqual({
      code: 0,
      output: "queued for ops, spare. See: hookbell log, or send with --wait\n",
    });
    expect(await project.run(["send", "hello"])).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });

  it("explain takes the last event", async () => {
    const project = await webhookProject();
    await project.command(["hook", "--wait"], payloadOf("Stop", { cwd: "/srv/shop-web" }));
    const { code, output } = await atTerminal(project, "explain --at 23:30");
    expect(code).toBe(0);
    expect(output).toMatch(/Stop from .*shop-web/);
  });

  it("asks for what it would else wait for", async () => {
    const project = await webhookProject();
    const explained = await atTerminal(project, "explain");
    expect(explained.code).toBe(64);
    expect(explained.output).toContain("no event has arrived yet that it could explain");
    const sent = await atTerminal(project, "send");
    expect(sent.code).toBe(64);
    expect(sent.output).toContain("there is nothing to send");
    const nonsense = await atTerminal(project, "--frobnicate");
    expect(nonsense).toEqual({
      code: 64,
      output: 'hookbell: there is no flag "--frobnicate"\n  hookbell --help shows what there is\n',
    });
    const hooked = await atTerminal(project, "hook");
    expect(hooked.code).toBe(1);
    expect(hooked.output).toContain("got a terminal (to try it: hookbell test)");
    expect(readFileSync(project.rulesFile, "utf8")).not.toMatch(escape);
  });
});
