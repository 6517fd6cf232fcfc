// All commands: those of the core, those about the command line itself, and those of the wings.
import { commands as coreCommands } from "../commands/index.ts";
import type { Command } from "../console/command.ts";
import { wings } from "../wings/index.ts";

/** A server of which no wing serves anything is none. */
const { serve, ...others } = coreCommands;

/** The keys are the first argument, or the first two. */
export const commands: Readonly<Record<string, Command>> = {
  ...others,
  ...(wings.some(({ serves }) => serves !== undefined) && serve !== undefined ? { serve } : {}),
  completion: { effect: "neither", load: async () => (await import("./completion.ts")).completion },
  docs: { effect: "neither", load: async () => (await import("./docs.ts")).docs },
  version: { effect: "neither", load: async () => (await import("./version.ts")).printVersion },
  ...Object.assign({}, ...wings.map((wing) => wing.commands)),
};
