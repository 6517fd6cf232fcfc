// Help of the commands that set hookbell up and take it out again.
import { config, dryRun, json, yes } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

/** What `channels add --events` takes. */
export const eventWords = ["attention", "finished", "every", "none"] as const;

export const completionShells = ["bash", "zsh", "fish"] as const;

export const setUpCommands = {
  init: {
    usage: [
      "init [--agent a,b] [--all-events] [--usage] [--rules] [--yes] [--dry-run] [--json]",
      "init --verify a,b [--deliver] [--json]",
    ],
    summary: "add hookbell's hooks to the settings of your coding agents",
    details: [
      "Says what will change, shows the diff if you want it, asks, and keeps a backup. A second run changes nothing.",
      "--verify writes nothing. It calls each installed hook with a sample, as the agent would, and checks that it arrives. The samples send no notification. Exit code 1 if one does not arrive.",
    ],
    isListingAgents: true,
    flags: {
      agent: {
        type: "string",
        multiple: true,
        value: "a,b",
        of: "agent",
        meaning: "these agents, even if they are not found on this machine",
      },
      "all-events": { type: "boolean", meaning: "install hooks for every event, not only for those that a rule uses" },
      usage: {
        type: "boolean",
        meaning: "also count tool calls for usage figures (hookbell serve): names and numbers, no contents",
      },
      rules: { type: "boolean", meaning: "write a rules file to start from, unless there is one" },
      yes,
      "dry-run": dryRun,
      verify: {
        type: "string",
        multiple: true,
        value: "a,b",
        of: "agent",
        meaning: "test the installed hooks of these agents",
      },
      deliver: { type: "boolean", meaning: "with --verify: send the samples to your channels" },
      json,
    },
  },
  channels: {
    usage: ["channels [NAME | TYPE]"],
    summary: "list your channels and the available types, or show one",
    details: [
      "NAME shows a channel of your rules without its secrets. TYPE shows every setting of a type, with an example for the rules file.",
    ],
    words: "channelType",
    flags: { config, json },
  },
  "channels add": {
    usage: ["channels add [TYPE] [--name NAME] [--set KEY=VALUE]... [--events a,b] [--rule NAME]..."],
    summary: "add a channel to your rules",
    details: [
      "Asks for whatever the flags leave open, sends a test, shows the change, and keeps a backup. Secrets are stored in files of their own that only you can read.",
      "With --yes it asks nothing, so the flags must say everything.",
    ],
    words: "channelType",
    flags: {
      name: { type: "string", value: "NAME", meaning: "the channel's name (default: its type)" },
      set: {
        type: "string",
        multiple: true,
        value: "KEY=VALUE",
        meaning: "a setting; can be repeated. KEY.env=NAME and KEY.file=PATH say where a secret is",
      },
      events: {
        type: "string",
        multiple: true,
        value: "a,b",
        of: eventWords,
        meaning: `the events that notify it: ${eventWords.join(", ")}`,
      },
      rule: {
        type: "string",
        multiple: true,
        value: "NAME",
        meaning: "an existing rule that should also notify it; can be repeated",
      },
      "inline-secrets": { type: "boolean", meaning: "store secrets in the rules file itself" },
      "no-test": { type: "boolean", meaning: "send no test" },
      yes,
      "dry-run": dryRun,
      config,
    },
  },
  "channels remove": {
    usage: ["channels remove [NAME] [--yes] [--dry-run]"],
    summary: "remove a channel from your rules",
    details: [
      "Removes it from every rule that names it. Rules and secret files that `channels add` made for it are removed as well.",
    ],
    words: "channel",
    flags: { yes, "dry-run": dryRun, config },
  },
  test: {
    usage: ["test [CHANNEL...]"],
    summary: "send a sample through each channel now and show the outcome",
    details: [
      "Skips the queue and the rules. A channel that was switched off and works again is switched on.",
      "Asks whether you saw or heard it where only you can tell; never with --json.",
    ],
    words: "channel",
    flags: { config, json },
  },
  completion: {
    usage: ["completion bash|zsh|fish"],
    summary: "print a completion script for your shell",
    details: [
      "bash: add `source <(hookbell completion bash)` to ~/.bashrc. zsh: the same with zsh, to ~/.zshrc after compinit. fish: `hookbell completion fish >~/.config/fish/completions/hookbell.fish`.",
    ],
    words: completionShells,
    flags: {},
  },
  version: { usage: ["version"], summary: "print the version", flags: {} },
  uninstall: {
    usage: ["uninstall [--agent a,b] [--yes] [--dry-run] [--json]"],
    summary: "remove exactly what init added",
    flags: {
      agent: { type: "string", multiple: true, value: "a,b", of: "agent", meaning: "only these agents" },
      yes,
      "dry-run": dryRun,
      json,
    },
  },
} as const satisfies CommandGroup;
