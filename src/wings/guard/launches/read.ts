// Reads what makes an agent start programs from the text of one file. Everything in it is untrusted, and may have any form.
import { findNodeAtLocation, getNodeValue, printParseErrorCode } from "jsonc-parser";
import { type AST, getStaticTOMLValue } from "toml-eslint-parser";
import { parseToml } from "../../../install/settings/toml.ts";
import { commandKeys } from "../../../install/settings/find-hooks.ts";
import { parseJsonc } from "../../../jsonc/parse.ts";
import { positionOf } from "../../../jsonc/position.ts";
import { inOrder, listOf, objectOf, textOf } from "../../../model/json.ts";
import { cut, shellWord } from "../../../model/text.ts";
import { sha256 } from "../../../system/crypto.ts";
import type { LaunchInFile } from "./launch.ts";
import type { PlaceContent, Parts } from "./places.ts";

type At = readonly (string | number)[];

export interface LaunchesInFile {
  launches: LaunchInFile[];
  /** What keeps the agent, or hookbell, from reading the file as it stands. */
  notes: string[];
  /** The file's own object, for what switches its hooks off. */
  settings: Readonly<Record<string, unknown>>;
  /** The text is not of its form, or ends too early. */
  isTorn: boolean;
  /** The bound of hookbell's that keeps it from reading what the agent may read. */
  limit?: string;
}

/** Where an editor or an agent has another command for each system. */
const systems = ["linux", "osx", "windows"] as const;

const nothing: LaunchesInFile = { launches: [], notes: [], settings: {}, isTorn: false };

/** A file of thousands of hooks is no settings file. */
const maxLaunches = 2000;
const maxPlacedLength = 1_000_000;

/** `name` is the file's, which says whether it is TOML. */
export function readLaunches(text: string, name: string, content: PlaceContent): LaunchesInFile {
  if (content.kind === "code") return { ...nothing, launches: [codeFile(name)] };
  if (content.kind === "frontMatter") return { ...nothing, launches: frontMatterOf(text, name, content.keys) };
  const {
    value,
    lineOf,
    notes,
    isTorn,
    limit: beyond,
  } = name.endsWith(".toml") ? readToml(text) : name.endsWith(".env") ? readVariables(text) : readJsonc(text);
  const settings = objectOf(value);
  const found =
    content.kind === "settings"
      ? partsIn(value, content)
      : content.kind === "market"
        ? listOf(settings.plugins).flatMap((plugIn, index) => partsIn(plugIn, content, ["plugins", index]))
        : tasksIn(settings);
  // The lines of a file that no person wrote would take seconds to find.
  const isLong = text.length > maxPlacedLength;
  const launches = found
    .slice(0, maxLaunches)
    .map((each) => ({ ...each, line: isLong ? 1 : lineOf(each.at) }))
    .sort((one, other) => one.line - other.line);
  const limit =
    found.length > maxLaunches ? `has ${found.length - maxLaunches} more entries than hookbell reads` : beyond;
  return {
    launches,
    notes: [
      ...notes.filter((note) => note !== commented || found.length > 0),
      ...(limit === undefined || notes.includes(limit) ? [] : [limit]),
    ],
    settings,
    isTorn,
    ...(limit === undefined ? {} : { limit }),
  };
}

/** What is in it decides what runs, so its reader adds a digest of its bytes. */
function codeFile(name: string): LaunchInFile {
  return { kind: "code", name, command: name, line: 1, at: [] };
}

/**
 * `.md` files begin with settings in YAML; the lines that name commands are enough to show, and the digest is of all of them. YAML
 * can write a key in many ways, and agents differ in where they see the end, so what may be such a key counts, wherever it stands.
 */
function frontMatterOf(text: string, name: string, names: readonly string[]): LaunchInFile[] {
  const start = /^\uFEFF?---\s*\n/.exec(text)?.[0].length;
  if (start === undefined) return [];
  const rest = text.slice(start);
  // Some agents take the next three dashes for the end, also within a line.
  const end = /(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/.exec(rest)?.index ?? (rest.includes("---") ? rest.length : -1);
  const head = rest.slice(0, Math.max(0, end));
  const plain = unescapeYaml(head);
  const keys = names.flatMap((each) => (each.endsWith("!") ? (plain.includes("!") ? each.slice(0, -1) : []) : each));
  if (keys.length === 0) return [];
  const key = new RegExp(`(?:^|[\\s{,?"'])(?:${keys.join("|")})["' \\t\\r\\n]*:`, "m");
  // A key may also stand for a value from elsewhere.
  const isAlias = /\*[^\s*]{1,200}\s{1,9}:/.test(plain) && keys.some((each) => plain.includes(each));
  if (!key.test(plain) && !isAlias) return [];
  const lines = head.split(/\r?\n/);
  const named = /(?:^|[\s{,])["']?(?:command|url)["']?\s*:\s*(\S.*)$/;
  const commands = lines.flatMap((line) => named.exec(line)?.[1] ?? []);
  const at = lines.findIndex((each) => key.test(each));
  const line = positionOf(text, start).line + Math.max(0, at);
  const command = commands.length > 0 ? commands.join("; ") : "its front matter";
  return [{ kind: "hook", name: "front matter", matcher: name, command, around: sha256(head), line, at: [] }];
}

/** A text in double quotes may have signs in other ways. */
function unescapeYaml(text: string): string {
  return text.replace(/\\\r?\n\s*/g, "").replace(/\\(?:x[\dA-Fa-f]{2}|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})/g, (escaped) => {
    const code = Number.parseInt(escaped.slice(2), 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** It is of no matter in a file that starts nothing. */
const commented = "has comments or trailing commas, which some agents refuse";

interface Read {
  value: unknown;
  lineOf: (at: At) => number;
  notes: string[];
  isTorn: boolean;
  limit?: string;
}

function readJsonc(text: string): Read {
  const { root, errors, tooDeepAt } = parseJsonc(text);
  if (tooDeepAt !== undefined) {
    const limit = "is nested too deeply to read";
    return { value: undefined, lineOf: () => 1, notes: [limit], isTorn: true, limit };
  }
  const [first] = errors;
  const notes =
    first === undefined
      ? []
      : [
          `line ${positionOf(text, first.offset).line}: not JSON (${printParseErrorCode(first.error)
            .replace(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter}`)
            .toLowerCase()}); what can be read is listed`,
        ];
  if (first === undefined && hasComments(text)) notes.push(commented);
  const lineOf = (at: At): number => {
    const node = root && findNodeAtLocation(root, [...at]);
    return node === undefined ? 1 : positionOf(text, node.offset).line;
  };
  return { value: root && getNodeValue(root), lineOf, notes, isTorn: first !== undefined };
}

function hasComments(text: string): boolean {
  return parseJsonc(text, { allowsComments: false, allowsTrailingCommas: false }).errors.length > 0;
}

function readToml(text: string): Read {
  const parsed = parseToml(text);
  if ("problem" in parsed) {
    const { index, message } = parsed.problem;
    const where = index === undefined ? "" : `line ${positionOf(text, index).line}: `;
    return {
      value: undefined,
      lineOf: () => 1,
      notes: [`${where}${message}`],
      isTorn: true,
      ...(index === undefined ? { limit: message } : {}),
    };
  }
  const lines = linesOfToml(parsed.program);
  const lineOf = (at: At): number => {
    for (let length = at.length; length > 0; length -= 1) {
      const line = lines.get(JSON.stringify(at.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
  return { value: getStaticTOMLValue(parsed.program), lineOf, notes: [], isTorn: false };
}

/** A variable on each line; the last one of a name counts. */
function readVariables(text: string): Read {
  const lines = new Map<string, number>();
  const value: Record<string, string> = {};
  for (const [index, line] of text.split(/\r?\n|\r/).entries()) {
    const [, name, said = ""] = /^(?:export\s+)?([\w.-]+)\s*[=:](.*)$/s.exec(line.trim()) ?? [];
    if (name === undefined) continue;
    value[name] = said.trim().replace(/^(["'`])(.*)\1$/, "$2");
    lines.set(name, index + 1);
  }
  return { value, lineOf: ([name]) => lines.get(String(name)) ?? 1, notes: [], isTorn: false };
}

/** The line of each table and key, by its path. */
function linesOfToml(program: AST.TOMLProgram): Map<string, number> {
  const lines = new Map<string, number>();
  const noteKey = (node: AST.TOMLKeyValue, above: At): void => {
    lines.set(JSON.stringify([...above, ...getStaticTOMLValue(node.key)]), node.loc.start.line);
  };
  for (const node of program.body[0].body) {
    if (node.type === "TOMLKeyValue") {
      noteKey(node, []);
      continue;
    }
    lines.set(JSON.stringify(node.resolvedKey), node.loc.start.line);
    for (const each of node.body) noteKey(each, node.resolvedKey);
  }
  return lines;
}

type Unplaced = Omit<LaunchInFile, "line">;

function partsIn(
  settings: unknown,
  { hooks = [], servers = [], commands = [], packages = [], enabled = [], marked = [] }: Parts,
  above: At = [],
): Unplaced[] {
  return [
    ...hooks.flatMap((path) => valuesAt(settings, path, above).flatMap(([value, at]) => hooksIn(value, at))),
    ...servers.flatMap((path) => valuesAt(settings, path, above).flatMap(([value, at]) => serversIn(value, at))),
    ...commands.flatMap((path) => valuesAt(settings, path, above).flatMap(([value, at]) => commandAt(value, at))),
    ...packages.flatMap((path) => valuesAt(settings, path, above).flatMap(([value, at]) => packagesIn(value, at))),
    ...enabled.flatMap((path) => valuesAt(settings, path, above).flatMap(([value, at]) => enabledIn(value, at))),
    ...marked.flatMap((path) =>
      valuesAt(settings, path, above).flatMap(([value, at]) =>
        textOf(value)?.startsWith("!") === true ? commandAt(value, at) : [],
      ),
    ),
  ];
}

/** The values at a path, each with where it is. */
function valuesAt(value: unknown, path: readonly string[], at: At = []): [unknown, At][] {
  const [name, ...rest] = path;
  if (name === undefined) return [[value, at]];
  if (name === "*" && Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => valuesAt(item, rest, [...at, index]));
  }
  const members = objectOf(value);
  const names = name.includes("*") ? Object.keys(members).filter((each) => isNamed(each, name)) : [name];
  return names.flatMap((each) => (Object.hasOwn(members, each) ? valuesAt(members[each], rest, [...at, each]) : []));
}

/** A `*` stands for any letters. */
function isNamed(name: string, pattern: string): boolean {
  const [start = "", end = ""] = pattern.split("*");
  return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end);
}

/** Members by event, or items that name their event. */
function hooksIn(container: unknown, at: At): Unplaced[] {
  if (Array.isArray(container)) {
    return container.flatMap((item: unknown, index) => {
      const { trigger, event, name } = objectOf(item);
      return handlersIn(item, [...at, index], textOf(trigger) ?? textOf(event) ?? textOf(name) ?? "");
    });
  }
  return Object.entries(objectOf(container)).flatMap(([event, value]) => {
    // Where events may stand at the top or below this key, both are looked at.
    const isContainer = at.length === 0 && event === "hooks";
    return typeof value === "object" && !isContainer ? handlersIn(value, [...at, event], event) : [];
  });
}

/** What starts something, however deep it stands below its event; `matcher` is that of the nearest group above. */
function handlersIn(value: unknown, at: At, event: string, matcher?: string, depth = 0): Unplaced[] {
  if (depth > 6) return [];
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown, index) => handlersIn(item, [...at, index], event, matcher, depth + 1));
  }
  const members = objectOf(value);
  const narrowed = textOf(members.matcher) ?? matcher;
  const command = commandOf(members);
  const around = aroundOf(members);
  const own: Unplaced[] =
    command === undefined
      ? []
      : [
          {
            kind: "hook",
            name: event,
            ...(narrowed === undefined || narrowed === "" ? {} : { matcher: narrowed }),
            command,
            ...(around === undefined ? {} : { around }),
            at,
            ...(members.enabled === false ? { isOff: true as const } : {}),
          },
        ];
  // What stands below a command may run as well.
  const below = Object.entries(members).flatMap(([key, inner]) =>
    typeof inner === "object" && !notHooks.has(key) ? handlersIn(inner, [...at, key], event, narrowed, depth + 1) : [],
  );
  return [...own, ...below];
}

/** Members of a hook that start nothing themselves. */
const notHooks: ReadonlySet<string> = new Set([...commandKeys, "args", "env", "headers", ...systems]);

const maxPrompt = 120;

/** Undefined for what starts nothing. */
function commandOf(members: Readonly<Record<string, unknown>>): string | undefined {
  const args = Array.isArray(members.args) ? members.args.map(argumentText) : [];
  const places = [members, ...systems.map((system) => objectOf(members[system]))];
  const commands = places.flatMap((place) =>
    [...commandKeys, "command_windows"].flatMap((key) => {
      const value = typeof objectOf(place[key]).value === "string" ? objectOf(place[key]).value : place[key];
      if (typeof value === "string" && value.trim() !== "") return [[value, ...args].join(" ")];
      return Array.isArray(value) && value.length > 0 ? [[...value.map(argumentText), ...args].join(" ")] : [];
    }),
  );
  if (commands.length > 0) return [...new Set(commands)].join(" | elsewhere: ");
  if (members.type === "http" || (members.type === undefined && members.url !== undefined)) {
    return textOf(members.url) === undefined ? undefined : `POST ${textOf(members.url)}`;
  }
  if (members.type === "mcp_tool") return `MCP tool ${textOf(members.server) ?? ""}/${textOf(members.tool) ?? ""}`;
  const prompt = textOf(members.prompt);
  if (members.type !== "prompt" && members.type !== "agent") return undefined;
  return prompt === undefined ? undefined : `${members.type}: ${cut(prompt.replace(/\s+/g, " "), maxPrompt)}`;
}

function argumentText(value: unknown): string {
  return shellWord(typeof value === "string" ? value : JSON.stringify(value));
}

/** Members that decide what a command does; times, names and messages decide nothing. */
const deciding = [
  "env",
  "environment",
  "envFile",
  "cwd",
  "working_directory",
  "shell",
  "url",
  "prompt",
  "if",
  "headers",
  "input",
  "options",
  "headersHelper",
];

function aroundOf(members: Readonly<Record<string, unknown>>): string | undefined {
  const found = deciding.flatMap((key) => (isNothing(members[key]) ? [] : [[key, inOrder(members[key])]]));
  return found.length === 0 ? undefined : JSON.stringify(found);
}

/** An agent that rewrites its settings may write an empty object for none. */
function isNothing(value: unknown): boolean {
  return value === undefined || (typeof value === "object" && Object.keys(value ?? {}).length === 0);
}

function isOff({ enabled, disabled }: Readonly<Record<string, unknown>>): boolean {
  return enabled === false || disabled === true;
}

/** Only servers that are programs here: those at an address start nothing. */
function serversIn(container: unknown, at: At): Unplaced[] {
  return Object.entries(objectOf(container)).flatMap(([name, value]) => {
    const members = objectOf(value);
    const program = typeof members.command === "string" || Array.isArray(members.command);
    const command = (program ? commandOf(members) : undefined) ?? textOf(members.headersHelper);
    if (command === undefined) return [];
    const around = aroundOf(members);
    return [
      {
        kind: "server" as const,
        name,
        command,
        ...(around === undefined ? {} : { around }),
        at: [...at, name],
        ...(isOff(members) ? { isOff: true as const } : {}),
      },
    ];
  });
}

function commandAt(value: unknown, at: At): Unplaced[] {
  const command = Array.isArray(value) ? value.map(argumentText).join(" ") : textOf(value);
  if (command === undefined || command.trim() === "") return [];
  return [{ kind: "command", name: at.join("."), command, at }];
}

function packagesIn(value: unknown, at: At): Unplaced[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item: unknown, index) => {
    const name = typeof item === "string" ? item : (textOf(objectOf(item).source) ?? textOf((item as unknown[])?.[0]));
    return name === undefined ? [] : [{ kind: "code" as const, name: at.join("."), command: name, at: [...at, index] }];
  });
}

/** What a plug-in starts stands in its own files; that it is switched on stands here. */
function enabledIn(value: unknown, at: At): Unplaced[] {
  return Object.entries(objectOf(value)).flatMap(([name, isOn]) =>
    isOn === true || Array.isArray(isOn)
      ? [{ kind: "code" as const, name: at.join("."), command: `plug-in ${name}`, at: [...at, name] }]
      : [],
  );
}

/** An editor starts these when the folder is opened, and those before them on which they depend. */
function tasksIn(settings: Readonly<Record<string, unknown>>): Unplaced[] {
  if (!Array.isArray(settings.tasks)) return [];
  const tasks = settings.tasks.map((task: unknown) => objectOf(task));
  const nameOf = ({ label, taskName, type, script }: Readonly<Record<string, unknown>>): string =>
    textOf(label) ?? textOf(taskName) ?? (type === "npm" ? `npm: ${textOf(script) ?? ""}` : "");
  const started = new Set(
    tasks.flatMap(({ runOptions }, index) => (objectOf(runOptions).runOn === "folderOpen" ? [index] : [])),
  );
  // A set goes on to what is added to it meanwhile.
  for (const index of started) {
    const { dependsOn } = tasks[index] ?? {};
    const names = Array.isArray(dependsOn) ? dependsOn : [dependsOn];
    const wanted = names.map((name: unknown) => textOf(objectOf(name).task) ?? textOf(name));
    for (const [other, task] of tasks.entries()) if (wanted.includes(nameOf(task))) started.add(other);
  }
  return [...started].flatMap((index) => {
    const members = tasks[index] ?? {};
    const script = members.type === "npm" ? textOf(members.script) : undefined;
    const command = commandOf(members) ?? (script === undefined ? undefined : `npm run ${script}`);
    if (command === undefined) return [];
    const around = aroundOf(members);
    return [
      {
        kind: "hook" as const,
        name: "folderOpen",
        command,
        ...(around === undefined ? {} : { around }),
        at: ["tasks", index],
      },
    ];
  });
}
