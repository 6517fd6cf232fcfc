// Marker programs at every place where an agent may look for programs to start: those that it really starts are those that
// `hookbell hooks` says it starts.
import { existsSync, mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { findHookSetup } from "../../../src/agents/hook-setups.ts";
import { placeFolder } from "../../../src/agents/hook-setup.ts";
import { objectOf, parseJson } from "../../../src/model/json.ts";
import { sha256 } from "../../../src/system/crypto.ts";
import { type Place, placesOf } from "../../../src/wings/guard/launches/places.ts";
import { auggie } from "../../agents/known/auggie/recipe.ts";
import { claudeCode } from "../../agents/known/claude-code/recipe.ts";
import { codex } from "../../agents/known/codex/recipe.ts";
import { copilotCli } from "../../agents/known/copilot-cli/recipe.ts";
import { droid } from "../../agents/known/droid/recipe.ts";
import { geminiCli } from "../../agents/known/gemini-cli/recipe.ts";
import { kilo } from "../../agents/known/kilo/recipe.ts";
import { kimiCode } from "../../agents/known/kimi-code/recipe.ts";
import { opencode } from "../../agents/known/opencode/recipe.ts";
import { pi } from "../../agents/known/pi/recipe.ts";
import { qwenCode } from "../../agents/known/qwen-code/recipe.ts";
import { clisHere, installAgentCli } from "../../support/agents/agent-cli.ts";
import { type AgentSession, startAgentSession } from "../../support/agents/agent-session.ts";
import { kimiTrust } from "../../support/agents/markers/cases.ts";
import { type Act, promptFor } from "../../support/agents/pretend-model.ts";
import type { AgentRecipe } from "../../support/agents/recipe.ts";

/** One run of the agent for each place. */
const longestMs = 1_800_000;

/** As a person runs it: with the approvals that hooks need. */
const strictCodex = {
  ...codex,
  args: (prompt: string) => codex.args(prompt).filter((word) => !word.includes("bypass-hook-trust")),
};

/** Codex runs a hook once a person has approved it, and reads a project's files once the folder is trusted. */
function approveInCodex({ cwd, project, read, write }: AgentSession, place: Place): void {
  const approvals = findHookSetup("codex")?.approvals;
  if (approvals === undefined) return;
  const command = `touch ${join(project.home, "hook-ran")}`;
  const file = join(place.from === "project" ? cwd : join(project.home, ".codex"), place.path.replace("*", "marker"));
  const key = approvals.keyOf({ file, event: "Stop", group: 0, handler: 0 });
  const handler = { type: "command", command };
  const hash = sha256(approvals.textOf({ event: "Stop", matcher: undefined, handler }));
  const state = `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "sha256:${hash}"\n`;
  const trust = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
  write(".codex/config.toml", `${read(".codex/config.toml") ?? ""}\n${state}${trust}`);
}

/** These ask a person whether to trust a folder, and start servers of a project only once they are approved. */
const trustingQwen = { ...qwenCode, args: (prompt: string) => ["-y", ...qwenCode.args(prompt)] };
const trustingPi = { ...pi, args: (prompt: string) => ["--approve", ...pi.args(prompt)] };
const experimentalCopilot = {
  ...copilotCli,
  args: (prompt: string) => ["--experimental", ...copilotCli.args(prompt)],
};

const recipes = [
  claudeCode,
  strictCodex,
  droid,
  geminiCli,
  trustingQwen,
  experimentalCopilot,
  opencode,
  kilo,
  trustingPi,
  kimiCode,
  auggie,
];

describe.each(recipes)("the programs that $agent starts", (recipe) => {
  const cli = clisHere(recipe).at(-1);
  let program = "";
  beforeAll(async () => {
    if (cli === undefined) throw new Error(`${recipe.agent} cannot run on this machine`);
    program = await installAgentCli(cli);
  });

  it(
    "are those that are listed, at each place by itself",
    async () => {
      const places = (placesOf[recipe.agent] ?? []).filter(
        ({ from, content, scope, onlyIf }) =>
          from !== "system" &&
          from !== "plugIns" &&
          onlyIf !== "moved" &&
          scope !== "plug-in" &&
          content.kind !== "frontMatter",
      );
      const rows: string[] = [];
      for (const place of places) {
        const session = await startAgentSession(recipe);
        const markers = plant(session, recipe, place);
        if (markers.length === 0) continue;
        if (recipe.agent === "codex") approveInCodex(session, place);
        if (recipe.agent === "copilot-cli") {
          session.write(".copilot/config.json", JSON.stringify({ trustedFolders: [session.cwd] }));
        }
        if (recipe.agent === "kimi-code") for (const [path, text] of kimiTrust(session.cwd)) session.write(path, text);
        await session.run(program, promptFor({ ...usesLanguageServer(session, place), say: "Done." }));
        const { stdout } = await session.project.command(["hooks", "--project", session.cwd, "--json"]);
        const listed = (objectOf(parseJson(stdout)).hooks as { command: string; runs: string; file: string }[]) ?? [];
        for (const { name, marker } of markers) {
          const ran = existsSync(marker);
          const said = listed.find(({ command, file }) => command.includes(marker) || file === name)?.runs ?? "missing";
          rows.push(`${place.from} ${place.path}: ${ran ? "ran" : "did not run"}, ${said}`);
        }
      }
      console.log([recipe.agent, ...rows].join("\n  "));
      // 0 missed, and 0 invented. What depends on a trust that only the agent knows is not said either way.
      expect(rows.filter((row) => /: ran, (?:no|missing)$|: did not run, (?:yes|missing)$/.test(row))).toEqual([]);
    },
    longestMs,
  );
});

/** A language server is started once a tool asks it something. */
function usesLanguageServer({ cwd, write }: AgentSession, { content }: Place): Act {
  if (content.kind !== "settings" || !(content.servers ?? []).some(([name]) => name === "lspServers")) return {};
  write("work/shop-web/a.ts", "let a = 1;\n");
  const callWith = { operation: "documentSymbol", file: join(cwd, "a.ts"), line: 1, character: 1 };
  return { use: "lsp", callWith };
}

/** Writes a program of its own into the file of a place, beside what the agent needs there. */
function plant(session: AgentSession, { agent }: AgentRecipe, place: Place): { name: string; marker: string }[] {
  const { home } = session.project;
  const setup = findHookSetup(agent);
  if (setup === undefined) return [];
  const folder = placeFolder(setup.folders[0], session.env, home);
  const root = place.from === "agent" ? folder : place.from === "home" ? home : session.cwd;
  const path = join(root, place.path.replace(".*s", ".mjs").replaceAll("*", "marker").replaceAll("?", "j"));
  const below = path.slice(home.length + 1);
  const marker = (kind: string): string => join(home, `${kind}-ran`);
  mkdirSync(dirname(path), { recursive: true });
  if (place.content.kind === "code") {
    const write = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(marker("code"))}, "");\n`;
    session.write(below, `${write}export default () => ({});\nexport const Marker = async () => ({});\n`);
    return [{ name: path, marker: marker("code") }];
  }
  if (place.content.kind !== "settings") return [];
  const { hooks = [], servers = [] } = place.content;
  const found: { name: string; marker: string }[] = [];
  const event = Object.entries(setup.events).find(([, { mapsTo }]) => mapsTo.includes("Stop"))?.[0] ?? "Stop";
  const touch = `touch ${marker("hook")}`;
  if (path.endsWith(".toml")) {
    if (hooks.length > 0) found.push({ name: "", marker: marker("hook") });
    const text =
      agent === "kimi-code"
        ? `[[hooks]]\nevent = "${event}"\ncommand = "${touch}"\n`
        : `[[hooks.${event}]]\n[[hooks.${event}.hooks]]\ntype = "command"\ncommand = "${touch}"\n`;
    const [server = []] = servers;
    if (servers.length > 0) found.push({ name: "", marker: marker("server") });
    const started = `[${[...server, "marker"].join(".")}]\ncommand = "touch"\nargs = ["${marker("server")}"]\n`;
    session.write(
      below,
      `${session.read(below) ?? ""}\n${hooks.length > 0 ? text : ""}${servers.length > 0 ? started : ""}`,
    );
    return found;
  }
  const settings = { ...setup.files[0]?.required, ...objectOf(parseJson(session.read(below) ?? "{}")) };
  const [at] = hooks;
  if (at !== undefined && setup.ownFiles === undefined) {
    const { layout, hasType, commandKey, hasArgs } = setup.entry;
    const called =
      hasArgs === true ? { [commandKey]: "/usr/bin/touch", args: [marker("hook")] } : { [commandKey]: touch };
    const handler = { ...(hasType ? { type: "command" } : {}), ...called };
    const groups = layout === "grouped" ? [{ hooks: [handler] }] : [handler];
    if (at.length === 0) settings[event] = groups;
    else settings.hooks = { ...objectOf(settings.hooks), [event]: groups };
    found.push({ name: "", marker: marker("hook") });
  }
  const [key] = servers.flatMap((path) => (path.length === 1 ? path : []));
  if (key !== undefined) {
    const languages = key === "lspServers" ? { fileExtensions: { ".ts": "typescript" } } : {};
    const command =
      agent === "opencode" || (agent === "kilo" && key === "mcp")
        ? { type: "local", command: ["touch", marker("server")] }
        : { command: "touch", args: [marker("server")], ...languages };
    settings[key] = { ...objectOf(settings[key]), marker: command };
    found.push({ name: "", marker: marker("server") });
  }
  session.write(below, JSON.stringify(settings));
  return found;
}
