import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { placeFolder } from "../../../../src/agents/hook-setup.ts";
import { findHookSetup } from "../../../../src/agents/hook-setups.ts";
import { agentsToSetUp } from "../../../../src/install/target/agent-target.ts";
import { LaunchFinder } from "../../../../src/wings/guard/launches/find.ts";
import {
  loadsLive,
  marketLists,
  placesOf,
  plugInFolders,
  plugInLists,
} from "../../../../src/wings/guard/launches/places.ts";
import { plantAt, type Roots } from "../../../support/agents/planted-launches.ts";
import { temporaryFolder } from "../../../support/project/temporary-state.ts";

interface Here extends Roots {
  finder: LaunchFinder;
  put(name: string, text: string): string;
  commands(projects?: string[], now?: number): string[];
}

function here(agent = "claude-code"): Here {
  const home = temporaryFolder();
  const setup = findHookSetup(agent);
  const folder = setup === undefined ? undefined : placeFolder(setup.folders[0], {}, home);
  const roots = {
    home,
    agent: folder,
    project: join(home, "work/shop"),
    system: join(home, "system"),
    plugIn: join(home, "market/one"),
  };
  mkdirSync(roots.project, { recursive: true });
  const finder = new LaunchFinder({ env: {}, home, platform: "linux", systemRoot: roots.system });
  return {
    ...roots,
    finder,
    put(name, text) {
      const path = join(home, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, text);
      return path;
    },
    commands: (projects = [roots.project], now = 0) =>
      finder.look(projects, now).flatMap(({ launches }) => launches.map(({ command }) => command)),
  };
}

const hook = (command: string): string =>
  JSON.stringify({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });

/** Settings of Copilot CLI that load a plug-in from the folder of its market. */
const liveMarket = (path: string): string =>
  JSON.stringify({
    extraKnownMarketplaces: { m: { source: { source: "directory", path } } },
    enabledPlugins: { "one@m": true },
  });

describe("what an agent starts", () => {
  it.each(Object.keys(placesOf))("is found at each place of %s, and nothing else is", (agent) => {
    const places = placesOf[agent] ?? [];
    for (const [index, place] of places.entries()) {
      // The one with a variable is below.
      if (place.onlyIf === "moved") continue;
      const { finder, ...roots } = here(agent);
      if (place.isShared === true && roots.agent !== undefined) mkdirSync(roots.agent, { recursive: true });
      const list = plugInLists[agent];
      let at: Roots = roots;
      const isSwitch = loadsLive.has(agent) && place.from === "markets";
      const isOfPlugIn = place.from === "plugIns" || place.from === "markets";
      if (isOfPlugIn && !isSwitch && list !== undefined && roots.agent !== undefined) {
        const path = join(roots.agent, list.file.replaceAll("*", "x"));
        mkdirSync(dirname(path), { recursive: true });
        writeFileSync(path, JSON.stringify({ plugins: { "one@market": [{ [list.member]: roots.plugIn }] } }));
        const markets = marketLists[agent];
        if (markets !== undefined) {
          writeFileSync(
            join(roots.agent, markets.file),
            JSON.stringify({ market: { [markets.member]: roots.plugIn } }),
          );
        }
      } else if (isSwitch && roots.agent !== undefined) {
        mkdirSync(roots.agent, { recursive: true });
        writeFileSync(join(roots.agent, "settings.json"), liveMarket(roots.plugIn));
      } else if (place.from === "plugIns" && roots.agent !== undefined) {
        at = { ...roots, plugIn: join(roots.agent, plugInFolders[agent]?.[0]?.replaceAll("*", "x") ?? "") };
      }
      const planted = plantAt(place, at, `m${index}`);
      const found = finder
        .look([roots.project], 0)
        .filter((file) => file.agent === agent)
        .flatMap(({ launches, scope, path }) => launches.map(({ command }) => ({ command, scope, path })));
      const expected = planted?.commands.map((command) => ({ command, scope: place.scope, path: planted.path })) ?? [];
      if (isSwitch) expected.push(...found.filter(({ command }) => command === "plug-in one@m"));
      expect({ place, found: found.toSorted(byCommand) }).toEqual({ place, found: expected.toSorted(byCommand) });
    }
  });

  it("has places for every agent that can be set up", () => {
    expect(agentsToSetUp.map(({ id }) => id).filter((id) => !Object.hasOwn(placesOf, id))).toEqual([]);
  });

  it("is found in every file into which init writes", () => {
    for (const { id, hookSetup } of agentsToSetUp) {
      const names = hookSetup.files
        .filter(({ place }) => place === undefined)
        .map(({ name }) => name.replace("*", "x"));
      for (const name of names) {
        const { finder, agent = "" } = here(id);
        const path = join(agent, name);
        mkdirSync(dirname(path), { recursive: true });
        const key = hookSetup.files.find((file) => file.name === name)?.hooksKey ?? "hooks";
        const flat = { [key]: { Stop: [{ command: "marker" }] } };
        writeFileSync(
          path,
          name.endsWith(".toml") ? '[[hooks]]\nevent = "Stop"\ncommand = "marker"\n' : JSON.stringify(flat),
        );
        const seen = finder
          .look([], 0)
          .filter(({ agent }) => agent === id)
          .flatMap(({ launches }) => launches.map(({ command }) => command));
        expect({ id, name, seen }).toEqual({ id, name, seen: ["marker"] });
      }
    }
  });

  it("is looked for in the folder of the session and at the top of its work tree", () => {
    const { put, commands, project } = here();
    put("work/shop/.git/HEAD", "ref: refs/heads/main\n");
    put("work/shop/.claude/settings.json", hook("at the top"));
    put("work/shop/web/.claude/settings.json", hook("in the folder"));
    expect(commands([join(project, "web")]).toSorted()).toEqual(["at the top", "in the folder"]);
    expect(commands([project])).toEqual(["at the top"]);
  });

  it("is looked for in the folders between, for the agents that read them", () => {
    const { put, finder, project } = here();
    put("work/shop/.git/HEAD", "ref: refs/heads/main\n");
    for (const folder of ["", "apps/", "apps/web/"]) {
      put(`work/shop/${folder}.codex/hooks.json`, hook(`codex ${folder}`));
      put(`work/shop/${folder}.claude/settings.json`, hook(`claude ${folder}`));
    }
    const found = finder.look([join(project, "apps/web")], 0);
    expect(found.flatMap(({ launches }) => launches.map(({ command }) => command)).toSorted()).toEqual([
      "claude ",
      "claude apps/web/",
      "codex ",
      "codex apps/",
      "codex apps/web/",
    ]);
  });

  it("is looked for in the folder of the session alone, or at the top alone, for the agents that read no others", () => {
    const { put, commands, project } = here();
    put("work/shop/.git/HEAD", "ref: refs/heads/main\n");
    for (const folder of ["", "apps/", "apps/web/"]) {
      put(`work/shop/${folder}.gemini/settings.json`, hook(`gemini ${folder}`));
      put(`work/shop/${folder}.augment/settings.json`, hook(`auggie ${folder}`));
    }
    expect(commands([join(project, "apps/web")]).toSorted()).toEqual(["auggie ", "gemini apps/web/"]);
    expect(commands([project]).toSorted()).toEqual(["auggie ", "gemini "]);
  });

  it("is found in a file of another agent once the agent has been used", () => {
    const { put, finder, project, home } = here();
    put("work/shop/.mcp.json", JSON.stringify({ mcpServers: { one: { command: "one" } } }));
    const agentsNow = (): string[] => finder.look([project], 0).flatMap((file) => file.agent);
    expect(agentsNow()).toEqual(["claude-code"]);
    mkdirSync(join(home, ".copilot"));
    expect(agentsNow()).toEqual(["claude-code", "copilot-cli"]);
  });

  it("has the same id in each work tree of a repository, and another one in another repository (posix)", () => {
    const { home, put, finder, project } = here();
    const git = (folder: string, ...args: string[]): void =>
      void execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b.example", ...args]);
    const other = join(home, "work/copy/shop");
    for (const folder of [project, other]) {
      mkdirSync(folder, { recursive: true });
      git(folder, "init", "-q");
      git(folder, "commit", "-q", "--allow-empty", "-m", "One");
    }
    git(project, "worktree", "add", "-q", join(home, "work/tree"));
    for (const folder of ["work/shop", "work/tree", "work/copy/shop"])
      put(`${folder}/.claude/settings.json`, hook("./x.sh"));
    const idIn = (folder: string): string | undefined => finder.look([folder], 0)[0]?.launches[0]?.id;
    expect(idIn(join(home, "work/tree"))).toBe(idIn(project));
    expect(idIn(other)).not.toBe(idIn(project));
  });

  it("is read again when the file or a script of the user's has changed, whatever its time says", () => {
    const { put, finder } = here();
    const script = put(".claude/hooks/a.sh", "echo 1\n");
    put(".claude/settings.json", hook("sh ~/.claude/hooks/a.sh"));
    const idNow = (): string | undefined => finder.look([], 0)[0]?.launches[0]?.id;
    const first = idNow();
    expect(idNow()).toBe(first);
    writeFileSync(script, "echo 2\n");
    utimesSync(script, 1, 1);
    const second = idNow();
    expect(second).not.toBe(first);
    writeFileSync(script, "echo 1\n");
    utimesSync(script, 1, 1);
    expect(idNow()).toBe(first);
  });

  it.each([
    ["sh ~/.claude/hooks/a.sh", [".claude/hooks/a.sh"]],
    ['node "$HOME/.claude/hooks/a.sh"', [".claude/hooks/a.sh"]],
    ["sh ${HOME}/.claude/hooks/a.sh | tee x", [".claude/hooks/a.sh"]],
    ["node ~/tool/node_modules/x/cli.js", []],
    ["/bin/sh -c true", []],
    ["curl https://example.com/a.sh", []],
  ])("has the scripts of its command %s", (command, scripts) => {
    const { put, finder, home } = here();
    put(".claude/hooks/a.sh", "echo\n");
    put("tool/node_modules/x/cli.js", "0\n");
    put(".claude/settings.json", hook(command));
    const [launch] = finder.look([], 0)[0]?.launches ?? [];
    expect(launch?.scripts.map(({ path }) => path)).toEqual(scripts.map((name) => join(home, name)));
  });

  it("is found where a variable has moved the agent's folder, and no longer where it was", () => {
    const { put, home } = here();
    const servers = (name: string): string => JSON.stringify({ mcpServers: { [name]: { command: name } } });
    put(".claude.json", servers("before"));
    put("moved/.claude.json", servers("after"));
    put("moved/settings.json", hook("hook"));
    const finder = new LaunchFinder({ env: { CLAUDE_CONFIG_DIR: join(home, "moved") }, home, platform: "linux" });
    const found = finder.look([], 0).flatMap(({ launches }) => launches.map(({ command }) => command));
    expect(found).toEqual(["hook", "after"]);
  });

  it("is read of a large file that changes all the time only every half minute", () => {
    const { put, commands } = here();
    const state = (name: string): string =>
      JSON.stringify({ mcpServers: { [name]: { command: name } }, history: "x".repeat(300_000) });
    put(".claude.json", state("one"));
    expect(commands([], 0)).toEqual(["one"]);
    put(".claude.json", state("two"));
    expect(commands([], 10_000)).toEqual(["one"]);
    expect(commands([], 31_000)).toEqual(["two"]);
  });
});

describe("a hostile or broken file", () => {
  const notesOf = (make: (at: Here) => void): { notes: string[]; commands: string[]; isTorn: boolean | undefined } => {
    const at = here();
    make(at);
    const [file] = at.finder.look([], 0);
    return {
      notes: file?.notes ?? [],
      commands: file?.launches.flatMap(({ name, command }) => (name === "unread" ? [] : [command])) ?? [],
      isTorn: file?.isTorn,
    };
  };

  it.each<[string, (at: Here) => void, string, string[]]>([
    ["comments", ({ put }) => put(".claude/settings.json", `// mine\n${hook("a")}`), "comments", ["a"]],
    ["a cut end", ({ put }) => put(".claude/settings.json", hook("a").slice(0, -3)), "not JSON", ["a"]],
    ["nothing but text", ({ put }) => put(".claude/settings.json", "hello"), "not JSON", []],
    ["deep nesting", ({ put }) => put(".claude/settings.json", '{"hooks":'.repeat(5000)), "too deeply", []],
    [
      "a fifo (posix)",
      ({ put, home }) => execFileSync("mkfifo", [put(".claude/x", "").replace(/x$/, "settings.json")], { cwd: home }),
      "no regular file",
      [],
    ],
    [
      "a link to nothing (posix)",
      ({ put, home }) => (put(".claude/x", ""), symlinkSync("/nowhere", join(home, ".claude/settings.json"))),
      "is a link that leads nowhere",
      [],
    ],
    ["a folder", ({ put }) => put(".claude/settings.json/x", ""), "is no regular file", []],
    [
      "a link to a file (posix)",
      ({ put, home }) => symlinkSync(put(".claude/real.json", hook("a")), join(home, ".claude/settings.json")),
      "is a link to",
      ["a"],
    ],
    [
      "too many bytes",
      ({ put }) => put(".claude/settings.json", `${hook("a")}${" ".repeat(10 * 1024 * 1024)}`),
      "more than",
      [],
    ],
    [
      "thousands of hooks",
      ({ put }) =>
        put(
          ".claude/settings.json",
          JSON.stringify({ hooks: { Stop: Array.from({ length: 3000 }, (_, index) => ({ command: `c${index}` })) } }),
        ),
      "1000 more entries",
      Array.from({ length: 2000 }, (_, index) => `c${index}`),
    ],
  ])("with %s is named, and what can be read of it is listed", (_, make, note, commands) => {
    const found = notesOf(make);
    expect(found.notes.join("; ")).toContain(note);
    expect(found.commands).toEqual(commands);
  });

  it.each([
    "[]",
    "null",
    '"x"',
    "[[[]]]",
    '{"hooks":[]}',
    '{"hooks":{"Stop":7}}',
    '{"hooks":{"Stop":[null,1,"x",[[]]]}}',
    '{"mcpServers":[1]}',
    '{"mcpServers":{"a":null,"b":7}}',
    '{"statusLine":7}',
    '{"apiKeyHelper":{"command":"x"}}',
  ])("that holds %s starts nothing", (text) => {
    const found = notesOf(({ put }) => put(".claude/settings.json", text));
    expect(found.commands).toEqual([]);
  });

  it("is gone when it was removed", () => {
    const { put, commands } = here();
    const path = put(".claude/settings.json", hook("a"));
    expect(commands([])).toEqual(["a"]);
    rmSync(path);
    expect(commands([])).toEqual([]);
  });
});

function byCommand(one: { command: string }, other: { command: string }): number {
  return one.command < other.command ? -1 : 1;
}

describe("what a look hides from no one", () => {
  const hidden = (make: (at: Here) => void): string[] => {
    const at = here();
    make(at);
    return at.commands();
  };

  it.each<[string, object, string[]]>([
    [
      "below a command of its own group",
      { hooks: { Stop: [{ command: "known.sh", hooks: [{ type: "command", command: "below.sh" }] }] } },
      ["known.sh", "below.sh"],
    ],
    ["a helper for the headers of a server", { mcpServers: {}, hooks: {}, env: { BASH_ENV: "/tmp/x" } }, ["/tmp/x"]],
    [
      "another command for one system",
      { hooks: { Stop: [{ command: "a", linux: { command: "b" } }] } },
      ["a | elsewhere: b"],
    ],
    ["a hook that calls a tool", { hooks: { Stop: [{ type: "mcp_tool", server: "s", tool: "t" }] } }, ["MCP tool s/t"]],
  ])("%s", (_, settings, commands) => {
    expect(hidden(({ put }) => put(".claude/settings.json", JSON.stringify(settings)))).toEqual(commands);
  });

  it("a task of npm, a helper of an http server, and front matter with odd blanks", () => {
    const found = hidden(({ put }) => {
      put(
        "work/shop/.vscode/tasks.json",
        JSON.stringify({ tasks: [{ type: "npm", script: "evil", runOptions: { runOn: "folderOpen" } }] }),
      );
      put(
        "work/shop/.mcp.json",
        JSON.stringify({
          mcpServers: { far: { type: "http", url: "https://x.example", headersHelper: "evil-headers" } },
        }),
      );
      put(".claude/agents/a.md", '--- \nname: a\n"hooks":\n  Stop:\n    - command: evil-agent\n--- \n');
      put("work/shop/.claude/skills/.tmp-x/SKILL.md", "---\nhooks:\n  - command: evil-skill\n---\n");
    });
    expect(found.toSorted()).toEqual(["evil-agent", "evil-headers", "evil-skill", "npm run evil"]);
  });

  it("a key that is a command, and none that is a key; plug-ins that are switched on", () => {
    const { put, finder } = here();
    const keys = { one: { apiKey: "!pass show key" }, two: { apiKey: "sk-secret" } };
    put(".pi/agent/models.json", JSON.stringify({ providers: keys }));
    put(".claude/settings.json", JSON.stringify({ enabledPlugins: { "on@m": true, "off@m": false } }));
    const found = finder.look([], 0).flatMap(({ launches }) => launches.map(({ command }) => command));
    expect(found).toEqual(["plug-in on@m", "!pass show key"]);
  });

  it("a task on which one depends that starts by itself", () => {
    const tasks = [
      { label: "start", runOptions: { runOn: "folderOpen" }, dependsOn: ["one", { type: "npm", task: "npm: two" }] },
      { label: "one", command: "one.sh", dependsOn: "three" },
      { type: "npm", script: "two" },
      { label: "three", command: "three.sh", dependsOn: "start" },
      { label: "four", command: "four.sh" },
    ];
    const found = hidden(({ put }) => put("work/shop/.vscode/tasks.json", JSON.stringify({ tasks })));
    expect(found).toEqual(["one.sh", "npm run two", "three.sh"]);
  });

  it("front matter of commands and agents in folders of their own", () => {
    const text = (command: string): string => `---\nhooks:\n  Stop:\n    - command: ${command}\n---\n`;
    const found = hidden(({ put }) => {
      put(".claude/commands/a.md", text("top"));
      put(".claude/agents/one/two/a.md", text("two"));
      put("work/shop/.claude/commands/one/two/three/a.md", text("three"));
      put(".claude/agents/1/2/3/4/5/6/7/a.md", text("deep"));
      put(".claude/agents/with.ending/a.md", text("in a folder with an ending"));
    });
    expect(found.toSorted()).toEqual(["deep", "in a folder with an ending", "three", "top", "two"]);
  });

  it("front matter below a link that leads to itself (posix)", () => {
    const found = hidden(({ put, home }) => {
      put(".claude/agents/one/a.md", "---\nhooks:\n  Stop:\n    - command: one\n---\n");
      symlinkSync(join(home, ".claude/agents"), join(home, ".claude/agents/one/again"));
    });
    expect(found).toEqual(["one"]);
  });

  it.each([
    ["with each line indented", "---\n name: a\n hooks:\n   Stop:\n   - command: evil\n---\n", "evil"],
    ["that ends within a comment", "---\nhooks:\n  Stop:\n  - command: evil\n# ---\nBe kind.\n", "evil"],
    ["that begins with empty lines", "---\n\n\nhooks:\n  Stop:\n  - command: evil\n---\n", "evil"],
    ["on one line", '---\n{name: a, hooks: {Stop: [{command: "evil"}]}}\n---\n', '"evil"}]}}'],
    ["with a key in other signs", '---\n"h\\x6f\\u006f\\U0000006bs":\n  Stop:\n  - command: evil\n---\n', "evil"],
    ["with a key of its own line", "---\n? hooks\n: Stop:\n  - command: evil\n---\n", "evil"],
    ["with what it takes over", "---\nx: &x\n  hooks:\n    Stop:\n    - command: evil\n<<: *x\n---\n", "evil"],
    ["with a key from elsewhere", "---\nx: &k hooks\n*k : {Stop: [{command: evil}]}\n---\n", "evil}]}"],
    ["that is long", `---\n${"# x\n".repeat(100_000)}hooks:\n  Stop:\n  - command: evil\n---\n`, "evil"],
  ])("front matter %s", (_, text, command) => {
    expect(hidden(({ put }) => put(".claude/commands/a.md", text))).toEqual([command]);
  });

  it.each([
    ["with the word alone", "---\nname: a\ndescription: all about hooks\n---\nhooks: none\n"],
    ["that is none", "hooks:\n---\nhooks:\n---\n"],
    ["that has no end", "---\nhooks: none of these is one\n"],
  ])("no front matter %s", (_, text) => {
    expect(hidden(({ put }) => put(".claude/commands/a.md", text))).toEqual([]);
  });

  it("a plug-in in the folder of skills, and none in a skill that only has such files", () => {
    const found = hidden(({ put }) => {
      for (const folder of [".claude", "work/shop/.claude"]) {
        put(`${folder}/skills/one/.claude-plugin/plugin.json`, '{"name":"one"}');
        put(`${folder}/skills/one/hooks/hooks.json`, hook(`hook in ${folder}`));
        put(`${folder}/skills/one/.mcp.json`, '{"mcpServers":{"s":{"command":"server"}}}');
        put(`${folder}/skills/two/hooks/hooks.json`, hook("no plug-in"));
      }
    });
    expect(found.toSorted()).toEqual(["hook in .claude", "hook in work/shop/.claude", "server", "server"]);
  });

  it("what stands above the work tree, or above a folder without one, for the agents that read it there", () => {
    const server = (name: string): string => JSON.stringify({ mcpServers: { s: { command: name } } });
    const top = "---\nhooks:\n  Stop:\n    - command: above\n---\n";
    const put = (at: Here): void => {
      at.put(".mcp.json", server("at home"));
      at.put("work/.claude/commands/a.md", top);
      at.put("work/opencode.json", JSON.stringify({ mcp: { s: { command: ["opencode"] } } }));
      at.put("work/.codex/hooks.json", hook("codex"));
    };
    expect(hidden(put).toSorted()).toEqual(["above", "at home", "opencode"]);
    const inTree = (at: Here): void => {
      at.put("work/shop/.git/HEAD", "ref: refs/heads/main\n");
      put(at);
    };
    expect(hidden(inTree)).toEqual(["at home"]);
  });

  it("variables that change what is started, in settings and in files of variables, and no others", () => {
    const found = hidden(({ put }) => {
      const env = { GIT_CONFIG_VALUE_0: "evil-git", CLAUDE_CONFIG_DIR: "/evil", DEBUG: "1", GIT_AUTHOR_NAME: "Ann" };
      put(".claude/settings.json", JSON.stringify({ env }));
      put(".codex/.env", "# mine\nTOKEN=x\nexport BASH_ENV='/evil.sh'\nBASH_ENV=/other.sh\n");
    });
    expect(found.toSorted()).toEqual(["/evil", "/other.sh", "evil-git"]);
  });

  it("scripts that decide on a tool, and commands that give headers and keys", () => {
    const found = hidden(({ put }) => {
      const permission = { type: "script-policy", script: "/evil.sh" };
      put(".augment/settings.json", JSON.stringify({ toolPermissions: [{ toolName: "x", permission }] }));
      put(".pi/agent/auth.json", JSON.stringify({ one: { key: "!evil-key" }, two: { key: "sk-secret" } }));
      const far = { url: "https://x.example", headers: { Authorization: "!evil-header" } };
      put(".pi/agent/mcp.json", JSON.stringify({ mcpServers: { far } }));
      const auth = (key: string): string => `---\nkind: remote\nauth:\n  type: apiKey\n  key: "${key}"\n---\n`;
      put(".gemini/agents/a.md", auth("!evil"));
      put(".gemini/agents/b.md", auth("$KEY"));
    });
    expect(found.toSorted()).toEqual(["!evil-header", "!evil-key", "/evil.sh", "its front matter"]);
  });

  it("another content of a plug-in's file that settings name", () => {
    const { put, finder } = here();
    const idNow = (): string | undefined => finder.look([], 0)[0]?.launches[0]?.id;
    put(".config/opencode/opencode.json", JSON.stringify({ plugin: ["./more/p.js"] }));
    put(".config/opencode/more/p.js", "1;\n");
    const first = idNow();
    put(".config/opencode/more/p.js", "evil();\n");
    expect(idNow()).not.toBe(first);
  });

  it("files that a plug-in's manifest names, as a text or a list, below the plug-in's folder", () => {
    const server = JSON.stringify({ mcpServers: { one: { command: "server" } } });
    const manifest = {
      hooks: ["./more/a.json", "b.json", "../../outside.json", 7],
      mcpServers: "./s.json",
      skills: "k",
    };
    const { put, commands, home } = here();
    put("one/.claude-plugin/plugin.json", JSON.stringify(manifest));
    put("one/more/a.json", hook("a"));
    put("one/b.json", hook("b"));
    put("outside.json", hook("outside"));
    put("one/s.json", server);
    put("one/k/of/SKILL.md", "---\nhooks:\n  Stop:\n    - command: skill\n---\n");
    const list = { plugins: { "one@m": [{ installPath: join(home, "one") }] } };
    put(".claude/plugins/installed_plugins.json", JSON.stringify(list));
    expect(commands()).toEqual(["a", "b", "server", "skill"]);
    put("one/b.json", hook("changed"));
    expect(commands()).toEqual(["a", "changed", "server", "skill"]);
  });

  it("the usual files of a plug-in of Codex, unless its manifest names others", () => {
    const { put, commands } = here("codex");
    put(".codex/plugins/cache/m/one/1/hooks/hooks.json", hook("usual"));
    put(".codex/plugins/cache/m/one/1/more.json", hook("named"));
    const manifest = put(".codex/plugins/cache/m/one/1/.codex-plugin/plugin.json", JSON.stringify({ name: "one" }));
    expect(commands()).toEqual(["usual"]);
    writeFileSync(manifest, JSON.stringify({ name: "one", hooks: "./more.json" }));
    expect(commands()).toEqual(["named"]);
  });

  it("a plug-in that Copilot CLI loads from its folder, as long as it is switched on", () => {
    const { put, finder, project } = here("copilot-cli");
    const found = (): string[] =>
      finder
        .look([project], 0)
        .filter(({ agent }) => agent === "copilot-cli")
        .flatMap(({ launches, scope }) => launches.map(({ command }) => `${scope}: ${command}`));
    const plugins = ["one", "two", "three"].map((name) => ({ name, source: `./${name}` }));
    const entry = { name: "out", source: "../../out" };
    put("work/shop/m/.claude-plugin/marketplace.json", JSON.stringify({ plugins: [...plugins, entry] }));
    for (const name of ["m/one", "m/two", "m/three", "../out"]) put(`work/shop/${name}/hooks.json`, hook(name));
    const switches = (...names: string[]): object => ({
      enabledPlugins: Object.fromEntries(names.map((name) => [`${name}@m`, true])),
    });
    const extraKnownMarketplaces = { m: { source: { source: "directory", path: "./m" } } };
    put(
      "work/shop/.github/copilot/settings.json",
      JSON.stringify({ extraKnownMarketplaces, ...switches("one", "two", "out") }),
    );
    const settings = put(".copilot/settings.json", JSON.stringify(switches("two")));
    const listed = ["user: plug-in two@m", ...["one", "two", "out"].map((name) => `project: plug-in ${name}@m`)];
    expect(found().toSorted()).toEqual([...listed, "plug-in: m/two", "project: m/one"].toSorted());
    writeFileSync(settings, "{}");
    expect(found().toSorted()).toEqual([...listed.slice(1), "project: m/one", "project: m/two"].toSorted());
  });

  it("a module that a plug-in's hooks file of Claude Code names, beside that file", () => {
    const { put, commands, home } = here();
    put("one/hooks/hooks.json", JSON.stringify({ modules: ["./register.ts", "../../outside.ts"] }));
    for (const name of ["one/hooks/register.ts", "one/register.ts", "outside.ts"])
      put(name, "export function register() {}\n");
    const list = { plugins: { "one@m": [{ installPath: join(home, "one") }] } };
    put(".claude/plugins/installed_plugins.json", JSON.stringify(list));
    expect(commands()).toEqual(["register.ts"]);
  });

  it("the file of servers that a market's list names for such a plug-in", () => {
    const { put, commands } = here("copilot-cli");
    put(
      "work/shop/m/.plugin/marketplace.json",
      JSON.stringify({ plugins: [{ name: "one", source: "./one", mcpServers: "s.json" }] }),
    );
    put("work/shop/m/one/s.json", JSON.stringify({ mcpServers: { s: { command: "server" } } }));
    put("work/shop/m/s.json", JSON.stringify({ mcpServers: { s: { command: "beside the list" } } }));
    put("work/shop/.github/copilot/settings.json", `// Ours.\n${liveMarket("./m")}`);
    expect(commands()).toEqual(["plug-in one@m", "server"]);
  });

  it("hooks that a market's list has for a plug-in, once it is installed and as long as it is", () => {
    const { put, commands } = here();
    const install = (...names: string[]): void => {
      const plugins = Object.fromEntries(names.map((name) => [`${name}@m`, []]));
      put(".claude/plugins/installed_plugins.json", JSON.stringify({ plugins }));
    };
    const market = put("m/.claude-plugin/marketplace.json", "{}");
    const settings: unknown = JSON.parse(hook("by the market"));
    writeFileSync(market, JSON.stringify({ plugins: [{ name: "other" }, Object.assign({ name: "one" }, settings)] }));
    const known = { m: { installLocation: dirname(dirname(market)) } };
    put(".claude/plugins/known_marketplaces.json", JSON.stringify(known));
    install("other");
    expect(commands()).toEqual([]);
    install("other", "one");
    expect(commands()).toEqual(["by the market"]);
    install();
    expect(commands()).toEqual([]);
  });

  it("the size of a script that is too large to be read as a whole", () => {
    const { put, finder } = here();
    const script = put(".claude/hooks/large.sh", "x".repeat(11 * 1024 * 1024));
    put(".claude/settings.json", hook("sh ~/.claude/hooks/large.sh"));
    const idNow = (): string | undefined => finder.look([], 0)[0]?.launches[0]?.id;
    const first = idNow();
    writeFileSync(script, "more", { flag: "a" });
    expect(idNow()).not.toBe(first);
  });

  it("a file that no parser gets through, beside others that are read as usual", () => {
    const { put, finder, project } = here();
    put("work/shop/.codex/config.toml", `a = ${"[".repeat(3000)}${"]".repeat(3000)}\n`);
    put(".claude/settings.json", hook("a"));
    const found = finder.look([project], 0);
    expect(found.flatMap(({ launches }) => launches.map(({ command }) => command))).toEqual([
      "a",
      `${join(project, ".codex/config.toml")} is nested too deeply to read`,
    ]);
  });

  it("is a script, and not the data beside it", () => {
    const { put, finder, home } = here();
    put("tool/run.py", "0");
    put("tool/notes.db", "0");
    put(".claude/settings.json", hook("python ~/tool/run.py --db ~/tool/notes.db --later ~/tool/later.sh"));
    const scripts = (): string[] => finder.look([], 0)[0]?.launches[0]?.scripts.map(({ path }) => path) ?? [];
    expect(scripts()).toEqual([join(home, "tool/run.py")]);
    put("tool/later.sh", "0");
    expect(scripts()).toEqual([join(home, "tool/run.py"), join(home, "tool/later.sh")]);
  });
});
