// The wing with the agent platform's API: its client, its news, and a server of one's own.
import { effectOfVerb, type Wing } from "../../console/command.ts";
import { platformCommands, serveFlags, serverCommands } from "./help.ts";

export const platformWing: Wing = {
  name: "platform",
  commands: {
    usage: { effect: "neither", load: async () => (await import("./commands/usage.ts")).usage },
    readiness: { effect: "neither", load: async () => (await import("./commands/readiness.ts")).readiness },
    "platform poll": { effect: "neither", load: async () => (await import("./commands/poll.ts")).poll },
    "platform cron": { effect: "neither", load: async () => (await import("./commands/poll.ts")).printCronLine },
    "computers install-deps": {
      effect: "neither",
      load: async () => (await import("./commands/computers.ts")).installDeps,
    },
    "computers list": { effect: "neither", load: async () => (await import("./commands/computers.ts")).listComputers },
    "computers add": { effect: "grants", load: async () => (await import("./commands/computers.ts")).registerComputer },
    keys: { effect: effectOfVerb, load: async () => (await import("./commands/keys.ts")).keys },
  },
  help: { platform: platformCommands, server: serverCommands },
  serves: {
    usage: "[--data DIR] [--backfill] [--standby]",
    details: [
      "Counts this machine's hook events, signed events of other machines, and the transcripts of Claude Code, Codex, Droid, Gemini CLI, opencode and Qwen Code.",
      "Stores only names and numbers. `hookbell init --usage` installs the hooks that count tool calls.",
    ],
    flags: serveFlags,
    load: async () => (await import("./commands/serve.ts")).openApi,
  },
  checks: [
    {
      area: "platform",
      async load() {
        const { examinePlatform } = await import("./commands/doctor.ts");
        return async (io, { rules }) => await examinePlatform(io, rules().rules.platform);
      },
    },
  ],
  lasting: { load: async () => (await import("./polls.ts")).createPlatformPolls },
};
