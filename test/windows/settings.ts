// What eight agents have in their settings before hookbell, in forms that editors on Windows write, and how they run what it puts there.
import { readFileSync } from "node:fs";
import { getNodeValue, parseTree } from "jsonc-parser";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";
import { findHookSetup } from "../../src/agents/hook-setups.ts";
import { splitCommand } from "../../src/install/command/owner.ts";
import { plugInRunner } from "../../src/system/process/run-as-agent.ts";
import type { WindowsUser } from "./machine/user.ts";
import { byCmd, type WindowsCall } from "./machine/windows.ts";

export interface AgentOnWindows {
  id: string;
  /** Below the user's home. */
  path: string;
  /** Undefined where the agent has none. */
  before: string | undefined;
}

const mark = "\uFEFF";

export const agentsOnWindows: readonly AgentOnWindows[] = [
  {
    id: "claude-code",
    path: ".claude/settings.json",
    before: `${mark}{\r\n\t"model": "opus",\r\n\t"hooks": {\r\n\t\t"Stop": [ { "hooks": [ { "type": "command", "command": "echo done" } ] } ]\r\n\t}\r\n}\r\n`,
  },
  { id: "codex", path: ".codex/hooks.json", before: `{\r\n  "description": "mine",\r\n  "hooks": {}\r\n}` },
  { id: "droid", path: ".factory/hooks.json", before: `{\r\n\t// mine\r\n\t"Stop": []\r\n}\r\n` },
  { id: "cursor", path: ".cursor/hooks.json", before: `{ "version": 1,\r\n  "hooks": { "stop": [] } }\r\n` },
  { id: "qwen-code", path: ".qwen/settings.json", before: `{\r\n    "ui": { "theme": "dark" }\r\n}\r\n` },
  { id: "kimi-code", path: ".kimi-code/config.toml", before: `# mine\r\ndefault_model = "k2"\r\n` },
  { id: "auggie", path: ".augment/settings.json", before: '{\n\t"model": "x"\n}\n' },
  { id: "opencode", path: ".config/opencode/plugins/hookbell.js", before: undefined },
];

export interface WrittenCall {
  agent: string;
  /** One of those that run this very command. */
  event: string;
  /** The command as it is written. */
  written: string;
  /** As the agent runs it with this payload. */
  with(payload: object): WindowsCall;
}

/** Each command that the agent's settings hold, once: with the end of a turn where that runs it. */
export function writtenCalls({ id, path }: AgentOnWindows, { file, home }: WindowsUser): WrittenCall[] {
  const text = readFileSync(file(path), "utf8").replace(mark, "");
  if (path.endsWith(".js")) return [plugInCall(id, `${home}\\${path.replaceAll("/", "\\")}`)];
  const found = path.endsWith(".toml") ? tomlHooks(text) : jsonHooks(text, id);
  const own = found.filter(({ written }) => written.includes(`--agent ${id}`));
  const ends = own.filter(({ event }) => /^(?:stop|afteragent)$/i.test(event));
  return [...new Map([...own, ...ends].map((call) => [call.written, call])).values()];
}

/** opencode loads its plug-in into its own process. */
function plugInCall(agent: string, path: string): WrittenCall {
  const [, ...args] = plugInRunner(path);
  const call = (payload: object): WindowsCall => ({
    argv: ["C:\\Program Files\\nodejs\\node.exe", ...args, JSON.stringify(payload)],
  });
  return { agent, event: "session.idle", written: path, with: call };
}

function jsonHooks(text: string, agent: string): WrittenCall[] {
  const tree = parseTree(text);
  const settings = (tree === undefined ? {} : getNodeValue(tree)) as Record<string, unknown>;
  const events = (settings.hooks ?? settings) as Record<string, unknown>;
  return Object.entries(events).flatMap(([event, entries]) =>
    handlersIn(entries).map((handler) => commandCall(agent, event, handler)),
  );
}

function tomlHooks(text: string): WrittenCall[] {
  const { hooks } = getStaticTOMLValue(parseTOML(text)) as { hooks: { event: string; command: string }[] };
  return hooks.map(({ event, ...handler }) => commandCall("kimi-code", event, handler));
}

interface Handler {
  command: string;
  args?: string[];
}

function handlersIn(value: unknown): Handler[] {
  if (Array.isArray(value)) return value.flatMap(handlersIn);
  if (typeof value !== "object" || value === null) return [];
  return "command" in value ? [value as Handler] : Object.values(value).flatMap(handlersIn);
}

/** With `args`, the agent starts the program itself. */
function commandCall(agent: string, event: string, { command, args }: Handler): WrittenCall {
  const call = args === undefined ? byShell(agent, command) : ({ argv: [command, ...args] } as const);
  const written = [command, ...(args ?? [])].join(" ");
  return { agent, event, written, with: (payload) => ({ ...call, input: JSON.stringify(payload) }) };
}

/** Wine has no PowerShell, which starts the program that follows its call operator, and cmd.exe for a script of its own. */
function byShell(agent: string, command: string): Pick<WindowsCall, "argv" | "isVerbatim"> {
  const { shellOnWindows } = findHookSetup(agent)?.entry ?? {};
  if (shellOnWindows !== "powershell" && shellOnWindows !== "none") return byCmd(command);
  const [program, ...args] = splitCommand(command) ?? [];
  if (program === undefined) throw new Error(`PowerShell cannot read ${command}`);
  if (program.endsWith(".cmd")) return byCmd([program.replaceAll("/", "\\"), ...args].join(" "));
  return { argv: [program, ...args] };
}

/** The payload of the agent's event, as its own documents show it. */
export function samplePayload({ agent, event }: WrittenCall, session: string, cwd: string): object {
  const setup = findHookSetup(agent);
  if (setup === undefined) throw new Error(`no agent ${agent} has hooks`);
  return { directory: cwd, ...setup.sample.payload({ event, session, cwd, at: new Date().toISOString() }) };
}
