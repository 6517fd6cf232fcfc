// What Gemini CLI's tools would do, in one line: from a tool's input, and from the details of a question.
import type { Payload } from "../../dialect/agent.ts";
import {
  edits,
  fetches,
  mcpCall,
  reads,
  runs,
  searches,
  toolLine,
  writes,
  type ToolReader,
} from "../../dialect/tool-line.ts";
import { firstText, textOf } from "../../dialect/values.ts";

export const geminiTools: Readonly<Record<string, ToolReader>> = {
  run_shell_command: runs,
  replace: edits,
  write_file: writes,
  read_file: reads,
  web_fetch: fetches,
  google_web_search: searches,
};

/** `details` of a question: `exec`, `edit`, `mcp` or `info`. */
export function detailsLine(details: Payload, cwd: string): string | undefined {
  const path = textOf(details.filePath) ?? textOf(details.fileName);
  const server = textOf(details.serverName);
  const url = firstText(details.urls);
  const line = (tool: string, input: Payload): string => toolLine(detailReaders, { tool, input, cwd });
  if (details.type === "exec" && details.command !== undefined) return line("exec", details);
  if (details.type === "edit" && path !== undefined) return line("edit", { path, diff: details.fileDiff });
  if (server !== undefined) return mcpCall(server, textOf(details.toolName) ?? "a tool");
  return url === undefined ? undefined : line("fetch", { url });
}

const detailReaders: Readonly<Record<string, ToolReader>> = { exec: runs, edit: edits, fetch: fetches };
