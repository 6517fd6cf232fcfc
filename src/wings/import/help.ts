// Help of `hookbell import`.
import { type CommandGroup, config, dryRun, json, yes } from "../../console/command-help.ts";

/** What `import` reads the settings of. */
export const importedTools = ["peon-ping", "code-notify", "anotifier", "ccnotify"] as const;

export const importCommands = {
  import: {
    usage: ["import [TOOL...] [--keep-hooks] [--yes] [--dry-run] [--json]"],
    summary: "import settings from peon-ping, Code-Notify, anotifier or CCNotify",
    details: [
      "Reads their settings, shows rules that do the same and what cannot be carried over, and asks before it writes. An existing rules file keeps what it has; the rules are added to it.",
      "Then offers to remove their hooks from your agents' settings, with a backup. With --yes it removes them without asking. A hook stays if it notifies you of something that no rule does. It uninstalls nothing.",
    ],
    words: importedTools,
    flags: {
      "keep-hooks": { meaning: "leave their hooks in place: both will notify you" },
      yes,
      "dry-run": dryRun,
      config,
      json,
    },
  },
} as const satisfies CommandGroup;
