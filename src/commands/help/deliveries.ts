// Help of the commands that send something, or deal with deliveries that failed.
import { levels } from "../../model/level.ts";
import { json } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

const ids =
  "ID is the id that hookbell log shows, or a unique prefix of it. Without arguments: lists what can be named.";
const choice = {
  all: { type: "boolean", meaning: "all of them" },
  channel: { type: "string", value: "NAME", of: "channel", meaning: "all of this channel" },
  json,
} as const;

export const deliveryCommands = {
  send: {
    usage: ["send [--channel NAME]... [--title TEXT] [--level LEVEL] [--wait] [BODY]"],
    summary: "send one message from a script or a shell",
    details: [
      "Without BODY, the text is read from standard input.",
      'Without --channel, the rules decide: it counts as a Notification of the agent "hookbell".',
    ],
    flags: {
      channel: {
        type: "string",
        multiple: true,
        value: "NAME",
        of: "channel",
        meaning: "send it to this channel; can be repeated",
      },
      title: { type: "string", value: "TEXT", meaning: "the title (default: the folder's name)" },
      level: { type: "string", value: "LEVEL", of: levels, usual: "info", meaning: levels.join(", ") },
      wait: { type: "boolean", meaning: "deliver now and show each outcome; exit code 1 if one failed" },
      json: { type: "boolean", meaning: "as --wait, and print JSON" },
      config: { type: "string", value: "FILE", of: "file", meaning: "as --wait, with this rules file" },
    },
  },
  run: {
    usage: ["run [--title TEXT] [--terminal] -- COMMAND [ARGUMENT...]"],
    summary: "run a command, and notify how it ended",
    details: [
      'Notifies duration, exit code and last lines through your rules: as Stop of the agent "hookbell", or as StopFailure if it failed. After Ctrl-C it stays silent.',
      "Input, output, signals and exit code are the command's. Its output goes through a pipe, so some programs leave out colours and progress bars; --terminal gives them the terminal.",
    ],
    words: "file",
    flags: {
      title: { type: "string", value: "TEXT", meaning: "what to call the command in the notification" },
      terminal: {
        type: "boolean",
        meaning: "give the command the terminal itself; the notification has no last lines",
      },
    },
  },
  retry: {
    usage: ["retry [ID... | --channel NAME | --all]"],
    summary: "send failed deliveries again",
    details: [ids],
    flags: choice,
  },
  discard: {
    usage: ["discard [ID... | --channel NAME | --all]"],
    summary: "delete failed deliveries",
    details: [ids],
    flags: choice,
  },
} as const satisfies CommandGroup;
