// Where each agent finds the programs that it starts: hooks, MCP servers, status lines, helpers, plug-ins. The user's own hook files
// stand in the hook setups; here is what else the agents' documents name, each with the page.
/** Each scope with the words for it. */
export const scopes = {
  user: "user",
  project: "project",
  local: "project, local",
  managed: "managed",
  "plug-in": "plug-in",
} as const;
export type Scope = keyof typeof scopes;

/** Names of members. A `*` stands for any name or item, or for a part of a name; an empty path is the file's own object. */
type Path = readonly string[];

/** What starts programs in a settings file. */
export interface Parts {
  /** Objects of lists by event, or lists whose items name their event. */
  hooks?: readonly Path[];
  /** Objects of servers by name: MCP and language servers. */
  servers?: readonly Path[];
  /** A command, or a program with its arguments. */
  commands?: readonly Path[];
  /** Lists of packages or files that the agent loads. */
  packages?: readonly Path[];
  /** Objects with the plug-ins that are switched on, by name. */
  enabled?: readonly Path[];
  /** Texts that are commands if they begin with a `!`. */
  marked?: readonly Path[];
}

/**
 * `settings`: JSON with or without comments, or TOML by its name. `tasks`: tasks of an editor, some of which start by themselves.
 * `code`: the agent loads the file itself. `frontMatter`: a Markdown file that may have these members at its top, with hooks or
 * servers. `market`: a list of plug-ins, of which those that are installed may have hooks and servers there.
 */
export type PlaceContent =
  | ({ kind: "settings" } & Parts)
  | ({ kind: "market" } & Parts)
  /** Names of members. One that ends with a `!` counts only beside a value that has one. */
  | { kind: "frontMatter"; keys: readonly string[] }
  | { kind: "tasks" | "code" };

/**
 * That of the session alone, the top of its work tree alone, or each one from there to the top. `loose`: where there is no work
 * tree, each one above. `all`: each one above, also those above the work tree.
 */
type ProjectFolders = "session" | "top" | "each" | "loose" | "all";

export interface Place {
  scope: Scope;
  /** `agent`: the folder of the agent's hook setup. `project`: the folder of a session, and the top of its work tree. */
  from: "agent" | "home" | "project" | "system" | "plugIns" | "markets";
  /** A `*` stands for any characters of a name, a `?` for one, a `**` for folders in each other, or none. */
  path: string;
  /** Where `path` has its place on Windows and macOS, of what is not below the home folder. */
  elsewhere?: Readonly<Partial<Record<NodeJS.Platform, string>>>;
  content: PlaceContent;
  /** Members of a manifest, or of a market's entry, that name further files or folders below the plug-in's, or beside the file that names them: what is read there. */
  names?: Readonly<Record<string, Pick<Place, "path" | "content"> & { beside?: true }>>;
  /** Where the agent reads it in other folders of a project than its other files: see `projectFolders`. */
  folders?: ProjectFolders;
  /** A member of the plug-in's manifest: if it is there, the agent does not read this file. */
  unlessNamed?: string;
  /** By the kind of launch: the agent's documents name the file, and a run of the agent started nothing of it. */
  doubt?: Readonly<Partial<Record<"hook" | "server" | "code", string>>>;
  /** The file is another agent's first: it counts only where this agent has been used. */
  isShared?: true;
  /** The agent reads it only if a variable has moved its folder, or only if none has. */
  onlyIf?: "moved" | "unmoved";
}

const settings = (parts: Parts): PlaceContent => ({ kind: "settings", ...parts });
const hooks = settings({ hooks: [["hooks"]] });
const servers = settings({ servers: [["mcpServers"]] });
const hooksAndServers = settings({ hooks: [["hooks"]], servers: [["mcpServers"]] });
const code: PlaceContent = { kind: "code" };
/** Each agent has its own words for them, and takes no others. */
const frontMatter = (...keys: readonly string[]): PlaceContent => ({ kind: "frontMatter", keys });
const hooksOrServersOnTop = frontMatter("hooks", "mcpServers");
const hooksOnTop = frontMatter("hooks");
/** An agent elsewhere may have a key that begins with a `!`, which is a command. */
const geminiAgent = frontMatter("mcp_servers", "auth!");

const place =
  (scope: Scope, from: Place["from"]) =>
  (path: string, content: PlaceContent, elsewhere?: Place["elsewhere"]): Place => ({
    scope,
    from,
    path,
    content,
    ...(elsewhere === undefined ? {} : { elsewhere }),
  });
const shared = (each: Place): Place => ({ ...each, isShared: true });
const own = place("user", "agent");
const atHome = place("user", "home");
const ofProject = place("project", "project");
const local = place("local", "project");
const managed = place("managed", "system");
const plugIn = place("plug-in", "plugIns");

/** Variables that make another program of what is started, or have it read other settings. */
const decidingVariables: readonly string[] = [
  "PATH HOME SHELL ENV BASH_ENV BASH_FUNC_* ZDOTDIR PROMPT_COMMAND PS4 SHELLOPTS LD_* DYLD_* NODE_OPTIONS",
  "NODE_PATH BUN_OPTIONS PYTHONSTARTUP PYTHONPATH PYTHONHOME PERL5OPT PERL5LIB RUBYOPT RUBYLIB",
  "JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS GIT_CONFIG* GIT_SSH* GIT_*EDITOR GIT_ASKPASS GIT_PAGER",
  "GIT_EXTERNAL_DIFF GIT_EXEC_PATH GIT_PROXY_COMMAND GIT_TEMPLATE_DIR GIT_DIR SSH_ASKPASS EDITOR VISUAL",
  "PAGER BROWSER CLAUDE_CONFIG_DIR CLAUDE_ENV_FILE CLAUDE_CODE_SHELL* CLAUDE_CODE_*_DIR CLAUDE_CODE_*_PATH",
  "XDG_CONFIG_HOME XDG_DATA_HOME AWS_CONFIG_FILE GOOGLE_APPLICATION_CREDENTIALS npm_config_*",
].flatMap((line) => line.split(" "));
/** A file of variables that an agent takes over. */
const variables = settings({ commands: decidingVariables.map((name) => [name]) });

/** https://code.claude.com/docs/en/settings, .../statusline, .../authentication */
const claudeCommands: Parts = {
  hooks: [["hooks"]],
  enabled: [["enabledPlugins"]],
  commands: [
    ["statusLine", "command"],
    ["subagentStatusLine", "command"],
    ["fileSuggestion", "command"],
    ["apiKeyHelper"],
    ["awsAuthRefresh"],
    ["awsCredentialExport"],
    ["gcpAuthRefresh"],
    ["otelHeadersHelper"],
    ["policyHelper", "path"],
    ["policyHelper", "command"],
    ["policyHelpers", "*", "path"],
    ["proxyAuthHelper"],
    ["processWrapper"],
    ...decidingVariables.map((name) => ["env", name]),
  ],
};
/** Its servers are in files of their own; those that have taken over its form may have them here. */
const claudeSettings = settings(claudeCommands);
const settingsLikeClaude = settings({ ...claudeCommands, servers: [["mcpServers"]] });

const serversAnyhow = settings({ servers: [["mcpServers"], []] });
const languageServers = settings({ servers: [[]] });
const monitors = settings({ hooks: [[]] });
const inManifest: Parts = { hooks: [["hooks"]], servers: [["mcpServers"], ["lspServers"]] };

/** A plug-in of Claude Code's form: https://code.claude.com/docs/en/plugins-reference */
const claudePlugIn: readonly Place[] = [
  // A module that Claude Code 2.1.332 loads, and that may have it start programs.
  { ...plugIn("hooks/hooks.json", hooks), names: { modules: { path: "", content: code, beside: true } } },
  {
    ...plugIn(".claude-plugin/plugin.json", settings(inManifest)),
    names: {
      hooks: { path: "", content: hooks },
      mcpServers: { path: "", content: serversAnyhow },
      lspServers: { path: "", content: languageServers },
      monitors: { path: "", content: monitors },
      skills: { path: "*/SKILL.md", content: hooksOrServersOnTop },
    },
  },
  plugIn(".mcp.json", serversAnyhow),
  plugIn(".lsp.json", languageServers),
  plugIn("monitors/monitors.json", monitors),
  // Claude Code 2.1.332 ran no hooks of a plug-in's agents and commands.
  plugIn("skills/*/SKILL.md", hooksOrServersOnTop),
  place("plug-in", "markets")(".claude-plugin/marketplace.json", { kind: "market", ...inManifest }),
];

/** https://code.claude.com/docs/en/mcp: servers of the user, and of the user for one project. */
const claudeState = settings({ servers: [["mcpServers"], ["projects", "*", "mcpServers"]] });

/** https://developers.openai.com/codex/hooks, .../config-reference */
const codexSettings = settings({
  hooks: [["hooks"]],
  servers: [["mcp_servers"]],
  commands: [["notify"], ["model_providers", "*", "auth", "command"]],
});

/** https://geminicli.com/docs/reference/configuration; Qwen Code and Tabnine have taken it over. */
const geminiCommands: Parts["commands"] = [
  ["tools", "discoveryCommand"],
  ["tools", "callCommand"],
  ["mcp", "serverCommand"],
];
const geminiParts: Parts = { hooks: [["hooks"]], servers: [["mcpServers"]] };
const geminiSettings = settings({ ...geminiParts, commands: geminiCommands });
/** Gemini CLI 0.61.0 started nothing by the older names; Qwen Code writes the newer ones in their place. */
const oldGeminiCommands: Parts["commands"] = [["toolDiscoveryCommand"], ["toolCallCommand"], ["mcpServerCommand"]];
const likeGemini = settings({
  ...geminiParts,
  commands: [...geminiCommands, ...oldGeminiCommands, ["ui", "statusLine", "command"]],
});

/** https://opencode.ai/docs/config: `plugin` names packages, which opencode installs and loads. */
const opencodeSettings = settings({
  servers: [["mcp"], ["formatter"], ["lsp"]],
  packages: [["plugin"]],
  // A package, or a file, that is loaded for its models.
  commands: [["provider", "*", "npm"], ["shell"]],
});

const profile = "only with `codex -p`";
const onlyWithProfile = { hook: profile, server: profile };

/** Plug-ins for its screen. */
const opencodeScreen = settings({ packages: [["plugin"]] });

/** What opencode reads in a folder of its name: in the home folder, and in that of a project. */
const opencodeFolder = (name: string): readonly [path: string, content: PlaceContent][] => [
  [`${name}.json`, opencodeSettings],
  [`${name}.jsonc`, opencodeSettings],
  ["plugin/*.?s", code],
  ["plugins/*.?s", code],
  ["tool/*.?s", code],
  ["tools/*.?s", code],
  ["tui.json", opencodeScreen],
  ["tui.jsonc", opencodeScreen],
];

const ofOpencode = (name: string, folders: readonly string[]): readonly Place[] => [
  ...opencodeFolder(name).map(([path, content]) => own(path, content)),
  ofProject(`${name}.json`, opencodeSettings),
  ofProject(`${name}.jsonc`, opencodeSettings),
  ofProject("tui.json", opencodeScreen),
  ofProject("tui.jsonc", opencodeScreen),
  ...folders.flatMap((folder) => [
    ...opencodeFolder(name).map(([path, content]) => atHome(`${folder}/${path}`, content)),
    ...opencodeFolder(name).map(([path, content]) => ofProject(`${folder}/${path}`, content)),
  ]),
];

/** The files of an agent that has Claude Code's hooks in a folder of its own. */
const likeClaude = (folder: string, file = "settings.json"): readonly Place[] => [
  own(file, settingsLikeClaude),
  ofProject(`${folder}/${file}`, settingsLikeClaude),
  local(`${folder}/${file.replace(".json", ".local.json")}`, settingsLikeClaude),
];

const copilotCommands: Parts = { hooks: [["hooks"]], enabled: [["enabledPlugins"]] };
const copilotAgent = frontMatter("hooks", "mcp-servers");
const open = "only if the plug-in's manifest says that it is an Agent Plugin of the open form";
const onlyOpen = { hook: open, server: open };
const onlyWithoutFile = { server: "only if the plug-in has no .mcp.json" };
const onlyExperimental = { code: "only with --experimental" };

/** VS Code runs such a task when the folder is opened: https://code.visualstudio.com/docs/debugtest/tasks */
const tasks: PlaceContent = { kind: "tasks" };

const piSettings = settings({
  packages: [["extensions"], ["packages"]],
  commands: [["shellCommandPrefix"], ["shellPath"], ["npmCommand"], ["externalEditor"], ["selfUpdateCommand"]],
});
/** Values of headers and keys may be commands: pi's docs/providers.md, .../models-configuration.md, .../mcp.md. */
const piModels = settings({
  marked: [
    ["providers", "*", "apiKey"],
    ["providers", "*", "headers", "*"],
    ["providers", "*", "models", "*", "headers", "*"],
    ["providers", "*", "modelOverrides", "*", "headers", "*"],
  ],
});
const piServers = settings({
  servers: [["mcpServers"]],
  marked: [
    ["mcpServers", "*", "headers", "*"],
    ["mcpServers", "*", "oauth", "clientSecret"],
  ],
});
const piPackage = settings({ packages: [["pi", "extensions"]] });

/** Its servers are in files of their own. */
const droidSettings = settings({ hooks: [["hooks"]], commands: [["statusLine", "command"]] });
const onlyIfApproved = { server: "only after you have approved it (`qwen mcp approve`), or with -y" };
const unseenByDroid = { hook: "Droid 0.225.2 ran no hook of this file" };

/** A script may decide whether a tool may be used. */
const auggieSettings = settings({
  hooks: [["hooks"]],
  servers: [["mcpServers"]],
  commands: [["toolPermissions", "*", "permission", "script"]],
});

export const placesOf: Readonly<Record<string, readonly Place[]>> = {
  "claude-code": [
    own("settings.json", claudeSettings),
    { ...atHome(".claude.json", claudeState), onlyIf: "unmoved" },
    { ...own(".claude.json", claudeState), onlyIf: "moved" },
    own("agents/**/*.md", hooksOrServersOnTop),
    own("commands/**/*.md", hooksOrServersOnTop),
    own("skills/*/SKILL.md", hooksOrServersOnTop),
    ofProject(".claude/settings.json", claudeSettings),
    local(".claude/settings.local.json", claudeSettings),
    { ...ofProject(".mcp.json", servers), folders: "all" },
    { ...ofProject(".claude/agents/**/*.md", hooksOrServersOnTop), folders: "loose" },
    { ...ofProject(".claude/commands/**/*.md", hooksOrServersOnTop), folders: "loose" },
    { ...ofProject(".claude/skills/*/SKILL.md", hooksOrServersOnTop), folders: "loose" },
    managed("/etc/claude-code/managed-settings.json", claudeSettings, {
      darwin: "/Library/Application Support/ClaudeCode/managed-settings.json",
      win32: "C:\\Program Files\\ClaudeCode\\managed-settings.json",
    }),
    managed("/etc/claude-code/managed-settings.d/*.json", claudeSettings, {
      darwin: "/Library/Application Support/ClaudeCode/managed-settings.d/*.json",
      win32: "C:\\Program Files\\ClaudeCode\\managed-settings.d\\*.json",
    }),
    managed("/etc/claude-code/managed-mcp.json", servers, {
      darwin: "/Library/Application Support/ClaudeCode/managed-mcp.json",
      win32: "C:\\Program Files\\ClaudeCode\\managed-mcp.json",
    }),
    ...claudePlugIn,
  ],
  codex: [
    own("hooks.json", hooks),
    own("config.toml", codexSettings),
    own(".env", variables),
    { ...own("*.config.toml", codexSettings), doubt: onlyWithProfile },
    ofProject(".codex/hooks.json", hooks),
    ofProject(".codex/config.toml", codexSettings),
    managed("/etc/codex/requirements.toml", codexSettings),
    managed("/etc/codex/managed_config.toml", codexSettings),
    managed("/etc/codex/config.toml", codexSettings),
    managed("/etc/codex/hooks.json", hooks),
    { ...plugIn("hooks/hooks.json", hooks), unlessNamed: "hooks" },
    { ...plugIn("hooks.json", hooks), unlessNamed: "hooks" },
    ...[".codex-plugin", ".claude-plugin", ".cursor-plugin"].map((folder): Place => ({
      ...plugIn(`${folder}/plugin.json`, hooksAndServers),
      names: { hooks: { path: "", content: hooks }, mcpServers: { path: "", content: serversAnyhow } },
    })),
    { ...plugIn(".mcp.json", serversAnyhow), unlessNamed: "mcpServers" },
  ],
  // https://docs.factory.ai/reference/hooks-reference, .../cli/configuration/mcp
  droid: [
    own("hooks.json", settings({ hooks: [[], ["hooks"]] })),
    own("hooks/hooks.json", settings({ hooks: [[], ["hooks"]] })),
    own("settings.json", droidSettings),
    { ...own("settings.local.json", droidSettings), doubt: unseenByDroid },
    own("mcp.json", servers),
    ofProject(".factory/hooks.json", settings({ hooks: [[], ["hooks"]] })),
    ofProject(".factory/hooks/hooks.json", settings({ hooks: [[], ["hooks"]] })),
    ofProject(".factory/settings.json", droidSettings),
    { ...local(".factory/settings.local.json", droidSettings), doubt: unseenByDroid },
    ofProject(".factory/mcp.json", servers),
    managed("/etc/factory/settings.json", droidSettings, {
      darwin: "/Library/Application Support/Factory/settings.json",
      win32: "C:\\Program Files\\Factory\\settings.json",
    }),
    plugIn("hooks/hooks.json", settings({ hooks: [[], ["hooks"]] })),
    plugIn("mcp.json", servers),
    plugIn(".mcp.json", serversAnyhow),
  ],
  "gemini-cli": [
    own("settings.json", geminiSettings),
    ofProject(".gemini/settings.json", geminiSettings),
    own(".env", variables),
    shared(atHome(".env", variables)),
    { ...ofProject(".gemini/.env", variables), folders: "all" },
    { ...shared(ofProject(".env", variables)), folders: "all" },
    managed("/etc/gemini-cli/settings.json", geminiSettings, {
      darwin: "/Library/Application Support/GeminiCli/settings.json",
      win32: "C:\\ProgramData\\gemini-cli\\settings.json",
    }),
    plugIn("gemini-extension.json", servers),
    plugIn("hooks/hooks.json", hooks),
    plugIn("agents/*.md", geminiAgent),
    own("agents/*.md", geminiAgent),
    {
      ...ofProject(".gemini/agents/*.md", geminiAgent),
      doubt: { hook: "only after you have acknowledged this agent" },
    },
  ],
  "qwen-code": [
    own("settings.json", likeGemini),
    { ...ofProject(".qwen/settings.json", likeGemini), doubt: onlyIfApproved },
    shared({ ...ofProject(".mcp.json", servers), doubt: onlyIfApproved }),
    own("agents/*.md", hooksOrServersOnTop),
    own("skills/*/SKILL.md", hooksOnTop),
    shared(atHome(".agents/skills/*/SKILL.md", hooksOnTop)),
    ofProject(".qwen/agents/*.md", hooksOrServersOnTop),
    ofProject(".qwen/skills/*/SKILL.md", hooksOnTop),
    shared(ofProject(".agents/skills/*/SKILL.md", hooksOnTop)),
    managed("/etc/qwen-code/settings.json", likeGemini, {
      darwin: "/Library/Application Support/QwenCode/settings.json",
      win32: "C:\\ProgramData\\qwen-code\\settings.json",
    }),
    { ...plugIn("qwen-extension.json", hooksAndServers), names: { hooks: { path: "", content: hooks } } },
    plugIn("hooks/hooks.json", hooks),
    plugIn("agents/*.md", hooksOrServersOnTop),
    plugIn("mcp.json", serversAnyhow),
  ],
  // https://cursor.com/docs/hooks, .../mcp
  cursor: [
    own("hooks.json", hooks),
    own("mcp.json", servers),
    ofProject(".cursor/hooks.json", hooks),
    ofProject(".cursor/mcp.json", servers),
    managed("/etc/cursor/hooks.json", hooks, {
      darwin: "/Library/Application Support/Cursor/hooks.json",
      win32: "C:\\ProgramData\\Cursor\\hooks.json",
    }),
  ],
  // https://docs.github.com/en/copilot/reference/hooks-reference
  "copilot-cli": [
    own("hooks/**/*.json", hooks),
    own("settings.json", settings({ ...copilotCommands, commands: [["statusLine", "command"]] })),
    // It says which plug-ins are installed, and which of them are switched on.
    own("config.json", settings({})),
    own("mcp-config.json", servers),
    own("lsp-config.json", settings({ servers: [["lspServers"]] })),
    own("agents/**/*.md", copilotAgent),
    { ...own("extensions/*/extension.*s", code), doubt: onlyExperimental },
    ofProject(".github/hooks/**/*.json", hooks),
    ofProject(".github/copilot/settings.json", settings(copilotCommands)),
    local(".github/copilot/settings.local.json", settings(copilotCommands)),
    shared(ofProject(".claude/settings.json", settings(copilotCommands))),
    shared(local(".claude/settings.local.json", settings(copilotCommands))),
    shared(ofProject(".mcp.json", serversAnyhow)),
    ofProject(".github/mcp.json", serversAnyhow),
    ofProject(".github/lsp.json", settings({ servers: [["lspServers"]] })),
    ofProject(".github/agents/**/*.md", copilotAgent),
    shared(ofProject(".claude/agents/**/*.md", copilotAgent)),
    { ...ofProject(".github/extensions/*/extension.*s", code), doubt: onlyExperimental },
    managed("/etc/github-copilot/policy.d/*.json", hooks, {
      win32: "C:\\ProgramData\\GitHub\\Copilot\\policy.d\\*.json",
    }),
    ...["", ".plugin/", ".github/plugin/", ".claude-plugin/"].map((folder): Place => ({
      ...plugIn(`${folder}plugin.json`, hooksAndServers),
      doubt: onlyWithoutFile,
      names: { hooks: { path: "", content: hooks }, mcpServers: { path: "", content: serversAnyhow } },
    })),
    { ...plugIn("hooks.json", hooks), unlessNamed: "hooks" },
    { ...plugIn("hooks/hooks.json", hooks), unlessNamed: "hooks" },
    plugIn(".mcp.json", serversAnyhow),
    { ...plugIn("mcp.json", serversAnyhow), doubt: onlyOpen },
    { ...plugIn("com.github.copilot/hooks/hooks.json", hooks), doubt: onlyOpen },
    plugIn("agents/*.md", copilotAgent),
    { ...plugIn("com.github.copilot/agents/*.md", copilotAgent), doubt: onlyOpen },
    { ...plugIn("extensions/*/extension.*s", code), doubt: onlyExperimental },
    { ...plugIn("com.github.copilot/extensions/*/extension.*s", code), doubt: onlyExperimental },
    ...["", ".plugin/", ".github/plugin/", ".claude-plugin/"].map((folder): Place => ({
      ...place("plug-in", "markets")(`${folder}marketplace.json`, { kind: "market", servers: [["mcpServers"]] }),
      doubt: onlyWithoutFile,
      names: { mcpServers: { path: "", content: serversAnyhow } },
    })),
  ],
  vscode: [ofProject(".vscode/mcp.json", settings({ servers: [["servers"]] })), ofProject(".vscode/tasks.json", tasks)],
  opencode: [...ofOpencode("opencode", [".opencode"]), own("config.json", opencodeSettings)],
  kilo: [
    ...ofOpencode("kilo", [".kilo"]),
    own("config.json", opencodeSettings),
    shared(own("opencode.json", opencodeSettings)),
    shared(own("opencode.jsonc", opencodeSettings)),
    shared(ofProject("opencode.json", opencodeSettings)),
    shared(ofProject("opencode.jsonc", opencodeSettings)),
    ...opencodeFolder("opencode").map(([path, content]) => ofProject(`.kilocode/${path}`, content)),
    ofProject(".kilo/mcp.json", servers),
    ofProject(".kilocode/mcp.json", servers),
  ],
  // https://docs.windsurf.com/windsurf/cascade/hooks
  windsurf: [
    own("hooks.json", hooks),
    own("mcp_config.json", servers),
    ofProject(".windsurf/hooks.json", hooks),
    managed("/etc/windsurf/hooks.json", hooks, {
      darwin: "/Library/Application Support/Windsurf/hooks.json",
      win32: "C:\\ProgramData\\Windsurf\\hooks.json",
    }),
  ],
  // https://docs.cline.bot/features/hooks
  cline: [
    atHome(".cline/hooks/*", code),
    atHome("Documents/Cline/Hooks/*", code),
    atHome(".cline/data/settings/cline_mcp_settings.json", servers),
    atHome(".cline/plugins/*.?s", code),
    ofProject(".clinerules/hooks/*", code),
    ofProject(".cline/hooks/*", code),
  ],
  // https://block.github.io/goose: plug-ins of the open form
  goose: [atHome(".agents/plugins/*/hooks/hooks.json", hooks), ofProject(".agents/plugins/*/hooks/hooks.json", hooks)],
  // https://kiro.dev/docs/cli/hooks
  kiro: [
    own("agents/*.json", hooksAndServers),
    own("hooks/*.json", hooks),
    own("settings/mcp.json", servers),
    atHome(".aws/amazonq/cli-agents/*.json", hooksAndServers),
    atHome(".aws/amazonq/mcp.json", servers),
    ofProject(".kiro/agents/*.json", hooksAndServers),
    ofProject(".kiro/hooks/*.json", hooks),
    ofProject(".kiro/settings/mcp.json", servers),
  ],
  "kimi-code": [
    // Kimi Code 2.1.0 started no server of this file.
    own("config.toml", hooks),
    own(
      "tui.toml",
      settings({
        commands: [
          ["status_line", "command"],
          ["editor", "command"],
        ],
      }),
    ),
    own("mcp.json", servers),
    ofProject(".kimi-code/mcp.json", servers),
    shared(ofProject(".mcp.json", servers)),
    plugIn("kimi.plugin.json", hooksAndServers),
    plugIn(".kimi-plugin/plugin.json", hooksAndServers),
  ],
  // https://github.com/earendil-works/pi: extensions run in the agent's process
  pi: [
    own("extensions/*.?s", code),
    own("extensions/*/index.?s", code),
    own("extensions/*/package.json", piPackage),
    own("settings.json", piSettings),
    own("models.json", piModels),
    own("auth.json", settings({ marked: [["*", "key"]] })),
    own("mcp.json", piServers),
    ofProject(".pi/extensions/*.?s", code),
    ofProject(".pi/extensions/*/index.?s", code),
    ofProject(".pi/extensions/*/package.json", piPackage),
    ofProject(".pi/settings.json", piSettings),
    ofProject(".pi/mcp.json", piServers),
  ],
  auggie: [
    own("settings.json", auggieSettings),
    ofProject(".augment/settings.json", auggieSettings),
    local(".augment/settings.local.json", auggieSettings),
    managed("/etc/augment/settings.json", auggieSettings),
  ],
  antigravity: [
    own("hooks.json", settings({ hooks: [["*"]] })),
    own("mcp_config.json", servers),
    ofProject(".agents/hooks.json", settings({ hooks: [["*"]] })),
  ],
  grok: [own("hooks/*.json", hooks), ofProject(".grok/hooks/*.json", hooks), own("config.toml", codexSettings)],
  devin: [
    own("config.json", hooksAndServers),
    ofProject(".devin/config.json", hooksAndServers),
    local(".devin/config.local.json", hooksAndServers),
    ofProject(".devin/hooks.v1.json", settings({ hooks: [[], ["hooks"]] })),
  ],
  qoder: likeClaude(".qoder"),
  codebuddy: [...likeClaude(".codebuddy"), ofProject(".codebuddy/.mcp.json", servers)],
  letta: likeClaude(".letta"),
  cortex: [own("hooks.json", hooks), own("mcp.json", servers), ofProject(".cortex/hooks.json", hooks)],
  muse: likeClaude(".muse"),
  tabnine: [own("settings.json", likeGemini), ofProject(".tabnine/agent/settings.json", likeGemini)],
};

interface FolderList {
  /** Below the agent's folder, as a pattern. */
  file: string;
  /** Its texts are folders. */
  member: string;
}

/** Files that list where an agent's installed plug-ins are. */
export const plugInLists: Readonly<Record<string, FolderList>> = {
  "claude-code": { file: "plugins/installed_plugins.json", member: "installPath" },
  droid: { file: "plugins/installed_plugins/*.json", member: "installPath" },
  "kimi-code": { file: "plugins/installed.json", member: "root" },
  "copilot-cli": { file: "config.json", member: "cache_path" },
  // An extension that is linked stands there with its folder only.
  "gemini-cli": { file: "extensions/*/.gemini-extension-install.json", member: "source" },
  "qwen-code": { file: "extensions/*/.qwen-extension-install.json", member: "source" },
};

/** Files that list where the lists of plug-ins are from which they were installed. */
export const marketLists: Readonly<Record<string, FolderList>> = {
  "claude-code": { file: "plugins/known_marketplaces.json", member: "installLocation" },
};

/** Agents that load a plug-in from its folder, where settings name the folder of its market (`extraKnownMarketplaces`) and switch it on. */
export const loadsLive: ReadonlySet<string> = new Set(["copilot-cli"]);

/** Folders of plug-ins below an agent's folder that no file lists. Where a folder is one only with a folder for its manifest, that one. */
export const plugInFolders: Readonly<Record<string, readonly string[]>> = {
  "claude-code": ["skills/*/.claude-plugin"],
  codex: ["plugins/cache/*/*/*", "plugins/*"],
  "gemini-cli": ["extensions/*"],
  "qwen-code": ["extensions/*"],
};

/** The same below the folder of a session. */
export const plugInFoldersOfProject: Readonly<Record<string, readonly string[]>> = {
  "claude-code": [".claude/skills/*/.claude-plugin"],
};

/** The folders in which an agent reads a project's files. Others read the session's, and the top of its work tree. */
export const projectFolders: Readonly<Record<string, ProjectFolders>> = {
  droid: "each",
  codex: "each",
  "copilot-cli": "each",
  opencode: "loose",
  kilo: "loose",
  "gemini-cli": "session",
  "qwen-code": "session",
  pi: "session",
  auggie: "top",
};
