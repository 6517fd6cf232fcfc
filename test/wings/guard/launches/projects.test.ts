import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { OpenFolders } from "../../../../src/wings/guard/launches/projects.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

describe("the folders in which Claude Code is open", () => {
  it("are those of its files, which come and go", () => {
    const { folders, put, sessions } = here();
    expect(folders.look()).toEqual([]);
    put("12.json", '{"pid":12,"cwd":"/work/shop"}');
    put("13.json", '{"pid":13,"cw');
    put("notes.json", '{"cwd":"/work/other"}');
    expect(folders.look()).toEqual(["/work/shop"]);
    // It was being written.
    put("13.json", '{"pid":13,"cwd":"/work/api"}');
    expect(folders.look()).toEqual(["/work/shop", "/work/api"]);
    rmSync(join(sessions, "12.json"));
    expect(folders.look()).toEqual(["/work/api"]);
  });

  it.runIf(process.platform === "linux")(
    "are those of its processes while it asks whether you trust them",
    async () => {
      const { folders, put, home } = here();
      const project = join(home, "shop");
      mkdirSync(project);
      const agent = spawn("sleep", ["60"], { cwd: project, stdio: "ignore" });
      onTestFinished(() => void agent.kill("SIGKILL"));
      await once(agent, "spawn");
      put(`${agent.pid}.0a1b.key`, "{}");
      expect(folders.look()).toEqual([project]);
      expect(folders.isAny()).toBe(true);
      agent.kill("SIGKILL");
      await once(agent, "exit");
      // A killed agent leaves its file.
      folders.look();
      expect(folders.isAny()).toBe(false);
    },
  );

  it("are in the folder that a variable names", () => {
    const { put } = here();
    put("12.json", '{"cwd":"/work/shop"}');
    const home = temporaryFolder();
    const moved = join(home, "moved");
    mkdirSync(join(moved, "sessions"), { recursive: true });
    writeFileSync(join(moved, "sessions/7.json"), '{"cwd":"/work/moved"}');
    const folders = new OpenFolders({ env: { CLAUDE_CONFIG_DIR: moved }, home, platform: "linux" });
    expect(folders.look()).toEqual(["/work/moved"]);
  });
});

function here(): { home: string; sessions: string; folders: OpenFolders; put(name: string, text: string): void } {
  const home = temporaryFolder();
  const sessions = join(home, ".claude/sessions");
  mkdirSync(sessions, { recursive: true });
  return {
    home,
    sessions,
    folders: new OpenFolders({ env: {}, home, platform: "linux" }),
    put(name, text) {
      writeFileSync(join(sessions, name), text);
    },
  };
}
