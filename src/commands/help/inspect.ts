// Help of the commands that only read.
import { type CommandGroup, config, json } from "../../console/command-help.ts";

/** What `explain --state` accepts. */
export const personStates = ["away", "here", "locked", "unlocked", "focused", "unfocused"] as const;

export const inspectCommands = {
  doctor: {
    usage: ["doctor [--verify] [--json]"],
    summary: "find what is broken, and how to fix it",
    details: [
      "Looks at agents, hooks, rules, channels and the queue. Sends nothing. Exit code 1 if something is broken.",
    ],
    flags: {
      verify: { meaning: "also run every hook, as `init --verify` does" },
      config,
      json,
    },
  },
  status: {
    usage: ["status [--verbose | --json | --line]"],
    summary: "show who needs you, what failed and what waits",
    details: [
      "Exit code 1 if nothing can be written to the state folder, for example because the disk is full: events are then being lost.",
      "In a status bar, run the script `status-line` in the state folder instead of `status --line`: the script does not need Node.",
    ],
    flags: {
      verbose: { short: "v", meaning: "also how much each folder of the queue holds" },
      line: { meaning: 'print one line for status bars, such as "2 need you, 3 work"' },
      json,
    },
  },
  sessions: {
    usage: ["sessions [--all] [--json | --follow]"],
    summary: "show what each session does, and which one needs you",
    flags: {
      all: { meaning: "also show sessions that have ended, are silent, or are subagents" },
      follow: { short: "f", meaning: "print a JSON line for each session, then one for each change" },
      json,
    },
  },
  log: {
    usage: [
      "log [--follow] [-n N | --all] [--channel NAME] [--agent ID] [--failed] [--json]",
      "log --why ID [--all | --json]",
    ],
    summary: "show what happened",
    details: ["Repeated lines are shown once, with a count. `--why ID` is the same as `hookbell why ID`."],
    related: ["why"],
    flags: {
      follow: { short: "f", meaning: "keep printing new lines" },
      last: { short: "n", value: "N", usual: "40", meaning: "show the last N lines" },
      all: { meaning: "show all lines; with --why, also what each stage found, and the rules that did not match" },
      channel: { value: "NAME", of: "channel", meaning: "only lines about this channel" },
      agent: { value: "ID", of: "agent", meaning: "only lines about this agent" },
      failed: { meaning: "only failed attempts and rejected payloads" },
      why: {
        value: "ID",
        of: "event",
        meaning: "show everything about one event or message; a unique prefix is enough",
      },
      json: { meaning: "print one JSON object per line" },
    },
  },
  why: {
    usage: ["why [ID] [--all | --json]"],
    summary: "show why the last event notified you, or did not",
    details: ["ID selects another event or message from `hookbell log`; a unique prefix is enough."],
    words: "event",
    related: ["explain", "replay", "check"],
    flags: {
      all: { meaning: "also what each stage found, the rules that did not match, and why other channels stay silent" },
      json: { meaning: "print one JSON object per line" },
    },
  },
  explain: {
    usage: ["explain [FILE | ID]", "explain --at TIME --state STATES [FILE | ID]"],
    summary: "show what would happen to a payload, now or at another time",
    details: [
      "Sends nothing. Takes the last event, that of an ID in `hookbell log` (a unique prefix is enough), or a payload from FILE or standard input. Exit code 65 if the hook would reject the payload.",
    ],
    words: "eventOrFile",
    related: ["why", "replay", "check"],
    flags: {
      agent: { value: "ID", of: "agent", meaning: "the agent that sent it" },
      event: { value: "NAME", meaning: "the event, if the payload does not name it" },
      at: { value: "TIME", meaning: 'assume this time: "23:30" or "2026-11-28 23:30"' },
      state: {
        value: "STATES",
        of: personStates,
        meaning: `assume these states, separated by commas: ${personStates.join(", ")}`,
      },
      "session-age": { value: "TIME", meaning: "assume the turn began this long ago, for example 3m" },
      config,
      json,
    },
  },
  docs: {
    usage: ["docs [TOPIC]"],
    summary: "list the documents, or read one; they come with the package",
    details: [
      "TOPIC is a page's name or a part of it, such as phone, rules or answers; or words of a section's heading, such as mute or quiet hours.",
    ],
    flags: {},
  },
  check: {
    usage: ["check [FILE]"],
    summary: "find the mistakes in the rules file, each with line and column",
    details: [
      "Without FILE, checks your rules file, and the .hookbell.jsonc of the repository you are in. Exit code 78 if either is broken.",
    ],
    words: "file",
    related: ["why", "explain", "replay"],
    flags: { config: { ...config, meaning: "the same as FILE" }, json },
  },
} as const satisfies CommandGroup;
