// What init and uninstall leave behind in a temporary home: nothing, even where files went or changed in between.
import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { init } from "../../../src/commands/init/init.ts";
import { uninstall } from "../../../src/commands/init/uninstall.ts";
import { homeWithHooks } from "../../support/project/home-with-hooks.ts";

const { path, put, get, names, run, examine } = homeWithHooks();

describe("uninstall", () => {
  it("forgets a file that is gone, and doctor calls it missing before", async () => {
    mkdirSync(path(".qwen"));
    await run(init, ["--yes"]);
    rmSync(path(".qwen/settings.json"));
    const lost = (await examine()).map(({ text }) => text);
    expect(lost).toEqual([expect.stringContaining("settings.json is missing, with the hooks that init wrote for")]);
    const { stdout, code } = await run(uninstall, ["--yes"]);
    expect(code).toBe(0);
    expect(stdout).toContain(`${path(".qwen/settings.json")} no longer exists, so its record was removed\n`);
    const after = (await examine()).map(({ text }) => text);
    expect(after).toEqual(["Qwen Code: its hooks are missing"]);
    expect(names()).toEqual([".qwen"]);
  });

  it("keeps the last copy of what stood in a file that is gone, and names it", async () => {
    put(".qwen/settings.json", '{"a":1}');
    await run(init, ["--yes"]);
    rmSync(path(".qwen/settings.json"));
    const { stdout } = await run(uninstall, ["--yes"]);
    const [backup = ""] = readdirSync(path(".qwen"));
    expect(get(`.qwen/${backup}`)).toBe('{"a":1}');
    expect(stdout).toContain(`; its content before init: ${path(`.qwen/${backup}`)}\n`);
  });

  it("forgets one of many files that a name stands for", async () => {
    put(".kiro/agents/a.json", "{}");
    await run(init, ["--yes"]);
    rmSync(path(".kiro/agents/a.json"));
    const { stdout } = await run(uninstall, ["--yes"]);
    expect(stdout).toContain(`${path(".kiro/agents/a.json")} no longer exists`);
    expect(get(".local/state/hookbell/installed.json")).not.toContain("a.json");
  });

  it("makes nothing where nothing was", async () => {
    await run(uninstall, ["--yes"]);
    expect(readdirSync(path())).toEqual([]);
  });

  it("takes the folder that init made with it after a second init", async () => {
    mkdirSync(path(".copilot"));
    await run(init, ["--yes"]);
    const second = await run(init, ["--yes", "--all-events"]);
    expect(second.stdout).not.toContain("the old one is");
    await run(uninstall, ["--yes"]);
    expect(names()).toEqual([".copilot"]);
  });

  it("says that a plug-in that was changed by hand goes on calling, and nothing else then", async () => {
    mkdirSync(path(".config/opencode"), { recursive: true });
    await run(init, ["--yes"]);
    const plugIn = path(".config/opencode/plugins/hookbell.js");
    put(".config/opencode/plugins/hookbell.js", `${get(".config/opencode/plugins/hookbell.js")}// mine\n`);
    const { stdout, stderr } = await run(uninstall, ["--yes"]);
    expect(stderr).toBe(
      `note: ${plugIn}: you changed it, so it stays and goes on calling hookbell; delete it to stop that\n`,
    );
    expect(stdout).toBe("");
  });
});

describe("one bad file of Kiro's", () => {
  it("keeps no other from being installed, and from being given back", async () => {
    put(".kiro/agents/a.json", '{"name":"a"}\n');
    put(".kiro/agents/b.json", '{"name":"b",}\n');
    const dry = await run(init, ["--json", "--dry-run"]);
    expect(JSON.parse(dry.stdout)).toMatchObject({
      agents: [{ outcome: "partly", files: [{ path: path(".kiro/agents/a.json") }], problems: [{ line: 1 }] }],
    });
    const { code, stdout, stderr } = await run(init, ["--yes"]);
    expect(code).toBe(1);
    expect(stdout).toContain(`wrote ${path(".kiro/agents/a.json")}\n`);
    expect(stderr).toContain("Kiro: 1 file not changed\n");
    expect(stderr.match(/remove the comma/g)).toHaveLength(1);
    expect(stderr).toContain(`hookbell: not changed: Kiro (${path(".kiro/agents/b.json")}:1:13: `);
    expect(get(".kiro/agents/a.json")).toContain("--agent kiro");
    expect(get(".kiro/agents/b.json")).toBe('{"name":"b",}\n');
    put(".kiro/agents/b.json", '{"name":"hookbell",}\n');
    expect((await run(uninstall, ["--yes"])).code).toBe(1);
    expect(get(".kiro/agents/a.json")).toBe('{"name":"a"}\n');
  });
});

describe("two inits at once", () => {
  it("take turns: while another one writes, nothing is written", async () => {
    mkdirSync(path(".cursor"));
    const turn = put(".local/state/hookbell/installing", `${process.pid} another`);
    const isEnded = run(init, ["--yes"]).then(() => true);
    const first = await Promise.race([isEnded, new Promise((resolve) => setTimeout(resolve, 500, false))]);
    expect([first, names()]).toEqual([false, [".cursor"]]);
    rmSync(turn);
    expect(await isEnded).toBe(true);
    expect(names()).toEqual([".cursor", ".cursor/hooks.json"]);
  });

  const root = fileURLToPath(new URL("../../..", import.meta.url));

  it("note all that they wrote, so that uninstall leaves no trace", async () => {
    for (const folder of [".cursor", ".codeium/windsurf", ".copilot", ".qwen", ".gemini"])
      mkdirSync(path(folder), { recursive: true });
    const before = names();
    const call = (...args: string[]): [string, string[], object] => [
      process.execPath,
      [join(root, "dist/cli.js"), ...args, "--yes"],
      // Without a sound server's programs, which keep files of their own in a home.
      { env: { HOME: path(), USERPROFILE: path(), PATH: path() }, stdio: "ignore" },
    ];
    const ended = await Promise.all(
      [1, 2, 3].map(() => new Promise<number | null>((resolve) => spawn(...call("init")).on("close", resolve))),
    );
    expect(ended).toEqual([0, 0, 0]);
    expect(spawnSync(...call("uninstall")).status).toBe(0);
    expect(names()).toEqual(before);
  });
});

describe("a linked settings file", () => {
  it("is called that above its diff, with the repository that gets a path of this home (posix)", async () => {
    const target = put("dotfiles/claude/settings.json", '{"a":1}\n');
    for (const folder of ["dotfiles/.git", ".claude"]) mkdirSync(path(folder));
    symlinkSync(target, path(".claude/settings.json"));
    const parts = { installation: { nodePath: "/usr/bin/node", hookPath: path("hookbell/dist/hook.cjs") } };
    const { stdout } = await run(init, ["--agent=claude-code", "--dry-run"], parts);
    expect(stdout).toContain(
      `${path(".claude/settings.json")} is a link to ${target}\n` +
        `it is in the git repository ${path("dotfiles")}, and will contain an absolute path of this home folder\nClaude Code: adds `,
    );
    const asJson = await run(init, ["--agent=claude-code", "--dry-run", "--json"], parts);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ agents: [{ files: [{ linksTo: target }] }] });
    const plain = await run(init, ["--agent=droid", "--dry-run"], parts);
    expect(plain.stdout).not.toContain("is a link");
  });
});
