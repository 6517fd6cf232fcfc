import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { claudeCodeWiring } from "../../../src/agents/known/claude-code/wiring.ts";
import { clineWiring } from "../../../src/agents/known/cline/wiring.ts";
import { codexWiring } from "../../../src/agents/known/codex/wiring.ts";
import { copilotCliWiring } from "../../../src/agents/known/copilot-cli/wiring.ts";
import { cursorWiring } from "../../../src/agents/known/cursor/wiring.ts";
import type { Wiring } from "../../../src/agents/wiring.ts";
import { droidWiring } from "../../../src/agents/known/droid/wiring.ts";
import { geminiCliWiring } from "../../../src/agents/known/gemini-cli/wiring.ts";
import { gooseWiring } from "../../../src/agents/known/goose/wiring.ts";
import { kiroWiring } from "../../../src/agents/known/kiro/wiring.ts";
import { qwenCodeWiring } from "../../../src/agents/known/qwen-code/wiring.ts";
import { windsurfWiring } from "../../../src/agents/known/windsurf/wiring.ts";
import { hookArgv, hookEntry } from "../../../src/install/command/hook-command.ts";
import { ownerOf } from "../../../src/install/command/owner.ts";
import { isInRunnerCache, stableNodePath, stablePackageFolder } from "../../../src/install/installation.ts";

const droid = { id: "droid", wiring: droidWiring };
const posix = (nodePath: string, hookPath: string): string =>
  String(hookEntry({ nodePath, hookPath }, droid, "Stop", "linux").command);

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

  const posixEntries: [id: string, wiring: Wiring, event: string, entry: object][] = [
    [
      "claude-code",
      claudeCodeWiring,
      "SessionEnd",
      { type: "command", command: "/h.sh --agent claude-code", timeout: 10 },
    ],
    [
      "gemini-cli",
      geminiCliWiring,
      "AfterAgent",
      { type: "command", command: "/h.sh --agent gemini-cli", timeout: 10000 },
    ],
    ["qwen-code", qwenCodeWiring, "Stop", { type: "command", command: "/h.sh --agent qwen-code", timeout: 10000 }],
    ["codex", codexWiring, "Stop", { type: "command", command: "/h.sh --agent codex", timeout: 10 }],
    ["codex", codexWiring, "SessionEnd", { type: "command", command: "/h.sh --agent codex", timeout: 3 }],
    ["cursor", cursorWiring, "stop", { command: "/h.sh --agent cursor", timeout: 10 }],
    ["copilot-cli", copilotCliWiring, "Stop", { type: "command", bash: "/h.sh --agent copilot-cli", timeoutSec: 10 }],
    ["windsurf", windsurfWiring, "post_cascade_response", { command: "/h.sh --agent windsurf", show_output: false }],
    ["kiro", kiroWiring, "stop", { command: "/h.sh --agent kiro", timeout_ms: 10000 }],
    ["goose", gooseWiring, "Stop", { type: "command", command: "/h.sh --agent goose", timeout: 10 }],
  ];
  it.each(posixEntries)("is what %s reads (%#)", (id, wiring, event, entry) => {
    const installation = { nodePath: "/n", hookPath: "/p/dist/hook.cjs", scriptPath: "/h.sh" };
    expect(hookEntry(installation, { id, wiring }, event, "linux")).toEqual(entry);
  });

  it("names the event where the payload does not", () => {
    const installation = { nodePath: "/n", hookPath: "/p/hook.cjs", scriptPath: "/h.sh" };
    expect(hookArgv(installation, { id: "cline", wiring: clineWiring }, "TaskError", "linux")).toEqual([
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
  const node = "C:/Program Files/nodejs/node.exe";
  const hook = "C:/it's/node_modules/hookbell/dist/hook.cjs";
  const quoted = (id: string): string => `"${node}" "${hook}" --agent ${id}`;
  const anyShell = (id: string): string => `node "${hook}" --agent ${id}`;
  const powershell = (id: string): string => `& '${node}' '${hook.replace("'", "''")}' --agent ${id}`;
  const forms: [id: string, wiring: Wiring, event: string, entry: object][] = [
    ["claude-code", claudeCodeWiring, "Stop", { command: node, args: [hook, "--agent", "claude-code"] }],
    ["droid", droidWiring, "Stop", { command: quoted("droid") }],
    ["gemini-cli", geminiCliWiring, "AfterAgent", { command: powershell("gemini-cli") }],
    ["qwen-code", qwenCodeWiring, "Stop", { command: anyShell("qwen-code") }],
    ["codex", codexWiring, "Stop", { command: quoted("codex"), commandWindows: quoted("codex") }],
    ["copilot-cli", copilotCliWiring, "Stop", { powershell: powershell("copilot-cli") }],
    ["cursor", cursorWiring, "stop", { command: anyShell("cursor") }],
    [
      "windsurf",
      windsurfWiring,
      "post_cascade_response",
      { command: anyShell("windsurf"), powershell: powershell("windsurf") },
    ],
    ["kiro", kiroWiring, "stop", { command: anyShell("kiro") }],
    ["goose", gooseWiring, "Stop", { command: anyShell("goose") }],
  ];
  it.each(forms)("is in the words of the shell that %s uses, and found again", (id, wiring, event, expected) => {
    const entry = hookEntry(installation, { id, wiring }, event, "win32");
    expect(entry).toMatchObject(expected);
    expect(Object.hasOwn(entry, "bash")).toBe(false);
    const { args = [], command, powershell: inPowershell } = entry as Record<string, string> & { args?: string[] };
    expect(ownerOf(command ?? inPowershell ?? "", args, "")).toBe("own");
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
