// What `remote add`, `remove` and `doctor` do to another machine: a shell on this one, behind a program in the place of docker.
import { spawn } from "node:child_process";
import { existsSync, lstatSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { maxWaiting } from "../../../../src/wings/remote/hook-there.ts";
import { listRemotes, readStatus } from "../../../../src/wings/remote/remotes.ts";
import { describeWithParts } from "../../../support/parts.ts";
import { quietRules } from "../../../support/faults/remote-storm.ts";
import { endDispatcher } from "../../../support/project/dispatcher-process.ts";
import { processesWithEnvironment } from "../../../support/project/processes.ts";
import { addRemote, end, temporaryProject, type Project } from "../../../support/project/running-project.ts";
import { tree } from "../../../support/faults/tree.ts";
import { mountParts, mountSmallDisk } from "../../../support/project/small-disk.ts";

/** What the other machine has: tools of POSIX beyond coreutils, and its shells. */
const parts = ["find", "cmp", "dash", "bash", "busybox"];

interface Box {
  project: Project;
  home: string;
  settings: string;
  hook: string;
}

/** `docker exec -i box sh -c SCRIPT` runs the script here, with another home; `before` is run first. */
function startBox(shell = "sh", before = ""): Box {
  const project = temporaryProject();
  project.writeRules(quietRules);
  const home = join(project.home, "box");
  const bin = join(project.home, "bin");
  mkdirSync(join(home, ".claude"), { recursive: true });
  mkdirSync(bin);
  const docker = `#!/bin/sh\n${before}\nshift 4\nexec env -i HOME='${home}' PATH="$PATH" ${shell} "$@"\n`;
  writeFileSync(join(bin, "docker"), docker, { mode: 0o755 });
  project.env.PATH = `${bin}:${project.env.PATH}`;
  const settings = join(home, ".claude", "settings.json");
  return { project, home, settings, hook: join(home, ".local/state/hookbell/hookbell-hook.sh") };
}

const add = ({ project }: Box, ...more: string[]) => addRemote(project, "box", "--by", "docker", "--yes", ...more);
const remove = ({ project }: Box, ...more: string[]) => project.command(["remote", "remove", "box", "--yes", ...more]);

const awkward = '\uFEFF{\r\n\t"model" : "opus",\\u0020\r\n  "env": {"A": "50% \\\\ $HOME `id` \'é\'"}\r\n}'.replace(
  "\\u0020",
  "",
);

describeWithParts("remote add", parts, () => {
  it.each(["sh", "dash", "bash --posix", "busybox sh"])(
    "edits settings there under %s, and remove gives back every byte",
    async (shell) => {
      const box = startBox(shell);
      writeFileSync(box.settings, awkward, { mode: 0o640 });
      mkdirSync(join(box.home, ".config", "opencode"), { recursive: true });
      mkdirSync(join(box.home, ".codex"));
      mkdirSync(join(box.home, "Documents", "Cline"), { recursive: true });
      const before = tree(box.home);
      expect(await add(box)).toMatchObject({ code: 0, stderr: "" });
      expect(readFileSync(box.settings, "utf8")).toContain(box.hook);
      expect(readFileSync(box.settings, "utf8")).toContain(`"env": {"A": "50% \\\\ $HOME \`id\` 'é'"}`);
      expect(Object.keys(tree(box.home))).toContain(".config/opencode/plugins/hookbell.js");
      // The dispatcher, which connects meanwhile, leaves a mark.
      const files = () => Object.entries(tree(box.home)).filter(([name]) => !name.endsWith("/connection"));
      const after = files();
      expect((await add(box)).stdout).toContain("nothing to change");
      expect(files()).toEqual(after);
      expect(await remove(box)).toMatchObject({ code: 0, stderr: "" });
      expect(tree(box.home)).toEqual(before);
      expect(listRemotes(box.project.layout)).toEqual([]);
    },
  );

  it("changes nothing with --dry-run, and shows paths of the other machine", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    const before = tree(box.home);
    const { code, stdout } = await add(box, "--dry-run");
    expect(code).toBe(0);
    expect(stdout).toContain(`box:${box.settings}`);
    expect(stdout).not.toContain(join("remotes", "box"));
    expect(tree(box.home)).toEqual(before);
    expect(listRemotes(box.project.layout)).toEqual([]);
  });

  it("writes through a link, and keeps it", async () => {
    const box = startBox();
    writeFileSync(join(box.home, "dotfile.json"), "{}\n");
    symlinkSync("../dotfile.json", box.settings);
    const before = tree(box.home);
    expect(await add(box)).toMatchObject({ code: 0 });
    expect(readFileSync(join(box.home, "dotfile.json"), "utf8")).toContain(box.hook);
    expect(lstatSync(box.settings).isSymbolicLink()).toBe(true);
    expect(await remove(box)).toMatchObject({ code: 0 });
    expect(tree(box.home)).toEqual(before);
  });

  it("keeps what changed there since, and takes out its hooks alone", async () => {
    const box = startBox();
    writeFileSync(box.settings, '{ "model": "opus" }\n');
    await add(box);
    writeFileSync(box.settings, readFileSync(box.settings, "utf8").replace("opus", "sonnet"));
    expect(await remove(box)).toMatchObject({ code: 0 });
    expect(JSON.parse(readFileSync(box.settings, "utf8"))).toEqual({ model: "sonnet" });
  });

  it("refuses settings that it cannot read, and says where", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{ oops");
    const { code, stderr } = await add(box);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`box:${box.settings}:1`);
    expect(readFileSync(box.settings, "utf8")).toBe("{ oops");
  });

  it("refuses a machine that has hookbell itself, and one that another computer follows", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    await add(box);
    const other = startBox();
    other.project.env.PATH = box.project.env.PATH;
    expect((await add(other)).stderr).toContain("another computer follows box");
    await remove(box);
    mkdirSync(join(box.hook, ".."), { recursive: true });
    writeFileSync(join(box.hook, "..", "installed.json"), "{}");
    expect((await add(box)).stderr).toContain("hookbell itself is installed on box");
    expect(readFileSync(box.settings, "utf8")).toBe("{}\n");
  });

  it("says that there is no agent", async () => {
    const box = startBox();
    rmSync(join(box.home, ".claude"), { recursive: true });
    box.project.env.PATH = `${join(box.project.home, "bin")}:/usr/bin:/bin`;
    expect((await add(box)).stderr).toContain("no coding agent was found on box");
  });

  it("leaves the machine as it is with remove --forget", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    await add(box);
    expect(await remove(box, "--forget")).toMatchObject({ code: 0 });
    expect(readFileSync(box.settings, "utf8")).toContain(box.hook);
    expect(Object.keys(tree(box.home))).toContain(".local/state/hookbell/hookbell-hook.sh");
    expect(listRemotes(box.project.layout)).toEqual([]);
  });
});

const findings = async ({ project }: Box): Promise<string> => {
  const { stdout } = await project.builtCommand(["doctor", "--json"]);
  const report = JSON.parse(stdout) as { findings: { area: string; status: string; text: string }[] };
  return report.findings
    .flatMap(({ area, status, text }) => (area === "remotes" ? [`${status} ${text}`] : []))
    .join("\n");
};

/** Whether the script of a connection runs there. */
const isConnected = ({ home }: Box): boolean => processesWithEnvironment(`HOME=${home}`).length > 0;

describeWithParts("doctor", parts, () => {
  it("says that all is well, that hooks are gone, and that the hook's folder is gone", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    await add(box);
    expect(await findings(box)).toBe("ok box: connected, and its hooks are up to date");
    writeFileSync(box.settings, "{}\n");
    expect(await findings(box)).toContain("warning box: Claude Code: its hooks are missing or out of date");
    rmSync(join(box.home, ".local"), { recursive: true });
    expect(await findings(box)).toContain("broken box has no hook of hookbell any more");
  });

  it("says that the machine is gone, or its clock wrong", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    await add(box);
    const docker = join(box.project.home, "bin", "docker");
    const script = readFileSync(docker, "utf8");
    const bin = join(box.project.home, "clock");
    mkdirSync(bin);
    writeFileSync(join(bin, "date"), `#!/bin/sh\necho $(($(/bin/date +%s) + 75))\n`, { mode: 0o755 });
    writeFileSync(docker, script.replace('PATH="$PATH"', `PATH="${bin}:$PATH"`));
    expect(await findings(box)).toMatch(/warning box: its clock is [78]\ds ahead|its clock is 1m.* ahead/);
    writeFileSync(docker, "#!/bin/sh\necho 'Error: No such container: box' >&2\nexit 1\n");
    expect(await findings(box)).toContain("broken box cannot be reached: Error: No such container: box");
  });
});

describeWithParts("a machine without room", [...parts, ...mountParts], () => {
  it("neither fails its agents nor is silent: doctor and a notice say it", async () => {
    const box = startBox();
    const disk = mountSmallDisk(box.home);
    mkdirSync(join(box.home, ".claude"));
    writeFileSync(box.settings, "{}\n");
    await add(box);
    const hook = () =>
      end(spawn(box.hook, ["--agent", "claude-code"], { env: { PATH: box.project.env.PATH, HOME: box.home } }), "{}");

    disk.fill();
    // Agents read 1 as a note for the person, and 2 as a refusal.
    expect(await hook()).toMatchObject({ code: 1, stderr: expect.stringMatching(/the disk is full/) as unknown });
    expect(await findings(box)).toMatch(/broken box: .*the disk is full/);
    disk.makeRoom();
    await box.project.until("a connection", () => readStatus(box.project.layout, "box")?.what === "connected");
    expect(await findings(box)).toContain("ok box");
  });
});

describeWithParts("more events than a machine keeps", parts, () => {
  it("are counted there, and told here once there is a connection", async () => {
    const box = startBox();
    writeFileSync(box.settings, "{}\n");
    await add(box);
    await box.project.until("a connection", () => readStatus(box.project.layout, "box")?.what === "connected");
    await endDispatcher(box.project);
    await box.project.until("no more connection", () => !isConnected(box));
    const incoming = join(box.hook, "..", "incoming");
    mkdirSync(incoming, { recursive: true });
    for (let index = 0; index < maxWaiting; index += 1) writeFileSync(join(incoming, `${index}.json`), "");
    const hook = () =>
      end(spawn(box.hook, ["--agent", "claude-code"], { env: { PATH: box.project.env.PATH, HOME: box.home } }), "{}");
    for (let index = 0; index < 3; index += 1) {
      expect(await hook()).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
    }
    expect(await findings(box)).toContain("warning box: 3 events were dropped there, since 10000 waited");
    // These are no events, and would take a while.
    rmSync(incoming, { recursive: true });
    mkdirSync(incoming);
    box.project.start(["dispatch", "--detached"]);
    await box.project.until("a notice", () =>
      box.project
        .journal()
        .some(({ kind, title }) => kind === "notice" && title === "hookbell: 3 events of box are lost"),
    );
    await box.project.until("a new count", () => !existsSync(join(box.hook, "..", "dropped")));
  });
});

it("a home folder that cannot be written is said, and nothing is kept of it (posix)", async () => {
  const box = startBox();
  const docker = join(box.project.home, "bin", "docker");
  // Not even the superuser can make a folder there.
  writeFileSync(docker, readFileSync(docker, "utf8").replace(box.home, "/proc/sys"));
  expect((await add(box, "--agent", "claude-code")).stderr).toContain("box: /proc/sys");
  expect(listRemotes(box.project.layout)).toEqual([]);
});
