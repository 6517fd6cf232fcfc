import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hookEntry } from "../../../src/install/hook-command.ts";
import { isInRunnerCache, stableNodePath, stablePackageFolder } from "../../../src/install/stable-path.ts";

const posix = (nodePath: string, hookPath: string): string =>
  hookEntry({ nodePath, hookPath }, "droid", { windowsForm: "commandLine" }, 10, "linux").command;

describe("hookEntry", () => {
  it("is plain where nothing needs quoting", () => {
    expect(
      hookEntry(
        { nodePath: "/usr/bin/node", hookPath: "/usr/lib/node_modules/hookbell/dist/hook.cjs" },
        "droid",
        { windowsForm: "arguments" },
        10,
        "linux",
      ),
    ).toEqual({
      type: "command",
      command: "/usr/bin/node /usr/lib/node_modules/hookbell/dist/hook.cjs --agent droid",
      timeout: 10,
    });
  });

  it("is the shell's script where one can run, whatever Node is called", () => {
    const scriptPath = "/home/me/.local/state/hookbell/hookbell-hook.sh";
    const installation = { nodePath: "/n", hookPath: "/p/dist/hook.cjs", scriptPath };
    const form = { windowsForm: "commandLine" } as const;
    expect(hookEntry(installation, "droid", form, 10, "darwin").command).toBe(`${scriptPath} --agent droid`);
    const spaced = { ...installation, scriptPath: "/my home/hookbell-hook.sh" };
    expect(hookEntry(spaced, "droid", form, 10, "linux").command).toBe("'/my home/hookbell-hook.sh' --agent droid");
  });

  it.each([
    "/a b/hook.cjs",
    "/it's/hook.cjs",
    "/$HOME/hook.cjs",
    '/"q"/hook.cjs',
    "/a;b&c|d/hook.cjs",
    "/日本/hook.cjs",
    "/a\\b/hook.cjs",
    "/`x`/hook.cjs",
    "/*/hook.cjs",
  ])("passes %s through a shell unharmed", (hookPath) => {
    const shown = spawnSync(
      "sh",
      ["-c", posix("echo-arguments", hookPath).replace(/^echo-arguments/, 'show() { printf "%s\\n" "$@"; }; show')],
      { encoding: "utf8" },
    );
    expect(shown.stdout.split("\n")).toEqual([hookPath, "--agent", "droid", ""]);
  });

  it("has two forms on Windows", () => {
    const installation = {
      nodePath: "C:\\Program Files\\nodejs\\node.exe",
      hookPath: "C:\\npm\\node_modules\\hookbell\\dist\\hook.cjs",
    };
    expect(hookEntry(installation, "claude-code", { windowsForm: "arguments" }, 10, "win32")).toEqual({
      type: "command",
      command: "C:/Program Files/nodejs/node.exe",
      args: ["C:/npm/node_modules/hookbell/dist/hook.cjs", "--agent", "claude-code"],
      timeout: 10,
    });
    expect(hookEntry(installation, "droid", { windowsForm: "commandLine" }, 10, "win32")).toEqual({
      type: "command",
      command: '"C:/Program Files/nodejs/node.exe" "C:/npm/node_modules/hookbell/dist/hook.cjs" --agent droid',
      timeout: 10,
    });
  });
});

describe("stableNodePath", () => {
  const cellar = "/opt/homebrew/Cellar/node/22.1.0/bin/node";
  const nvm = "/home/me/.nvm/versions/node/v20.1.0/bin/node";
  it.each([
    [
      "a link of Homebrew's",
      cellar,
      [],
      { [cellar]: cellar, "/opt/homebrew/bin/node": cellar },
      "/opt/homebrew/bin/node",
    ],
    ["no link to another node", nvm, ["/usr/bin/node"], { [nvm]: nvm, "/usr/bin/node": "/usr/bin/node" }, nvm],
    [
      "itself where it is stable",
      "/usr/bin/node",
      ["/home/me/bin/node"],
      { "/usr/bin/node": "/usr/bin/node", "/home/me/bin/node": "/usr/bin/node" },
      "/usr/bin/node",
    ],
    ["a link on PATH", nvm, ["/home/me/bin/node"], { [nvm]: nvm, "/home/me/bin/node": nvm }, "/home/me/bin/node"],
    [
      "no link of one shell",
      nvm,
      ["/run/user/1000/fnm_multishells/12_3/bin/node", "/tmp/x/node", "/p/node_modules/.bin/node"],
      {
        [nvm]: nvm,
        "/run/user/1000/fnm_multishells/12_3/bin/node": nvm,
        "/tmp/x/node": nvm,
        "/p/node_modules/.bin/node": nvm,
      },
      nvm,
    ],
  ])("takes %s", (_name, execPath, onPath, links: Record<string, string>, expected) => {
    expect(stableNodePath(execPath, onPath, "/home/me", (path) => links[path])).toBe(expected);
  });
});

describe("stablePackageFolder", () => {
  const store = "/home/me/pnpm/global/5/node_modules/.pnpm/hookbell@0.1.0/node_modules/hookbell";
  const link = "/home/me/pnpm/global/5/node_modules/hookbell";
  it("leaves pnpm's version out when the link is there", () => {
    expect(stablePackageFolder(store, (path) => (path === link || path === store ? store : undefined))).toBe(link);
    expect(stablePackageFolder(store, (path) => (path === store ? store : undefined))).toBe(store);
    expect(stablePackageFolder("/usr/lib/node_modules/hookbell", (path) => path)).toBe(
      "/usr/lib/node_modules/hookbell",
    );
  });
});

describe("isInRunnerCache", () => {
  it.each([
    ["/home/me/.npm/_npx/1a2b/node_modules/hookbell", true],
    ["C:\\Users\\me\\AppData\\Local\\npm-cache\\_npx\\1a\\node_modules\\hookbell", true],
    ["/home/me/.cache/pnpm/dlx-123/node_modules/hookbell", true],
    ["/tmp/bunx-1000-hookbell@latest/node_modules/hookbell", true],
    ["/usr/lib/node_modules/hookbell", false],
    ["/home/npx/hookbell", false],
  ])("%s: %s", (folder, isIn) => {
    expect(isInRunnerCache(folder)).toBe(isIn);
  });
});
