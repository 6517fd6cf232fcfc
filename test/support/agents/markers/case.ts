// What the cases of marker programs are made of: files in which an agent may find a program, each with a marker of its own.
import { join } from "node:path";
import { objectOf, parseJson } from "../../../../src/model/json.ts";
import { type Act, promptFor } from "../pretend-model.ts";
import type { AgentRecipe } from "../recipe.ts";

/** Where the session's project lies below the home folder. */
export const project = "work/shop-web";

export const say = promptFor({ say: "Done." });

/** Uses tools one beside the other, and then says that it is done. */
export function calls(tool: string, each: readonly Record<string, unknown>[], more: readonly Act[] = []): string {
  const [first = {}, ...rest] = [...each.map((callWith): Act => ({ use: tool, callWith })), ...more];
  return promptFor({ ...first, also: rest, say: "Done." });
}

export const manifest = (name: string, more: object = {}): object => ({
  name,
  version: "1.0.0",
  description: "d",
  ...more,
});
export const market = (names: readonly string[], more: Record<string, object> = {}): object => ({
  name: "m",
  owner: { name: "o" },
  plugins: names.map((name) => ({ name, source: `./${name}`, description: "d", version: "1.0.0", ...more[name] })),
});

export interface MarkerCase {
  recipe: AgentRecipe;
  what: string;
  /** Below the project: where the agent is started. */
  folder?: string;
  /** The project is otherwise a git repository. */
  noRepository?: true;
  /** Folders below the home folder that become git repositories, with all that is in them. */
  repositories?: readonly string[];
  /** By path below the home folder; objects are written as JSON. */
  files(at: Markers): Record<string, string | object>;
  env?: Record<string, string>;
  /** What is run first, such as the installation of a plug-in: the arguments of each. */
  before?(home: string): string[][];
  /** The arguments of each run. */
  runs(at: Markers): string[][];
  /** Markers that hookbell does not list: the agent does not read them, or not there. */
  notListed?: readonly string[];
}

export class Markers {
  readonly home: string;
  /** Where the agent is started. */
  readonly cwd: string;
  /** Where the pretend model is: the recipe's files. */
  readonly #base: Readonly<Record<string, string>>;
  readonly names = new Set<string>();

  constructor(home: string, cwd: string, base: Readonly<Record<string, string>>) {
    this.home = home;
    this.cwd = cwd;
    this.#base = base;
  }

  /** The file that is there once the marker has run. */
  file(name: string): string {
    this.names.add(name);
    return join(this.home, `ran-${name}`);
  }

  touch(name: string): string {
    return `touch ${this.file(name)}`;
  }

  /** By event, in groups, as Claude Code has them. */
  hooks(name: string, event = "Stop"): object {
    return { [event]: [{ hooks: [{ type: "command", command: this.touch(name) }] }] };
  }

  server(name: string): { command: string; args: string[] } {
    return { command: "touch", args: [this.file(name)] };
  }

  servers(name: string): object {
    return { mcpServers: { [name]: this.server(name) } };
  }

  /** What a plug-in's module exports is of no matter: it has run when it was loaded. */
  code(name: string): string {
    const write = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(this.file(name))}, "");\n`;
    return `${write}export default () => ({});\nexport const Marker = async () => ({});\n`;
  }

  commonJs(name: string): string {
    return `require("node:fs").writeFileSync(${JSON.stringify(this.file(name))}, "");\nmodule.exports = () => ({});\n`;
  }

  /** A file with a hook at its top. */
  hookOnTop(title: string, name: string, event = "Stop"): string {
    const hook = `hooks:\n  ${event}:\n  - hooks:\n    - type: command\n      command: ${this.touch(name)}\n`;
    return onTop(title, hook);
  }

  /** The same as Copilot CLI has its hooks: without groups. */
  flatHookOnTop(title: string, name: string, event: string): string {
    const command = this.touch(name);
    return onTop(title, `hooks:\n  ${event}:\n  - type: command\n    bash: ${command}\n    command: ${command}\n`);
  }

  /** A file with a server at its top, below `key`. */
  serverOnTop(title: string, name: string, key = "mcpServers", more = ""): string {
    const server = `    command: /usr/bin/touch\n    args: ["${this.file(name)}"]\n`;
    return onTop(title, `${key}:\n  s${title}:\n${more}${server}`);
  }

  /** The recipe's own file, with more in it. */
  withBase(path: string, more: object): object {
    return { ...objectOf(parseJson(this.#base[path] ?? "{}")), ...more };
  }

  baseText(path: string): string {
    return this.#base[path] ?? "";
  }
}

function onTop(title: string, what: string): string {
  return `---\nname: ${title}\ndescription: what ${title} is for\n${what}---\nYou are a careful helper who answers briefly.\n`;
}
