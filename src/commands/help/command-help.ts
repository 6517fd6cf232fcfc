// What the table says of one command.

/** What a value or a word can be, for the completion; a list names all that it can be. */
export type ValueKind = "agent" | "channel" | "channelType" | "file" | readonly string[];

/** A flag as `parseArgs` of `node:util` takes it, with what `--help` says of it. */
export interface Flag {
  type: "boolean" | "string";
  multiple?: boolean;
  short?: string;
  /** What applies without it; commands take it from here. */
  usual?: string;
  meaning: string;
  /** What stands for its value in `--help`. */
  value?: string;
  of?: ValueKind;
}

export interface CommandHelp {
  /** Words after `hookbell`; each item is one way to call it. */
  usage: readonly string[];
  /** One line, without a full stop. */
  summary: string;
  /** Further paragraphs. */
  details?: readonly string[];
  flags: Readonly<Record<string, Flag>>;
  /** What its words can be. */
  words?: ValueKind;
  /** Lists the ids of all agents. */
  isListingAgents?: boolean;
}

export type CommandGroup = Readonly<Record<string, CommandHelp>>;
