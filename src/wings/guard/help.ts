// Help of `hookbell hooks`.
import { docsUrl } from "../../model/errors.ts";
import { type CommandGroup, json, yes } from "../../console/command-help.ts";

export const guardCommands = {
  hooks: {
    usage: [
      "hooks [ID] [--new] [--project DIR] [--agent a,b] [--json]",
      "hooks --accept [ID...] [--yes]",
      "hooks --remove ID... [--yes]",
      "hooks --cost [--json]",
    ],
    summary: "list every program that your agents start by themselves, and what is new among them",
    details: [
      "Hooks, MCP servers, status lines, helpers of logins, plug-ins and extensions: of you, of this folder, of folders with recent sessions, and of the machine. Commands are shown whole, without credentials.",
      `Since the first \`hookbell init\`, the dispatcher notifies you once of each that is new or has changed: the event HookChanged. --accept makes it known; --remove takes it out of its file and keeps a backup. The beginning of an ID is enough. See ${docsUrl("reference/GUARD.md")}.`,
    ],
    flags: {
      new: { meaning: "only what is not accepted yet" },
      project: {
        value: "DIR",
        of: "file",
        meaning: "the project whose files are read (default: this folder and recent ones)",
      },
      agent: { multiple: true, value: "a,b", of: "agent", meaning: "only these agents" },
      accept: { meaning: "accept what is there now, or only these" },
      remove: { meaning: "remove these from their files" },
      cost: {
        meaning: "how long hooks took in the last seven days: as agents recorded it, and hookbell's own as it is now",
      },
      yes,
      json,
    },
  },
} as const satisfies CommandGroup;
