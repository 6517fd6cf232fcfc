// Help of the board and of the tray.
import type { CommandGroup } from "../../console/command-help.ts";
import { docsUrl } from "../../model/errors.ts";

export const boardCommands = {
  board: {
    usage: ["board [--once | --json] [--demo]", "board --today [--json]"],
    summary: "show all sessions live; answer them, go to their terminals",
    details: [
      `Sessions that need you come first. The arrow keys choose one, Enter goes to its terminal; ? shows all keys. See ${docsUrl("reference/BOARD.md")}.`,
      "Without a terminal, or with TERM=dumb, it prints once.",
    ],
    flags: {
      once: { meaning: "print it once, with each question in full" },
      today: { meaning: "print when each project had turns, questions and failures today" },
      json: { meaning: "print what `sessions --json` prints, and the sessions that have just ended" },
      demo: { meaning: "show made-up sessions; reads and writes no files" },
    },
  },
  tray: {
    usage: ["tray"],
    summary: "show in the desktop's tray how many sessions need you",
    details: [
      `Linux only. A click opens the page of \`hookbell serve\`, if it runs, else the board in a terminal. It ends with the desktop. See ${docsUrl("reference/BOARD.md")}.`,
    ],
    flags: {},
  },
} as const satisfies CommandGroup;
