// Which folder of src/ may import which: the one table that the linter, its test and ARCHITECTURE.md go by.

/**
 * Lowest rank first. Each folder lists what it imports besides itself, and no more than that: a test compares the list
 * with the imports. A list names folders of lower ranks only, so imports go strictly downward.
 */
export const ranks = [
  { model: [] },
  { system: ["model"], sessions: ["model"] },
  { agents: ["model"], policies: ["model", "system", "sessions"], channels: ["model", "system"], jsonc: ["model"] },
  { outbox: ["model", "system", "sessions", "policies"] },
  { answers: ["model", "system", "agents", "outbox"] },
  { board: ["model", "system", "sessions", "agents", "policies", "outbox", "answers"] },
  {
    rules: ["model", "system", "sessions", "agents", "answers", "policies", "channels", "jsonc"],
    install: ["model", "system", "agents", "jsonc", "outbox"],
    intake: ["model", "system", "agents", "outbox"],
    remote: ["model", "system", "outbox"],
    fleet: ["model", "system", "sessions", "agents", "outbox", "answers"],
    usage: ["model", "system", "agents", "channels", "outbox"],
  },
  {
    pipeline: ["model", "system", "sessions", "agents", "policies", "channels", "outbox", "answers", "rules", "fleet"],
  },
  {
    replay: ["model", "system", "sessions", "policies", "channels", "outbox", "rules", "pipeline"],
    daemon: [
      "model",
      "system",
      "sessions",
      "agents",
      "policies",
      "channels",
      "outbox",
      "answers",
      "rules",
      "install",
      "remote",
      "fleet",
      "usage",
      "pipeline",
    ],
  },
  {
    commands: [
      "model",
      "system",
      "sessions",
      "agents",
      "policies",
      "channels",
      "jsonc",
      "outbox",
      "answers",
      "board",
      "rules",
      "install",
      "intake",
      "remote",
      "fleet",
      "usage",
      "pipeline",
      "replay",
      "daemon",
    ],
  },
  { bin: ["system", "intake", "commands"] },
];

/** The rank of each folder, 0 for the lowest. */
export const rankOf = new Map(ranks.flatMap((row, rank) => Object.keys(row).map((folder) => [folder, rank])));

/** What each folder may import besides itself. */
export const mayImport = new Map(ranks.flatMap((row) => Object.entries(row)));
