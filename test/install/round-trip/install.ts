// Runs the pure part of init and uninstall over texts, and reads the result as the real agents were seen to read it.
import { createHash } from "node:crypto";
import { parse, type ParseError } from "jsonc-parser";
import type { HookedEvent, HookSetup } from "../../../src/agents/hook-setup.ts";
import { hookSetups } from "../../../src/agents/hook-setups.ts";
import type { AgentPlan, SettingsSource } from "../../../src/install/settings/file-change.ts";
import { hookArgv, hookEntry } from "../../../src/install/command/hook-command.ts";
import { recordOf } from "../../../src/install/record/record.ts";
import type { FileRecord } from "../../../src/own-files/install-record.ts";
import { ownerOf } from "../../../src/install/command/owner.ts";
import { planInstall } from "../../../src/install/plan/hooks.ts";
import { planUninstall } from "../../../src/install/plan/uninstall.ts";

export const installation = { nodePath: "/usr/bin/node", hookPath: "/opt/lib/node_modules/hookbell/dist/hook.cjs" };
export { hookSetups };
export type AgentId = keyof typeof hookSetups;
/** Content by file name; a missing file is not there. */
export type Files = Readonly<Record<string, Uint8Array | undefined>>;

export const ownCommand = (agent: AgentId): string => `/usr/bin/node ${installation.hookPath} --agent ${agent}`;
export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const textOf = (content: Uint8Array | undefined): string | undefined =>
  content === undefined ? undefined : new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
/** File by file, as text; what is not there is left out. */
export const texts = (files: Files): Record<string, string> =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, content]) => (content === undefined ? [] : [[name, textOf(content) ?? ""]])),
  );
const hashOf = (content: Uint8Array): string => createHash("sha256").update(content).digest("hex");
export const isOwn = (command: string, args: readonly string[] = []) => ownerOf(command, args, installation.hookPath);

/** Where a file of these tests lies. */
const root = "/home/me/";
const nameOf = (path: string): string => path.slice(root.length);

/** The agent's files, as `readSettings` would find them. */
function sourcesOf(agent: AgentId, files: Files): SettingsSource[] {
  const hookSetup: HookSetup = hookSetups[agent];
  const { layout } = hookSetup.entry;
  const own = (hookSetup.ownFiles ?? []).map((file): SettingsSource => {
    const name = file.name("linux");
    return { kind: "own", file, path: root + name, bytes: files[name] };
  });
  const hooks = hookSetup.files.flatMap((file) => {
    const [start = "", end] = file.name.split("*");
    const names =
      end === undefined
        ? [file.name]
        : Object.keys(files).filter(
            (name) => name.startsWith(start) && name.endsWith(end) && files[name] !== undefined,
          );
    return names.map((name): SettingsSource => {
      const read = { file: { ...file, name }, path: root + name, bytes: files[name] };
      return file.shape === "tables" ? { kind: "tables", ...read } : { kind: "hooks", layout, ...read };
    });
  });
  return [...own, ...hooks];
}

function apply(files: Files, plan: AgentPlan): Files {
  const result: Record<string, Uint8Array | undefined> = { ...files };
  for (const { source, after } of plan.changes)
    result[nameOf(source.path)] = after === undefined ? undefined : bytes(after);
  return result;
}

export interface Installed {
  plan: AgentPlan;
  files: Files;
  records: Record<string, FileRecord>;
  originals: Files;
}

export interface InstallOptions {
  from?: { nodePath: string; hookPath: string };
  earlier?: Record<string, FileRecord>;
  isWanted?: (event: string) => boolean;
}

/** All but those that are set up only where a rule names them. */
export function usualEvents(agent: AgentId): string[] {
  return Object.entries<HookedEvent>(hookSetups[agent].events).flatMap(([event, { isOnlyIfNamed }]) =>
    isOnlyIfNamed === true ? [] : [event],
  );
}

export function install(agent: AgentId, files: Files, options: InstallOptions = {}): Installed {
  const usual = usualEvents(agent);
  const isUsual = (event: string): boolean => usual.includes(event);
  const { from = installation, earlier = {}, isWanted = isUsual } = options;
  const hooked = { id: agent, hookSetup: hookSetups[agent] };
  const own = (command: string, args: readonly string[]) => ownerOf(command, args, from.hookPath);
  const plan = planInstall({
    hookSetup: hookSetups[agent],
    folder: root,
    platform: "linux",
    isWanted,
    sources: sourcesOf(agent, files),
    argvFor: (event) => hookArgv(from, hooked, event, "linux"),
    entryFor: (event) => hookEntry(from, hooked, event, "linux"),
    ownerOf: own,
  });
  const records = { ...earlier };
  for (const { source, after } of plan.changes) {
    records[nameOf(source.path)] = recordOf({
      agent,
      before: source,
      after: bytes(after ?? ""),
      ownerOf: own,
      earlier: earlier[nameOf(source.path)],
      backup: "backup",
      madeFolders: [],
    });
  }
  return { plan, files: apply(files, plan), records, originals: files };
}

export function uninstall(
  agent: AgentId,
  files: Files,
  records: Record<string, FileRecord>,
  originals: Files = {},
): Files {
  const sources = sourcesOf(agent, files).map((source) => ({
    source,
    record: records[nameOf(source.path)],
    hash: source.bytes && hashOf(source.bytes),
    original: soundOriginal(originals[nameOf(source.path)], records[nameOf(source.path)]),
  }));
  const plan = planUninstall(sources, isOwn);
  if (plan.problems.length > 0) throw new Error(JSON.stringify(plan.problems));
  return apply(files, plan);
}

/** A backup counts only when it holds what the record says. */
function soundOriginal(content: Uint8Array | undefined, record: FileRecord | undefined): Uint8Array | undefined {
  return content !== undefined && hashOf(content) === record?.originalHash ? content : undefined;
}

type Hook = { command?: string; bash?: string; timeout?: number };
type Groups = (Hook & { hooks?: Hook[] })[];

/** The hooks that the agent would run, by event; an independent reading of what was measured with the real programs. */
export function hooksAsRun(agent: AgentId, files: Files): Record<string, Groups> {
  if (agent !== "droid") {
    const name = hookSetups[agent].files[0]?.name ?? "";
    const text = textOf(files[name])?.replace(/^\uFEFF/, "");
    return text === undefined || text.trim() === ""
      ? {}
      : ((parse(text) as { hooks?: Record<string, Groups> }).hooks ?? {});
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

/** How often our command runs for each event that init sets up. */
export function ownRuns(agent: AgentId, files: Files): Record<string, number> {
  const hooks = hooksAsRun(agent, files);
  const count = (event: string): number =>
    (hooks[event] ?? [])
      .flatMap((group) => group.hooks ?? [group])
      .filter((hook) => (hook.command ?? hook.bash) === ownCommand(agent)).length;
  return Object.fromEntries(usualEvents(agent).map((event) => [event, count(event)]));
}

/** Everything that runs and is not ours, event by event. */
export function othersAsRun(agent: AgentId, files: Files): [event: string, hook: Hook][] {
  return Object.entries(hooksAsRun(agent, files)).flatMap(([event, groups]) =>
    groups
      .flatMap((group) => group.hooks ?? [group])
      .filter(({ command, bash }) => {
        const run = command ?? bash ?? "";
        return !/hookbell(?!.*\|)/.test(run) || run.includes("|");
      })
      .map((hook): [string, Hook] => [event, hook]),
  );
}
