// Containers in which there is nothing but a shell and what docs/reference/REMOTE.md names: chroots, with `docker exec` in front of them.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { objectOf } from "../../../../src/model/json.ts";
import { describeWithParts, findPart } from "../../../support/parts.ts";
import { quietRules, stopPayload } from "../../../support/faults/remote-storm.ts";
import {
  addRemote,
  temporaryProject,
  end,
  type Ended,
  type Project,
} from "../../../support/project/running-project.ts";
import { tree } from "../../../support/faults/tree.ts";

/** Root alone may make one; elsewhere the test is skipped. */
const chrootParts = process.getuid?.() === 0 ? ["chroot", "ldd", "mknod"] : ["right to make a container"];

const documented = readFileSync(new URL("../../../../docs/reference/REMOTE.md", import.meta.url), "utf8");
const needed = /A POSIX shell and `([a-z ]+)`/.exec(documented)?.[1]?.split(" ") ?? [];

interface Container {
  project: Project;
  home: string;
  hook(input: string): Promise<Ended>;
}

/** `shell` is its /bin/sh; with busybox, the other programs are busybox's as well. */
function startContainer(shell: string): Container {
  const root = mkdtempSync(join(tmpdir(), "hookbell-container-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true, maxRetries: 5 }));
  for (const folder of ["bin", "dev", "home/.claude", "tmp"]) mkdirSync(join(root, folder), { recursive: true });
  execFileSync("mknod", ["-m", "666", join(root, "dev", "null"), "c", "1", "3"]);
  const add = (program: string, name: string): void => {
    const path = realpathSync(findPart(program) ?? program);
    cpSync(path, join(root, "bin", name));
    const libraries = spawnSync("ldd", [path], { encoding: "utf8" }).stdout.matchAll(/(\/\S+) \(0x/g);
    for (const [, library = ""] of libraries) {
      mkdirSync(join(root, dirname(library)), { recursive: true });
      cpSync(realpathSync(library), join(root, library));
    }
  };
  add(shell, shell === "busybox" ? "busybox" : "sh");
  for (const program of needed) {
    if (shell === "busybox") symlinkSync("busybox", join(root, "bin", program));
    else add(program, program);
  }
  if (shell === "busybox") symlinkSync("busybox", join(root, "bin", "sh"));

  const chroot = findPart("chroot") ?? "chroot";
  const project = temporaryProject();
  project.writeRules(quietRules);
  const bin = join(project.home, "bin");
  mkdirSync(bin);
  const docker = `#!/bin/sh\n# exec -i box sh ...\nshift 4\nexec env -i HOME=/home PATH=/bin ${chroot} '${root}' /bin/sh "$@"\n`;
  writeFileSync(join(bin, "docker"), docker, { mode: 0o755 });
  project.env.PATH = `${bin}:${project.env.PATH}`;
  const home = join(root, "home");
  writeFileSync(join(home, ".claude", "settings.json"), '{ "model": "opus" }\n', { mode: 0o640 });
  return {
    project,
    home,
    hook: (input) =>
      end(
        spawn(chroot, [root, "/home/.local/state/hookbell/hookbell-hook.sh", "--agent", "claude-code"], {
          env: { HOME: "/home", PATH: "/bin" },
          stdio: "pipe",
        }),
        input,
      ),
  };
}

describeWithParts("a container", [...chrootParts, ...needed, "dash", "bash", "busybox"], () => {
  it.each(["dash", "bash", "busybox"])(
    "with %s has its events fetched, and is given back byte for byte",
    async (shell) => {
      const { project, home, hook } = startContainer(shell);
      const before = tree(home);
      expect(await addRemote(project, "box", "--by", "docker", "--yes")).toMatchObject({
        code: 0,
        stderr: "",
      });
      for (const message of ["one", "two", "three"]) {
        expect(await hook(stopPayload("s", message))).toEqual({ code: 0, signal: null, stdout: "", stderr: "" });
      }
      const messages = () =>
        project.journal().flatMap(({ kind, event }) => (kind === "event" ? [objectOf(event).message] : []));
      await project.until("the events", () => messages().length === 3);
      expect(messages()).toEqual(["one", "two", "three"]);
      expect((await project.builtCommand(["doctor"])).stdout).toContain("box: connected, and its hooks are up to date");
      expect(await project.command(["remote", "remove", "box", "--yes"])).toMatchObject({ code: 0, stderr: "" });
      expect(tree(home)).toEqual(before);
    },
  );
});
