// Marker programs in all that Claude Code reads of skills, commands, agents and plug-ins: those that it starts are those that
// `hookbell hooks` lists, and no others.
import { existsSync } from "node:fs";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import { objectOf, objectsOf, parseJson, textOf } from "../../src/model/json.ts";
import { claudeCode } from "../agents/known/claude-code/recipe.ts";
import { clisHere, installAgentCli } from "../support/agents/agent-cli.ts";
import { startAgentSession } from "../support/agents/agent-session.ts";
import { promptFor } from "../support/agents/pretend-model.ts";

const run = promisify(execFile);
const longestMs = 300_000;

let program = "";
beforeAll(async () => {
  const cli = clisHere(claudeCode).at(-1);
  if (cli === undefined) throw new Error("Claude Code cannot run on this machine");
  program = await installAgentCli(cli);
});

it(
  "lists what skills, commands, agents and plug-ins of Claude Code start, and nothing that they do not",
  async () => {
    const session = await startAgentSession(claudeCode);
    const { home } = session.project;
    const markers = new Set<string>();
    const touch = (name: string): string => {
      markers.add(name);
      return `touch ${join(home, `ran-${name}`)}`;
    };
    const stop = (name: string): object => ({
      hooks: { Stop: [{ hooks: [{ type: "command", command: touch(name) }] }] },
    });
    const servers = (name: string): object => ({
      mcpServers: { [name]: { command: "touch", args: [touch(name).split(" ")[1]] } },
    });
    const json = (path: string, value: object): void => session.write(path, JSON.stringify(value));
    const frontMatter = (path: string, name: string, title: string): void =>
      session.write(
        path,
        `---\nname: ${title}\ndescription: d\nhooks:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${touch(name)}\n---\nBe kind.\n`,
      );

    frontMatter(".claude/commands/uc.md", "user-command", "uc");
    frontMatter(".claude/commands/one/two/uc2.md", "deep-user-command", "uc2");
    frontMatter(".claude/skills/us/SKILL.md", "user-skill", "us");
    frontMatter(".claude/agents/one/ua.md", "deep-user-agent", "ua");
    frontMatter("work/shop-web/.claude/commands/pc.md", "project-command", "pc");
    frontMatter("work/shop-web/.claude/skills/ps/SKILL.md", "project-skill", "ps");
    frontMatter("work/shop-web/.claude/agents/pa.md", "project-agent", "pa");
    json("market/.claude-plugin/marketplace.json", {
      name: "m",
      owner: { name: "o" },
      plugins: [
        { name: "one", source: "./one", description: "d" },
        { name: "two", source: "./two", description: "d", ...stop("market-entry") },
        { name: "three", source: "./three", description: "d", ...stop("market-entry-not-installed") },
      ],
    });
    const names = { hooks: ["./more/a.json", "./more/b.json"], mcpServers: "./more/s.json", skills: "./more/skills" };
    json("market/one/.claude-plugin/plugin.json", { name: "one", version: "1.0.0", ...names });
    json("market/one/hooks/hooks.json", stop("usual-file"));
    json("market/one/more/a.json", stop("named-first"));
    json("market/one/more/b.json", stop("named-second"));
    json("market/one/more/s.json", servers("named-server"));
    frontMatter("market/one/skills/sk/SKILL.md", "plug-in-skill", "sk");
    frontMatter("market/one/more/skills/ms/SKILL.md", "named-skill", "ms");
    frontMatter("market/one/commands/pl.md", "plug-in-command", "pl");
    frontMatter("market/one/agents/ag.md", "plug-in-agent", "ag");
    for (const name of ["two", "three"]) {
      json(`market/${name}/.claude-plugin/plugin.json`, { name, version: "1.0.0" });
    }

    const claude = async (...args: string[]): Promise<unknown> =>
      await run(program, args, { cwd: session.cwd, env: session.env });
    await claude("plugin", "marketplace", "add", join(home, "market"));
    await claude("plugin", "install", "one@m");
    await claude("plugin", "install", "two@m");
    const say = promptFor({ say: "Done." });
    for (const name of ["uc", "uc2", "one:two:uc2", "us", "pc", "ps", "one:sk", "one:ms", "one:pl"]) {
      await session.run(program, `/${name} ${say}`);
    }
    for (const name of ["ua", "pa", "one:ag"]) await claude("--agent", name, "-p", say);

    const { stdout } = await session.project.command(["hooks", "--project", session.cwd, "--json"]);
    const listed = objectsOf(objectOf(parseJson(stdout)).hooks);
    const rows = [...markers].map((name) => {
      const said = listed.find(({ command }) => String(command).endsWith(`/ran-${name}`))?.runs ?? "not listed";
      return { name, ran: existsSync(join(home, `ran-${name}`)), said: textOf(said) ?? "" };
    });
    console.log(rows.map(({ name, ran, said }) => `${name}: ${ran ? "ran" : "did not run"}, ${said}`).join("\n"));
    // What depends on a trust that only the agent knows is not said either way.
    expect(rows.filter(({ ran, said }) => (ran ? said === "not listed" : said === "yes"))).toEqual([]);
    expect(rows.filter(({ said }) => said === "not listed").map(({ name }) => name)).toEqual([
      "market-entry-not-installed",
      "plug-in-command",
      "plug-in-agent",
    ]);
  },
  longestMs,
);
