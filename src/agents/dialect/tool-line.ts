// Asks whether a tool call should run: run `npm publish`? What one line cannot hold, such as a plan, follows below it.
import type { PayloadFacts, Payload } from "./agent.ts";
import { hasAQuestion } from "../../model/event.ts";
import { pathBelow } from "../../model/places/folder.ts";
import { objectOf, textOf } from "../../model/json.ts";
import { count } from "../../model/text.ts";

export interface ToolCall {
  tool: string;
  input: Payload;
  /** Paths below it are shown relative to it. */
  cwd: string;
}

export type RequestFacts = Pick<PayloadFacts, "message" | "title" | "request" | "headline">;

/** What a call asks for. `request` has the model's words, `headline` none. */
export interface ToolRequest {
  /** Such as: run `npm test`? */
  request: string;
  /** Such as "asks to run a command". */
  headline: string;
}

/** Undefined where the input does not say enough. */
export type ToolReader = (call: ToolCall) => ToolRequest | undefined;

/** Keyed by the agent's names of its tools. */
export type ToolReaders = Readonly<Record<string, keyof typeof usualTools | ToolReader>>;

/** An unknown tool is asked for by its name, above its arguments. */
export function toolRequest(readers: ToolReaders, call: ToolCall): ToolRequest {
  const reader = Object.hasOwn(readers, call.tool) ? readers[call.tool] : undefined;
  const read = typeof reader === "string" ? usualTools[reader] : reader;
  const known = read === undefined ? (mcpRequest(call) ?? byInput(call)) : read(call);
  return known ?? usesTool(`use ${call.tool}?`, call.input);
}

export function requestFacts(asked: ToolRequest | undefined): RequestFacts {
  return asked === undefined ? {} : { message: asked.request, ...asked };
}

/** The event has `tool_name` and `tool_input`. */
export function toolFacts(tools: ToolReaders, payload: Payload): RequestFacts {
  const tool = textOf(payload.tool_name);
  if (tool === undefined) return {};
  const call = { tool, input: objectOf(payload.tool_input), cwd: textOf(payload.cwd) ?? "" };
  return { ...requestFacts(toolRequest(tools, call)), title: tool };
}

/** What most agents' tools do. */
export const usualTools = {
  runs({ input }) {
    const { command } = input;
    const words = Array.isArray(command) ? command.flatMap((word) => textOf(word) ?? []).join(" ") : textOf(command);
    return words === undefined ? undefined : runsCommand(words);
  },
  edits(call) {
    const { input } = call;
    const diff = textOf(input.diff);
    if (diff !== undefined) return editsFile(call, sizeOfDiff(diff));
    const changes = Array.isArray(input.edits) ? input.edits.map(objectOf) : [input];
    const removed = sumOfLines(changes.map((each) => each.old_string ?? each.old_str ?? each.oldString));
    const added = sumOfLines(changes.map((each) => each.new_string ?? each.new_str ?? each.newString));
    return editsFile(call, sizeOfChange(added, removed));
  },
  writes(call) {
    const text = textOf(call.input.content) ?? textOf(call.input.file_text);
    const size = text === undefined ? "" : ` (${count(linesOf(text), "line")})`;
    return onFile(call, "write", "asks to write a file", size);
  },
  reads: (call) => onFile(call, "read", "asks to read a file"),
  /** Reads Codex's form and unified diffs. */
  patches({ input, cwd }) {
    const text = patchIn(input);
    if (text === undefined) return undefined;
    const found = [...text.matchAll(/^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b\/)?)(?!\/dev\/null)(.+)$/gm)];
    const names = [...new Set(found.map(([, path = ""]) => relative(path.trim(), cwd)))];
    if (names.length === 0) return undefined;
    const files = names.length === 1 ? "a file" : count(names.length, "file");
    return { request: `edit ${listOf(names)}${sizeOfDiff(text)}?`, headline: `asks to edit ${files}` };
  },
  fetches({ input }) {
    const url = textOf(input.url) ?? /https?:\/\/\S+/.exec(textOf(input.prompt) ?? "")?.[0];
    if (url === undefined) return undefined;
    const host = URL.canParse(url) ? new URL(url).host : url;
    return { request: `fetch from ${host}?`, headline: "asks to fetch a page" };
  },
  searches({ input }) {
    const query = textOf(input.query) ?? textOf(input.search_query);
    if (query === undefined) return undefined;
    return { request: `search the web for "${query}"?`, headline: "asks to search the web" };
  },
  startsSubagent({ input }) {
    const task = textOf(input.description) ?? textOf(input.name) ?? textOf(input.message) ?? textOf(input.prompt);
    if (task === undefined) return undefined;
    return { request: `start a subagent: ${task}?`, headline: "asks for a subagent" };
  },
  /** `questions: [{ question, options: [{ label }] }]`, one a line. */
  asksQuestions({ input }) {
    const questions = Array.isArray(input.questions) ? input.questions.map(objectOf) : [input];
    const lines = questions.flatMap((each) => {
      const question = textOf(each.question);
      const options = each.options ?? each.choices;
      const choices = Array.isArray(options) ? options.flatMap((option) => labelOf(option) ?? []) : [];
      const isMany = each.multiSelect === true || each.multiple === true;
      return question === undefined ? [] : [withChoices(question, choices, isMany)];
    });
    return hasQuestions(lines);
  },
  /** The plan's first heading or line is its name; the rest follows. */
  startsPlan({ input }) {
    const plan = textOf(input.plan) ?? textOf(input.title) ?? "";
    const start = plan.search(/[^\s#*-]/);
    if (start === -1) return { request: "start on the plan?", headline: hasAPlan };
    const end = plan.indexOf("\n", start);
    const [first, rest] = end === -1 ? [plan.slice(start), ""] : [plan.slice(start, end), plan.slice(end)];
    return {
      request: [`start on the plan "${first.trim()}"?`, rest.trim()].filter(Boolean).join("\n"),
      headline: hasAPlan,
    };
  },
} satisfies Record<string, ToolReader>;

/** What to decide on: the command without the words around it, or the plan. */
export function subjectOf({ request, headline }: { request: string; headline?: string | undefined }): string {
  const [, command] = (headline === asksToRun && /^run `([^]*)`\?$/.exec(request)) || [];
  const [, name, steps = ""] = (headline === hasAPlan && /^start on the plan "(.*)"\?(\n[^]*)?$/.exec(request)) || [];
  return command ?? (name === undefined ? request : name + steps);
}

const asksToRun = "asks to run a command";
const hasAPlan = "has a plan";

export function runsCommand(command: string): ToolRequest {
  return { request: `run ${inCode(command)}?`, headline: asksToRun };
}

/** One question a line. */
export function hasQuestions(lines: readonly string[]): ToolRequest | undefined {
  if (lines.length === 0) return undefined;
  return {
    request: lines.join("\n"),
    headline: lines.length === 1 ? hasAQuestion : `has ${lines.length} questions`,
  };
}

export function withChoices(question: string, choices: readonly string[], isMany = false): string {
  if (choices.length === 0) return question;
  return `${question} ${choices.join(" / ")}${isMany ? " (several may be chosen)" : ""}`;
}

/** Most agents name these fields alike. */
function byInput(call: ToolCall): ToolRequest | undefined {
  return usualTools.runs(call) ?? onFile(call, `use ${call.tool} on`, usesATool) ?? usualTools.fetches(call);
}

/** `mcp__server__tool`, or `server___tool` in Droid. */
function mcpRequest({ tool, input }: ToolCall): ToolRequest | undefined {
  const [, server, name] =
    /^(?:mcp__(.(?:(?!__).)*)__([^]+)|(.(?:(?!___).)*)___([^]+))$/.exec(tool)?.filter((part) => part !== undefined) ??
    [];
  return server === undefined || name === undefined ? undefined : mcpCall(server, name, input);
}

export function mcpCall(server: string, tool: string, input: Payload): ToolRequest {
  return usesTool(`use ${tool} of ${server}?`, input);
}

const usesATool = "asks to use a tool";

/** Arguments that say nothing are left out. */
function usesTool(line: string, input: Payload): ToolRequest {
  const given = Object.entries(input).filter(
    ([, value]) => !/^(?:null|""|\[\]|\{\})?$/.test(JSON.stringify(value) ?? ""),
  );
  return { request: [line, ...argumentLines(Object.fromEntries(given))].join("\n"), headline: usesATool };
}

/** `name: value` for each argument, the longest last. */
export function argumentLines(input: Payload): string[] {
  return Object.entries(input)
    .map(([name, value]) => `${nameOf(name)}: ${typeof value === "string" ? indented(value) : JSON.stringify(value)}`)
    .sort((a, b) => a.length - b.length);
}

/** A name with other signs could look like another argument. */
function nameOf(argument: string): string {
  return /^[\w.$-]+$/.test(argument) ? argument : JSON.stringify(argument);
}

/** A further line of a value could look like another argument. */
function indented(value: string): string {
  return value.replace(/\n/g, "\n  ");
}

function editsFile(call: ToolCall, size: string): ToolRequest | undefined {
  return onFile(call, "edit", "asks to edit a file", size);
}

function onFile({ input, cwd }: ToolCall, verb: string, headline: string, size = ""): ToolRequest | undefined {
  const path = textOf(input.file_path) ?? textOf(input.path) ?? textOf(input.notebook_path) ?? textOf(input.filePath);
  return path === undefined ? undefined : { request: `${verb} ${relative(path, cwd)}${size}?`, headline };
}

function patchIn(input: Payload): string | undefined {
  const { command } = input;
  const last: unknown = Array.isArray(command) ? command.at(-1) : command;
  return textOf(input.patch) ?? textOf(input.input) ?? textOf(input.diff) ?? textOf(last);
}

function labelOf(option: unknown): string | undefined {
  return textOf(option) ?? textOf(objectOf(option).label);
}

function inCode(text: string): string {
  return `\`${text.trim().replaceAll("`", "'")}\``;
}

function listOf(names: readonly string[]): string {
  const shown = names.slice(0, 3);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(", ") : `${shown.join(", ")} and ${more} more`;
}

function sizeOfDiff(text: string): string {
  const lines = text.split("\n").filter((line) => !/^(?:---|\+\+\+)/.test(line));
  const countOf = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length;
  return sizeOfChange(countOf("+"), countOf("-"));
}

function sizeOfChange(added: number, removed: number): string {
  return added === 0 && removed === 0 ? "" : ` (+${added} -${removed})`;
}

function sumOfLines(texts: readonly unknown[]): number {
  return texts.reduce<number>((sum, text) => sum + linesOf(textOf(text) ?? ""), 0);
}

function linesOf(text: string): number {
  return text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;
}

function relative(path: string, cwd: string): string {
  return pathBelow(cwd, path) ?? path;
}
