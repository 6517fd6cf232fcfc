// Generates the man page hookbell(1) from the command table.
import { commandGroups } from "./table.ts";
import type { CommandHelp, Flag } from "../console/command-help.ts";

export function manPage(version: string): string {
  const groups = commandGroups.flatMap(({ title, commands }) => [
    `.SH ${escape(title.toUpperCase())}`,
    ...Object.values<CommandHelp>(commands).flatMap(describeCommand),
  ]);
  return `${[
    `.TH HOOKBELL 1 "" "hookbell ${escape(version)}"`,
    // Left-aligned and not hyphenated, so that commands stay readable.
    ".ad l",
    ".nh",
    ".SH NAME",
    "hookbell \\- know when a coding agent needs you, is done, or failed",
    ".SH SYNOPSIS",
    ".B hookbell",
    "COMMAND [\\fIFLAGS\\fR]",
    ".SH DESCRIPTION",
    "Coding agents run hookbell as a hook. It notifies you on your desktop, on your phone, in a chat or by mail, as your rules say.",
    "To start: hookbell init, then hookbell test.",
    ...groups,
    ".SH FILES",
    ".TP",
    "~/.config/hookbell/rules.jsonc",
    "Your channels and rules.",
    ".TP",
    "~/.local/state/hookbell",
    "The queue and the journal.",
    ".SH ENVIRONMENT",
    ".TP",
    "HOOKBELL_CONFIG_DIR, HOOKBELL_STATE_DIR",
    "Other places for the rules and for the queue.",
    ".TP",
    "HOOKBELL_DISABLE",
    "Drops every event of agents.",
  ].join("\n")}\n`;
}

function describeCommand({ usage, summary, details = [], flags }: CommandHelp): string[] {
  return [
    ...usage.flatMap((each, index) => [index === 0 ? ".TP" : ".TQ", `.B hookbell ${escape(each)}`]),
    `${escape(summary.charAt(0).toUpperCase() + summary.slice(1))}.`,
    ...details.flatMap((text) => [".IP", escape(text)]),
    ".RS",
    ...Object.entries<Flag>(flags).flatMap(describeFlag),
    ".RE",
  ];
}

function describeFlag([name, { value, short, meaning, usual }]: [string, Flag]): string[] {
  const spelled = `--${name}${value === undefined ? "" : ` ${value}`}${short === undefined ? "" : `, -${short}`}`;
  return [".TP", `.B ${escape(spelled)}`, escape(usual === undefined ? meaning : `${meaning} (default: ${usual})`)];
}

/** roff treats backslashes, leading dots and hyphens specially. It may break a URL after a slash. */
function escape(text: string): string {
  const escaped = text.replaceAll("\\", "\\e").replaceAll("-", "\\-").replace(/^[.']/, "\\&$&");
  return escaped.replaceAll(/https:\S+/g, (url) => url.replaceAll(/(?<=[^/])\/(?=[^/])/g, "/\\:"));
}
