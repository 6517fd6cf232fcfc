// What opencode asks a permission for, in one line.
import type { Payload } from "../../dialect/agent.ts";
import {
  asksQuestions,
  edits,
  fetches,
  patches,
  reads,
  runs,
  searches,
  startsHelper,
  toolLine,
  writes,
  type ToolReader,
} from "../../dialect/tool-line.ts";
import { firstText, objectOf, textOf } from "../../dialect/values.ts";

const tools: Readonly<Record<string, ToolReader>> = {
  bash: runs,
  edit: (call) => edits(call) ?? patches(call),
  write: writes,
  patch: patches,
  read: reads,
  webfetch: fetches,
  websearch: searches,
  task: startsHelper,
  question: asksQuestions,
};

/** A permission by its kind, `metadata` and patterns. Releases before 1.1 say `type`, `pattern` and a `title`. */
export function permissionLine(properties: Payload, cwd: string): string | undefined {
  const tool = textOf(properties.permission) ?? textOf(properties.action) ?? textOf(properties.type);
  if (tool === undefined) return undefined;
  const patterns = [properties.patterns, properties.pattern, properties.resources].flat();
  const pattern = firstText(patterns);
  const metadata = objectOf(properties.metadata);
  const command = textOf(metadata.command) ?? (tool === "bash" ? (textOf(properties.title) ?? pattern) : undefined);
  const path = textOf(metadata.filepath) ?? textOf(metadata.filePath) ?? pattern;
  const url = textOf(metadata.url) ?? pattern;
  return toolLine(tools, { tool, input: { ...metadata, command, path, url }, cwd });
}

export function questionLine(properties: Payload, cwd: string): string | undefined {
  return asksQuestions({ tool: "question", input: properties, cwd });
}
