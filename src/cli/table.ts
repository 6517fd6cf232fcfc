// The command table: every command with its summary and flags. --help, shell completion and the man page use it.
import { answerCommands } from "../commands/help/answers.ts";
import { attentionCommands } from "../commands/help/attention.ts";
import { deliveryCommands } from "../commands/help/deliveries.ts";
import { hookCommands } from "../commands/help/hooks.ts";
import { inspectCommands } from "../commands/help/inspect.ts";
import { serveHelp } from "../commands/help/serve.ts";
import { setUpCommands } from "../commands/help/set-up.ts";
import { type CommandGroup, helpSections, type SectionHelp } from "../console/command-help.ts";
import { wings } from "../wings/index.ts";

const core: SectionHelp = {
  setUp: setUpCommands,
  inspect: inspectCommands,
  answer: answerCommands,
  send: deliveryCommands,
  control: attentionCommands,
  agents: hookCommands,
  server: serveHelp(wings),
};

const sections = Object.entries(helpSections) as [keyof typeof helpSections, string][];

/** `hookbell --help` shows them in this order. */
export const commandGroups: readonly { title: string; commands: CommandGroup }[] = sections.flatMap(
  ([section, title]) => {
    const added = [core, ...wings.map(({ help = {} }) => help)].map((help) => help[section]);
    const commands: CommandGroup = Object.assign({}, ...added);
    return Object.keys(commands).length === 0 ? [] : [{ title, commands }];
  },
);

export const commandTable: CommandGroup = Object.fromEntries(
  commandGroups.flatMap(({ commands }) => Object.entries(commands)),
);
