// Help for the commands that agents and hooks run.
import { docsUrl } from "../../model/errors.ts";
import { type CommandGroup, config } from "../../console/command-help.ts";

export const hookCommands = {
  hook: {
    usage: ["hook [--agent ID] [--event NAME] [--by SETUP] [--wait | --reply | --answer] [--json]"],
    summary: "read one payload from standard input (run by agents)",
    details: [
      "On success it prints nothing and exits with 0: the payload is stored and the dispatcher is running. Otherwise it exits with 1 and prints one line per problem to standard error.",
      "Standard input that is silent for 2s counts as ended.",
      "With HOOKBELL_DISABLE=1 it drops every event. `hookbell send` still works.",
    ],
    flags: {
      agent: {
        value: "ID",
        of: "agent",
        meaning: "the agent (default: detected from the environment and the payload)",
      },
      event: { value: "NAME", meaning: "the event, if the payload does not name it" },
      by: {
        value: "SETUP",
        meaning: "which of the agent's hook mechanisms made the call; an event that two of them report counts once",
      },
      wait: { meaning: "deliver in the foreground and print each result; exit code 1 if one fails" },
      reply: { meaning: "return the text of `terminal` channels to the agent, which shows it; queue the rest" },
      answer: {
        meaning: `wait for your answer if the rules allow it, and print it for the agent; see ${docsUrl("reference/ANSWERS.md")}`,
      },
      json: { meaning: "like --wait, but print JSON" },
      config: { value: "FILE", of: "file", meaning: "like --wait, with this rules file" },
    },
  },
  dispatch: {
    usage: ["dispatch [--until-idle]"],
    summary: "run the dispatcher in the foreground",
    details: [
      "Hooks start it in the background, where it exits after 10s without work, unless a session is open.",
      "A session whose process is known counts as open until two hours after its last event, or for half a day if it asks. Claude Code counts as long as it runs.",
    ],
    flags: {
      "until-idle": { meaning: "exit when nothing is due; say what was sent, and what waits and why" },
      detached: { meaning: "exit after 10s without work or an open session, as when a hook starts it" },
      config,
    },
  },
} as const satisfies CommandGroup;
