// Help of the commands that answer an agent's questions.
import { config, json } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

export const answerCommands = {
  pending: {
    usage: ["pending [--json]"],
    summary: "questions of agents that wait for an answer",
    details: ["Questions wait only where answers are switched on: see docs/ANSWERS.md."],
    flags: { json },
  },
  answer: {
    usage: ["answer ID allow [--session]", "answer ID deny [--message TEXT]"],
    summary: "answer an agent's question",
    details: [
      'The first answer counts, wherever it comes from. It can allow what "answers.allow" in the rules file lists.',
    ],
    flags: {
      message: { type: "string", value: "TEXT", meaning: "what to tell the agent with a deny" },
      session: { type: "boolean", meaning: "allow such calls until the session ends, as the agent itself offers it" },
    },
  },
  "channels pair": {
    usage: ["channels pair NAME [--remove]"],
    summary: "let your account answer questions through a channel",
    details: [
      "Write to the channel's bot from your phone. It answers with a code, which you type here. Only paired accounts can answer, and a chat cannot pair one.",
    ],
    words: "channel",
    flags: { remove: { type: "boolean", meaning: "let no account answer through it any more" }, config },
  },
} as const satisfies CommandGroup;
