// The form in which each `known/<id>/hook-setup.ts` describes an agent's hook settings, and by which `install/` edits them.
import { isAbsolute, join } from "node:path";
import type { FolderPlace } from "./dialect/agent.ts";
import type { AgentSample } from "./sample.ts";

/** The folder's path on this machine: the agent obeys the variable that moves it. */
export function placeFolder(
  { path, moved }: FolderPlace,
  env: Readonly<Record<string, string | undefined>>,
  home: string,
): string {
  const root = moved === undefined ? undefined : env[moved.env];
  return root !== undefined && isAbsolute(root) ? join(root, moved?.into ?? "") : join(home, path);
}

/** A settings file, and what the agent accepts in it: see hooks/README.md. What is not known counts as not allowed. */
export interface HooksFile {
  /** The path below the folder; a `*` in the last part matches every such file. */
  name: string;
  /** The folder that replaces the agent's own. */
  place?: FolderPlace;
  /** `wrapped`: events are under a `hooks` key; `bare`: at the top; `tables`: TOML, with a `[[hooks]]` table for each hook. */
  shape: "wrapped" | "bare" | "tables";
  /** The key that a `wrapped` file has instead of `hooks`. */
  hooksKey?: string;
  /** No agent accepts a trailing comma, even where it accepts comments. */
  allowsComments?: true;
  allowsByteOrderMark?: true;
  /** The agent reads it only while this newer file is absent. */
  onlyWithout?: string;
  /** Switches every hook off when it is `true`, or `offValue`. */
  offSwitch?: readonly string[];
  offValue?: boolean;
  /** Members that the file needs at the top, like `"version": 1`. */
  required?: Readonly<Record<string, unknown>>;
  /** With any other member at the top, the agent ignores the file. */
  onlyMembers?: readonly string[];
}

export interface OwnFileCall {
  /** The words end with `--agent ID`. */
  argv: readonly string[];
  platform: NodeJS.Platform;
  /** The agent's names of the events. */
  events: readonly string[];
  /** Events whose hook waits for a person's answer. */
  answering?: readonly string[];
}

/** A file that belongs to hookbell alone. */
export interface OwnFile {
  name(platform: NodeJS.Platform): string;
  /** If absent, the file handles all wanted events. */
  event?: string;
  isExecutable?: boolean;
  /** How a comment starts; undefined in JSON. */
  comment: "#" | "//" | undefined;
  text(call: OwnFileCall): string;
  /** A file that handles several events needs it. */
  eventsIn?(text: string): readonly string[];
}

/** The text of a plug-in with the lists that its own file leaves open. */
export function plugInWith(plugIn: string, { argv, events, answering = [] }: OwnFileCall): string {
  const put = JSON.stringify;
  return plugIn
    .replace('const command = ["hookbell"];', () => `const command = ${put(argv)};`)
    .replace("const wanted = new Set([]);", () => `const wanted = new Set(${put(events)});`)
    .replace("const answering = new Set([]);", () => `const answering = new Set(${put(answering)});`);
}

export function eventsOfPlugIn(text: string): string[] {
  const list = /^const wanted = new Set\((\[[^\]]*\])\);$/m.exec(text)?.[1];
  return list === undefined ? [] : (JSON.parse(list) as string[]);
}

/**
 * What reads the command on Windows: docs/reference/AGENTS.md has the source for each agent. `any`: no document says it, or it depends on
 * the user's shell, so the command is one that cmd.exe and PowerShell read alike.
 */
export type WindowsShell = "cmd" | "powershell" | "bash" | "any";

/** One hook in a settings file. */
export interface EntryForm {
  /** `grouped`: event -> groups -> `hooks`; `flat`: event -> entries. */
  layout: "grouped" | "flat";
  /** `"type": "command"` */
  hasType: boolean;
  /** Windows may use another key. */
  commandKey: "command" | "bash";
  /** The command is a program, and `args` has its arguments: there is no shell. */
  hasArgs?: true;
  timeout?: { key: "timeout" | "timeoutSec" | "timeout_ms"; unit: "seconds" | "milliseconds" };
  extra?: Readonly<Record<string, unknown>>;
  /** A shell runs the command, and HOME is the person's: both were seen. */
  expandsHome?: true;
  /** `sh` by default; `login` is the user's own. */
  shell?: "bash" | "login";
  commandKeyOnWindows?: "powershell";
  /**
   * Default: `any`. `none`: there, the command is a program, and `args` has its arguments; without them, Git Bash or PowerShell
   * reads it.
   */
  shellOnWindows?: WindowsShell | "none";
  /** Members that the hook has on Windows only. */
  extraOnWindows?: Readonly<Record<string, unknown>>;
  /** The agent can also post an event to an address, with `url`, `headers` and `allowedEnvVars`; not these events. */
  http?: { except: readonly string[] };
}

export interface HookedEvent {
  /** hookbell's names for the event. */
  mapsTo: readonly string[];
  /** hookbell always installs this event's hook, because it starts or ends what other events are about. */
  isSupporting?: true;
  /** Other events that need this one, because it carries their text or ends them. */
  alsoFor?: readonly string[];
  /** hookbell installs this event's hook only if a rule names it. */
  isOnlyIfNamed?: true;
  /** A regular expression of tools. */
  matcher?: string;
  /** A rule that names the agent's event gets it of all tools. */
  isWholeIfNamed?: true;
  /** Default: `hookTimeoutSeconds`. */
  timeoutSeconds?: number;
  /** The event's hook may wait for a person: for an answer, or for the next prompt. */
  isAnswerable?: "question" | "prompt";
  /** The command says `--answer`. */
  isAnswering?: true;
  /** The command says `--event NAME`, since the payload does not. */
  needsName?: true;
}

/** A setting with which the agent itself notifies. */
export interface OwnNotification {
  file: string;
  member: readonly string[];
  /** The agent reads these files if `file` does not have the setting. */
  olderFiles?: readonly string[];
  isOnByDefault: boolean;
  /** Values that switch it off. */
  quiet: readonly unknown[];
  /** The user reads this text. */
  text: string;
}

/** An administrator's settings, which can switch the user's hooks off. */
export interface ManagedSettings {
  /** A path with a slash at its end is a folder of JSON files. */
  files: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
  /** A variable that names another file. */
  moved?: string;
  switches: readonly { member: readonly string[]; value: boolean }[];
}

export interface HookSetup {
  /** Names that are looked up on PATH. */
  programs: readonly string[];
  /** No one has seen it run with hookbell. `init` writes it only where it is named, and `doctor` looks only for hooks that are there. */
  isUntried?: true;
  /** The newest release that was run with hookbell. */
  tested?: string;
  /** The folder with hookbell's files is used, else the first whose `sign` exists. */
  folders: readonly [HooksFolder, ...HooksFolder[]];
  /** An event in one file hides the same event in later files. */
  files: readonly HooksFile[];
  /** The agent reads each file by itself, so each gets the hooks. */
  isEveryFileUsed?: true;
  /** `init` makes it when no file holds hooks yet. */
  defaultFile?: string;
  /** The problem to report when there is no file and none can be made. */
  missingFiles?: { message: string; hint: string };
  ownFiles?: readonly OwnFile[];
  /** Beside `events` there may be members of any kind. Else, for one that is no array, the agent ignores all hooks of the file. */
  takesOtherMembers?: true;
  /** For one entry without a `hooks` array, the agent ignores the file. Absent where this is not known. */
  hasStrictGroups?: true;
  /** The keys are the agent's names. */
  events: Readonly<Record<string, HookedEvent>>;
  entry: EntryForm;
  sample: AgentSample;
  managed?: ManagedSettings;
  /** Other settings that switch all hooks off. */
  switches?: readonly { file: string; member: readonly string[]; value: boolean }[];
  /** The agent also runs these agents' hooks. */
  imports?: readonly string[];
  /** What the user has to do before the agent sees the change. */
  nextStep: string;
  /** A running agent sees changes of its hooks; others call the old ones until they are restarted. */
  isReloading?: true;
  /** The documentation shows when each kind of Notification is sent. */
  notificationTypes?: Readonly<Record<string, string>>;
  ownNotifications?: readonly OwnNotification[];
  /** Where the agent keeps that the user has approved a hook, and the key of the hook's own record. What is below the key is the agent's. */
  approvals?: {
    file: string;
    member: readonly string[];
    keyOf(hook: { file: string; event: string; group: number; handler: number }): string;
    /** The text whose SHA-256 the record keeps, and how the record writes it. */
    textOf(hook: { event: string; matcher: unknown; handler: Readonly<Record<string, unknown>> }): string;
    recordOf(sha256: string): Readonly<Record<string, string>>;
  };
  /** The setting after which the agent itself ends a question that no one answers: a time such as "5m"; any other value is none. */
  questionTimeout?: { file: string; member: readonly string[] };
}

export interface HooksFolder extends FolderPlace {
  /** Another folder that shows whether the agent is in use. */
  sign?: FolderPlace;
}

/** The hook takes milliseconds; this leaves room for a busy machine. */
export const hookTimeoutSeconds = 10;

/** Events that hookbell calls the same. */
export function onlyIfNamed(...names: readonly string[]): Record<string, HookedEvent> {
  return Object.fromEntries(names.map((name) => [name, { mapsTo: [name], isOnlyIfNamed: true }]));
}

/** This is longer than "holdFor" may be. */
export const answeringTimeoutSeconds = 600;

export function withAnswers<T extends Pick<HookSetup, "events">>(
  hookSetup: T,
  answerable: readonly HookedEvent["isAnswerable"][],
): T {
  const answering = { isAnswering: true, timeoutSeconds: answeringTimeoutSeconds } as const;
  const events = Object.entries(hookSetup.events).map(([name, event]) => [
    name,
    event.isAnswerable !== undefined && answerable.includes(event.isAnswerable) ? { ...event, ...answering } : event,
  ]);
  return { ...hookSetup, events: Object.fromEntries(events) as HookSetup["events"] };
}

/** The same without the matchers of events that rules name. */
export function withNamedEvents<T extends Pick<HookSetup, "events">>(setup: T, isNamed: (event: string) => boolean): T {
  const events = Object.entries(setup.events).map(([name, { matcher, ...event }]) => [
    name,
    matcher === undefined || (event.isWholeIfNamed === true && isNamed(name)) ? event : { ...event, matcher },
  ]);
  return { ...setup, events: Object.fromEntries(events) as HookSetup["events"] };
}

/** A question of the agent's own, which is a call of a tool: no other event tells of it, and its result ends it. */
export function questionTool(name: string): Record<"PreToolUse" | "PostToolUse", HookedEvent> {
  const ofTool = { matcher: `^${name}$`, isWholeIfNamed: true } as const;
  return {
    PreToolUse: { mapsTo: ["PermissionRequest", "PreToolUse"], ...ofTool },
    PostToolUse: { mapsTo: ["PostToolUse"], isSupporting: true, ...ofTool },
  };
}

/** An event has a list of commands. */
export const flatEntry: EntryForm = { layout: "flat", hasType: false, commandKey: "command" };

/** Claude Code's form of a hook, which other agents have taken over. */
export const claudeEntry: EntryForm = {
  layout: "grouped",
  hasType: true,
  commandKey: "command",
  timeout: { key: "timeout", unit: "seconds" },
};
