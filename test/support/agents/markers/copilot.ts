// Where Copilot CLI finds the programs of front matter, plug-ins, markets and the folders above that of a session.
import { copilotCli } from "../../../agents/known/copilot-cli/recipe.ts";
import { calls, manifest, market, type MarkerCase, type Markers, project, say } from "./case.ts";

const copilotRun = (prompt: string): string[] => ["--experimental", "--allow-all-tools", "-p", prompt];
const github = `${project}/.github`;
const copilotServer = (at: Markers, name: string): object => ({ type: "local", tools: ["*"], ...at.server(name) });
const copilotServers = (at: Markers, name: string): object => ({ mcpServers: { [name]: copilotServer(at, name) } });
const copilotHooks = (at: Markers, name: string): object => ({
  agentStop: [{ type: "command", bash: at.touch(name) }],
});
const copilotHookFile = (at: Markers, name: string): object => ({ version: 1, hooks: copilotHooks(at, name) });
const copilotAgent = (at: Markers, title: string, name: string): string =>
  at.serverOnTop(title, name, "mcp-servers", '    type: local\n    tools: ["*"]\n');
const copilotTrust = (at: Markers): Record<string, object> => ({
  ".copilot/config.json": { trustedFolders: [`${at.home}/${project}`] },
});
const copilotTasks = (names: readonly string[]): string =>
  calls(
    "task",
    names.map((name) => ({
      agent_type: name,
      name: `n${name.replace(":", "")}`,
      description: "d",
      prompt: say,
      mode: "sync",
    })),
    [{ run: "sleep 2" }],
  );
/** Where git finds these repositories in place of the network. */
const repositoryOf = (folder: string): string => `https://git.example.com/team/${folder}.git`;
const copilotRepositories = (at: Markers): Record<string, string> => ({
  ".gitconfig": ["market", "single"]
    .map((folder) => `[url "file://${at.home}/${folder}"]\n  insteadOf = ${repositoryOf(folder)}\n`)
    .join(""),
});
const copilotPlugIns = ["plain", "claude", "github", "dot", "usual", "open"];
const openPlugIn = { $schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json" };
export const copilotCases: readonly MarkerCase[] = [
  {
    recipe: copilotCli,
    what: "skills, prompts, subagents and extensions",
    notListed: [
      "user-agent-other-server",
      "claude-user-agent",
      "user-skill",
      "project-skill",
      "prompt",
      "claude-extension",
      "vscode-server",
    ],
    files: (at) => ({
      ...copilotTrust(at),
      ".copilot/agents/ua.md": copilotAgent(at, "ua", "user-agent"),
      ".copilot/agents/deep/ud.agent.md": copilotAgent(at, "ud", "deep-user-agent"),
      ".copilot/agents/uh.md": at.hookOnTop("uh", "user-agent-hook", "agentStop"),
      ".copilot/agents/ug.md": at.flatHookOnTop("ug", "user-agent-flat-hook", "agentStop"),
      ".copilot/agents/us.md": at.serverOnTop("us", "user-agent-other-server", "mcpServers", '    tools: ["*"]\n'),
      [`${github}/agents/pa.agent.md`]: copilotAgent(at, "pa", "project-agent"),
      [`${github}/agents/deep/pd.md`]: copilotAgent(at, "pd", "deep-project-agent"),
      [`${project}/.claude/agents/ca.md`]: copilotAgent(at, "ca", "claude-agent"),
      ".claude/agents/cu.md": copilotAgent(at, "cu", "claude-user-agent"),
      ".copilot/skills/s1/SKILL.md": at.hookOnTop("s1", "user-skill"),
      [`${github}/skills/s2/SKILL.md`]: at.hookOnTop("s2", "project-skill"),
      [`${github}/prompts/p.prompt.md`]: at.hookOnTop("p", "prompt"),
      ".copilot/extensions/e1/extension.mjs": at.code("user-extension"),
      ".copilot/extensions/e2/extension.cjs": at.commonJs("user-extension-cjs"),
      [`${github}/extensions/p1/extension.mjs`]: at.code("project-extension"),
      [`${project}/.claude/extensions/p2/extension.mjs`]: at.code("claude-extension"),
      [`${project}/.vscode/mcp.json`]: { servers: { vscode: at.server("vscode-server") } },
    }),
    runs: () => [
      copilotRun(
        calls(
          "skill",
          ["s1", "s2"].map((skill) => ({ skill })),
        ),
      ),
      copilotRun(copilotTasks(["ua", "ud", "uh", "ug", "us", "pa", "pd", "ca", "cu"])),
    ],
  },
  {
    recipe: copilotCli,
    what: "plug-ins",
    notListed: ["market-entry", "market-entry-hooks", "off-hooks", "not-named-hooks", "usual-github-server"],
    files: (at) => ({
      ...copilotTrust(at),
      "market/.claude-plugin/marketplace.json": market([...copilotPlugIns, "entry", "files", "off"], {
        entry: { strict: false, hooks: copilotHooks(at, "market-entry"), ...copilotServers(at, "market-entry-server") },
        files: { strict: false, hooks: "./h.json", mcpServers: "./s.json" },
        usual: copilotServers(at, "market-usual-server"),
      }),
      "market/files/h.json": copilotHookFile(at, "market-entry-hooks"),
      "market/files/s.json": copilotServers(at, "market-entry-file-server"),
      "market/off/plugin.json": manifest("off"),
      "market/off/hooks.json": copilotHookFile(at, "off-hooks"),
      "market/plain/plugin.json": manifest("plain", { hooks: "more/h.json", mcpServers: "more/m.json" }),
      "market/plain/hooks.json": copilotHookFile(at, "not-named-hooks"),
      "market/plain/.mcp.json": copilotServers(at, "not-named-server"),
      "market/plain/more/h.json": copilotHookFile(at, "named-hooks"),
      "market/plain/more/m.json": copilotServers(at, "named-server"),
      "market/plain/agents/ag.md": copilotAgent(at, "ag", "plug-in-agent"),
      "market/plain/extensions/x/extension.mjs": at.code("plug-in-extension"),
      "market/claude/.claude-plugin/plugin.json": manifest("claude", {
        hooks: copilotHooks(at, "claude-hooks"),
        ...copilotServers(at, "claude-server"),
      }),
      "market/github/.github/plugin/plugin.json": manifest("github", {
        hooks: "./more/h.json",
        ...copilotServers(at, "github-server"),
      }),
      "market/github/more/h.json": copilotHookFile(at, "github-hooks"),
      "market/dot/.plugin/plugin.json": manifest("dot", { hooks: "./more/h.json", mcpServers: "./more/m.json" }),
      "market/dot/more/h.json": copilotHookFile(at, "dot-hooks"),
      "market/dot/more/m.json": copilotServers(at, "dot-server"),
      "market/usual/plugin.json": manifest("usual"),
      "market/usual/hooks.json": copilotHookFile(at, "usual-hooks"),
      "market/usual/.mcp.json": copilotServers(at, "usual-server"),
      "market/usual/mcp.json": copilotServers(at, "usual-open-server"),
      "market/usual/.github/mcp.json": copilotServers(at, "usual-github-server"),
      "market/usual/com.github.copilot/hooks/hooks.json": copilotHookFile(at, "usual-vendor-hooks"),
      "market/open/plugin.json": { ...openPlugIn, name: "open", version: "1.0.0" },
      "market/open/mcp.json": {
        $schema: "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
        mcpServers: { open: { type: "stdio", ...at.server("open-server") } },
      },
      "market/open/com.github.copilot/hooks/hooks.json": copilotHookFile(at, "open-hooks"),
      "market/open/com.github.copilot/agents/oa.md": copilotAgent(at, "oa", "open-agent"),
      "market/open/com.github.copilot/extensions/e/extension.mjs": at.code("open-extension"),
      "market/entry/readme.md": "It has no manifest.",
    }),
    before: (home) => [
      ["plugin", "marketplace", "add", `${home}/market`],
      ...[...copilotPlugIns, "entry", "files", "off"].map((name) => ["plugin", "install", `${name}@m`]),
      ["plugin", "disable", "off@m"],
    ],
    runs: () => [copilotRun(copilotTasks(["plain:ag", "open:oa"]))],
  },
  ...[
    { settings: ".copilot/settings.json", list: ".claude-plugin/" },
    { settings: `${github}/copilot/settings.json`, list: "" },
    { settings: `${project}/.claude/settings.json`, list: ".plugin/" },
  ].map(({ settings, list }): MarkerCase => ({
    recipe: copilotCli,
    what: `plug-ins of a folder in ${settings}`,
    notListed: ["idle-hooks"],
    files: (at) => ({
      ...copilotTrust(at),
      [settings]: {
        extraKnownMarketplaces: {
          m: {
            source: {
              source: "directory",
              path: settings.startsWith(project) ? "./market" : `${at.home}/${project}/market`,
            },
          },
        },
        enabledPlugins: { "live@m": true, "listed@m": true },
      },
      [`${project}/market/${list}marketplace.json`]: market(["live", "idle", "listed"], {
        listed: copilotServers(at, "listed-server"),
      }),
      [`${project}/market/listed/readme.md`]: "It has no manifest.",
      [`${project}/market/live/plugin.json`]: manifest("live"),
      [`${project}/market/live/hooks.json`]: copilotHookFile(at, "live-hooks"),
      [`${project}/market/live/.mcp.json`]: copilotServers(at, "live-server"),
      [`${project}/market/idle/plugin.json`]: manifest("idle"),
      [`${project}/market/idle/hooks.json`]: copilotHookFile(at, "idle-hooks"),
    }),
    runs: () => [copilotRun(say)],
  })),
  {
    recipe: copilotCli,
    what: "plug-ins of git repositories",
    repositories: ["market", "single"],
    notListed: ["entry-hooks", "both-entry-server", "other-entry-server", "files-hooks", "idle-hooks", "left-hooks"],
    files: (at) => ({
      ...copilotTrust(at),
      ...copilotRepositories(at),
      "market/.claude-plugin/marketplace.json": market(["entry", "both", "files", "other", "off", "idle"], {
        entry: { strict: false, hooks: copilotHooks(at, "entry-hooks"), ...copilotServers(at, "entry-server") },
        both: copilotServers(at, "both-entry-server"),
        files: { strict: false, hooks: "./h.json", mcpServers: "./s.json" },
        other: { source: { source: "url", url: repositoryOf("single") }, ...copilotServers(at, "other-entry-server") },
      }),
      "market/entry/readme.md": "It has no manifest.",
      "market/both/plugin.json": manifest("both"),
      "market/both/hooks.json": copilotHookFile(at, "both-hooks"),
      "market/both/.mcp.json": copilotServers(at, "both-server"),
      "market/files/h.json": copilotHookFile(at, "files-hooks"),
      "market/files/s.json": copilotServers(at, "files-server"),
      "market/off/plugin.json": manifest("off"),
      "market/off/hooks.json": copilotHookFile(at, "off-hooks"),
      "market/idle/plugin.json": manifest("idle"),
      "market/idle/hooks.json": copilotHookFile(at, "idle-hooks"),
      "single/plugin.json": manifest("other"),
      "single/hooks.json": copilotHookFile(at, "single-hooks"),
      "single/.mcp.json": copilotServers(at, "single-server"),
      // Its list of plug-ins does not have it.
      ".copilot/installed-plugins/m/left/plugin.json": manifest("left"),
      ".copilot/installed-plugins/m/left/hooks.json": copilotHookFile(at, "left-hooks"),
    }),
    before: () => [
      ["plugin", "marketplace", "add", repositoryOf("market")],
      ...["entry", "both", "files", "other", "off"].map((name) => ["plugin", "install", `${name}@m`]),
      ["plugin", "disable", "off@m"],
    ],
    runs: () => [copilotRun(say)],
  },
  {
    recipe: copilotCli,
    what: "plug-ins of a git repository in a project's settings",
    repositories: ["market"],
    files: (at) => ({
      ...copilotTrust(at),
      ...copilotRepositories(at),
      "market/marketplace.json": market(["one", "entry"], { entry: copilotServers(at, "entry-server") }),
      "market/one/plugin.json": manifest("one"),
      "market/one/hooks.json": copilotHookFile(at, "one-hooks"),
      "market/one/.mcp.json": copilotServers(at, "one-server"),
      "market/entry/readme.md": "It has no manifest.",
      [`${github}/copilot/settings.json`]: {
        extraKnownMarketplaces: { m: { source: { source: "git", url: repositoryOf("market") } } },
        enabledPlugins: { "one@m": true, "entry@m": true },
      },
    }),
    // The first run installs them.
    runs: () => [copilotRun(say), copilotRun(say)],
  },
  {
    recipe: copilotCli,
    what: "plug-ins in its list of those that are installed",
    files: (at) => {
      const plugIns = ["on", "off"];
      return {
        ...Object.fromEntries(
          plugIns.flatMap((name) => [
            [`anywhere/${name}/plugin.json`, manifest(name)],
            [`anywhere/${name}/hooks.json`, copilotHookFile(at, `${name}-hooks`)],
          ]),
        ),
        ".copilot/config.json": `// This file is managed automatically.\n${JSON.stringify({
          ...copilotTrust(at)[".copilot/config.json"],
          installedPlugins: plugIns.map((name) => ({
            name,
            marketplace: "",
            version: "1.0.0",
            installed_at: "2026-11-29T00:00:00.000Z",
            cache_path: `${at.home}/anywhere/${name}`,
            enabled: name === "on",
          })),
        })}`,
      };
    },
    runs: () => [copilotRun(say)],
  },
  {
    recipe: copilotCli,
    what: "language servers",
    files: (at) => ({
      ...copilotTrust(at),
      [`${project}/a.ts`]: "let a = 1;\n",
      [`${project}/b.py`]: "a = 1\n",
      [`${github}/lsp.json`]: { lspServers: { ts: languageServer(at, "project-language", ".ts") } },
      ".copilot/lsp-config.json": { lspServers: { py: languageServer(at, "user-language", ".py") } },
    }),
    runs: ({ cwd }) => [
      copilotRun(
        calls(
          "lsp",
          ["a.ts", "b.py"].map((name) => ({
            operation: "documentSymbol",
            file: `${cwd}/${name}`,
            line: 1,
            character: 1,
          })),
        ),
      ),
    ],
  },
  {
    recipe: copilotCli,
    what: "files in the folders between",
    notListed: ["above-server"],
    folder: "a/b",
    files: (at) => ({
      ...copilotTrust(at),
      "work/.mcp.json": copilotServers(at, "above-server"),
      [`${project}/.mcp.json`]: copilotServers(at, "top-server"),
      [`${project}/a/.mcp.json`]: copilotServers(at, "between-server"),
      [`${project}/a/b/.mcp.json`]: copilotServers(at, "session-server"),
      [`${github}/hooks/h.json`]: copilotHookFile(at, "top-hook"),
      [`${project}/a/.github/hooks/h.json`]: copilotHookFile(at, "between-hook"),
      [`${project}/a/b/.github/hooks/h.json`]: copilotHookFile(at, "session-hook"),
      [`${project}/.claude/settings.json`]: { hooks: at.hooks("top-claude-hook") },
      [`${project}/a/.claude/settings.json`]: { hooks: at.hooks("between-claude-hook") },
      [`${project}/a/b/.claude/settings.json`]: { hooks: at.hooks("session-claude-hook") },
      [`${github}/agents/ta.md`]: copilotAgent(at, "ta", "top-agent"),
      [`${project}/a/.github/agents/ba.md`]: copilotAgent(at, "ba", "between-agent"),
    }),
    runs: () => [copilotRun(copilotTasks(["ta", "ba"]))],
  },
];

function languageServer(at: Markers, name: string, ending: string): object {
  return { ...at.server(name), fileExtensions: { [ending]: name } };
}
