// The command table: every command with its summary and flags. --help, shell completion and the man page use it.
import { answerCommands } from "./answers.ts";
import { attentionCommands } from "./attention.ts";
import { deliveryCommands } from "./deliveries.ts";
import type { CommandGroup } from "./command-help.ts";
import { fleetCommands } from "./fleet.ts";
import { hookCommands } from "./hooks.ts";
import { inspectCommands } from "./inspect.ts";
import { remoteCommands } from "./remote.ts";
import { setUpCommands } from "./set-up.ts";
import { platformCommands, serverCommands } from "./usage.ts";

/** `hookbell --help` shows them in this order. */
export const commandGroups: readonly { title: string; commands: CommandGroup }[] = [
  { title: "Set up", commands: setUpCommands },
  { title: "Other machines", commands: { ...remoteCommands, ...fleetCommands } },
  { title: "Inspect", commands: inspectCommands },
  { title: "Answer agents", commands: answerCommands },
  { title: "Send and retry", commands: deliveryCommands },
  { title: "Control notifications", commands: attentionCommands },
  { title: "Run by agents", commands: hookCommands },
  {
    title: "Usage, and organizations on Factory's platform",
    commands: platformCommands,
  },
  { title: "Your own server, with the same API", commands: serverCommands },
];

export const commandTable: CommandGroup = Object.fromEntries(
  commandGroups.flatMap(({ commands }) => Object.entries(commands)),
);
