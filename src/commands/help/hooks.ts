// Help of the commands that agents and hooks run.
import { config } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

export const hookCommands = {
  hook: {
    usage: ["hook [--agent ID] [--event NAME] [--by WIRING] [--wait | --reply | --answer] [--json]"],
    summary: "read one payload from standard input: what agents run",
    details: [
      "Exit code 0 and no output: the payload is stored and the dispatcher is awake. Exit code 1: one line per problem on standard error.",
      "Standard input that stays open and silent for 2s counts as ended.",
      "HOOKBELL_DISABLE=1 drops every event silently. What you send by hand is still sent.",
    ],
    flags: {
      agent: {
        type: "string",
        value: "ID",
        of: "agent",
        meaning: "the agent that calls (default: recognised from environment and payload)",
      },
      event: { type: "string", value: "NAME", meaning: "the event, if the payload does not name it" },
      by: {
        type: "string",
        value: "WIRING",
        meaning: "which of the agent's hook mechanisms calls: two reports of one event then count once",
      },
      wait: { type: "boolean", meaning: "deliver in the foreground and print each outcome; exit code 1 if one failed" },
      reply: {
        type: "boolean",
        meaning: "print what `terminal` channels say as an answer that the agent shows; queue the rest",
      },
      answer: {
        type: "boolean",
        meaning: "wait for your answer while the rules say so, and print it for the agent; see docs/ANSWERS.md",
      },
      json: { type: "boolean", meaning: "as --wait, and print JSON" },
      config: { type: "string", value: "FILE", of: "file", meaning: "as --wait, with this rules file" },
    },
  },
  dispatch: {
    usage: ["dispatch [--until-idle]"],
    summary: "run the dispatcher in the foreground",
    details: ["Hooks start it in the background; there it ends after 10s without work."],
    flags: {
      "until-idle": { type: "boolean", meaning: "end when nothing is due, and say what waits for a retry and why" },
      detached: { type: "boolean", meaning: "as hooks start it: end after 10s without work" },
      config,
    },
  },
} as const satisfies CommandGroup;
