// Help of `hookbell replay`.
import { type CommandGroup, json } from "../../console/command-help.ts";
import { docsUrl } from "../../model/errors.ts";

export const replayCommands = {
  replay: {
    usage: ["replay [--since TIME] [--rules FILE] [--json]"],
    summary: "show what other rules would have sent in the last days",
    related: ["why", "explain", "check"],
    details: [
      `Replays the events of the journal under the rules of FILE, and shows notifications, questions and pings at night beside what was sent. Sends nothing and changes nothing. See ${docsUrl("reference/ATTENTION.md")}.`,
    ],
    flags: {
      since: { value: "TIME", usual: "7d", meaning: "how far back, up to the 30 days of the journal" },
      rules: { value: "FILE", meaning: "the rules to try; without it, your rules as they are now" },
      json,
    },
  },
} as const satisfies CommandGroup;
