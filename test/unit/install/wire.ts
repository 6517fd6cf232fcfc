// Runs the pure part of init and uninstall over texts, and reads the result as the real agents were seen to read it.
import { createHash } from "node:crypto";
import { parse, type ParseError } from "jsonc-parser";
import { claudeCodeWiring } from "../../../src/agents/claude-code-wiring.ts";
import type { Wiring } from "../../../src/agents/define-wiring.ts";
import { droidWiring } from "../../../src/agents/droid-wiring.ts";
import type { AgentPlan, SettingsSource } from "../../../src/install/file-change.ts";
import { hookEntry } from "../../../src/install/hook-command.ts";
import type { FileRecord } from "../../../src/install/install-record.ts";
import { ownerOf } from "../../../src/install/own-command.ts";
import { planInstall } from "../../../src/install/plan-install.ts";
import { planUninstall } from "../../../src/install/plan-uninstall.ts";
import { recordOf } from "../../../src/install/record-install.ts";

export const installation = { nodePath: "/usr/bin/node", hookPath: "/opt/lib/node_modules/hookbell/dist/hook.cjs" };
export const wirings = { droid: droidWiring, "claude-code": claudeCodeWiring } satisfies Record<string, Wiring>;
export type AgentId = keyof typeof wirings;
/** Content by file name; a missing file is not there. */
export type Files = Readonly<Record<string, Uint8Array | undefined>>;

export const ownCommand = (agent: AgentId): string => `/usr/bin/node ${installation.hookPath} --agent ${agent}`;
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
export const isOwn = (command: string, args: readonly string[] = []) => ownerOf(command, args, installation.hookPath);

function sourcesOf(agent: AgentId, files: Files): SettingsSource[] {
  return wirings[agent].files.map((file) => ({ file, path: `/home/me/${file.name}`, bytes: files[file.name] }));
}

function apply(files: Files, plan: AgentPlan): Files {
  const result: Record<string, Uint8Array | undefined> = { ...files };
  for (const { source, after } of plan.changes)
    result[source.file.name] = after === undefined ? undefined : bytes(after);
  return result;
}

export interface Wired {
  plan: AgentPlan;
  files: Files;
  records: Record<string, FileRecord>;
  originals: Files;
}

export function wire(
  agent: AgentId,
  files: Files,
  from = installation,
  earlier: Record<string, FileRecord> = {},
): Wired {
  const wiring = wirings[agent];
  const own = (command: string, args: readonly string[]) => ownerOf(command, args, from.hookPath);
  const entryFor = (timeoutSeconds: number) => hookEntry(from, agent, wiring, timeoutSeconds, "linux");
  const plan = planInstall({ wiring, sources: sourcesOf(agent, files), entryFor, ownerOf: own });
  const records = { ...earlier };
  for (const { source, after } of plan.changes) {
    records[source.file.name] = recordOf({
      before: source,
      after: bytes(after ?? ""),
      ownerOf: own,
      earlier: earlier[source.file.name],
      backup: "backup",
      hasMadeFolder: false,
      hashOf,
    });
  }
  return { plan, files: apply(files, plan), records, originals: files };
}

export function unwire(
  agent: AgentId,
  files: Files,
  records: Record<string, FileRecord>,
  originals: Files = {},
): Files {
  const sources = sourcesOf(agent, files).map((source) => ({
    ...source,
    record: records[source.file.name],
    hash: source.bytes && hashOf(source.bytes),
    original: soundOriginal(originals[source.file.name], records[source.file.name]),
  }));
  const plan = planUninstall(sources, isOwn);
  if (plan.problems.length > 0) throw new Error(JSON.stringify(plan.problems));
  return apply(files, plan);
}

/** A backup counts only when it holds what the record says. */
function soundOriginal(content: Uint8Array | undefined, record: FileRecord | undefined): Uint8Array | undefined {
  return content !== undefined && hashOf(content) === record?.originalHash ? content : undefined;
}

type Groups = { hooks?: { command?: string; timeout?: number }[] }[];

/** The hooks that the agent would run, by event; an independent reading of what was measured with the real programs. */
export function hooksAsRun(agent: AgentId, files: Files): Record<string, Groups> {
  if (agent === "claude-code") {
    const text = textOf(files["settings.json"])?.replace(/^\uFEFF/, "");
    return text === undefined || text.trim() === ""
      ? {}
      : ((JSON.parse(text) as { hooks?: Record<string, Groups> }).hooks ?? {});
  }
  const bare =
    asDroidReads(files["hooks.json"]) ??
    (files["hooks.json"] === undefined ? asDroidReads(files["hooks/hooks.json"]) : undefined) ??
    {};
  const wrapped = ((asDroidReads(files["settings.json"]) as { hooks?: Record<string, Groups> } | undefined)?.hooks ??
    {}) as Record<string, Groups>;
  const events = [
    "PreToolUse",
    "PostToolUse",
    "Notification",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionStart",
    "SessionEnd",
  ];
  return Object.fromEntries(
    events.flatMap((event) => {
      const groups = (bare[event] ?? wrapped[event]) as Groups | undefined;
      return groups === undefined ? [] : [[event, groups]];
    }),
  );
}

function asDroidReads(content: Uint8Array | undefined): Record<string, unknown> | undefined {
  const text = textOf(content);
  if (text === undefined || text.startsWith("\uFEFF")) return undefined;
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: false });
  return errors.length > 0 || typeof value !== "object" || value === null
    ? undefined
    : (value as Record<string, unknown>);
}

/** How often our command runs for an event. */
export function ownRuns(agent: AgentId, files: Files, event: string): number {
  return (hooksAsRun(agent, files)[event] ?? [])
    .flatMap((group) => group.hooks ?? [])
    .filter((hook) => hook.command === ownCommand(agent)).length;
}
