// Marker programs as status lines, helpers and other commands in the settings of agents in a terminal: those that an agent starts
// are those that `hookbell hooks` lists, and no others.
import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { objectOf, objectsOf, parseJson, textOf } from "../../../src/model/json.ts";
import { clisHere, installAgentCli } from "../../support/agents/agent-cli.ts";
import { interactiveArgs, startAgentSession } from "../../support/agents/agent-session.ts";
import { type AgentTerminal, startAgentTerminal, terminalParts } from "../../support/agents/agent-terminal.ts";
import { inTerminal, type InTerminal } from "../../support/agents/in-terminal.ts";
import { Markers, type MarkerCase, project } from "../../support/agents/markers/case.ts";
import { type Act, promptFor } from "../../support/agents/pretend-model.ts";
import { describeWithParts } from "../../support/parts.ts";

interface CommandCase extends Pick<MarkerCase, "files" | "env" | "notListed"> {
  agent: keyof typeof inTerminal;
  what: string;
  /** What the model does at the one prompt. */
  act?: Act;
  /** What a person does before that. */
  use?(terminal: AgentTerminal): Promise<void>;
  /** What it shows at its first prompt, before which it asks nothing here. */
  ready?: RegExp;
}

/** Each prints something, as such a command should. */
const printing = (at: Markers, name: string): string => `${at.touch(name)}; echo shown`;

const cases: readonly CommandCase[] = [
  {
    agent: "claude-code",
    what: "status lines and suggestions",
    ready: /shown[^]*manual mode on/,
    files: (at) => ({
      ".claude/settings.json": {
        statusLine: { type: "command", command: printing(at, "status-line") },
        subagentStatusLine: { type: "command", command: printing(at, "subagent-status-line") },
        fileSuggestion: { type: "command", command: printing(at, "suggestion") },
      },
    }),
    act: { delegate: promptFor({ thinkMs: 8000, say: "Done." }), callWith: { subagent_type: "general-purpose" } },
    async use(terminal) {
      terminal.press("@");
      terminal.press("s");
      await sleep(3000);
      for (const key of ["Escape", "BSpace", "BSpace"]) {
        terminal.press(key);
        await sleep(1000);
      }
    },
  },
  {
    agent: "codex",
    what: "commands",
    files: (at) => ({
      ".codex/config.toml": [
        `notify = ["touch", "${at.file("notify")}"]`,
        at.baseText(".codex/config.toml"),
        `[tui]\n# An older Codex had this.\nstatus_line_command = "${at.touch("status-line")}"`,
      ].join("\n"),
    }),
    notListed: ["status-line"],
    ready: /Ask Codex to do anything/,
  },
  {
    agent: "opencode",
    what: "plug-ins for its screen",
    // It loads them by their paths, beside the file that names them.
    files: (at) =>
      Object.fromEntries(
        [
          [".config/opencode/tui.json", "user"],
          [`${project}/.opencode/tui.jsonc`, "folder"],
          [`${project}/tui.json`, "project"],
        ].flatMap(([file = "", name = ""]): [string, string][] => [
          [file, JSON.stringify({ plugin: [`./more/ran-${name}.js`] })],
          [`${dirname(file)}/more/ran-${name}.js`, at.code(name)],
        ]),
      ),
  },
  {
    agent: "droid",
    what: "status line",
    files: (at) => ({
      ".factory/settings.json": at.withBase(".factory/settings.json", {
        statusLine: { type: "command", command: printing(at, "status-line") },
      }),
    }),
  },
  {
    agent: "qwen-code",
    what: "status line",
    files: (at) => ({
      ".qwen/settings.json": at.withBase(".qwen/settings.json", {
        ui: { statusLine: { type: "command", command: printing(at, "status-line") } },
      }),
    }),
  },
  {
    agent: "copilot-cli",
    what: "status line",
    files: (at) => ({
      ".copilot/settings.json": { statusLine: { type: "command", command: printing(at, "status-line") } },
    }),
  },
  {
    agent: "kimi-code",
    what: "status line",
    files: (at) => ({
      ".kimi-code/tui.toml": `[status_line]\ncommand = "${printing(at, "status-line")}"\n[editor]\ncommand = "${at.touch("editor")}"\n`,
    }),
    async use(terminal) {
      terminal.press("C-g");
      await sleep(2000);
    },
  },
];

const lookEveryMs = 500;
const longestMs = 20_000;

describeWithParts(
  "lists the commands of an agent in a terminal that start programs, and no others",
  terminalParts,
  () => {
    it.each(cases)("$what of $agent", async ({ agent, files, env, act, use, ready, notListed = [] }) => {
      const person: InTerminal = inTerminal[agent];
      const { recipe } = person;
      const cli = clisHere(recipe).at(-1);
      if (cli === undefined) throw new Error(`${agent} cannot run on this machine`);
      const program = await installAgentCli(cli);
      const session = await startAgentSession(recipe);
      const { home } = session.project;
      const markers = new Markers(home, session.cwd, recipe.files(session.model.origin));
      const args = interactiveArgs(session, recipe);
      for (const [path, content] of Object.entries(files(markers))) {
        session.write(path, typeof content === "string" ? content : JSON.stringify(content));
      }
      const terminal = startAgentTerminal(home, [program, ...args], {
        cwd: session.cwd,
        env: { ...session.env, ...env },
      });
      if (ready === undefined) await person.start(terminal, true);
      else await terminal.until(ready);
      await use?.(terminal);
      await terminal.enter(promptFor({ say: "Done.", ...person.asking, ...act }));
      const ran = (name: string): boolean => existsSync(join(home, `ran-${name}`));
      const names = [...markers.names];
      for (const deadline = Date.now() + longestMs; Date.now() < deadline && !names.every(ran);)
        await sleep(lookEveryMs);
      if (process.env.SHOW_RUNS !== undefined) console.log(terminal.screen());
      terminal.close();

      const { stdout } = await session.project.command(["hooks", "--project", session.cwd, "--agent", agent, "--json"]);
      const listed = objectsOf(objectOf(parseJson(stdout)).hooks);
      const rows = names.map((name) => {
        const mark = new RegExp(`/ran-${name}(?![\\w-])`);
        const said = textOf(listed.find(({ command }) => mark.test(String(command)))?.runs) ?? "not listed";
        return { name, ran: ran(name), said };
      });
      const shown = rows.map(({ name, ran, said }) => `  ${name}: ${ran ? "ran" : "did not run"}, ${said}`);
      console.log([agent, ...shown].join("\n"));
      expect(rows.filter(({ ran, said }) => (ran ? said === "not listed" : said === "yes"))).toEqual([]);
      expect(rows.filter(({ said }) => said === "not listed").map(({ name }) => name)).toEqual(notListed);
    });
  },
);
