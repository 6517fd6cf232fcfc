// Which session wrote a file: the last lines of the transcripts that are open say so, if an agent's own tool did it.
import { sep } from "node:path";
import { agentName } from "../../agents/index.ts";
import { objectOf, parseJson, textOf } from "../../model/json.ts";
import { pathBelow } from "../../model/places/folder.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { tryToStat } from "../../system/files/files.ts";
import { readPartWithoutLinks } from "../../system/files/read.ts";

const tailBytes = 256 * 1024;
/** A transcript that was written to longer before the file has nothing to say of it. */
const nearMs = 10 * 60_000;
/** A call from longer before the change did not make it: agents give a call ten minutes at most. */
const callMs = 10 * 60_000;
const maxSessions = 10;

/** A sentence without its full stop; undefined where no transcript names the file. */
export function findAuthor(path: string, sessions: readonly SessionRecord[], home: string): string | undefined {
  const changedAt = tryToStat(path)?.mtimeMs ?? 0;
  const recent = sessions
    .filter(({ transcript, host }) => transcript !== undefined && host === undefined)
    .toSorted((one, other) => other.lastSeenAt - one.lastSeenAt)
    .slice(0, maxSessions);
  for (const { agent, project, session, folder, transcript = "" } of recent) {
    const stats = tryToStat(transcript);
    if (stats === undefined || Math.abs(stats.mtimeMs - changedAt) > nearMs) continue;
    const names = [path, ...shortNames(path, { folder, home })];
    const how = namesInTail(transcript, stats.bytes, { names, changedAt });
    if (how === undefined) continue;
    const who = `session ${project ?? session} (${agentName(agent)})`;
    return how === "edit" ? `The agent in ${who} edited this file` : `A command in ${who} mentions this file`;
  }
  return undefined;
}

const editors =
  /^(?:write|edit|multiedit|notebookedit|create|applypatch|apply_patch|write_file|replace|str_replace.*|fswrite|fs_write)$/i;

/** How a command may name the file: from the home folder, and from the folder of its session. */
function shortNames(path: string, { folder, home }: { folder: string | undefined; home: string }): string[] {
  const atHome = pathBelow(home, path);
  const inFolder = folder === undefined ? undefined : pathBelow(folder, path);
  const names = [
    ...(atHome === undefined ? [] : ["~", "$HOME", "${HOME}"].map((name) => `${name}${sep}${atHome}`)),
    ...(inFolder === undefined ? [] : [inFolder]),
  ];
  // Git Bash on Windows writes paths with `/`.
  return sep === "/" ? names : names.flatMap((name) => [name, name.replaceAll(sep, "/")]);
}

/** The last tool call that names the file, and is not from long before its change. */
function namesInTail(
  transcript: string,
  size: number,
  { names, changedAt }: { names: readonly string[]; changedAt: number },
): "edit" | "command" | undefined {
  let text: string;
  try {
    const from = Math.max(0, size - tailBytes);
    text = readPartWithoutLinks(transcript, from, tailBytes)?.bytes.toString("utf8") ?? "";
  } catch {
    return undefined;
  }
  const escaped = (text: string): string => JSON.stringify(text).slice(1, -1);
  // Some agents write a call's arguments as JSON within JSON.
  const inJson = names.flatMap((name) => [escaped(name), escaped(escaped(name))]);
  const lines = text.split("\n").toReversed();
  for (const line of lines) {
    if (!inJson.some((name) => line.includes(name))) continue;
    const value = parseJson(line);
    // Some agents give their lines no time: then all count.
    if (changedAt - Date.parse(textOf(objectOf(value).timestamp) ?? "") > callMs) continue;
    const named = toolCalls(value).find(({ input }) => [...names, ...inJson].some((name) => hasName(input, name)));
    if (named !== undefined) return editors.test(named.name) ? "edit" : "command";
  }
  return undefined;
}

/** As a whole: the end of a longer path is another file. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text.slice(Math.max(0, at - 3), at).replace(/(?<=^|[^.\w])\.[\\/]$/, "");
    if (!/[\w.~\\/}-]$/.test(before) && !/^[\w.-]/.test(text.slice(at + name.length))) return true;
  }
  return false;
}

/** Each agent writes its calls in another form: an object with a name and with an input or arguments. */
function toolCalls(value: unknown, depth = 0): { name: string; input: string }[] {
  if (depth > 8 || typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item) => toolCalls(item, depth + 1));
  const members = value as Readonly<Record<string, unknown>>;
  const { name, tool, toolName } = members;
  const called = [name, tool, toolName].find((each): each is string => typeof each === "string");
  const input = members.input ?? members.arguments ?? members.args ?? members.tool_input;
  if (called !== undefined && input !== undefined) {
    return [{ name: called, input: typeof input === "string" ? input : JSON.stringify(input) }];
  }
  return Object.values(members).flatMap((inner) => toolCalls(inner, depth + 1));
}
