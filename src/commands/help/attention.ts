// Help of the commands that say when hookbell speaks up.
import { config, json } from "./flags.ts";
import type { CommandGroup } from "./command-help.ts";

const scope = {
  project: { type: "string", value: "NAME", meaning: "of this project; . is the folder you are in" },
  session: { type: "string", value: "ID", meaning: "of this session" },
  agent: { type: "string", value: "ID", of: "agent", meaning: "of this agent" },
  channel: { type: "string", value: "NAME", of: "channel", meaning: "on this channel" },
} as const;

export const attentionCommands = {
  digest: {
    usage: ["digest [--since TIME] [--json]", "digest --send [--since TIME]"],
    summary: "show what ran, how long, what failed and what waits",
    details: [
      "From what hookbell has on record; the last 24 hours by default.",
      '--send makes it the event Digest, which goes where your rules say. With "digest" in the rules file a dispatcher sends it at that time, or as soon as one runs; for days without an agent, run `hookbell digest --send` from cron. Each digest is sent once.',
    ],
    flags: {
      since: { type: "string", value: "TIME", meaning: "since a time of day (09:00), or for so long (8h)" },
      send: { type: "boolean", meaning: "send it through the rules" },
      json,
      config,
    },
  },
  mute: {
    usage: ["mute [TIME]", "mute [TIME] --project NAME", "mute --list"],
    summary: "send nothing for a while",
    details: [
      "TIME is how long (2h), or until when (15:00). Without it: until `hookbell unmute`.",
      "A mute is of everything, or of one project, session, agent or channel.",
      "Questions and errors come when the mute ends, unless you have answered by then; the rest is only in the record.",
    ],
    flags: { ...scope, list: { type: "boolean", meaning: "show what is muted" }, json },
  },
  unmute: {
    usage: ["unmute [--project NAME]"],
    summary: "end a mute, or all of them",
    flags: { ...scope, json },
  },
} as const satisfies CommandGroup;
