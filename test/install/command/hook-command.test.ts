import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { HookSetup } from "../../../src/agents/hook-setup.ts";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { commandSettings, hookArgv, hookEntry } from "../../../src/install/command/hook-command.ts";
import { ownerOf } from "../../../src/install/command/owner.ts";
import { isInRunnerCache, stableNodePath, stablePackageFolder } from "../../../src/install/installation.ts";

const droid = { id: "droid", hookSetup: hookSetups.droid };
const posix = (nodePath: string, hookPath: string): string =>
  String(hookEntry({ nodePath, hookPath }, droid, "Stop", "linux").command);

it.each([
  ["droid", (events: object) => events],
  ["codex", (events: object) => ({ hooks: events })],
] as const)("settings to copy have the shape of the file of %s", (id, shaped) => {
  const agent = { id, hookSetup: hookSetups[id] };
  const installation = { nodePath: "", hookPath: "", scriptPath: "/s.sh" };
  const entry = hookEntry(installation, agent, "Stop", "linux");
  expect(commandSettings(agent, ["Stop"], "/s.sh")).toEqual(shaped({ Stop: [{ hooks: [entry] }] }));
});

describe("hookEntry", () => {
  it("is plain where nothing needs quoting", () => {
    const installation = { nodePath: "/usr/bin/node", hookPath: "/usr/lib/node_modules/hookbell/dist/hook.cjs" };
    expect(hookEntry(installation, droid, "Stop", "linux")).toEqual({
      type: "command",
      command: "/usr/bin/node /usr/lib/node_modules/hookbell/dist/hook.cjs --agent droid",
      timeout: 10,
    });
  });

  it("is the shell's script where one can run, whatever Node is called", () => {
    const scriptPath = "/home/me/.local/state/hookbell/hookbell-hook.sh";
    const installation = { nodePath: "/n", hookPath: "/p/dist/hook.cjs", scriptPath };
    expect(hookEntry(installation, droid, "Stop", "darwin").command).toBe(`${scriptPath} --agent droid`);
    const spaced = { ...installation, scriptPath: "/my home/hookbell-hook.sh" };
    expect(hookEntry(spaced, droid, "Stop", "linux").command).toBe("'/my home/hookbell-hook.sh' --agent droid");
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

  const posixEntries: [id: keyof typeof hookSetups, event: string, entry: object][] = [
    ["claude-code", "SessionEnd", { type: "command", command: "/h.sh --agent claude-code", timeout: 10 }],
    ["gemini-cli", "AfterAgent", { type: "command", command: "/h.sh --agent gemini-cli", timeout: 10000 }],
    ["codex", "SessionEnd", { type: "command", command: "/h.sh --agent codex", timeout: 3 }],
    ["cursor", "stop", { command: "/h.sh --agent cursor", timeout: 10 }],
    ["copilot-cli", "Stop", { type: "command", bash: "/h.sh --agent copilot-cli", timeoutSec: 10 }],
    ["windsurf", "post_cascade_response", { command: "/h.sh --agent windsurf", show_output: false }],
    ["kiro", "stop", { command: "/h.sh --agent kiro", timeout_ms: 10000 }],
    ["auggie", "Stop", { type: "command", command: "/h.sh", args: ["--agent", "auggie"], timeout: 10000 }],
    ["antigravity", "Stop", { type: "command", command: "/h.sh --agent antigravity", timeout: 10 }],
  ];
  it.each(posixEntries)("is what %s reads (%#)", (id, event, entry) => {
    const installation = { nodePath: "/n", hookPath: "/p/dist/hook.cjs", scriptPath: "/h.sh" };
    expect(hookEntry(installation, { id, hookSetup: hookSetups[id] }, event, "linux")).toEqual(entry);
  });

  it("names the event where the payload does not", () => {
    const installation = { nodePath: "/n", hookPath: "/p/hook.cjs", scriptPath: "/h.sh" };
    expect(hookArgv(installation, { id: "cline", hookSetup: hookSetups.cline }, "TaskError", "linux")).toEqual([
      "/h.sh",
      "--agent",
      "cline",
      "--event",
      "TaskError",
    ]);
  });
});

describe("hookEntry on Windows", () => {
  const installation = {
    nodePath: "C:\\Program Files\\nodejs\\node.exe",
    hookPath: "C:\\it's\\node_modules\\hookbell\\dist\\hook.cjs",
  };
  const line = (id: string): string => `node "C:/it's/node_modules/hookbell/dist/hook.cjs" --agent ${id}`;

  const withSettings = Object.entries<HookSetup>(hookSetups).filter(([, { files }]) => files.length > 0);

  it.each(withSettings.filter(([, { entry }]) => entry.hasArgs !== true))(
    "is one form for %s, and found again",
    (id, hookSetup) => {
      const entry = hookEntry(installation, { id, hookSetup }, Object.keys(hookSetup.events)[0] ?? "", "win32");
      const { commandKey, commandKeyOnWindows = commandKey } = hookSetup.entry;
      expect(entry).toMatchObject({ [commandKeyOnWindows]: line(id) });
      expect(Object.hasOwn(entry, "bash")).toBe(false);
      expect(ownerOf(line(id), [], "")).toBe("own");
    },
  );

  it.each(withSettings.filter(([, { entry }]) => entry.hasArgs === true))(
    "is a program with arguments for %s, and found again",
    (id, hookSetup) => {
      const entry = hookEntry(installation, { id, hookSetup }, "Stop", "win32");
      const args = ["C:/it's/node_modules/hookbell/dist/hook.cjs", "--agent", id];
      expect(entry).toMatchObject({ command: "C:/Program Files/nodejs/node.exe", args });
      expect(ownerOf("C:/Program Files/nodejs/node.exe", args, "")).toBe("own");
    },
  );
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
