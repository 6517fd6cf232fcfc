import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { findAuthor } from "../../../src/wings/guard/author.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

function authorOf(lines: (path: string) => object[], atMs?: number): string | undefined {
  const folder = temporaryFolder();
  const path = join(folder, "settings.json");
  const transcript = join(folder, "transcript.jsonl");
  writeFileSync(path, "{}");
  writeFileSync(
    transcript,
    lines(path)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  if (atMs !== undefined) utimesSync(transcript, atMs / 1000, atMs / 1000);
  return findAuthor(path, [recordOf({ agent: "claude-code", session: "s1", project: "shop", transcript })]);
}

const claude = (name: string, input: object): object => ({
  type: "assistant",
  message: { content: [{ type: "tool_use", name, input }] },
});
const codex = (name: string, args: string): object => ({
  type: "response_item",
  payload: { type: "function_call", name, arguments: args },
});

it.each<[string, (path: string) => object[], string | undefined]>([
  [
    "an edit",
    (path) => [claude("Edit", { file_path: path, old_string: "a", new_string: "b" })],
    "A tool call of shop (Claude Code) wrote it",
  ],
  [
    "a command that names the file",
    (path) => [claude("Bash", { command: `jq . ${path}` })],
    "A command of shop (Claude Code) names it",
  ],
  [
    "a command that names it from its folder",
    () => [claude("Bash", { command: "cp x settings.json" })],
    "A command of shop (Claude Code) names it",
  ],
  [
    "a call in Codex's form",
    (path) => [codex("shell", JSON.stringify({ command: ["cp", "x", path] }))],
    "A command of shop (Claude Code) names it",
  ],
  ["words that are no call", (path) => [{ type: "user", message: { content: `look at ${path}` } }], undefined],
  ["another file", () => [claude("Edit", { file_path: "/etc/hosts" })], undefined],
])("%s in an open transcript says who wrote the file", (_, lines, expected) => {
  expect(authorOf(lines)).toBe(expected);
});

it("a transcript that was quiet when the file changed says nothing", () => {
  expect(authorOf((path) => [claude("Edit", { file_path: path })], 1_000_000)).toBeUndefined();
});
