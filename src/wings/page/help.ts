// Help of the command about the browsers that may open the page.
import { type CommandGroup, json } from "../../console/command-help.ts";

export const pageCommands = {
  devices: {
    usage: ["devices [--json]", "devices add [--name NAME] [--answer] [--administer]", "devices revoke ID"],
    summary: "list, pair and revoke the browsers that may open your server's page",
    details: [
      "add: prints a link that pairs one browser within ten minutes, and its QR code if `hookbell serve` has an address that a phone can reach (--url). Every paired browser sees your sessions, questions and journal; answering and administering are rights of their own.",
      "Revoking a browser takes effect at once. ID is the browser's id, or its name.",
    ],
    words: ["add", "revoke"],
    flags: {
      name: { value: "NAME", meaning: "what to call it (default: the browser and its system)" },
      answer: { meaning: 'let it answer questions, within "answers.allow" of the rules file' },
      administer: {
        meaning: "let it send failed deliveries again, delete them, start installations, and try other rules",
      },
      json,
    },
  },
} as const satisfies CommandGroup;
