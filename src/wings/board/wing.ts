// The wing with the boards of terminal and desktop.
import type { Wing } from "../../console/command.ts";
import { boardCommands } from "./help.ts";

export const boardWing: Wing = {
  name: "board",
  commands: {
    board: { effect: "neither", load: async () => (await import("./board.ts")).board },
    tray: { effect: "neither", load: async () => (await import("./tray.ts")).tray },
  },
  help: { inspect: boardCommands },
};
