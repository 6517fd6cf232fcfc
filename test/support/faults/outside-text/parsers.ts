// Everything in src/ that reads a text which a repository, an agent or another program can write, as functions of the text.
import type { Agent, Payload } from "../../../../src/agents/dialect/agent.ts";
import { countGitCommands, usageOfResult } from "../../../../src/agents/dialect/tool-usage.ts";
import { agents } from "../../../../src/agents/index.ts";
import { readPayload } from "../../../../src/agents/read-payload.ts";
import { shortenPayload } from "../../../../src/agents/shorten-payload.ts";
import { answerSigns } from "../../../../src/agents/signs-of-agents.ts";
import { transcripts } from "../../../../src/agents/transcripts.ts";
import type { HookSetup, HooksFile } from "../../../../src/agents/hook-setup.ts";
import { isOnList } from "../../../../src/answers/allow-list.ts";
import { cardOf, textOfCall } from "../../../../src/answers/card/card.ts";
import type { Question } from "../../../../src/answers/questions.ts";
import { readBody } from "../../../../src/wings/fleet/stream/body.ts";
import { callsHookbell, isUntouchedOwn, ownerOf } from "../../../../src/install/command/owner.ts";
import { inspectSource } from "../../../../src/install/settings/file-change.ts";
import { readTables, withoutTables } from "../../../../src/install/settings/hook-tables.ts";
import { findStructureProblems, othersOf } from "../../../../src/install/settings/inspect.ts";
import { unifiedDiff } from "../../../../src/jsonc/diff.ts";
import { styleOf } from "../../../../src/jsonc/style.ts";
import { objectIn } from "../../../../src/model/json.ts";
import { scrub } from "../../../../src/model/privacy/scrub.ts";
import { parseMarkdown } from "../../../../src/model/rich-text/parse-markdown.ts";
import { markdownSyntax, plainSyntax, render } from "../../../../src/model/rich-text/render.ts";
import { plainBlocks, type Block } from "../../../../src/model/rich-text/rich-text.ts";
import { shorten } from "../../../../src/model/rich-text/shorten.ts";
import { summarise } from "../../../../src/model/rich-text/summarise.ts";
import { cut, endsInQuestion, headAndTail, printableLine } from "../../../../src/model/text.ts";
import { folderNames, lastPart } from "../../../../src/model/places/folder.ts";
import { parseJournal } from "../../../../src/outbox/journal.ts";
import { parseRules } from "../../../../src/rules/load.ts";
import { maskSecrets } from "../../../../src/rules/mask-secrets.ts";
import { parseDocument } from "../../../../src/rules/problems/document.ts";
import { showProblems } from "../../../../src/rules/problems/show.ts";
import { treeOf } from "../../../../src/jsonc/parse.ts";
import { channelTypes } from "../../channels/all-types.ts";

export interface OutsideParser {
  read(text: string): unknown;
  /** Its reader refuses or cuts longer texts, in UTF-16 units. */
  maxLength: number;
  /** What stands around the repeated units, besides nothing. */
  around?: readonly (readonly [before: string, after: string])[];
}

const kib = 1024;
const mib = 1024 * kib;
const inJson = [
  ["{", "}"],
  ['{"hooks":{"Stop":[', ""],
  ['["', '","k":1]'],
  ["", "/*"],
] as const;

const own = (command: string, args: readonly string[]) => ownerOf(command, args, "/x/hook.cjs");
const wrapped: HooksFile = {
  name: "settings.json",
  shape: "wrapped",
  allowsComments: true,
  allowsByteOrderMark: true,
};
const strict: HooksFile = { name: "settings.json", shape: "wrapped" };
const hookSetup = { events: { Stop: {} }, hasStrictGroups: true } as unknown as HookSetup;
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function readSettings(file: HooksFile, text: string): void {
  const source = { kind: "hooks", layout: "grouped", path: "/x/settings.json", bytes: bytesOf(text), file } as const;
  const reading = inspectSource({ ...source, layout: "grouped" as never }, own);
  if ("problems" in reading) return;
  findStructureProblems(reading.inspected, hookSetup);
  othersOf(reading.inspected);
}

function readToml(text: string): void {
  const file: HooksFile = { name: "config.toml", shape: "tables" };
  const reading = readTables({ kind: "tables", path: "/x/config.toml", bytes: bytesOf(text), file }, own, true);
  if ("file" in reading) withoutTables(reading.file, reading.file.tables);
}

function showBlocks(blocks: readonly Block[]): void {
  render(
    shorten(blocks, (some) => render(some, plainSyntax).length < 3000),
    markdownSyntax,
  );
}

/** In every field that agents have. */
function payloadOf({ id }: Pick<Agent, "id">, event: string, text: string): void {
  const input = {
    command: text,
    patch: text,
    file_path: text,
    query: text,
    content: text,
    old_string: text,
    diff: text,
  };
  const fields = { message: text, title: text, prompt: text, last_assistant_message: text, reason: text, error: text };
  const payload = {
    session_id: "s",
    cwd: "/x",
    hook_event_name: event,
    tool_name: "Bash",
    tool_input: input,
    ...fields,
  };
  readPayload(JSON.stringify(payload), { agentId: id, eventName: event, env: {} });
}

/** Lines of transcripts that hold the text where agents put words. */
function linesWith(text: string): Payload[] {
  const timestamp = "2026-01-01T00:00:00Z";
  const content = [
    { type: "text", text },
    { type: "tool_use", id: "t", name: "Bash", input: { command: text } },
    { type: "tool_result", tool_use_id: "t", content: text },
  ];
  const call = { call_id: "c", name: "shell" };
  return [
    objectIn(text),
    { type: "user", timestamp, sessionId: "s", uuid: "u", message: { role: "user", content: text } },
    { type: "assistant", timestamp, sessionId: "s", uuid: "u", message: { id: "i", content } },
    { type: "response_item", timestamp, payload: { type: "function_call", arguments: text, ...call } },
    {
      type: "response_item",
      timestamp,
      payload: { type: "custom_tool_call", input: text, ...call, name: "apply_patch" },
    },
    { type: "event_msg", timestamp, payload: { type: "error", message: text } },
  ];
}

const globs = ["Bash(npm * -- * x *)", "Bash(a* b* c*)", "Edit(src/*/x/*.ts)", "Edit(*/*/*/q)", "mcp__*__*__x"];

export const outsideParsers: Readonly<Record<string, OutsideParser>> = {
  "the rules file": {
    maxLength: mib,
    around: inJson,
    read(text) {
      const loaded = parseRules(text, channelTypes);
      if (loaded.status === "broken") showProblems(loaded.problems, { text, file: "x", isColor: false });
    },
  },
  "a project's file": { maxLength: 16 * kib, around: inJson, read: (text) => parseDocument(text) },
  "the mask over secrets in rules": { maxLength: mib, around: inJson, read: maskSecrets },
  "settings with comments": { maxLength: 10 * mib, around: inJson, read: (text) => readSettings(wrapped, text) },
  "settings in strict JSON": { maxLength: 10 * mib, around: inJson, read: (text) => readSettings(strict, text) },
  "settings in TOML": { maxLength: 10 * mib, read: readToml },
  "the style of settings": { maxLength: 10 * mib, around: inJson, read: (text) => styleOf(text, treeOf(text)) },
  "a hook's command": {
    maxLength: 10 * mib,
    read: (text) => [own(text, []), callsHookbell(text), isUntouchedOwn(text)],
  },
  "a diff of settings": { maxLength: 64 * kib, read: (text) => unifiedDiff(text, `${text}y`, "x" as never) },
  Markdown: { maxLength: 8 * mib, read: (text) => showBlocks(parseMarkdown(text)) },
  "a summary of Markdown": { maxLength: 8 * mib, read: (text) => summarise(text, 300) },
  "plain text": { maxLength: 8 * mib, read: (text) => showBlocks(plainBlocks(text)) },
  "a short text": {
    maxLength: 8 * mib,
    read: (text) => [
      printableLine(text),
      cut(text, 300),
      headAndTail(text, 300),
      endsInQuestion(text),
      lastPart(text),
      folderNames(text, text),
    ],
  },
  credentials: { maxLength: 8 * mib, read: scrub },
  "a payload": {
    maxLength: 8 * mib,
    read: (text) => readPayload(text, { agentId: "generic", eventName: "Stop", env: {} }),
  },
  "a large payload": { maxLength: 8 * mib, read: (text) => shortenPayload(text) },
  "a question's card": {
    maxLength: 8 * mib,
    read(text) {
      const asked = textOfCall({ command: text, other: { a: text } }).text;
      const question = {
        kind: "permission",
        tool: text.slice(0, 1000),
        text: asked,
        cwd: text.slice(0, 4096),
        host: "h",
      };
      cardOf(question as Question, "x", "t");
    },
  },
  "the allow list": {
    maxLength: 8 * mib,
    read: (text) => [
      isOnList(globs, "Bash", { command: text }),
      isOnList(globs, "Edit", { file_path: text }),
      isOnList(globs, `mcp__${text}`, {}),
    ],
  },
  "commands and patches": {
    maxLength: 8 * mib,
    read: (text) => [
      countGitCommands(text),
      usageOfResult("apply_patch", text),
      usageOfResult("bash", { command: text }),
    ],
  },
  "the journal": { maxLength: 64 * mib, read: parseJournal },
  "an event of the fleet": { maxLength: mib, read: (text) => readBody(bytesOf(text)) },
  ...Object.fromEntries(
    agents.map((agent) => [
      `payloads of ${agent.id}`,
      {
        maxLength: 8 * mib,
        read: (text: string) => ["Stop", "PermissionRequest"].forEach((event) => payloadOf(agent, event, text)),
      },
    ]),
  ),
  "signs of answers in transcripts": {
    maxLength: 4 * mib,
    read(text) {
      const lines = linesWith(text);
      for (const signs of Object.values(answerSigns)) {
        signs.isReviewed?.(text);
        for (const line of lines) signs.callsIn?.(line);
      }
    },
  },
  "usage in transcripts": {
    maxLength: 4 * mib,
    read(text) {
      const lines = linesWith(text);
      for (const { read } of Object.values(transcripts)) for (const line of lines) read(line, {}, "x");
    },
  },
};
