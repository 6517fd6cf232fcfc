import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { codexHookSetup } from "../../../../src/agents/known/codex/hook-setup.ts";
import { sha256 } from "../../../../src/system/crypto.ts";
import { LaunchFinder } from "../../../../src/wings/guard/launches/find.ts";
import { willRun } from "../../../../src/wings/guard/launches/will-run.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

/** What is said of the one launch `m` among these files; paths are below the home, and `/etc` is below `system`. */
function said(files: (home: string) => Record<string, unknown>): string {
  const home = temporaryFolder();
  for (const [name, content] of Object.entries(files(home))) {
    const path = join(home, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
  }
  const finder = new LaunchFinder({ env: {}, home, platform: "linux", systemRoot: join(home, "system") });
  const found = finder.look([join(home, "shop")], 0);
  const launch = found.flatMap(({ launches }) => launches).find(({ command }) => command === "m");
  if (launch === undefined) return "nothing was found";
  const { runs, why = "" } = willRun(launch, found);
  return `${runs} ${why.replaceAll(home, "~").replaceAll("\\", "/")}`.trim();
}

const hooks = { Stop: [{ hooks: [{ type: "command", command: "m" }] }] };

describe("Claude Code", () => {
  it("runs the user's hooks, unless they are switched off there or by the administrator", () => {
    expect(said(() => ({ ".claude/settings.json": { hooks } }))).toBe("yes");
    expect(said(() => ({ ".claude/settings.json": { hooks, disableAllHooks: true } }))).toBe(
      'no "disableAllHooks" in ~/.claude/settings.json switches hooks off',
    );
    const managed = { "system/etc/claude-code/managed-settings.json": { allowManagedHooksOnly: true } };
    expect(said(() => ({ ".claude/settings.json": { hooks }, ...managed }))).toBe(
      'no your administrator\'s "allowManagedHooksOnly" switches it off',
    );
    expect(
      said(() => ({ "system/etc/claude-code/managed-settings.json": { hooks, allowManagedHooksOnly: true } })),
    ).toBe("yes");
  });

  it("runs a project's hooks once the folder is trusted", () => {
    const project = { "shop/.claude/settings.json": { hooks } };
    expect(said(() => project)).toMatch(/^unknown only after you trust this folder in Claude Code/);
    const trusted = (home: string): object => ({ projects: { [home]: { hasTrustDialogAccepted: true } } });
    expect(said((home) => ({ ...project, ".claude.json": trusted(home) }))).toBe("yes");
  });

  it("runs a project's servers once they are approved", () => {
    const servers = { "shop/.mcp.json": { mcpServers: { one: { command: "m" } } } };
    expect(said(() => servers)).toMatch(/^unknown only after you approve it in Claude Code/);
    expect(said(() => ({ ...servers, ".claude/settings.json": { disabledMcpjsonServers: ["one"] } }))).toBe(
      "no you have refused it in Claude Code",
    );
    const trusted = (home: string): object => ({
      projects: { [join(home, "shop")]: { hasTrustDialogAccepted: true, enabledMcpjsonServers: ["one"] } },
    });
    expect(said((home) => ({ ...servers, ".claude.json": trusted(home) }))).toBe("yes");
  });

  it("runs what a plug-in brings, unless it is disabled", () => {
    const plugIn = (home: string): Record<string, unknown> => ({
      ".claude/plugins/installed_plugins.json": {
        plugins: { "one@market": [{ installPath: join(home, ".claude/plugins/cache/market/one/1.0.0") }] },
      },
      ".claude/plugins/cache/market/one/1.0.0/hooks/hooks.json": { hooks },
    });
    expect(said(plugIn)).toBe("yes");
    const off = { ".claude/settings.json": { enabledPlugins: { "one@market": false } } };
    expect(said((home) => ({ ...plugIn(home), ...off }))).toBe("no its plug-in is disabled");
  });
});

describe("Copilot CLI", () => {
  const plugIn = (home: string, enabled: boolean): Record<string, unknown> => ({
    ".copilot/config.json": `// It is managed.\n${JSON.stringify({
      installedPlugins: [
        { name: "one", marketplace: "m", enabled, cache_path: join(home, ".copilot/installed-plugins/m/one") },
      ],
    })}`,
    ".copilot/installed-plugins/m/one/hooks.json": { hooks },
  });
  const switched = (isOn: boolean): object => ({ enabledPlugins: { "one@m": isOn } });

  it("runs what an installed plug-in brings if its list says so", () => {
    expect(said((home) => plugIn(home, true))).toBe("yes");
    expect(said((home) => plugIn(home, false))).toBe("no its plug-in is disabled");
    const { ".copilot/installed-plugins/m/one/hooks.json": left } = plugIn("", true);
    expect(said(() => ({ ".copilot/installed-plugins/m/one/hooks.json": left }))).toBe("nothing was found");
  });

  it("goes by the settings first, and by those of any project that switch it on", () => {
    const file = ".copilot/settings.json";
    expect(said((home) => ({ ...plugIn(home, false), [file]: switched(true) }))).toBe("yes");
    expect(said((home) => ({ ...plugIn(home, true), [file]: switched(false) }))).toBe("no its plug-in is disabled");
    const ofProject = { "shop/.github/copilot/settings.json": switched(true) };
    expect(said((home) => ({ ...plugIn(home, false), [file]: switched(false), ...ofProject }))).toBe("yes");
  });
});

describe("Codex", () => {
  const { approvals } = codexHookSetup;
  const approved = (home: string, more = ""): string => {
    const key = approvals?.keyOf({ file: join(home, ".codex/hooks.json"), event: "Stop", group: 0, handler: 0 });
    const text = approvals?.textOf({ event: "Stop", matcher: undefined, handler: { type: "command", command: "m" } });
    return `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "sha256:${sha256(text ?? "")}"\n${more}`;
  };

  it("runs only hooks that are approved", () => {
    const own = { ".codex/hooks.json": { hooks } };
    expect(said(() => own)).toBe(
      "no it is not approved in Codex (/hooks); codex exec --dangerously-bypass-hook-trust runs it all the same",
    );
    expect(said((home) => ({ ...own, ".codex/config.toml": approved(home) }))).toBe("yes");
    const changed = { Stop: [{ hooks: [{ type: "command", command: "m", timeout: 1 }] }] };
    expect(said((home) => ({ ".codex/hooks.json": { hooks: changed }, ".codex/config.toml": approved(home) }))).toBe(
      "no it is not approved in Codex (/hooks); codex exec --dangerously-bypass-hook-trust runs it all the same",
    );
    expect(said((home) => ({ ...own, ".codex/config.toml": approved(home, "enabled = false\n") }))).toBe(
      "no it is switched off in Codex (/hooks)",
    );
    expect(said((home) => ({ ...own, ".codex/config.toml": `${approved(home)}[features]\nhooks = false\n` }))).toBe(
      'no "features.hooks" in ~/.codex/config.toml switches hooks off',
    );
  });

  it("starts a project's servers once the folder is trusted", () => {
    const server = { "shop/.codex/config.toml": '[mcp_servers.one]\ncommand = "m"\n' };
    expect(said(() => server)).toBe("no you have not trusted this folder in Codex");
    const trust = (home: string): string =>
      `[projects.${JSON.stringify(join(home, "shop"))}]\ntrust_level = "trusted"\n`;
    expect(said((home) => ({ ...server, ".codex/config.toml": trust(home) }))).toBe("yes");
    expect(said(() => ({ ".codex/config.toml": '[mcp_servers.one]\ncommand = "m"\nenabled = false\n' }))).toBe(
      "no it is disabled there",
    );
  });
});

it.each<[string, Record<string, unknown>, string]>([
  ["Gemini CLI", { ".gemini/settings.json": { hooks, hooksConfig: { enabled: false } } }, 'no "hooksConfig.enabled"'],
  ["Droid", { ".factory/hooks.json": { ...hooks, hooksDisabled: true } }, 'no "hooksDisabled"'],
  [
    "a server that Cursor has disabled",
    { ".cursor/mcp.json": { mcpServers: { a: { command: "m", disabled: true } } } },
    "no it is disabled",
  ],
  [
    "a task of VS Code",
    { "shop/.vscode/tasks.json": { tasks: [{ command: "m", runOptions: { runOn: "folderOpen" } }] } },
    "unknown only after you trust",
  ],
])("%s", (_, files, expected) => {
  expect(said(() => files)).toContain(expected);
});

describe("Droid", () => {
  it("runs the hooks of its settings, unless the folder has a file for hooks", () => {
    const settings = { ".factory/settings.json": { hooks } };
    const other = { Stop: [{ hooks: [{ type: "command", command: "other" }] }] };
    expect(said(() => settings)).toBe("yes");
    expect(said(() => ({ ...settings, ".factory/hooks.json": other }))).toBe(
      "no the hooks of ~/.factory/hooks.json take its place",
    );
    expect(said(() => ({ ...settings, ".factory/hooks.json": {} }))).toBe("yes");
    expect(said(() => ({ ".factory/hooks.json": hooks, ".factory/hooks/hooks.json": other }))).toBe("yes");
    expect(said(() => ({ ".factory/hooks/hooks.json": hooks, ".factory/hooks.json": other }))).toMatch(/^no /);
    expect(said(() => ({ "shop/.factory/settings.json": { hooks }, ".factory/hooks.json": other }))).toBe("yes");
  });
});
