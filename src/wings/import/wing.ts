// The wing that imports the settings of other notifiers.
import type { Wing } from "../../console/command.ts";
import { importCommands } from "./help.ts";

export const importWing: Wing = {
  name: "import",
  commands: { import: { effect: "neither", load: async () => (await import("./import.ts")).importCommand } },
  help: { setUp: importCommands },
};
