// How the hook settings of an agent are described: each `known/<id>/wiring.ts` fills in this form, `install/` edits by it.
import type { Payload } from "./dialect/agent.ts";
import type { AgentSample, SampleCall } from "./sample.ts";

/** A folder below the home folder. A variable may move it: the value of `env` takes the place of what is before `into`. */
export interface FolderPlace {
  /** Relative to the home folder, with forward slashes. */
  path: string;
  moved?: { env: string; into?: string };
}

/** A settings file of an agent, and what the agent accepts in it (measured, see hooks/README.md). */
export interface WiringFile {
  /** Relative to the folder, with forward slashes. A `*` in the last part matches every such file. */
  name: string;
  /** The folder, where it is not the wiring's. */
  place?: FolderPlace;
  /** `wrapped` keeps events under a top-level `hooks` key, `bare` directly at the top. */
  shape: "wrapped" | "bare";
  /** Whether the agent reads comments in it. No agent reads a trailing comma. */
  allowsComments: boolean;
  /** Whether the agent reads a file that starts with a byte order mark. */
  allowsByteOrderMark: boolean;
  /** An older place: the agent reads the file only while this other one is absent. */
  onlyWithout?: string;
  /** The member that switches every hook off when it is `true` (or `offValue`). */
  offSwitch?: readonly string[];
  offValue?: boolean;
  /** Members that must be at the top, like `"version": 1`. */
  required?: Readonly<Record<string, unknown>>;
  /** The only members that may be at the top: with any other the agent ignores the whole file. */
  onlyMembers?: readonly string[];
}

/** What a file of hookbell's own is written from. */
export interface OwnFileCall {
  /** The program and its arguments, `--agent ID` among them. */
  argv: readonly string[];
  platform: NodeJS.Platform;
  /** The wanted events, by the agent's names. */
  events: readonly string[];
}

/** A file that belongs to hookbell alone. */
export interface OwnFile {
  /** Relative to the folder. */
  name(platform: NodeJS.Platform): string;
  /** The one event that it handles; without it, the file handles all wanted events. */
  event?: string;
  isExecutable?: boolean;
  /** How a comment starts; undefined in JSON, where the file is recognised by its text alone. */
  comment: "#" | "//" | undefined;
  text(call: OwnFileCall): string;
  /** The events that a text of hookbell's handles; needed where a file handles several. */
  eventsIn?(text: string): readonly string[];
}

/** One hook in a settings file, as the agent wants it. */
export interface EntryForm {
  /** `grouped`: event -> groups -> `hooks`; `flat`: event -> entries. */
  layout: "grouped" | "flat";
  /** Whether it says `"type": "command"`. */
  hasType: boolean;
  /** The member that holds the command, except on Windows. */
  commandKey: "command" | "bash";
  timeout?: { key: "timeout" | "timeoutSec" | "timeout_ms"; unit: "seconds" | "milliseconds" };
  /** Other members that every entry has. */
  extra?: Readonly<Record<string, unknown>>;
  /** Which shell runs the command, except on Windows; `sh` by default, `login` is the user's own. */
  shell?: "bash" | "login";
  /** The member that holds the command on Windows, when it is another one. */
  commandKeyOnWindows?: "powershell";
}

/** An event of the agent. */
export interface WiredEvent {
  /** hookbell's names of what its payloads may mean. */
  mapsTo: readonly string[];
  /** Wired whatever the rules ask for: it starts or ends what other events are about. */
  isSupporting?: true;
  /** hookbell's names of other events that need this one for their words. */
  alsoFor?: readonly string[];
  /** Wired only where a rule names it: such events are many, and few users want them. */
  isOnlyIfNamed?: true;
  /** A regular expression of the tools that it is wired for. */
  matcher?: string;
  /** Instead of the wiring's. */
  timeoutSeconds?: number;
  /** Its hook takes a person's answer, so it may wait for one. */
  isAnswerable?: true;
  /** The command says `--answer`. */
  isAnswering?: true;
  /** The payload does not name the event, so the command does: `--event NAME`. */
  needsName?: true;
}

/** A setting that makes the agent itself notify or play a sound. */
export interface OwnNotification {
  /** Relative to the folder; `.toml` is read as TOML. */
  file: string;
  member: readonly string[];
  /** Files of older releases, which newer ones read when `file` does not have the setting. */
  olderFiles?: readonly string[];
  /** Whether it is on by default. */
  isOnByDefault: boolean;
  /** Values that switch it off. */
  quiet: readonly unknown[];
  /** What to tell the user. */
  text: string;
}

/** One program that an older release calls, in a TOML file: `notify = [...]`. */
export interface NotifyProgram {
  file: string;
  /** The first release whose hooks need no such program. */
  hooksSince: string;
  /** What the user must do before the agent calls it. */
  nextStep: string;
  sample(call: SampleCall): Payload;
}

/** An administrator's settings, in which a switch makes the agent ignore the user's hooks. */
export interface ManagedSettings {
  /** Files, and folders of JSON files where the path ends with a slash. */
  files: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
  /** The variable that names another file instead. */
  moved?: string;
  switches: readonly { member: readonly string[]; value: boolean }[];
}

/** Where and how an agent's user-wide hook settings are written; `install/` does the editing. */
export interface Wiring {
  /** The agent's programs, searched on PATH. */
  programs: readonly string[];
  /** The settings folder; of several, the one with hookbell's files, else the first whose `sign` exists. */
  folders: readonly [WiringFolder, ...WiringFolder[]];
  /** Files that hold hooks, in the order in which they win: an event in one hides the same event in later ones. */
  files: readonly WiringFile[];
  /** The agent reads each file for itself, so all of them are wired; else each event is wired once. */
  isEveryFileWired?: true;
  /** The file that is made when no file holds hooks yet. */
  defaultFile?: string;
  /** What to say when there is no file and none can be made. */
  missingFiles?: { message: string; hint: string };
  ownFiles?: readonly OwnFile[];
  notify?: NotifyProgram;
  /** Events whose value must be an array, else the agent ignores all hooks of the file. */
  strictEvents: readonly string[] | "all";
  /** Whether the agent ignores the whole file for one entry without a `hooks` array, or only that entry. */
  hasStrictGroups: boolean;
  /** By the agent's name of the event. */
  events: Readonly<Record<string, WiredEvent>>;
  timeoutSeconds: number;
  entry: EntryForm;
  sample: AgentSample;
  managed?: ManagedSettings;
  /** Settings beside the files above that switch all hooks off; `.toml` is read as TOML. */
  switches?: readonly { file: string; member: readonly string[]; value: boolean }[];
  /** Other agents whose hooks this one also runs. */
  imports?: readonly string[];
  /** What the user must do before the agent sees the change. */
  nextStep: string;
  /** When the agent sends each kind of Notification, for the documentation. */
  notificationTypes?: Readonly<Record<string, string>>;
  ownNotifications?: readonly OwnNotification[];
}

/** A settings folder. `sign` is the folder that shows whether the agent is in use, when that is another one. */
export interface WiringFolder extends FolderPlace {
  sign?: FolderPlace;
}

/** Long enough for a busy machine: the hook itself takes milliseconds. */
export const defaultTimeoutSeconds = 10;

/** Events under the same name in hookbell, wired only where a rule names them. */
export function onlyIfNamed(...names: readonly string[]): Record<string, WiredEvent> {
  return Object.fromEntries(names.map((name) => [name, { mapsTo: [name], isOnlyIfNamed: true }]));
}

/** For a hook that waits for a person: longer than "holdFor" may be. */
const answeringTimeoutSeconds = 600;

/** The wiring of an agent whose questions can be answered away from its terminal. */
export function withAnswers<T extends Pick<Wiring, "events">>(wiring: T): T {
  const answering = { isAnswering: true, timeoutSeconds: answeringTimeoutSeconds } as const;
  const events = Object.entries(wiring.events).map(([name, event]) => [
    name,
    event.isAnswerable === true ? { ...event, ...answering } : event,
  ]);
  return { ...wiring, events: Object.fromEntries(events) as Wiring["events"] };
}

/** How Claude Code writes a hook, and the agents that took over its form. */
export const claudeEntry: EntryForm = {
  layout: "grouped",
  hasType: true,
  commandKey: "command",
  timeout: { key: "timeout", unit: "seconds" },
};
