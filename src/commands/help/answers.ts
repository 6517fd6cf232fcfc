// Help for the commands that answer agents.
import { docsUrl } from "../../model/errors.ts";
import { type CommandGroup, config, json } from "../../console/command-help.ts";

export const answerCommands = {
  pending: {
    usage: ["pending [--json]"],
    summary: "list the agents' open questions",
    details: [`An agent waits here only if answers are switched on; see ${docsUrl("reference/ANSWERS.md")}.`],
    flags: { json },
  },
  answer: {
    usage: ["answer ID allow [--session]", "answer ID deny [--message TEXT]", "answer ID TEXT"],
    summary: "answer an agent's question",
    details: [
      'The first answer counts, wherever it comes from. Only what "answers.allow" in the rules file lists can be allowed.',
      "TEXT is an option, its number or your own words, depending on the question. `hookbell pending` shows which.",
    ],
    words: "question",
    flags: {
      message: { value: "TEXT", meaning: "the reason to give the agent" },
      session: { meaning: "allow calls like this until the session ends, if the agent offers that" },
    },
  },
  "channels pair": {
    usage: ["channels pair NAME [--remove]"],
    summary: "let your account answer questions through a channel",
    details: [
      "Send a message to the channel's bot. It replies with a code, which you type here. Only paired accounts can answer, and pairing works only from this terminal.",
    ],
    words: "channel",
    flags: { remove: { meaning: "unpair all its accounts" }, config },
  },
} as const satisfies CommandGroup;
