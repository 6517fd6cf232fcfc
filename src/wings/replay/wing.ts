// The wing that replays the journal under other rules.
import type { Wing } from "../../console/command.ts";
import { replayCommands } from "./help.ts";

export const replayWing: Wing = {
  name: "replay",
  commands: { replay: { effect: "neither", load: async () => (await import("./command.ts")).replay } },
  help: { inspect: replayCommands },
  serves: { load: async () => (await import("./serve.ts")).openWhatIf },
};
