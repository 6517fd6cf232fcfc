// Which session wrote a file: the last lines of the transcripts that are open say so, if an agent's own tool did it.
import { basename } from "node:path";
import { agentName } from "../../agents/index.ts";
import { parseJson } from "../../model/json.ts";
import type { SessionRecord } from "../../outbox/sessions.ts";
import { tryToStat } from "../../system/files/files.ts";
import { readPartWithoutLinks } from "../../system/files/read.ts";

const tailBytes = 256 * 1024;
/** A transcript that was written to longer before the file has nothing to say of it. */
const nearMs = 10 * 60_000;
const maxSessions = 10;

/** A clause such as "A tool call of api (Claude Code) wrote it"; undefined where no transcript names the file. */
export function findAuthor(path: string, sessions: readonly SessionRecord[]): string | undefined {
  const changedAt = tryToStat(path)?.mtimeMs ?? 0;
  const recent = sessions
    .filter(({ transcript, host }) => transcript !== undefined && host === undefined)
    .toSorted((one, other) => other.lastSeenAt - one.lastSeenAt)
    .slice(0, maxSessions);
  for (const { agent, project, session, transcript = "" } of recent) {
    const stats = tryToStat(transcript);
    if (stats === undefined || Math.abs(stats.mtimeMs - changedAt) > nearMs) continue;
    const how = namesInTail(transcript, stats.bytes, path);
    if (how === undefined) continue;
    const who = `${project ?? session} (${agentName(agent)})`;
    return how === "edit" ? `A tool call of ${who} wrote it` : `A command of ${who} names it`;
  }
  return undefined;
}

const editors =
  /^(?:write|edit|multiedit|notebookedit|create|applypatch|apply_patch|write_file|replace|str_replace.*|fswrite|fs_write)$/i;

/** The last tool call that names the file. */
function namesInTail(transcript: string, size: number, path: string): "edit" | "command" | undefined {
  let text: string;
  try {
    const from = Math.max(0, size - tailBytes);
    text = readPartWithoutLinks(transcript, from, tailBytes)?.bytes.toString("utf8") ?? "";
  } catch {
    return undefined;
  }
  const inJson = JSON.stringify(path).slice(1, -1);
  const lines = text.split("\n").toReversed();
  for (const line of lines) {
    if (!line.includes(inJson) && !line.includes(basename(path))) continue;
    const calls = toolCalls(parseJson(line));
    const named = calls.find(({ input }) => input.includes(inJson) || input.includes(path));
    if (named !== undefined) return editors.test(named.name) ? "edit" : "command";
    const near = calls.find(({ input }) => input.includes(basename(path)));
    if (near !== undefined) return "command";
  }
  return undefined;
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
