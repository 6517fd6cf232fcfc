// Which programs real agents find in front matter, plug-ins, extensions and the folders above that of a session: a table of cases.
import { createHash } from "node:crypto";
import { auggie } from "../../../agents/known/auggie/recipe.ts";
import { claudeCode } from "../../../agents/known/claude-code/recipe.ts";
import { codex } from "../../../agents/known/codex/recipe.ts";
import { droid } from "../../../agents/known/droid/recipe.ts";
import { geminiCli } from "../../../agents/known/gemini-cli/recipe.ts";
import { kilo } from "../../../agents/known/kilo/recipe.ts";
import { kimiCode } from "../../../agents/known/kimi-code/recipe.ts";
import { opencode } from "../../../agents/known/opencode/recipe.ts";
import { pi } from "../../../agents/known/pi/recipe.ts";
import { qwenCode } from "../../../agents/known/qwen-code/recipe.ts";
import { calls, manifest, market, type MarkerCase, type Markers, project, say } from "./case.ts";
import { copilotCases } from "./copilot.ts";
import { promptFor } from "../pretend-model.ts";
import type { AgentRecipe } from "../recipe.ts";

type Files = ReturnType<MarkerCase["files"]>;
type Content = Files[string];

/** Files in the top of the work tree, in the folder of the session, and in the one between. */
function inEachFolder(files: (folder: string, name: string) => (readonly [path: string, content: Content])[]): Files {
  return Object.fromEntries(
    ["", "/a", "/a/b"].flatMap((below) => files(`${project}${below}`, `folder${below.replaceAll("/", "-")}`)),
  );
}

/** Claude Code keeps such a module from the system, and starts programs for it. */
const hooksModule = (at: Markers, name: string): string =>
  `export function register(on) {
  on("session.start", async ($, event, next) => {
    await $.process.run(["touch", ${JSON.stringify(at.file(name))}]);
    return next(event);
  });
}
`;
const claude: MarkerCase = {
  recipe: claudeCode,
  what: "skills, commands, subagents and plug-ins",
  files: (at) => ({
    ".claude/commands/uc.md": at.hookOnTop("uc", "user-command"),
    ".claude/commands/one/two/uc2.md": at.hookOnTop("uc2", "deep-user-command"),
    ".claude/skills/us/SKILL.md": at.hookOnTop("us", "user-skill"),
    ".claude/agents/one/ua.md": at.hookOnTop("ua", "deep-user-agent"),
    [`${project}/.claude/commands/pc.md`]: at.hookOnTop("pc", "project-command"),
    [`${project}/.claude/skills/ps/SKILL.md`]: at.hookOnTop("ps", "project-skill"),
    [`${project}/.claude/agents/pa.md`]: at.hookOnTop("pa", "project-agent"),
    "market/.claude-plugin/marketplace.json": market(["one", "two", "three", "off"], {
      two: { hooks: at.hooks("market-entry") },
      three: { hooks: at.hooks("market-entry-not-installed") },
    }),
    "market/one/.claude-plugin/plugin.json": manifest("one", {
      hooks: ["./more/a.json", "./more/b.json"],
      mcpServers: "./more/s.json",
      skills: "./more/skills",
    }),
    "market/one/hooks/hooks.json": { hooks: at.hooks("usual-file"), modules: ["./register.ts"] },
    "market/one/hooks/register.ts": hooksModule(at, "plug-in-module"),
    "market/one/hooks/other.ts": hooksModule(at, "other-module"),
    "market/one/more/a.json": { hooks: at.hooks("named-first") },
    "market/one/more/b.json": { hooks: at.hooks("named-second") },
    "market/one/more/s.json": at.servers("named-server"),
    "market/one/skills/sk/SKILL.md": at.hookOnTop("sk", "plug-in-skill"),
    "market/one/more/skills/ms/SKILL.md": at.hookOnTop("ms", "named-skill"),
    "market/one/commands/pl.md": at.hookOnTop("pl", "plug-in-command"),
    "market/one/agents/ag.md": at.hookOnTop("ag", "plug-in-agent"),
    "market/two/.claude-plugin/plugin.json": manifest("two"),
    "market/three/.claude-plugin/plugin.json": manifest("three"),
    "market/off/.claude-plugin/plugin.json": manifest("off"),
    "market/off/hooks/hooks.json": { hooks: at.hooks("disabled") },
    ".claude/plugins/cache/m/left/1.0.0/.claude-plugin/plugin.json": manifest("left"),
    ".claude/plugins/cache/m/left/1.0.0/hooks/hooks.json": { hooks: at.hooks("not-installed") },
  }),
  before: (home) => [
    ["plugin", "marketplace", "add", `${home}/market`],
    ["plugin", "install", "one@m"],
    ["plugin", "install", "two@m"],
    ["plugin", "install", "off@m"],
    ["plugin", "disable", "off@m"],
  ],
  runs: () => [
    ...["uc", "uc2", "one:two:uc2", "us", "pc", "ps", "one:sk", "one:ms", "one:pl"].map((name) => [
      "-p",
      `/${name} ${say}`,
    ]),
    ...["ua", "pa", "one:ag"].map((name) => ["--agent", name, "-p", say]),
  ],
  notListed: ["market-entry-not-installed", "other-module", "plug-in-command", "plug-in-agent", "not-installed"],
};

// Codex asks a person to approve each hook; this argument approves them all.
const codexRun = (prompt: string): string[] => codex.args(prompt);
const codexServer = (at: Markers, name: string): string =>
  `[mcp_servers.${name}]\ncommand = "touch"\nargs = ["${at.file(name)}"]\n`;
const codexHook = (at: Markers, name: string): string =>
  `[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "${at.touch(name)}"\n`;
const codexTrust = (at: Markers): string =>
  `${at.baseText(".codex/config.toml")}\n[projects."${at.home}/${project}"]\ntrust_level = "trusted"\n`;

const codexPlugIn = (at: Markers, name: string, folder: string): Record<string, string | object> => ({
  [`market/${name}/${folder}/plugin.json`]: manifest(name, { hooks: "./more/h.json", mcpServers: "./more/m.json" }),
  [`market/${name}/more/h.json`]: { hooks: at.hooks(`${name}-named-hooks`) },
  [`market/${name}/more/m.json`]: at.servers(`${name}-named-server`),
  [`market/${name}/hooks/hooks.json`]: { hooks: at.hooks(`${name}-usual-hooks`) },
  [`market/${name}/.mcp.json`]: at.servers(`${name}-usual-server`),
});

const claudeBetween: MarkerCase = {
  recipe: claudeCode,
  what: "files in the folders between",
  notListed: ["folder-a-hook"],
  folder: "a/b",
  files: (at) =>
    inEachFolder((folder, name) => [
      [`${folder}/.claude/settings.json`, { hooks: at.hooks(`${name}-hook`) }],
      [`${folder}/.mcp.json`, at.servers(`${name}-server`)],
      [`${folder}/.claude/commands/${name}.md`, at.hookOnTop(name, `${name}-command`)],
      [`${folder}/.claude/skills/${name}s/SKILL.md`, at.hookOnTop(`${name}s`, `${name}-skill`)],
      [`${folder}/.claude/agents/${name}g.md`, at.hookOnTop(`${name}g`, `${name}-agent`)],
    ]),
  runs: () =>
    ["folder", "folder-a", "folder-a-b"].flatMap((name) => [
      ["-p", `/${name} ${say}`],
      ["-p", `/${name}s ${say}`],
      ["--agent", `${name}g`, "-p", say],
    ]),
};

const codexPlugIns = ["codex", "claude", "cursor", "list"];
const codexCases: readonly MarkerCase[] = [
  {
    recipe: codex,
    what: "plug-ins",
    notListed: [
      "codex-usual-hooks",
      "codex-usual-server",
      "claude-usual-hooks",
      "claude-usual-server",
      "cursor-usual-hooks",
      "cursor-usual-server",
    ],
    files: (at) => ({
      ...codexPlugIn(at, "codex", ".codex-plugin"),
      ...codexPlugIn(at, "claude", ".claude-plugin"),
      ...codexPlugIn(at, "cursor", ".cursor-plugin"),
      "market/list/.codex-plugin/plugin.json": manifest("list", {
        hooks: ["./more/h.json"],
        ...at.servers("list-server"),
      }),
      "market/list/more/h.json": { hooks: at.hooks("list-hooks") },
      "market/.agents/plugins/marketplace.json": {
        name: "m",
        interface: { displayName: "m" },
        plugins: codexPlugIns.map((name) => ({
          name,
          source: { source: "local", path: `./${name}` },
          policy: { installation: "AVAILABLE", authentication: "ON_INSTALL" },
          category: "Productivity",
        })),
      },
    }),
    before: (home) => [
      ["plugin", "marketplace", "add", `${home}/market`],
      ...codexPlugIns.map((name) => ["plugin", "add", `${name}@m`]),
    ],
    runs: () => [codexRun(say)],
  },
  {
    recipe: codex,
    what: "files in the folders between",
    notListed: ["above-server", "above-hook"],
    folder: "a/b",
    files: (at) => ({
      ".codex/config.toml": codexTrust(at),
      "work/.codex/config.toml": codexServer(at, "above-server"),
      "work/.codex/hooks.json": { hooks: at.hooks("above-hook") },
      [`${project}/.codex/config.toml`]: codexServer(at, "top-server"),
      [`${project}/a/.codex/config.toml`]: codexServer(at, "between-server") + codexHook(at, "between-setting"),
      [`${project}/a/.codex/hooks.json`]: { hooks: at.hooks("between-hook") },
      [`${project}/a/b/.codex/hooks.json`]: { hooks: at.hooks("session-hook") },
    }),
    runs: () => [codexRun(say)],
  },
  {
    recipe: codex,
    what: "profiles, roles and skills",
    notListed: ["role-server", "project-role-hook", "named-role-server", "user-skill-hook", "user-skill-server"],
    files: (at) => ({
      ".codex/config.toml": `${codexTrust(at)}\n[agents.named]\ndescription = "d"\nconfig_file = "./roles/named.toml"\n`,
      ".codex/work.config.toml": codexServer(at, "profile-server") + codexHook(at, "profile-hook"),
      ".codex/agents/ua.toml": `name = "ua"\ndescription = "d"\ndeveloper_instructions = "d"\n${codexServer(at, "role-server")}`,
      [`${project}/.codex/agents/pa.toml`]: `name = "pa"\ndescription = "d"\ndeveloper_instructions = "d"\n${codexHook(at, "project-role-hook")}`,
      ".codex/roles/named.toml": `developer_instructions = "d"\n${codexServer(at, "named-role-server")}`,
      ".codex/skills/us/SKILL.md": at.hookOnTop("us", "user-skill-hook"),
      ".agents/skills/ms/SKILL.md": at.serverOnTop("ms", "user-skill-server"),
    }),
    runs: () => [
      ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-p", "work", `$us $ms ${say}`],
      codexRun(
        calls(
          "spawn_agent",
          ["ua", "pa", "named"].map((name) => ({ agent_type: name, task_name: `t_${name}`, message: say })),
          [{ run: "sleep 3" }],
        ),
      ),
    ],
  },
];

const droidRun = (prompt: string): string[] => ["exec", "--auto", "high", prompt];
const factory = `${project}/.factory`;
const droidCases: readonly MarkerCase[] = [
  {
    recipe: droid,
    what: "skills, commands and subagents",
    notListed: [
      "user-droid-hook",
      "user-droid-server",
      "project-droid",
      "user-skill",
      "project-skill",
      "command",
      "project-servers",
      "claude-settings",
    ],
    files: (at) => ({
      ".factory/droids/ua.md": at.hookOnTop("ua", "user-droid-hook"),
      ".factory/droids/us.md": at.serverOnTop("us", "user-droid-server"),
      [`${factory}/droids/pa.md`]: at.serverOnTop("pa", "project-droid"),
      ".factory/skills/s1/SKILL.md": at.hookOnTop("s1", "user-skill"),
      [`${factory}/skills/s2/SKILL.md`]: at.hookOnTop("s2", "project-skill"),
      ".factory/commands/c.md": at.hookOnTop("c", "command"),
      [`${project}/.mcp.json`]: at.servers("project-servers"),
      [`${project}/.claude/settings.json`]: { hooks: at.hooks("claude-settings") },
    }),
    runs: () => [
      droidRun(
        calls(
          "Skill",
          ["s1", "s2"].map((skill) => ({ skill })),
        ),
      ),
      droidRun(
        calls(
          "Task",
          ["ua", "us", "pa"].map((name) => ({ subagent_type: name, description: "d", prompt: say })),
          [{ run: "sleep 3" }],
        ),
      ),
      ["exec", "/c"],
    ],
  },
  {
    recipe: droid,
    what: "files in the folders between",
    notListed: ["above-server", "above-settings"],
    folder: "a/b",
    files: (at) => ({
      "work/.factory/mcp.json": at.servers("above-server"),
      "work/.factory/settings.json": { hooks: at.hooks("above-settings") },
      [`${factory}/mcp.json`]: at.servers("top-server"),
      [`${factory}/hooks.json`]: at.hooks("top-hook"),
      [`${project}/a/.factory/mcp.json`]: at.servers("between-server"),
      [`${project}/a/.factory/hooks.json`]: at.hooks("between-hook"),
      [`${project}/a/.factory/settings.json`]: { hooks: at.hooks("between-settings") },
      [`${project}/a/b/.factory/settings.json`]: { hooks: at.hooks("session-settings") },
    }),
    runs: () => [droidRun(say)],
  },
  {
    recipe: droid,
    what: "settings and hooks beside each other",
    folder: "a/b/c",
    files: (at) => ({
      [`${project}/a/.factory/hooks.json`]: at.hooks("between-hook"),
      [`${project}/a/b/.factory/settings.json`]: { hooks: at.hooks("between-settings") },
      [`${project}/a/b/c/.factory/hooks/hooks.json`]: at.hooks("session-folder-hook"),
      [`${project}/a/b/c/.factory/settings.json`]: { hooks: at.hooks("session-settings") },
      [`${factory}/hooks/hooks.json`]: at.hooks("top-folder-hook"),
      [`${factory}/hooks.json`]: at.hooks("top-hook"),
      ".factory/hooks.json": at.hooks("user-hook"),
      ".factory/settings.json": at.withBase(".factory/settings.json", { hooks: at.hooks("user-settings") }),
    }),
    runs: () => [droidRun(say)],
  },
  {
    recipe: droid,
    what: "plug-ins",
    notListed: [
      "market-entry",
      "market-entry-server",
      "named-hooks",
      "named-server",
      "inline-hooks",
      "inline-server",
      "plug-in-droid",
      "claude-server",
      "root-hooks",
    ],
    files: (at) => ({
      "market/.factory-plugin/marketplace.json": market(["named", "inline", "claude", "usual", "shared"], {
        usual: { hooks: at.hooks("market-entry"), ...at.servers("market-entry-server") },
      }),
      "market/named/.factory-plugin/plugin.json": manifest("named", {
        hooks: "./more/h.json",
        mcpServers: "./more/m.json",
      }),
      "market/named/more/h.json": { hooks: at.hooks("named-hooks") },
      "market/named/more/m.json": at.servers("named-server"),
      "market/inline/.factory-plugin/plugin.json": manifest("inline", {
        hooks: at.hooks("inline-hooks"),
        ...at.servers("inline-server"),
      }),
      "market/inline/droids/d.md": at.serverOnTop("d", "plug-in-droid"),
      "market/claude/.claude-plugin/plugin.json": manifest("claude", at.servers("claude-server")),
      "market/claude/.mcp.json": at.servers("claude-usual-server"),
      "market/claude/hooks/hooks.json": { hooks: at.hooks("claude-usual-hooks") },
      "market/usual/.factory-plugin/plugin.json": manifest("usual"),
      "market/usual/hooks/hooks.json": { hooks: at.hooks("usual-hooks") },
      "market/usual/mcp.json": at.servers("usual-server"),
      "market/usual/hooks.json": { hooks: at.hooks("root-hooks") },
      "market/shared/.factory-plugin/plugin.json": manifest("shared"),
      "market/shared/hooks/hooks.json": { hooks: at.hooks("project-plug-in-hooks") },
      "market/shared/mcp.json": at.servers("project-plug-in-server"),
    }),
    before: (home) => [
      ["plugin", "marketplace", "add", `${home}/market`],
      ...["named", "inline", "claude", "usual"].map((name) => ["plugin", "install", `${name}@market`]),
      ["plugin", "install", "shared@market", "--scope", "project"],
    ],
    runs: () => [droidRun(say)],
  },
];

const geminiRun = (prompt: string): string[] => ["-y", "-p", prompt];
const gemini = `${project}/.gemini`;
/** Gemini CLI asks a person about each agent of a project, and keeps the answer there. */
const acknowledged = (at: Markers, agents: Readonly<Record<string, string>>): object => ({
  [at.cwd]: Object.fromEntries(
    Object.entries(agents).map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]),
  ),
});
const geminiCases: readonly MarkerCase[] = [
  {
    recipe: geminiCli,
    what: "skills, commands, subagents and extensions",
    notListed: [
      "deep-user-agent",
      "user-skill",
      "project-servers",
      "extension-inline-hooks",
      "extension-dot-mcp",
      "project-extension",
    ],
    files: (at) => {
      const known = at.serverOnTop("pa", "project-agent-acknowledged", "mcp_servers");
      return {
        ".gemini/agents/ua.md": at.serverOnTop("ua", "user-agent", "mcp_servers"),
        ".gemini/agents/deep/ud.md": at.serverOnTop("ud", "deep-user-agent", "mcp_servers"),
        [`${gemini}/agents/pa.md`]: known,
        [`${gemini}/agents/pb.md`]: at.serverOnTop("pb", "project-agent", "mcp_servers"),
        ".gemini/acknowledgments/agents.json": acknowledged(at, { pa: known }),
        ".gemini/skills/s1/SKILL.md": at.hookOnTop("s1", "user-skill", "AfterAgent"),
        [`${project}/.mcp.json`]: at.servers("project-servers"),
        ".gemini/extensions/e/gemini-extension.json": manifest("e", {
          hooks: at.hooks("extension-inline-hooks", "AfterAgent"),
          ...at.servers("extension-server"),
        }),
        ".gemini/extensions/e/hooks/hooks.json": { hooks: at.hooks("extension-hooks", "AfterAgent") },
        ".gemini/extensions/e/.mcp.json": at.servers("extension-dot-mcp"),
        ".gemini/extensions/e/agents/ea.md": at.serverOnTop("ea", "extension-agent", "mcp_servers"),
        [`${gemini}/extensions/pe/gemini-extension.json`]: manifest("pe", at.servers("project-extension")),
        "linked/gemini-extension.json": manifest("linked", at.servers("linked-server")),
        "linked/hooks/hooks.json": { hooks: at.hooks("linked-hooks", "AfterAgent") },
      };
    },
    before: (home) => [["extensions", "link", `${home}/linked`, "--consent"]],
    runs: () => [
      geminiRun(calls("activate_skill", [{ name: "s1" }])),
      geminiRun(
        calls(
          "invoke_agent",
          ["ua", "ud", "pa", "pb", "ea"].map((name) => ({ agent_name: name, prompt: say })),
        ),
      ),
    ],
  },
  {
    recipe: geminiCli,
    what: "agents with hooks, or with servers as others spell them,",
    notListed: ["user-agent-hook", "user-agent-other-server"],
    files: (at) => ({
      ".gemini/agents/uh.md": at.hookOnTop("uh", "user-agent-hook", "AfterAgent"),
      ".gemini/agents/us.md": at.serverOnTop("us", "user-agent-other-server"),
    }),
    runs: () => [
      geminiRun(
        calls(
          "invoke_agent",
          ["uh", "us"].map((name) => ({ agent_name: name, prompt: say })),
        ),
      ),
    ],
  },
  {
    recipe: geminiCli,
    what: "files in the folders between",
    notListed: ["folder-hook", "folder-server", "folder-a-hook", "folder-a-server"],
    folder: "a/b",
    files: (at) =>
      inEachFolder((folder, name) => [
        [
          `${folder}/.gemini/settings.json`,
          { hooks: at.hooks(`${name}-hook`, "AfterAgent"), ...at.servers(`${name}-server`) },
        ],
      ]),
    runs: () => [geminiRun(say)],
  },
];

/** Gemini CLI runs these without a shell, and reads tools from what the first one prints. */
const commandsOf = (recipe: AgentRecipe, folder: string, isOld: boolean): MarkerCase => ({
  recipe,
  what: isOld ? "commands by their old names" : "commands",
  // Without it, Qwen Code looks for tools of servers only.
  env: { QWEN_CODE_LEGACY_MCP_BLOCKING: "1" },
  notListed: isOld && recipe === geminiCli ? ["discovery", "call", "server-command"] : [],
  files: (at) => {
    const tool = { name: "shop_tool", description: "d", parameters: { type: "object", properties: {} } };
    const printed = JSON.stringify([{ function_declarations: [tool] }]);
    const discovery = `sh ${at.file("discovery")}.sh`;
    const call = `${at.file("call")}.sh`;
    const server = at.touch("server-command");
    const named = isOld
      ? { toolDiscoveryCommand: discovery, toolCallCommand: call, mcpServerCommand: server }
      : { tools: { discoveryCommand: discovery, callCommand: call }, mcp: { serverCommand: server } };
    return {
      "ran-call.sh": `#!/bin/sh\n${at.touch("call")}\n`,
      "ran-discovery.sh": `${at.touch("discovery")}\nchmod +x ${call}\necho '${printed}'\n`,
      [`${folder}/settings.json`]: at.withBase(`${folder}/settings.json`, named),
    };
  },
  runs: () => [
    ["-y", "-p", promptFor({ use: recipe === geminiCli ? "discovered_tool_shop_tool" : "shop_tool", say: "Done." })],
  ],
});
const qwenRun = (prompt: string): string[] => ["-y", "-p", prompt];
const qwen = `${project}/.qwen`;
const qwenCases: readonly MarkerCase[] = [
  {
    recipe: qwenCode,
    what: "skills, commands and subagents",
    notListed: ["deep-user-agent", "claude-skill", "user-skill-server", "command"],
    files: (at) => ({
      ".qwen/agents/ua.md": at.hookOnTop("ua", "user-agent-hook", "SubagentStart"),
      ".qwen/agents/us.md": at.serverOnTop("us", "user-agent-server"),
      ".qwen/agents/deep/ud.md": at.serverOnTop("ud", "deep-user-agent"),
      [`${qwen}/agents/pa.md`]: at.hookOnTop("pa", "project-agent-hook", "SubagentStart"),
      [`${qwen}/agents/ps.md`]: at.serverOnTop("ps", "project-agent-server"),
      ".qwen/skills/s1/SKILL.md": at.hookOnTop("s1", "user-skill"),
      [`${qwen}/skills/s2/SKILL.md`]: at.hookOnTop("s2", "project-skill"),
      ".agents/skills/s3/SKILL.md": at.hookOnTop("s3", "shared-skill"),
      [`${project}/.agents/skills/s4/SKILL.md`]: at.hookOnTop("s4", "shared-project-skill"),
      ".claude/skills/s5/SKILL.md": at.hookOnTop("s5", "claude-skill"),
      ".qwen/skills/s6/SKILL.md": at.serverOnTop("s6", "user-skill-server"),
      ".qwen/commands/c.md": at.hookOnTop("c", "command"),
      [`${project}/.mcp.json`]: at.servers("project-servers"),
      [`${qwen}/settings.json`]: at.servers("project-settings-server"),
    }),
    runs: () => [
      qwenRun(
        calls(
          "skill",
          ["s1", "s2", "s3", "s4", "s5", "s6"].map((skill) => ({ skill })),
        ),
      ),
      qwenRun(
        calls(
          "agent",
          ["ua", "us", "ud", "pa", "ps"].map((name) => ({ subagent_type: name, description: "d", prompt: say })),
        ),
      ),
      qwenRun("/c"),
    ],
  },
  {
    recipe: qwenCode,
    what: "extensions",
    notListed: ["extension-skill", "dot-mcp", "named-server", "project-extension"],
    files: (at) => ({
      ".qwen/extensions/e/qwen-extension.json": manifest("e", {
        hooks: at.hooks("inline-hooks"),
        ...at.servers("inline-server"),
      }),
      ".qwen/extensions/e/agents/ea.md": at.serverOnTop("ea", "extension-agent"),
      ".qwen/extensions/e/skills/es/SKILL.md": at.hookOnTop("es", "extension-skill"),
      ".qwen/extensions/e/.mcp.json": at.servers("dot-mcp"),
      ".qwen/extensions/f/qwen-extension.json": manifest("f", { hooks: "./more.json", mcpServers: "./m.json" }),
      ".qwen/extensions/f/more.json": { hooks: at.hooks("named-hooks") },
      ".qwen/extensions/f/m.json": at.servers("named-server"),
      ".qwen/extensions/g/qwen-extension.json": manifest("g"),
      ".qwen/extensions/g/hooks/hooks.json": { hooks: at.hooks("usual-hooks") },
      [`${qwen}/extensions/pe/qwen-extension.json`]: manifest("pe", at.servers("project-extension")),
      // `qwen extensions link` asks a person first.
      ".qwen/extensions/linked/.qwen-extension-install.json": { source: `${at.home}/linked`, type: "link" },
      "linked/qwen-extension.json": manifest("linked", {
        hooks: at.hooks("linked-hooks"),
        ...at.servers("linked-server"),
      }),
      "from/claude/.claude-plugin/plugin.json": manifest("claude", {
        hooks: at.hooks("converted-hooks"),
        ...at.servers("converted-server"),
      }),
      "from/claude/.claude-plugin/marketplace.json": {
        name: "m",
        owner: { name: "o" },
        plugins: [{ name: "claude", source: "./", description: "d" }],
      },
      "from/gemini/gemini-extension.json": manifest("gemini", at.servers("gemini-server")),
      "from/gemini/hooks/hooks.json": { hooks: at.hooks("gemini-hooks") },
      "from/open/plugin.json": {
        $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        name: "open",
        version: "1.0.0",
      },
      "from/open/mcp.json": {
        $schema: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        mcpServers: { open: { type: "stdio", ...at.server("open-server") } },
      },
    }),
    before: (home) =>
      ["claude:claude", "gemini", "open"].map((name) => ["extensions", "install", `${home}/from/${name}`, "--consent"]),
    runs: () => [
      qwenRun(calls("skill", [{ skill: "e:es" }, { skill: "es" }])),
      qwenRun(calls("agent", [{ subagent_type: "ea", description: "d", prompt: say }])),
    ],
  },
  {
    recipe: qwenCode,
    what: "files in the folders between",
    notListed: ["folder-hook", "folder-server", "folder-a-hook", "folder-a-server"],
    folder: "a/b",
    files: (at) =>
      inEachFolder((folder, name) => [
        [`${folder}/.qwen/settings.json`, { hooks: at.hooks(`${name}-hook`) }],
        [`${folder}/.mcp.json`, at.servers(`${name}-server`)],
      ]),
    runs: () => [qwenRun(say)],
  },
];

const ofOpencode = (recipe: AgentRecipe): readonly MarkerCase[] => {
  const { agent } = recipe;
  const config = (at: Markers, name: string): object => ({
    mcp: { [name]: { type: "local", command: ["touch", at.file(name)], enabled: true } },
  });
  return [
    {
      recipe,
      what: "skills, commands, subagents and files beside its own",
      notListed: [
        "user-agent-hook",
        "user-agent-server",
        "command",
        "skill",
        "claude-skill",
        "project-servers",
        "claude-settings",
        "deep-plug-in",
        "mjs-plug-in",
        "deep-tool",
        "project-config",
      ],
      files: (at) => ({
        [`.config/${agent}/agent/ua.md`]: at.hookOnTop("ua", "user-agent-hook"),
        [`.config/${agent}/agent/us.md`]: at.serverOnTop("us", "user-agent-server", "mcp"),
        [`${project}/.${agent}/command/c.md`]: at.hookOnTop("c", "command"),
        [`${project}/.${agent}/skills/s1/SKILL.md`]: at.hookOnTop("s1", "skill"),
        [`${project}/.claude/skills/s2/SKILL.md`]: at.serverOnTop("s2", "claude-skill"),
        [`${project}/.mcp.json`]: at.servers("project-servers"),
        [`${project}/.claude/settings.json`]: { hooks: at.hooks("claude-settings") },
        [`${project}/.${agent}/plugin/deep/y.js`]: at.code("deep-plug-in"),
        [`${project}/.${agent}/plugin/z.mjs`]: at.code("mjs-plug-in"),
        [`${project}/.${agent}/tool/deep/t.js`]: at.code("deep-tool"),
        [`.${agent}/${agent}.json`]: config(at, "home-folder-server"),
        [`.${agent}/plugin/h.js`]: at.code("home-folder-plug-in"),
        [`${project}/.${agent}/config.json`]: config(at, "project-config"),
      }),
      runs: () => [
        recipe.args(
          calls(
            "skill",
            ["s1", "s2"].map((name) => ({ name })),
          ),
        ),
        recipe.args(
          calls(
            "task",
            ["ua", "us"].map((name) => ({ subagent_type: name, description: "d", prompt: "hi" })),
          ),
        ),
      ],
    },
    {
      recipe,
      what: "files in the folders between",
      notListed: ["above-server", "above-plug-in"],
      folder: "a/b",
      files: (at) => ({
        [`work/${agent}.json`]: config(at, "above-server"),
        [`work/.${agent}/plugin/x.js`]: at.code("above-plug-in"),
        [`${project}/${agent}.json`]: config(at, "top-server"),
        [`${project}/a/${agent}.json`]: config(at, "between-server"),
        [`${project}/a/.${agent}/${agent}.json`]: config(at, "between-folder-server"),
        [`${project}/a/.${agent}/plugin/x.js`]: at.code("between-plug-in"),
      }),
      runs: () => [recipe.args(say)],
    },
  ];
};

/** A provider of models is a package, or a file that is loaded. */
const ofProvider = (recipe: AgentRecipe): MarkerCase => ({
  recipe,
  what: "packages and providers in its settings",
  files: (at) => ({
    "packages/ran-provider.js": `${at.code("provider")}export function createProvider() { throw new Error("none"); }\n`,
    "packages/ran-package.js": at.code("package"),
    [`${project}/${recipe.agent}.json`]: {
      plugin: [`file://${at.home}/packages/ran-package.js`],
      provider: {
        own: { npm: `file://${at.home}/packages/ran-provider.js`, models: { m: { name: "M" } }, options: {} },
      },
      model: "own/m",
    },
  }),
  runs: () => [recipe.args(say)],
});

const piRun = (prompt: string): string[] => ["--approve", "-p", prompt];
const piCases: readonly MarkerCase[] = [
  {
    recipe: pi,
    what: "packages, extensions and files beside its own",
    notListed: [
      "deep-extension",
      "mjs-extension",
      "home-folder-extension",
      "shared-extension",
      "skill-hook",
      "shared-server",
      "project-servers",
    ],
    files: (at) => ({
      ".pi/agent/extensions/pk/package.json": { name: "pk", pi: { extensions: ["./ran-extension-of-a-package.js"] } },
      ".pi/agent/extensions/pk/ran-extension-of-a-package.js": at.code("extension-of-a-package"),
      ".pi/agent/extensions/deep/er/index.js": at.code("deep-extension"),
      ".pi/agent/extensions/m.mjs": at.code("mjs-extension"),
      ".pi/extensions/y.js": at.code("home-folder-extension"),
      ".agents/extensions/x.js": at.code("shared-extension"),
      ".pi/agent/skills/s/SKILL.md": at.hookOnTop("s", "skill-hook"),
      ".pi/agent/mcp.json": at.servers("user-server"),
      ".agents/mcp.json": at.servers("shared-server"),
      [`${project}/.pi/mcp.json`]: at.servers("project-server"),
      [`${project}/.mcp.json`]: at.servers("project-servers"),
    }),
    runs: () => [piRun(say)],
  },
  {
    recipe: pi,
    what: "commands and packages in its settings",
    files: (at) => ({
      "packages/ran-listed-extension.js": at.code("listed-extension"),
      "packages/ran-listed-package/package.json": { name: "listed", pi: { extensions: ["./e.js"] } },
      "packages/ran-listed-package/e.js": at.code("listed-package"),
      "packages/ran-project-package/package.json": { name: "project", pi: { extensions: ["./e.js"] } },
      "packages/ran-project-package/e.js": at.code("project-package"),
      ".pi/agent/models.json": at
        .baseText(".pi/agent/models.json")
        .replace('"sk-pretended"', JSON.stringify(`!${at.touch("api-key")}; echo x`)),
      ".pi/agent/settings.json": at.withBase(".pi/agent/settings.json", {
        extensions: [`${at.home}/packages/ran-listed-extension.js`],
        packages: [`${at.home}/packages/ran-listed-package`],
        shellCommandPrefix: at.touch("prefix"),
      }),
      [`${project}/.pi/settings.json`]: { packages: [`${at.home}/packages/ran-project-package`] },
    }),
    runs: () => [piRun(promptFor({ run: "true", say: "Done." }))],
  },
  {
    recipe: pi,
    what: "files in the folders between",
    notListed: ["top-server", "top-extension", "between-server"],
    folder: "a/b",
    files: (at) => ({
      [`${project}/.pi/mcp.json`]: at.servers("top-server"),
      [`${project}/.pi/extensions/t.js`]: at.code("top-extension"),
      [`${project}/a/.pi/mcp.json`]: at.servers("between-server"),
      [`${project}/a/b/.pi/mcp.json`]: at.servers("session-server"),
      [`${project}/a/b/.pi/extensions/c.js`]: at.code("session-extension"),
    }),
    runs: () => [piRun(say)],
  },
];

const kimi = `${project}/.kimi-code`;
const kimiHooks = (at: Markers, name: string): object[] => [{ event: "Stop", command: at.touch(name) }];
/** It keeps a file for each folder that a person has trusted, named after a digest of its path. */
export function kimiTrust(cwd: string): [path: string, text: string][] {
  const digest = createHash("sha256").update(cwd).digest("hex").slice(0, 12);
  const name = `.kimi-code/workspace-trust/wd_${cwd.split("/").at(-1) ?? ""}_${digest}`;
  const text = JSON.stringify({ root: cwd, trustedAt: 1 });
  return [
    [name, text],
    [`${name}.json`, text],
  ];
}
const kimiPlugIns = ["plain", "dot", "claude", "named"];
const kimiCases: readonly MarkerCase[] = [
  {
    recipe: kimiCode,
    what: "skills, commands, subagents and files beside its own",
    notListed: [
      "project-settings",
      "user-agent-hook",
      "project-agent-server",
      "user-skill",
      "project-skill",
      "claude-settings",
    ],
    files: (at) => ({
      ...Object.fromEntries(kimiTrust(at.cwd)),
      [`${project}/.mcp.json`]: at.servers("project-servers"),
      [`${kimi}/mcp.json`]: at.servers("project-server"),
      [`${kimi}/config.toml`]: `[[hooks]]\nevent = "Stop"\ncommand = "${at.touch("project-settings")}"\n`,
      ".kimi-code/agents/ua.md": at.hookOnTop("ua", "user-agent-hook"),
      [`${kimi}/agents/pa.md`]: at.serverOnTop("pa", "project-agent-server"),
      ".kimi-code/skills/s1/SKILL.md": at.hookOnTop("s1", "user-skill"),
      [`${kimi}/skills/s2/SKILL.md`]: at.serverOnTop("s2", "project-skill"),
      ".claude/settings.json": { hooks: at.hooks("claude-settings") },
    }),
    runs: () => [
      kimiCode.args(
        calls(
          "Skill",
          ["s1", "s2"].map((skill) => ({ skill })),
        ),
      ),
      kimiCode.args(
        calls(
          "Agent",
          ["ua", "pa"].map((name) => ({ subagent_type: name, description: "d", prompt: say })),
        ),
      ),
    ],
  },
  {
    recipe: kimiCode,
    what: "plug-ins",
    notListed: [
      "plug-in-agent",
      "dot-mcp",
      "usual-hooks",
      "claude-hooks",
      "claude-server",
      "named-hooks",
      "named-server",
      "not-installed",
    ],
    files: (at) => ({
      "plug/plain/kimi.plugin.json": manifest("plain", {
        hooks: kimiHooks(at, "plain-hooks"),
        ...at.servers("plain-server"),
      }),
      "plug/plain/agents/x.md": at.serverOnTop("x", "plug-in-agent"),
      "plug/plain/.mcp.json": at.servers("dot-mcp"),
      "plug/plain/hooks/hooks.json": { hooks: kimiHooks(at, "usual-hooks") },
      "plug/dot/.kimi-plugin/plugin.json": manifest("dot", {
        hooks: kimiHooks(at, "dot-hooks"),
        ...at.servers("dot-server"),
      }),
      "plug/claude/.claude-plugin/plugin.json": manifest("claude", {
        hooks: kimiHooks(at, "claude-hooks"),
        ...at.servers("claude-server"),
      }),
      "plug/named/kimi.plugin.json": manifest("named", { hooks: "./h.json", mcpServers: "./m.json" }),
      "plug/named/h.json": kimiHooks(at, "named-hooks"),
      "plug/named/m.json": at.servers("named-server"),
      "plug/left/kimi.plugin.json": manifest("left", { hooks: kimiHooks(at, "not-installed") }),
      ".kimi-code/plugins/installed.json": {
        version: 1,
        plugins: kimiPlugIns.map((id) => ({
          id,
          root: `${at.home}/plug/${id}`,
          source: "local-path",
          originalSource: `${at.home}/plug/${id}`,
          enabled: true,
          installedAt: "2026-11-29T00:00:00Z",
          updatedAt: "2026-11-29T00:00:00Z",
        })),
      },
    }),
    runs: () => [kimiCode.args(say)],
  },
  {
    recipe: kimiCode,
    what: "files in the folders between",
    notListed: ["between-servers"],
    folder: "a/b",
    files: (at) => ({
      ...Object.fromEntries(kimiTrust(at.cwd)),
      [`${project}/.mcp.json`]: at.servers("top-servers"),
      [`${project}/a/.mcp.json`]: at.servers("between-servers"),
      [`${project}/a/b/.mcp.json`]: at.servers("session-servers"),
      [`${kimi}/mcp.json`]: at.servers("top-server"),
      [`${project}/a/b/.kimi-code/mcp.json`]: at.servers("session-server"),
    }),
    runs: () => [kimiCode.args(say)],
  },
];

const auggieBetween: MarkerCase = {
  recipe: auggie,
  what: "files in the folders between",
  notListed: ["folder-a-hook", "folder-a-server", "folder-a-b-hook", "folder-a-b-server"],
  folder: "a/b",
  files: (at) =>
    inEachFolder((folder, name) => [
      [`${folder}/.augment/settings.json`, { hooks: at.hooks(`${name}-hook`), ...at.servers(`${name}-server`) }],
    ]),
  runs: () => [auggie.args(say)],
};

export const markerCases: readonly MarkerCase[] = [
  claude,
  claudeBetween,
  ...codexCases,
  ...droidCases,
  ...geminiCases,
  commandsOf(geminiCli, ".gemini", false),
  commandsOf(geminiCli, ".gemini", true),
  ...qwenCases,
  commandsOf(qwenCode, ".qwen", false),
  commandsOf(qwenCode, ".qwen", true),
  ...copilotCases,
  ...ofOpencode(opencode),
  ofProvider(opencode),
  ...ofOpencode(kilo),
  ofProvider(kilo),
  ...piCases,
  ...kimiCases,
  auggieBetween,
];
