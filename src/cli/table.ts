// The command table: every command with its summary and flags. --help, shell completion and the man page use it.
import { answerCommands } from "../commands/help/answers.ts";
import { attentionCommands } from "../commands/help/attention.ts";
import { deliveryCommands } from "../commands/help/deliveries.ts";
import type { CommandGroup } from "../console/command-help.ts";
import { fleetCommands } from "../wings/fleet/help.ts";
import { hookCommands } from "../commands/help/hooks.ts";
import { inspectCommands } from "../commands/help/inspect.ts";
import { remoteCommands } from "../wings/remote/help.ts";
import { setUpCommands } from "../commands/help/set-up.ts";
import { platformCommands, serverCommands } from "../wings/platform/help.ts";

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
