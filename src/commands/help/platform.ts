// Help of the commands that ask an agent platform.
import type { CommandGroup } from "./command-help.ts";
import { config } from "./flags.ts";
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
  'Set HOOKBELL_PLATFORM_URL and HOOKBELL_PLATFORM_KEY, or "platform" in the rules file. Exit code 1 if the service refuses, 64 or 65 if the request is refused before it is sent.';

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
        meaning: "the first day, as 2026-03-01; 7d or 4w: so many days up to --to",
      },
      to: { type: "string", value: "DATE", meaning: "the last day (default: yesterday, UTC)" },
      "group-by": { type: "string", value: "NAME", meaning: "tokens: model; tools: tool_name; activity: client" },
      clean: {
        type: "boolean",
        meaning: "tools: merge MCP servers that differ by letter case, list broken tool names separately",
      },
      format,
      json: { type: "boolean", meaning: "as --format json: data and meta, all pages in one" },
      config,
    },
  },
  readiness: {
    usage: ["readiness [--repo-id ID] [--limit N | --all] [--format FORM]"],
    summary: "show how ready your repositories are for agents",
    details: ["For one repository, it also shows each criterion of the newest report, and which fell.", setUp],
    flags: {
      "repo-id": { type: "string", value: "ID", meaning: "reports of this repository only" },
      limit: { type: "string", value: "N", usual: "20", meaning: "at most N reports" },
      all: { type: "boolean", meaning: "all reports" },
      format,
      json: { type: "boolean", meaning: 'as --format json: { "reports": [...] }' },
      config,
    },
  },
  computers: {
    usage: ["computers install-deps ID [--json]", "computers add NAME [--cwd DIR] [--data DIR] -- PROGRAM..."],
    summary: "restart the install step of a computer, or add one to your server",
    details: [
      "install-deps: exit code 1, and nothing changes, if an install session is already running.",
      "add: registers a computer with hookbell serve. PROGRAM and its arguments are what install-deps runs, without a shell; for another machine, ssh HOST PROGRAM.",
      setUp,
    ],
    words: ["install-deps", "add"],
    flags: { ...addComputerFlags, json: { type: "boolean", meaning: "print the computer as JSON" }, config },
  },
  platform: {
    usage: ["platform poll [--every DURATION] [--json]", "platform cron"],
    summary: "send events for what is new on the agent platform",
    details: [
      'Sends what "platform" in the rules file asks for (digest, budgets, readiness), each event once, to the channels that the rules name. A dispatcher does the same while it runs, every 10 minutes.',
      "poll: asks now. Without a terminal it prints nothing if all is well.",
      "cron: prints a crontab line that polls every 10 minutes, for days without an agent.",
      setUp,
    ],
    words: ["poll", "cron"],
    flags: {
      every: { type: "string", value: "DURATION", meaning: "keep running and ask so often, as 10m" },
      json: { type: "boolean", meaning: "print the events and the problems as JSON" },
      config,
    },
  },
} as const satisfies CommandGroup;
