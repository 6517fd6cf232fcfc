import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import { commandSettings, hookArgv, hookEntry } from "../../../src/install/command/hook-command.ts";
import { isInRunnerCache, nodeForCmd, stableNodeOnWindows, stableNodePath } from "../../../src/install/installation.ts";
import { stablePackageFolder } from "../../../src/system/package.ts";

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
  ])("passes %s through a shell unharmed (posix)", (hookPath) => {
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

describe("stableNodeOnWindows", () => {
  const home = "C:\\Users\\Ann Lee";
  const env = { ProgramFiles: "C:\\Program Files", APPDATA: `${home}\\AppData\\Roaming` };
  const fnm = `${home}\\AppData\\Roaming\\fnm`;
  const inFnm = `${fnm}\\node-versions\\v22.1.0\\installation\\node.exe`;
  const nvm = `${home}\\AppData\\Roaming\\nvm\\v22.1.0\\node.exe`;
  const inScoop = `${home}\\scoop\\apps\\nodejs\\22.1.0\\node.exe`;
  const ofShell = `${home}\\AppData\\Local\\fnm_multishells\\12_34\\node.exe`;
  const installed = "C:\\Program Files\\nodejs\\node.exe";
  it.each([
    ["the installer's", installed, [], { [installed]: installed }, installed],
    ["nvm's link", nvm, [], { [nvm]: nvm, [installed]: nvm }, installed],
    [
      "fnm's alias, and not the folder of one shell",
      ofShell,
      [ofShell],
      { [ofShell]: inFnm, [`${fnm}\\aliases\\default\\node.exe`]: inFnm },
      `${fnm}\\aliases\\default\\node.exe`,
    ],
    [
      "Scoop's current one",
      inScoop,
      [],
      { [inScoop]: inScoop, [`${home}\\scoop\\apps\\nodejs\\current\\node.exe`]: inScoop },
      `${home}\\scoop\\apps\\nodejs\\current\\node.exe`,
    ],
    [
      "another folder on PATH",
      nvm,
      ["D:\\node\\node.exe"],
      { [nvm]: nvm, "D:\\node\\node.exe": nvm },
      "D:\\node\\node.exe",
    ],
    ["no script on PATH", nvm, ["D:\\node\\node.cmd"], { [nvm]: nvm, "D:\\node\\node.cmd": nvm }, nvm],
    ["no other Node", nvm, [], { [nvm]: nvm, [installed]: installed }, nvm],
  ])("takes %s", (_name, execPath, onPath, links: Record<string, string>, expected) => {
    expect(stableNodeOnWindows(execPath, onPath, env, home, (path) => links[path])).toBe(expected);
  });

  it("is written in ASCII for cmd.exe", () => {
    expect(nodeForCmd(installed, home)).toBe(installed);
    expect(nodeForCmd("C:\\Users\\Zoë\\node\\node.exe", "C:\\Users\\Zoë")).toBe("%USERPROFILE%\\node\\node.exe");
    expect(nodeForCmd("C:\\100%\\node.exe", home)).toBe("C:\\100%%\\node.exe");
    expect(nodeForCmd("D:\\ë\\node.exe", home)).toBe("");
  });
});

describe("stablePackageFolder", () => {
  const store = "/home/me/pnpm/global/5/node_modules/.pnpm/hookbell@0.1.0/node_modules/hookbell";
  const link = "/home/me/pnpm/global/5/node_modules/hookbell";
  it("leaves pnpm's version out when the link is there", () => {
    expect(stablePackageFolder(store, (path) => (path === link || path === store ? store : undefined))).toBe(link);
    expect(stablePackageFolder(store, (path) => (path === store ? store : undefined))).toBe(store);
    const globally = "C:\\Users\\me\\AppData\\Local\\pnpm\\global\\5";
    const inStore = `${globally}\\.pnpm\\hookbell@1.0.0\\node_modules\\hookbell`;
    const linked = `${globally}\\node_modules\\hookbell`;
    expect(stablePackageFolder(inStore, () => inStore)).toBe(linked);
    expect(stablePackageFolder(inStore, (path) => (path === inStore ? inStore : undefined))).toBe(inStore);
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
