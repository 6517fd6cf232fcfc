// What a command is and what a wing is: a part of hookbell that comes off, with commands and more.
import type { DaemonWing } from "../daemon/wing.ts";
import type { Dispatcher } from "../pipeline/dispatcher.ts";
import type { Served } from "../http-server/served.ts";
import type { CommandHelp, SectionHelp } from "./command-help.ts";
import type { CommandIo } from "./command-io.ts";
import type { Area, Finding } from "./output/finding.ts";

export type RunCommand = (args: string[], io: CommandIo) => Promise<number>;

/** What a use of a command does: it makes or shows a right that others can use, it only takes rights away, or neither. */
export type Effect = "grants" | "revokes" | "neither";

/** Its arguments, as the command itself reads them. */
export interface Use {
  words: readonly string[];
  flags: Readonly<Record<string, unknown>>;
}

export interface Command {
  /**
   * A use that grants needs a person at a terminal. One that revokes works from anywhere, so that a thief can be locked out.
   * A function is given only arguments that fit the flags of its help.
   */
  effect: Effect | ((use: Use) => Effect);
  /** `wings` are those that this hookbell has. */
  load(wings: readonly Wing[]): Promise<RunCommand>;
}

/** Without `--dry-run`, it grants. */
export const unlessDryRun = ({ flags }: Use): Effect => (flags["dry-run"] === true ? "neither" : "grants");

const effects: Readonly<Record<string, Effect>> = { add: "grants", revoke: "revokes", remove: "revokes" };

/** The first word says what such a command does. */
export const effectOfVerb = ({ words }: Use): Effect => effects[words[0] ?? ""] ?? "neither";

export type Examine = (io: CommandIo, dispatcher: Dispatcher) => Finding[] | Promise<Finding[]>;

/** Without its folder and its line in the registry, all else works. */
export interface Wing extends DaemonWing {
  /** As its folder is called. */
  name: string;
  commands?: Readonly<Record<string, Command>>;
  help?: SectionHelp;
  /** Values that a shell completes, by the name of their kind. */
  completions?: Readonly<Record<string, (io: CommandIo) => readonly string[] | Promise<readonly string[]>>>;
  /** What `doctor` checks, in the area of its report. */
  checks?: readonly { area: Area; load(): Promise<Examine> }[];
  /** What follows when `hookbell init` has written hooks, and the lines that it says of it. */
  afterInit?: { load(): Promise<(io: CommandIo, init: { isFirst: boolean }) => string[]> };
  /** The lines that it adds to `hookbell status`, about what the person should look at. */
  status?: { load(): Promise<(io: CommandIo) => string[]> };
  /** The lines that it adds to `hookbell digest`. Times are in milliseconds since the epoch. */
  digest?: { load(): Promise<(io: CommandIo, span: { from: number; to: number }) => string[]> };
  /** What it adds to `hookbell serve`. */
  serves?: ServePart;
  /** Whether it brings events of agents that run elsewhere, so that this machine needs none. */
  bringsEvents?(io: CommandIo): Promise<boolean>;
}

/** What a wing adds to `hookbell serve`, and to its help. */
export interface ServePart {
  /** Such as `[--data DIR]`. */
  usage?: string;
  details?: readonly string[];
  flags?: CommandHelp["flags"];
  load(): Promise<OpenPart>;
}

/** Undefined: the server goes without that part. */
export type OpenPart = (given: ServeGiven) => Promise<Served | undefined>;

export interface ServeGiven {
  io: CommandIo;
  /** What a flag was given. */
  value(flag: string): string | undefined;
  isSet(flag: string): boolean;
  /** The address by which browsers reach it, if one was given. */
  origin: string | undefined;
  /** Whether only programs of this machine reach it, without a proxy before it. */
  isLocal: boolean;
  /** Ends the server. */
  stop: AbortSignal;
  /** Hears what the log is to say. */
  onNote(text: string): void;
}
