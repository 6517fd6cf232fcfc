// The form of the command table, and flags that several commands share.
import type { ParsedFlag } from "./arguments.ts";

/** What a value or an argument can be, for shell completion. A list contains every possible value. */
export type ValueKind = "agent" | "channelType" | "file" | "eventOrFile" | LookedUp | readonly string[];

/** These values differ from person to person, so they are looked up when Tab is pressed. */
export type LookedUp = "channel" | "event" | "failedDelivery" | "question" | "remote" | "session";

/** A flag with its help text. */
export interface Flag extends ParsedFlag {
  /** The default value; commands read it from here. */
  usual?: string;
  of?: ValueKind;
}

export interface CommandHelp {
  /** Usage lines without `hookbell`. */
  usage: readonly string[];
  /** One line, without a full stop. */
  summary: string;
  /** Further paragraphs. */
  details?: readonly string[];
  flags: Readonly<Record<string, Flag>>;
  /** The values that its words can have. */
  words?: ValueKind;
  /** Commands that answer a question which is easily taken for this one's; their summaries say which. */
  related?: readonly string[];
  /** Whether to list the ids of all agents. */
  isListingAgents?: boolean;
}

export type CommandGroup = Readonly<Record<string, CommandHelp>>;

/** The topics of `hookbell --help` and of the man page, in their order. What only wings have comes last. */
export const helpSections = {
  setUp: "Set up",
  inspect: "Look and explain",
  answer: "Answer agents",
  send: "Send and retry",
  control: "Quiet",
  agents: "Run by agents",
  server: "Server",
  machines: "Other machines",
  platform: "Usage figures",
} as const;

/** What someone adds to the sections. */
export type SectionHelp = Partial<Readonly<Record<keyof typeof helpSections, CommandGroup>>>;

export const json = { meaning: "print JSON" } as const;
export const yes = { short: "y", meaning: "do not ask" } as const;
export const dryRun = { meaning: "show the changes and write nothing" } as const;
export const config = { value: "FILE", of: "file", meaning: "use this rules file" } as const;
