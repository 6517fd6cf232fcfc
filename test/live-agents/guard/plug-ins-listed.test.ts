// Marker programs in all that agents read of skills, commands, subagents, plug-ins, extensions and the folders above the session's:
// those that an agent starts are those that `hookbell hooks` lists, and no others.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { expect, it } from "vitest";
import { objectOf, objectsOf, parseJson, textOf } from "../../../src/model/json.ts";
import { clisHere, installAgentCli } from "../../support/agents/agent-cli.ts";
import { runToEnd, startAgentSession } from "../../support/agents/agent-session.ts";
import { markerCases } from "../../support/agents/markers/cases.ts";
import { hiddenCases } from "../../support/agents/markers/hidden.ts";
import { Markers } from "../../support/agents/markers/case.ts";

const longestMs = 300_000;

it.each([...markerCases, ...hiddenCases].map((each) => ({ ...each, agent: each.recipe.agent })))(
  "lists the $what of $agent that start programs, and no others",
  async ({ recipe, agent, folder = "", noRepository, env, repositories = [], files, before, runs, notListed = [] }) => {
    const cli = clisHere(recipe).at(-1);
    if (cli === undefined) throw new Error(`${agent} cannot run on this machine`);
    const program = await installAgentCli(cli);
    const session = await startAgentSession(recipe);
    const { home } = session.project;
    if (noRepository === undefined) execFileSync("git", ["init", "--quiet"], { cwd: session.cwd });
    const cwd = join(session.cwd, folder);
    mkdirSync(cwd, { recursive: true });
    const markers = new Markers(home, cwd, recipe.files(session.model.origin));
    for (const [path, content] of Object.entries(files(markers))) {
      session.write(path, typeof content === "string" ? content : JSON.stringify(content));
    }
    for (const repository of repositories) commitAll(join(home, repository));
    const ended: string[] = [];
    for (const args of [...(before?.(home) ?? []), ...runs(markers)]) {
      const { code, stdout, stderr } = await runToEnd(program, args, { cwd, env: { ...session.env, ...env } });
      ended.push(`$ ${agent} ${args.join(" ")}\n  ${code}: ${`${stdout}\n${stderr}`.trim().slice(-400)}`);
    }

    const { stdout } = await session.project.command(["hooks", "--project", cwd, "--agent", agent, "--json"]);
    const listed = objectsOf(objectOf(parseJson(stdout)).hooks);
    const rows = [...markers.names].map((name) => {
      const mark = new RegExp(`/ran-${name}(?![\\w-])`);
      const found = listed.find(({ command, file }) =>
        mark.test(`${String(command)}\n${wholeOf(String(command), String(file))}`),
      );
      return { name, ran: existsSync(join(home, `ran-${name}`)), said: textOf(found?.runs) ?? "not listed" };
    });
    const shown = rows.map(({ name, ran, said }) => `  ${name}: ${ran ? "ran" : "did not run"}, ${said}`);
    console.log([agent, ...shown, ...(process.env.SHOW_RUNS === undefined ? [] : ended)].join("\n"));
    // What depends on a trust that only the agent knows is not said either way.
    expect(rows.filter(({ ran, said }) => (ran ? said === "not listed" : said === "yes"))).toEqual([]);
    expect(rows.filter(({ said }) => said === "not listed").map(({ name }) => name)).toEqual(notListed);
  },
  longestMs,
);

function commitAll(cwd: string): void {
  execFileSync("git", ["init", "--quiet"], { cwd });
  execFileSync("git", ["add", "--all"], { cwd });
  const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
  execFileSync("git", [...author, "commit", "--quiet", "--message", "Add the plug-ins"], { cwd });
}

/** A file that the agent loads itself, or with programs at its top, stands in the list with a part of it. */
function wholeOf(command: string, file: string): string {
  return command === basename(file) || file.endsWith(".md") ? readFileSync(file, "utf8") : "";
}
