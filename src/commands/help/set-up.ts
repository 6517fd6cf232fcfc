// Help for the commands that set up and remove hookbell.
import { type CommandGroup, config, dryRun, json, yes } from "../../console/command-help.ts";

/** What `channels add --events` takes. */
export const eventWords = ["attention", "finished", "every", "none"] as const;

/** What `channels add --when` takes. */
export const whenWords = ["away", "always"] as const;

export const completionShells = ["bash", "zsh", "fish", "powershell"] as const;

export const setUpCommands = {
  init: {
    usage: [
      "init [--agent a,b] [--all-events] [--usage] [--rules] [--yes] [--dry-run] [--verbose | --json]",
      "init --verify a,b [--deliver] [--json]",
    ],
    summary: "add hookbell's hooks to your coding agents' settings",
    details: [
      "Lists the changes, shows the diff on request, asks before it writes, and keeps a backup. Running it again changes nothing.",
      "When run with npx, it first offers to install hookbell with npm; --yes does so without asking. At the end, it offers to send a test notification.",
      "--verify writes nothing. It runs each installed hook with a sample event, as the agent would, and checks that the event arrives. You get no notification. Exit code 1 if an event does not arrive.",
    ],
    isListingAgents: true,
    flags: {
      agent: {
        multiple: true,
        value: "a,b",
        of: "agent",
        meaning: "set up these agents, even if they are not installed",
      },
      "all-events": { meaning: "install hooks for all events, not only those that your rules use" },
      usage: { meaning: "also count tool calls for `hookbell serve`: only names and numbers" },
      rules: { meaning: "write a starter rules file, unless there is one" },
      yes,
      "dry-run": dryRun,
      verify: { multiple: true, value: "a,b", of: "agent", meaning: "test these agents' installed hooks" },
      deliver: { meaning: "with --verify: send the samples to your channels" },
      verbose: { short: "v", meaning: "also which events each agent's hooks cover, and why" },
      json,
    },
  },
  channels: {
    usage: ["channels [NAME | TYPE]"],
    summary: "list your channels, or show one; more by channels add",
    details: [
      "NAME shows a channel of your rules without its secrets. TYPE shows every setting of a type, with an example for the rules file.",
    ],
    words: "channelType",
    flags: { config, json },
  },
  "channels add": {
    usage: [
      "channels add [TYPE] [--name NAME] [--set KEY=VALUE]... [--events a,b] [--rule NAME]... [--when away|always]",
    ],
    summary: "add a channel to your rules",
    details: [
      "Asks for anything the flags do not set, sends a test, shows the change, and keeps a backup. Each secret goes into its own file, which only you can read.",
      "With --yes it does not ask, so the flags must set everything.",
    ],
    words: "channelType",
    flags: {
      name: { value: "NAME", meaning: "the channel's name (default: its type)" },
      set: {
        multiple: true,
        value: "KEY=VALUE",
        meaning: "a setting; repeatable. For a secret: KEY.env=NAME or KEY.file=PATH",
      },
      events: {
        multiple: true,
        value: "a,b",
        of: eventWords,
        meaning: `which events it gets: attention (an agent needs you, or something failed), finished (an agent is done), every (all but single tool calls, also short turns) or none`,
      },
      rule: { multiple: true, value: "NAME", meaning: "add it to this existing rule; repeatable" },
      when: {
        value: "WHEN",
        of: whenWords,
        meaning: "when it gets the events of --events: only while you are away, or always (default)",
      },
      "inline-secrets": { meaning: "store secrets in the rules file itself" },
      "no-test": { meaning: "do not send a test" },
      yes,
      "dry-run": dryRun,
      config,
    },
  },
  "channels remove": {
    usage: ["channels remove [NAME] [--yes] [--dry-run]"],
    summary: "remove a channel from your rules",
    details: [
      "Removes it from every rule. Also removes the rules and secret files that `channels add` created for it.",
    ],
    words: "channel",
    flags: { yes, "dry-run": dryRun, config },
  },
  test: {
    usage: ["test [CHANNEL...]"],
    summary: "send a sample through each channel and show the result",
    details: [
      "Skips the queue and the rules. If a channel that was switched off works again, it is switched on.",
      "For the desktop and sound, asks whether you noticed it; never with --json.",
    ],
    words: "channel",
    flags: { config, json },
  },
  completion: {
    usage: ["completion bash|zsh|fish|powershell"],
    summary: "print a completion script for your shell",
    details: [
      'bash: add `eval "$(hookbell completion bash)"` to ~/.bashrc. zsh: add `source <(hookbell completion zsh)` to ~/.zshrc, after compinit. fish: run `hookbell completion fish >~/.config/fish/completions/hookbell.fish`. PowerShell: add `hookbell completion powershell | Out-String | Invoke-Expression` to the file that `$PROFILE` names.',
    ],
    words: completionShells,
    flags: {},
  },
  version: { usage: ["version"], summary: "print the version", flags: {} },
  uninstall: {
    usage: ["uninstall [--agent a,b] [--yes] [--diff] [--dry-run] [--json]"],
    summary: "remove exactly what init added",
    flags: {
      agent: { multiple: true, value: "a,b", of: "agent", meaning: "only these agents" },
      yes,
      diff: { meaning: "show the exact changes first" },
      "dry-run": dryRun,
      json,
    },
  },
} as const satisfies CommandGroup;
