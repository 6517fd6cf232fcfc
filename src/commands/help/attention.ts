// Help for mute, unmute and digest.
import { type CommandGroup, config, json } from "../../console/command-help.ts";

const scope = {
  project: { value: "NAME", meaning: "this project; . is the current folder" },
  session: { value: "ID", of: "session", meaning: "this session" },
  agent: { value: "ID", of: "agent", meaning: "this agent" },
  channel: { value: "NAME", of: "channel", meaning: "this channel" },
} as const;

export const attentionCommands = {
  digest: {
    usage: ["digest [--since TIME] [--json]", "digest --send [--since TIME]"],
    summary: "summarise what ran, for how long, what failed and what waits",
    details: [
      "Covers the last 24 hours by default.",
      '--send sends it as the event Digest, through your rules. With "digest" in the rules file, a running dispatcher does that at the time you set. If no agent may be running then, also run `hookbell digest --send` from cron; each digest is sent once.',
    ],
    flags: {
      since: { value: "TIME", meaning: "from this time of day (09:00), or this far back (8h)" },
      send: { meaning: "send it through the rules" },
      json,
      config,
    },
  },
  mute: {
    usage: ["mute TIME", "mute [TIME] --project NAME", "mute [TIME] --all", "mute --list"],
    summary: "stop notifications for a while",
    details: [
      "TIME is a duration (2h) or a time of day (15:00). Without it, the mute lasts until `hookbell unmute`.",
      "Mutes everything (--all, or TIME alone), or one project, session, agent or channel.",
      "Questions and errors are sent when the mute ends, unless you have answered by then. Everything else is not sent, but is in `hookbell log`.",
    ],
    flags: {
      ...scope,
      all: { meaning: "everything" },
      list: { meaning: "list the mutes" },
      json,
    },
  },
  unmute: {
    usage: ["unmute [--project NAME | --all]"],
    summary: "end one mute, or all of them",
    flags: { ...scope, all: { meaning: "all of them, as without a flag" }, json },
  },
} as const satisfies CommandGroup;
