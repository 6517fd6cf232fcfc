// Help of the commands that only look: at the machine, the queue, the record and the rules.
import { config, json } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

/** What `explain` can be told about the person. */
export const personStates = ["away", "here", "locked", "unlocked", "focused", "unfocused"] as const;

export const inspectCommands = {
  doctor: {
    usage: ["doctor [--verify] [--json]"],
    summary: "check agents, hooks, rules, channels, permissions and the queue",
    details: ["Each finding comes with its fix. Exit code 1 if something is broken. Sends nothing."],
    flags: {
      verify: { type: "boolean", meaning: "also call every hook, as init --verify does; sends no notification" },
      config,
      json,
    },
  },
  status: { usage: ["status [--json]"], summary: "the queue at a glance", flags: { json } },
  log: {
    usage: ["log [--follow] [-n N | --all] [--channel NAME] [--agent ID] [--failed] [--json]", "log --why ID [--json]"],
    summary: "what happened, and why",
    details: ["Equal lines in a row are shown once, with their number."],
    flags: {
      follow: { type: "boolean", short: "f", meaning: "keep showing what is added" },
      last: { type: "string", short: "n", value: "N", usual: "40", meaning: "the last N lines" },
      all: { type: "boolean", meaning: "everything" },
      channel: { type: "string", value: "NAME", of: "channel", meaning: "only what concerns this channel" },
      agent: { type: "string", value: "ID", of: "agent", meaning: "only what this agent caused" },
      failed: { type: "boolean", meaning: "only failed attempts and rejected payloads" },
      why: {
        type: "string",
        value: "ID",
        meaning: "what became of one event or message, and why; a unique prefix is enough",
      },
      json: { type: "boolean", meaning: "print one JSON object per line, as in the journal" },
    },
  },
  explain: {
    usage: ["explain [FILE | EVENT-ID]", "explain --at TIME --state STATES [FILE | EVENT-ID]"],
    summary: "show which channels a payload would reach, and why (sends nothing)",
    details: [
      "Reads one payload from FILE or standard input, or takes the id of an event from hookbell log. Exit code 65 if the hook would reject the payload.",
    ],
    words: "file",
    flags: {
      agent: { type: "string", value: "ID", of: "agent", meaning: "the agent that sent it" },
      event: { type: "string", value: "NAME", meaning: "the event, if the payload does not name it" },
      at: { type: "string", value: "TIME", meaning: 'as if it came then: "23:30" or "2026-11-28 23:30"' },
      state: {
        type: "string",
        value: "STATES",
        of: personStates,
        meaning: `as if you were so, such as away,locked: ${personStates.join(", ")}`,
      },
      "session-age": { type: "string", value: "TIME", meaning: "as if the turn had begun so long before, such as 3m" },
      config,
      json,
    },
  },
  check: {
    usage: ["check [FILE]"],
    summary: "list every problem of the rules file, with line and column",
    details: ["Without FILE: the rules file that applies. Exit code 78 if it is broken."],
    words: "file",
    flags: { config: { ...config, meaning: "the same as FILE" }, json },
  },
} as const satisfies CommandGroup;
