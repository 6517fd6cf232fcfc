// Help for the commands of the usage API: those that ask a platform, and those that serve one.
import { spans } from "./figures/calendar.ts";
import { type CommandGroup, config, json } from "../../console/command-help.ts";

/** The platform's `roles`, in lower case. */
export const roleWords = ["owner", "manager", "member", "guest"] as const;

const data = {
  value: "DIR",
  of: "file",
  meaning: "the server's folder (default: server/ in hookbell's state folder)",
} as const;

export const addComputerFlags = {
  cwd: { value: "DIR", of: "file", meaning: "where the command runs (default: this folder)" },
  hostname: { value: "NAME", meaning: "the machine's name (default: this machine's)" },
  data,
  json,
} as const;

/** What the commands of the platform print. */
export const formats = ["table", "json", "csv"] as const;
const format = {
  value: "FORM",
  of: formats,
  usual: "table",
  meaning: formats.join(", "),
} as const;
const setUp =
  'A platform is a server that has the usage figures of an organization: that of Factory, or your own (hookbell serve). Set HOOKBELL_PLATFORM_URL and HOOKBELL_PLATFORM_KEY, or "platform" in the rules file. Exit code 1 if the service refuses the request, 64 or 65 if it is not sent at all.';

export const platformCommands = {
  usage: {
    usage: [
      "usage [tokens|tools|activity|productivity|users] [--from DATE] [--to DATE] [--by SPAN] [--group-by NAME] [--top N] [--timezone ZONE] [--format FORM]",
    ],
    summary: "show tokens, tools, activity and files, of this machine or of your organization",
    details: [
      "Shows tokens unless you name other figures.",
      "The figures come from the transcripts of Claude Code, Codex, Droid, Gemini CLI, opencode and Qwen Code on this machine, up to now. If a platform is set up, they are those of your organization: days end with yesterday, and the key needs the role Manager or Owner.",
      'Days are UTC. For the figures of this machine, --timezone local counts by your own days, and "platform": { "timezone": "local" } in the rules file makes that usual. The table compares the days with the same number of days before.',
      "Credits are tokens weighed by what they cost. Of this machine and of your own server, they are input + output + 1.25 x cache writes + 0.1 x cache reads, where the cache is that of the prompt; Factory's platform counts what it bills.",
      "Means leave out days without sessions, and the table says of how many days they are. Transcripts that were found and not counted are named on standard error, and in JSON as meta.not_counted.",
      setUp,
    ],
    words: ["tokens", "tools", "activity", "productivity", "users"],
    flags: {
      from: {
        value: "DATE",
        usual: "7d",
        meaning: "the first day, such as 2026-03-01, or a number of days up to --to, such as 7d or 4w",
      },
      to: {
        value: "DATE",
        meaning:
          "the last day, or today (default: yesterday, or today without a platform); Factory's platform has no figures for today",
      },
      by: {
        value: "SPAN",
        of: spans,
        usual: "day",
        meaning: "add days up by day, week or month; weeks begin on Monday",
      },
      top: { value: "N", meaning: "show only the N users, models or names with the most, and the others as one line" },
      timezone: {
        value: "ZONE",
        usual: "utc",
        meaning:
          "whose days the figures of this machine are of: utc, local, or a name such as Europe/Berlin; a platform's are UTC",
      },
      "group-by": { value: "NAME", meaning: "tokens: model; tools: tool_name; activity: client" },
      clean: {
        meaning: "tools: merge MCP servers whose names differ only in case, and list broken tool names separately",
      },
      format,
      json: { meaning: "like --format json: data and meta, with all pages merged" },
      config,
    },
  },
  readiness: {
    usage: ["readiness [--repo-id ID] [--limit N | --all] [--format FORM]"],
    summary: "show how ready your repositories are for agents",
    details: ["With --repo-id, also shows each criterion of the newest report, and which ones got worse.", setUp],
    flags: {
      "repo-id": { value: "ID", meaning: "only this repository: its id, its address, or its name in the table" },
      limit: { value: "N", usual: "20", meaning: "at most N reports" },
      all: { meaning: "all reports" },
      format,
      json: { meaning: 'like --format json: { "reports": [...] }' },
      config,
    },
  },
  computers: {
    usage: [
      "computers install-deps ID [--json]",
      "computers list [--json]",
      "computers add NAME [--cwd DIR] [--data DIR] -- PROGRAM...",
    ],
    summary: "reinstall a computer's dependencies, list the computers of your server, or add one to it",
    details: [
      "install-deps: restarts the install step. Exit code 1, and nothing changes, if one is already running.",
      "list: shows each computer of your own server with its last installation, and why it failed. Factory's platform has no such list.",
      "add: registers a computer with `hookbell serve`. install-deps runs PROGRAM with its arguments, without a shell; for another machine, use ssh HOST PROGRAM.",
      setUp,
    ],
    words: ["install-deps", "list", "add"],
    flags: { ...addComputerFlags, json: { meaning: "print the computer as JSON" }, config },
  },
  platform: {
    usage: ["platform poll [--every DURATION] [--json]", "platform cron"],
    summary: "turn news from the agent platform into events",
    details: [
      '"platform" in the rules file says which: digest, budgets, readiness. Each event is sent once, through your rules. A running dispatcher does the same every 10 minutes.',
      "poll: asks now. Without a terminal it prints only problems.",
      "cron: prints a crontab line that polls every 10 minutes, for machines where no agent may be running; on Windows, it says what to put into Task Scheduler.",
      setUp,
    ],
    words: ["poll", "cron"],
    flags: {
      every: { value: "DURATION", meaning: "keep running and ask this often, such as 10m" },
      json: { meaning: "print the events and the problems as JSON" },
      config,
    },
  },
} as const satisfies CommandGroup;

export const serveFlags = {
  data,
  backfill: { meaning: "also count transcripts from before the first start; without keys, they count anyway" },
  user: { value: "NAME", meaning: "who uses this machine, in reports (default: your user name)" },
  standby: { meaning: "wait while another server has the folder, and go on when that one ends" },
} as const;

export const serverCommands = {
  keys: {
    usage: ["keys [--data DIR]", "keys add NAME [--role ROLE] [--data DIR]", "keys remove NAME [--data DIR]"],
    summary: "list, add and remove your server's API keys",
    details: [
      "A key is shown once and stored as a hash. Removing a key takes effect at once.",
      "NAME is the user in reports. Owners and managers see analytics; guests see only readiness reports.",
    ],
    words: ["add", "remove"],
    flags: {
      role: { value: "ROLE", of: roleWords, usual: "member", meaning: roleWords.join(", ") },
      data,
      json,
    },
  },
} as const satisfies CommandGroup;
