// How the hook settings of an agent are described: each `known/<id>/wiring.ts` fills in this form, `install/` edits by it.
import type { Payload } from "./dialect/agent.ts";
import type { AgentSample, SampleCall } from "./sample.ts";

/** A folder below the home folder that the agent lets a variable move: `env` stands for the part before `into`. */
export interface FolderPlace {
  /** Relative to the home folder, with forward slashes. */
  path: string;
  moved?: { env: string; into?: string };
}

/** A settings file of an agent, and what that agent puts up with in it (measured, see hooks/README.md). */
export interface WiringFile {
  /** Relative to the folder, with forward slashes. A `*` in the last part stands for every such file there is. */
  name: string;
  /** Where another folder than the wiring's holds it. */
  place?: FolderPlace;
  /** `wrapped` keeps events under a top-level `hooks` key, `bare` directly at the top. */
  shape: "wrapped" | "bare";
  /** Whether the agent reads comments in it. A trailing comma spoils the file for every agent there is. */
  allowsComments: boolean;
  /** Whether the agent reads a file that starts with a byte order mark. */
  allowsByteOrderMark: boolean;
  /** The file counts only while this other file is absent: an older place. */
  onlyWithout?: string;
  /** Where a `true` (or `offValue`) switches every hook off. */
  offSwitch?: readonly string[];
  offValue?: boolean;
  /** Members that must stand at the top, like `"version": 1`. */
  required?: Readonly<Record<string, unknown>>;
  /** The only members that may stand at the top: with any other the agent drops the whole file. */
  onlyMembers?: readonly string[];
}

/** What a file of our own is written from. */
export interface OwnFileCall {
  /** The program and its arguments, `--agent ID` among them. */
  argv: readonly string[];
  platform: NodeJS.Platform;
  /** The agent's own names of the events that are wanted. */
  events: readonly string[];
}

/** A file that is wholly ours. */
export interface OwnFile {
  /** Relative to the folder. */
  name(platform: NodeJS.Platform): string;
  /** The one event it stands for; without it, the file stands for all that are wanted. */
  event?: string;
  isExecutable?: boolean;
  /** How a line of comment starts; undefined where there are none (JSON), and the file is known by its text alone. */
  comment: "#" | "//" | undefined;
  text(call: OwnFileCall): string;
  /** The events that a text of ours was written for; needed where a file stands for several. */
  eventsIn?(text: string): readonly string[];
}

/** One hook in a settings file, as the agent wants it. */
export interface EntryForm {
  /** `grouped`: event -> groups -> `hooks`; `flat`: event -> entries. */
  layout: "grouped" | "flat";
  /** Whether it says `"type": "command"`. */
  hasType: boolean;
  /** Where the command stands, Windows aside. */
  commandKey: "command" | "bash";
  timeout?: { key: "timeout" | "timeoutSec" | "timeout_ms"; unit: "seconds" | "milliseconds" };
  /** Members that every entry of ours has besides. */
  extra?: Readonly<Record<string, unknown>>;
  /** Which shell reads the command elsewhere than on Windows; `sh` where nothing is said, `login` is the person's own. */
  shell?: "bash" | "login";
  /** Where the command is on Windows, when that is elsewhere. */
  commandKeyOnWindows?: "powershell";
}

/** An event of the agent's. */
export interface WiredEvent {
  /** Our names of what its payloads may say. */
  mapsTo: readonly string[];
  /** Wanted beside whatever the rules ask for: it starts or ends what other events are about. */
  isSupporting?: true;
  /** Instead of the wiring's. */
  timeoutSeconds?: number;
  /** The payload does not say it, so the command does: `--event NAME`. */
  needsName?: true;
}

/** A setting of the agent's that makes it ring or pop up by itself. */
export interface OwnNoise {
  /** Relative to the folder; `.toml` is read as TOML. */
  file: string;
  member: readonly string[];
  /** Where older releases keep it, and newer ones look when `file` does not say. */
  olderFiles?: readonly string[];
  /** Whether it is on while nothing is said. */
  isOnByDefault: boolean;
  /** Values with which it is quiet. */
  quiet: readonly unknown[];
  /** What to tell the person. */
  text: string;
}

/** One program that an older release calls, in a TOML file: `notify = [...]`. */
export interface NotifyProgram {
  file: string;
  /** The first release whose hooks need no such program. */
  hooksSince: string;
  /** What the person must do before the agent calls it. */
  nextStep: string;
  sample(call: SampleCall): Payload;
}

/** An administrator's settings, where one of the switches makes the agent ignore the person's hooks. */
export interface ManagedSettings {
  /** Files, and folders of JSON files where the path ends with a slash. */
  files: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>>;
  /** The variable that names another file instead. */
  moved?: string;
  switches: readonly { member: readonly string[]; value: boolean }[];
}

/** Where and how an agent's user-wide hook settings are written; `install/` does the editing. */
export interface Wiring {
  /** The agent's programs, looked for on PATH. */
  programs: readonly string[];
  /** Where files lie; of several, the one where ours lie, else the first whose `sign` is there. */
  folders: readonly [WiringFolder, ...WiringFolder[]];
  /** Files that hold hooks, the one that wins first: an event in it hides the same event in later ones. */
  files: readonly WiringFile[];
  /** Each file stands for itself, so that all of them are wired; else each event is wired once. */
  isEveryFileWired?: true;
  /** The file that is made when no file holds hooks yet; none is made without it. */
  defaultFile?: string;
  /** What to tell a person who has none of the files, when none can be made. */
  missingFiles?: { message: string; hint: string };
  ownFiles?: readonly OwnFile[];
  notify?: NotifyProgram;
  /** Events whose value must be sound, else the agent drops all hooks of the file; `all` is every key there. */
  soundEvents: readonly string[] | "all";
  /** Whether an entry without a `hooks` array spoils the file, too; else the agent skips just that entry. */
  hasSoundGroups: boolean;
  /** By the agent's own name. */
  events: Readonly<Record<string, WiredEvent>>;
  timeoutSeconds: number;
  entry: EntryForm;
  sample: AgentSample;
  managed?: ManagedSettings;
  /** Settings beside the files above that switch all hooks off; `.toml` is read as TOML. */
  switches?: readonly { file: string; member: readonly string[]; value: boolean }[];
  /** Other agents whose hooks this one runs as well. */
  imports?: readonly string[];
  /** What the person must do before the agent sees the change. */
  nextStep: string;
  ownNoises?: readonly OwnNoise[];
}

/** A folder of settings. `sign` says that the agent is used here, when another folder tells that better. */
export interface WiringFolder extends FolderPlace {
  sign?: FolderPlace;
}

/** Long enough for a busy machine: the hook itself takes milliseconds. */
export const usualTimeoutSeconds = 10;

/** How Claude Code writes a hook, and those that took its form. */
export const claudeEntry: EntryForm = {
  layout: "grouped",
  hasType: true,
  commandKey: "command",
  timeout: { key: "timeout", unit: "seconds" },
};
