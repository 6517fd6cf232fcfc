import { mkdirSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { findAuthor } from "../../../src/wings/guard/author.ts";
import { recordOf } from "../../support/project/session-record.ts";
import { temporaryFolder } from "../../support/project/temporary-state.ts";

/** The file is `.claude/settings.json` of a project, and the transcript that of a session in `at`. */
function authorOf(
  lines: (path: string) => object[],
  { at = "shop", atMs }: { at?: string; atMs?: number } = {},
): string | undefined {
  const home = temporaryFolder();
  const path = join(home, "shop/.claude/settings.json");
  const transcript = join(home, "transcript.jsonl");
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "{}");
  writeFileSync(
    transcript,
    lines(path)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(""),
  );
  if (atMs !== undefined) utimesSync(transcript, atMs / 1000, atMs / 1000);
  const folder = join(home, at);
  return findAuthor(
    path,
    [recordOf({ agent: "claude-code", session: "s1", project: "shop", folder, transcript })],
    home,
  );
}

const claude = (name: string, input: object): object => ({
  type: "assistant",
  message: { content: [{ type: "tool_use", name, input }] },
});
const codex = (name: string, args: string): object => ({
  type: "response_item",
  payload: { type: "function_call", name, arguments: args },
});

const edited = "The agent in session shop (Claude Code) edited this file";
const named = "A command in session shop (Claude Code) mentions this file";
const longAgo = new Date(Date.now() - 3_600_000).toISOString();

it.each<[string, (path: string) => object[], string | undefined]>([
  ["an edit", (path) => [claude("Edit", { file_path: path, old_string: "a", new_string: "b" })], edited],
  ["a command that names the file", (path) => [claude("Bash", { command: `jq . ${path}` })], named],
  ["from its folder", () => [claude("Bash", { command: "cp x .claude/settings.json" })], named],
  ["from its folder, with a dot", () => [claude("Bash", { command: "cat x >./.claude/settings.json" })], named],
  ["from the home folder", () => [claude("Bash", { command: "cp x ~/shop/.claude/settings.json" })], named],
  ["in quotes", () => [claude("Bash", { command: 'cp x "$HOME/shop/.claude/settings.json"; ls' })], named],
  ["a call in Codex's form", (path) => [codex("shell", JSON.stringify({ command: ["cp", "x", path] }))], named],
  ["words that are no call", (path) => [{ type: "user", message: { content: `look at ${path}` } }], undefined],
  ["another file", () => [claude("Edit", { file_path: "/etc/hosts" })], undefined],
  ["the user's file of this name", () => [claude("Bash", { command: "sh w.sh ~/.claude/settings.json" })], undefined],
  ["that of the folder above", () => [claude("Bash", { command: "cp x ../.claude/settings.json" })], undefined],
  ["a file with a longer name", (path) => [claude("Bash", { command: `rm ${path}.old` })], undefined],
  ["a file of this name anywhere", () => [claude("Bash", { command: "cp x settings.json" })], undefined],
  [
    "a call of an hour ago",
    (path) => [{ ...claude("Edit", { file_path: path }), timestamp: longAgo }, claude("Bash", { command: "ls" })],
    undefined,
  ],
])("%s in an open transcript says who wrote the file, or nothing", (_, lines, expected) => {
  expect(authorOf(lines)).toBe(expected);
});

it("a session elsewhere names the file by its whole path only", () => {
  const relative = () => [claude("Bash", { command: "cp x .claude/settings.json" })];
  expect(authorOf(relative, { at: "api" })).toBeUndefined();
  expect(authorOf((path) => [claude("Bash", { command: `cp x ${path}` })], { at: "api" })).toBe(named);
});

it("a transcript that was quiet when the file changed says nothing", () => {
  expect(authorOf((path) => [claude("Edit", { file_path: path })], { atMs: 1_000_000 })).toBeUndefined();
});
