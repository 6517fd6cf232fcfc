// Help for the commands that use an agent platform.
import { type CommandGroup, config } from "./command-help.ts";
import { addComputerFlags } from "./server.ts";

const formats = ["table", "json", "csv"] as const;
const format = {
  type: "string",
  value: "FORM",
  of: formats,
  usual: "table",
  meaning: formats.join(", "),
} as const;
const setUp =
  'Set HOOKBELL_PLATFORM_URL and HOOKBELL_PLATFORM_KEY, or "platform" in the rules file. Exit code 1 if the service refuses the request, 64 or 65 if it is not sent at all.';

export const platformCommands = {
  usage: {
    usage: [
      "usage tokens|tools|activity|productivity|users [--from DATE] [--to DATE] [--group-by NAME] [--format FORM]",
    ],
    summary: "show what your organization used on the agent platform",
    details: [
      "Days are UTC and end with yesterday. The table compares with the same number of days before. The key needs the role Manager or Owner.",
      setUp,
    ],
    words: ["tokens", "tools", "activity", "productivity", "users"],
    flags: {
      from: {
        type: "string",
        value: "DATE",
        usual: "7d",
        meaning: "the first day, such as 2026-03-01, or a number of days up to --to, such as 7d or 4w",
      },
      to: { type: "string", value: "DATE", meaning: "the last day (default: yesterday, UTC)" },
      "group-by": { type: "string", value: "NAME", meaning: "tokens: model; tools: tool_name; activity: client" },
      clean: {
        type: "boolean",
        meaning: "tools: merge MCP servers whose names differ only in case, and list broken tool names separately",
      },
      format,
      json: { type: "boolean", meaning: "like --format json: data and meta, with all pages merged" },
      config,
    },
  },
  readiness: {
    usage: ["readiness [--repo-id ID] [--limit N | --all] [--format FORM]"],
    summary: "show how ready your repositories are for agents",
    details: ["With --repo-id, also shows each criterion of the newest report, and which ones got worse.", setUp],
    flags: {
      "repo-id": { type: "string", value: "ID", meaning: "only this repository" },
      limit: { type: "string", value: "N", usual: "20", meaning: "at most N reports" },
      all: { type: "boolean", meaning: "all reports" },
      format,
      json: { type: "boolean", meaning: 'like --format json: { "reports": [...] }' },
      config,
    },
  },
  computers: {
    usage: ["computers install-deps ID [--json]", "computers add NAME [--cwd DIR] [--data DIR] -- PROGRAM..."],
    summary: "reinstall a computer's dependencies, or add a computer to your server",
    details: [
      "install-deps: restarts the install step. Exit code 1, and nothing changes, if one is already running.",
      "add: registers a computer with `hookbell serve`. install-deps runs PROGRAM with its arguments, without a shell; for another machine, use ssh HOST PROGRAM.",
      setUp,
    ],
    words: ["install-deps", "add"],
    flags: { ...addComputerFlags, json: { type: "boolean", meaning: "print the computer as JSON" }, config },
  },
  platform: {
    usage: ["platform poll [--every DURATION] [--json]", "platform cron"],
    summary: "turn news from the agent platform into events",
    details: [
      '"platform" in the rules file says which: digest, budgets, readiness. Each event is sent once, through your rules. A running dispatcher does the same every 10 minutes.',
      "poll: asks now. Without a terminal it prints only problems.",
      "cron: prints a crontab line that polls every 10 minutes, for machines where no agent may be running.",
      setUp,
    ],
    words: ["poll", "cron"],
    flags: {
      every: { type: "string", value: "DURATION", meaning: "keep running and ask this often, such as 10m" },
      json: { type: "boolean", meaning: "print the events and the problems as JSON" },
      config,
    },
  },
} as const satisfies CommandGroup;
