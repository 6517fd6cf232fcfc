import { wirings } from "../agents/wirings.ts";
import { formatDuration } from "../model/duration.ts";
import { levels } from "../model/level.ts";
import { version } from "../system/version.ts";
import { paint, wrap } from "./console/text.ts";
import type { CommandIo } from "./console/command-io.ts";
import { idleMs } from "./dispatch.ts";
import { defaultEntries } from "./log/log.ts";
import { eventWords } from "./channels/add/event-choice.ts";
import { stdinSilenceMs } from "../intake/read-hook-input.ts";
import { defaultSendLevel } from "./send/send.ts";

interface CommandHelp {
  usage: string;
  /** One line for the overview. */
  summary: string;
  /** What a person should know beyond the summary. */
  details?: string;
  flags: readonly (readonly [flag: string, meaning: string])[];
}

const json = ["--json", "print JSON"] as const;
const helpFlag = ["--help, -h", "this text"] as const;
const config = ["--config FILE", "use this rules file"] as const;

const helps: Record<string, CommandHelp> = {
  init: {
    usage:
      "hookbell init [--agent a,b] [--all-events] [--rules] [--yes] [--dry-run] [--json] | --verify a,b [--deliver]",
    summary: "write the hook configuration of the agents on this machine",
    details: [
      "Shows exactly what will change, asks, keeps a backup. Running it twice changes nothing.",
      "--verify writes nothing: it calls each wired hook as the agent would, with a sample, and shows it arriving.",
      "Nobody is told of these samples. Exit 1 if one does not arrive.",
      `Agents: ${wrap(Object.keys(wirings).join(", "), 100, "  ")}`,
    ].join("\n"),
    flags: [
      ["--agent a,b", "these agents, also when they are not found here"],
      ["--all-events", "wire every event, not only those that a rule waits for"],
      ["--rules", "write a rules file to start from, where there is none"],
      ["--yes", "do not ask"],
      ["--dry-run", "show the changes and write nothing"],
      ["--verify a,b", "try the hooks of these agents as they are wired now"],
      ["--deliver", "with --verify: let the samples through to your channels"],
      json,
    ],
  },
  uninstall: {
    usage: "hookbell uninstall [--agent a,b] [--yes] [--dry-run] [--json]",
    summary: "take out exactly what init put in",
    flags: [
      ["--agent a,b", "these agents only"],
      ["--yes", "do not ask"],
      ["--dry-run", "show the changes and write nothing"],
      json,
    ],
  },
  channels: {
    usage: "hookbell channels [NAME | TYPE | add [TYPE] | remove NAME]",
    summary: "your channels and all the types there are; add one, remove one",
    details: [
      "NAME of a channel of yours: its settings, without the secrets. TYPE: all that it may have, and how it stands in",
      "a rules file.",
      "add: asks for what the flags leave open, sends a test, shows the change, keeps a backup. Secrets go into",
      "files of their own that only you can read. With --yes it asks nothing, and every flag must be there.",
      "remove: out of the rules file and of every rule that names it; rules and secrets that add made for it go, too.",
    ].join("\n"),
    flags: [
      ["--name NAME", "add: what it is called; without it, its type"],
      ["--set KEY=VALUE", "add: a setting; may be repeated. KEY.env=NAME, KEY.file=PATH: where a secret is"],
      ["--events a,b", `add: the events that notify it: ${eventWords}`],
      ["--rule NAME", "add: a rule that shall notify it as well; may be repeated"],
      ["--inline-secrets", "add: leave secrets in the rules file itself"],
      ["--no-test", "add: send no test"],
      ["--yes", "add, remove: do not ask"],
      ["--dry-run", "add, remove: show the change and write nothing"],
      config,
      ["--json", "print JSON; not of add and remove"],
    ],
  },
  test: {
    usage: "hookbell test [CHANNEL...]",
    summary: "send one sample through each channel now and show the outcome",
    details: [
      "Past the queue and the rules. A channel that was switched off and works again is switched on.",
      "Where only you can tell whether it arrived, it asks; with --json never.",
    ].join("\n"),
    flags: [config, json],
  },
  send: {
    usage: "hookbell send [--channel NAME]... [--title TEXT] [--level LEVEL] [--wait] [--json] [BODY]",
    summary: "one message from a script or a shell",
    details: [
      "Without BODY, standard input to its end is the text.",
      'Without --channel it goes by the rules, as a Notification of the agent "hookbell".',
    ].join("\n"),
    flags: [
      ["--channel NAME", "to this channel; may be repeated"],
      ["--title TEXT", "the title; without it, the folder's name"],
      ["--level LEVEL", `${levels.join(", ")}; without it, ${defaultSendLevel}`],
      ["--wait", "deliver now and show each outcome; exit 1 if any failed"],
      ["--json", "as --wait, and print JSON"],
      ["--config FILE", "as --wait, by this rules file"],
    ],
  },
  explain: {
    usage: "hookbell explain [FILE]",
    summary: "why a payload would reach whom; sends nothing",
    details:
      "Reads one payload from FILE or standard input. Exit 65 if the hook would refuse it, 78 if the rules are broken.",
    flags: [
      ["--agent ID", "whose dialect it is"],
      ["--event NAME", "the event, where the payload does not say"],
      config,
      json,
    ],
  },
  check: {
    usage: "hookbell check [FILE]",
    summary: "every problem of the rules file, with its place",
    details: "Without FILE, the one that applies. Exit 78 if it is broken.",
    flags: [["--config FILE", "the same as FILE"], json],
  },
  doctor: {
    usage: "hookbell doctor",
    summary: "look at agents, hooks, rules, channels, permissions and the queue",
    details: "Every finding with its fix; exit 1 if something is broken. Sends nothing.",
    flags: [["--verify", "also call every hook as its agent would; nobody is told"], config, json],
  },
  status: { usage: "hookbell status", summary: "the queue at a glance", flags: [json] },
  log: {
    usage: "hookbell log [--follow] [-n N | --all] [--channel NAME] [--agent ID] [--failed]",
    summary: "what happened and why",
    details: "A run of the same line is shown once, with how often.",
    flags: [
      ["--follow, -f", "go on showing what is added"],
      ["--last N, -n N", `the last N lines; without it, ${defaultEntries}`],
      ["--all", "everything"],
      ["--channel NAME", "only what was decided and tried for this channel"],
      ["--agent ID", "only what comes from this agent"],
      ["--failed", "only attempts that failed, and payloads that did not validate"],
      ["--json", "one JSON object a line, as in the journal"],
    ],
  },
  retry: {
    usage: "hookbell retry [ID... | --channel NAME | --all]",
    summary: "give dead letters another life",
    details: "ID is as hookbell log shows it, or an unmistakable start of it. Without any, shows what there is.",
    flags: [["--all", "all of them"], ["--channel NAME", "all of this channel"], json],
  },
  discard: {
    usage: "hookbell discard [ID... | --channel NAME | --all]",
    summary: "throw dead letters away",
    details: "ID is as hookbell log shows it, or an unmistakable start of it. Without any, shows what there is.",
    flags: [["--all", "all of them"], ["--channel NAME", "all of this channel"], json],
  },
  hook: {
    usage: "hookbell hook [--agent ID] [--event NAME] [--by WIRING] [--wait | --reply] [--json]",
    summary: "read one payload from standard input: what agents run",
    details: [
      "Exit 0 and silence: the payload is safe and the dispatcher is awake. Exit 1: one line a problem on stderr.",
      `Standard input that stays open and silent for ${formatDuration(stdinSilenceMs)} counts as ended.`,
      "HOOKBELL_DISABLE=1 drops everything at once, without a word; what you send by hand is sent all the same.",
    ].join("\n"),
    flags: [
      ["--agent ID", "whose dialect it is; without it, the environment and the payload decide"],
      ["--event NAME", "the event, where the payload does not say"],
      ["--by WIRING", "which of an agent's wirings calls: what two of them tell at once is one event"],
      ["--wait", "deliver in the foreground and print each outcome; exit 1 if any failed"],
      ["--reply", "hand what `terminal` channels say to the agent, where it shows that; the rest goes its usual way"],
      ["--json", "as --wait, and print JSON"],
      ["--config FILE", "as --wait, by this rules file"],
    ],
  },
  dispatch: {
    usage: "hookbell dispatch [--until-idle]",
    summary: "the dispatcher in the foreground",
    details: `Hooks start it in the background by themselves; there it ends after ${formatDuration(idleMs)} without work.`,
    flags: [
      ["--until-idle", "end when nothing is due, and say what waits for a later try, until when and why"],
      ["--detached", `as hooks start it: end after ${formatDuration(idleMs)} without work`],
      config,
    ],
  },
};

/** Help of one command. */
export function helpFor(name: string, io: Pick<CommandIo, "isColor">): string {
  const help = helps[name];
  if (help === undefined) return "";
  const all = [...help.flags, helpFlag];
  const width = Math.max(...all.map(([flag]) => flag.length));
  const flags = all.map(([flag, meaning]) => `  ${flag.padEnd(width)}  ${meaning}`);
  return [
    paint(io, "bold", help.usage),
    "",
    capital(help.summary),
    ...(help.details === undefined ? [] : [help.details]),
    "",
    ...flags,
    "",
  ].join("\n");
}

/** What `hookbell` and `hookbell --help` say. */
export function overview(io: Pick<CommandIo, "isColor">): string {
  const width = Math.max(...Object.keys(helps).map((name) => name.length));
  const rows = Object.entries(helps).map(([name, { summary }]) => `  ${name.padEnd(width)}  ${summary}`);
  const first = paint(io, "bold", `hookbell ${version}`);
  return `${first}  tells you when a coding agent needs you, is done or failed\n\n${rows.join("\n")}\n\nhookbell COMMAND --help says more.\nStart with: hookbell init, then hookbell test\n`;
}

function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
