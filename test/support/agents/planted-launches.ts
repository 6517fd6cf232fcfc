// Files with a marker at each place where an agent looks for programs to start.
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Parts, Place, PlaceContent } from "../../../src/wings/guard/launches/places.ts";

export interface Roots {
  home: string;
  /** The agent's own folder, where it has one. */
  agent: string | undefined;
  project: string;
  system: string;
  plugIn: string;
}

/** Writes the file of a place, with one marker for each part; returns what it starts, and where it is. */
export function plantAt(place: Place, roots: Roots, marker: string): { path: string; commands: string[] } | undefined {
  const root = {
    agent: roots.agent,
    home: roots.home,
    project: roots.project,
    system: roots.system,
    plugIns: roots.plugIn,
    markets: roots.plugIn,
  };
  const from = root[place.from];
  if (from === undefined) return undefined;
  const path = join(from, place.path.replaceAll("*", "x").replaceAll("?", "j"));
  mkdirSync(dirname(path), { recursive: true });
  const { text, commands } = contentFor(place.content, path, marker);
  writeFileSync(path, text);
  return { path, commands };
}

function contentFor(content: PlaceContent, path: string, marker: string): { text: string; commands: string[] } {
  const command = (part: string): string => `${marker}-${part}`;
  if (content.kind === "settings") {
    if (path.endsWith(".env")) return variablesFor(content, command);
    return path.endsWith(".toml") ? tomlFor(content, command) : jsonFor(content, command);
  }
  if (content.kind === "code") return { text: `// ${marker}\n`, commands: [basename(path)] };
  if (content.kind === "frontMatter") {
    const text = `---\nname: x\n${content.keys[0]}:\n  Stop:\n    - hooks:\n        - type: command\n          command: ${command("top")}\n---\nBe kind.\n`;
    return { text, commands: [command("top")] };
  }
  if (content.kind === "market") {
    const { text, commands } = jsonFor(content, command);
    const plugins = [
      { name: "other", ...JSON.parse(text.replaceAll(marker, "left-out")) },
      { name: "one", ...JSON.parse(text) },
    ];
    return { text: JSON.stringify({ name: "market", plugins }), commands };
  }
  const auto = { label: "a", command: command("task"), runOptions: { runOn: "folderOpen" } };
  const byHand = { label: "b", command: command("by-hand") };
  return { text: JSON.stringify({ tasks: [auto, byHand] }), commands: [command("task")] };
}

function jsonFor(parts: Parts, command: (part: string) => string): { text: string; commands: string[] } {
  const settings: Record<string, unknown> = { unrelated: { command: ["left out"] } };
  if ([...(parts.hooks ?? []), ...(parts.servers ?? [])].some((at) => at.length === 0)) delete settings.unrelated;
  const commands: string[] = [];
  const put = (at: readonly string[], value: unknown): void => {
    let inner = settings;
    for (const name of at.slice(0, -1).map((part) => part.replace("*", "any"))) {
      inner[name] ??= {};
      inner = inner[name] as Record<string, unknown>;
    }
    const last = at.at(-1);
    if (last !== undefined) inner[last.replace("*", "any")] = value;
    else Object.assign(settings, value);
  };
  const add = (part: string): string => {
    commands.push(command(part));
    return command(part);
  };
  for (const [index, at] of (parts.hooks ?? []).entries()) {
    put(at, {
      SessionStart: [{ matcher: "startup", hooks: [{ type: "command", command: add(`grouped${index}`), timeout: 5 }] }],
      stop: [{ command: add(`flat${index}`) }],
    });
  }
  for (const [index, at] of (parts.servers ?? []).entries()) {
    put(at, {
      [`local${index}`]: { command: add(`server${index}`) },
      [`far${index}`]: { type: "http", url: "https://mcp.example" },
    });
  }
  for (const [index, at] of (parts.commands ?? []).entries()) put(at, add(`command${index}`));
  for (const [index, at] of (parts.packages ?? []).entries()) put(at, [add(`package${index}`)]);
  for (const [index, at] of (parts.enabled ?? []).entries()) {
    put(at, { [command(`enabled${index}`)]: true });
    commands.push(`plug-in ${command(`enabled${index}`)}`);
  }
  for (const [index, at] of (parts.marked ?? []).entries()) {
    put(at, `!${command(`marked${index}`)}`);
    commands.push(`!${command(`marked${index}`)}`);
  }
  return { text: JSON.stringify(settings, undefined, 2), commands };
}

function variablesFor(parts: Parts, command: (part: string) => string): { text: string; commands: string[] } {
  const names = (parts.commands ?? []).map(([name = ""]) => name.replace("*", "any"));
  const commands = names.map((_, index) => command(`command${index}`));
  return { text: names.map((name, index) => `export ${name}="${commands[index]}"\n`).join(""), commands };
}

function tomlFor(parts: Parts, command: (part: string) => string): { text: string; commands: string[] } {
  const top: string[] = [];
  const tables: string[] = [];
  const commands: string[] = [];
  const add = (part: string): string => {
    commands.push(command(part));
    return JSON.stringify(command(part));
  };
  const named = (at: readonly string[]): string => at.map((part) => (part === "*" ? "any" : part)).join(".");
  for (const at of parts.hooks ?? []) {
    const key = named(at);
    tables.push(`[[${key}.Stop]]\n[[${key}.Stop.hooks]]\ntype = "command"\ncommand = ${add("hook")}`);
  }
  for (const at of parts.servers ?? []) tables.push(`[${named(at)}.local]\ncommand = ${add("server")}`);
  for (const [index, at] of (parts.commands ?? []).entries()) {
    const line = `${at.at(-1) ?? ""} = ${at.length === 1 ? `[${add(`command${index}`)}]` : add(`command${index}`)}`;
    if (at.length === 1) top.push(line);
    else tables.push(`[${named(at.slice(0, -1))}]\n${line}`);
  }
  return { text: [...top, ...tables, ""].join("\n"), commands };
}
