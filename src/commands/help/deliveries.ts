// Help for the commands that send messages or handle failed deliveries.
import { type CommandGroup, json } from "../../console/command-help.ts";
import { levels } from "../../model/level.ts";

const ids = "ID is an id from `hookbell log`, or a unique prefix. Without arguments, lists the failed deliveries.";
const choice = {
  all: { meaning: "all of them" },
  channel: { value: "NAME", of: "channel", meaning: "all deliveries of this channel" },
  json,
} as const;

export const deliveryCommands = {
  send: {
    usage: ["send [--channel NAME]... [--title TEXT] [--level LEVEL] [--wait] [BODY]"],
    summary: "send one message from a script or a shell",
    details: [
      "Without BODY, reads the text from standard input.",
      'Without --channel, your rules choose: the message is a Notification of the agent "hookbell".',
    ],
    flags: {
      channel: { multiple: true, value: "NAME", of: "channel", meaning: "send it to this channel; repeatable" },
      title: { value: "TEXT", meaning: "the title (default: the folder's name)" },
      level: { value: "LEVEL", of: levels, usual: "info", meaning: levels.join(", ") },
      wait: { meaning: "deliver now and show each result; exit code 1 if one fails" },
      json: { meaning: "like --wait, but print JSON" },
      config: { value: "FILE", of: "file", meaning: "like --wait, with this rules file" },
    },
  },
  run: {
    usage: ["run [--title TEXT] [--terminal] -- COMMAND [ARGUMENT...]"],
    summary: "run a command and notify you when it ends",
    details: [
      'The notification has the duration, the exit code and the last lines of output. Rules see it as Stop of the agent "hookbell", or as StopFailure if the command fails. After Ctrl-C there is none.',
      "Passes on input, output, signals and the exit code. Output goes through a pipe, so some programs leave out colours and progress bars; use --terminal for those.",
    ],
    words: "file",
    flags: {
      title: { value: "TEXT", meaning: "the command's name in the notification" },
      terminal: { meaning: "connect the command to the terminal; the notification then has no output lines" },
    },
  },
  retry: {
    usage: ["retry [ID... | --channel NAME | --all]"],
    summary: "send failed deliveries again",
    details: [ids],
    words: "failedDelivery",
    flags: choice,
  },
  discard: {
    usage: ["discard [ID... | --channel NAME | --all]"],
    summary: "delete failed deliveries",
    details: [ids],
    words: "failedDelivery",
    flags: choice,
  },
} as const satisfies CommandGroup;
