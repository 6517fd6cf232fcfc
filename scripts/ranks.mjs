// Which folder of src/ may import which: the one table that the linter, its test and ARCHITECTURE.md go by.

/**
 * Lowest rank first. Each folder lists what it imports besides itself, and no more than that: a test compares the list
 * with the imports. A list names folders of lower ranks only, so imports go strictly downward. What wings bring to the
 * rules file lies below the rules, and all else of them above the commands.
 */
export const ranks = [
  { model: [] },
  { system: ["model"], sessions: ["model"] },
  {
    agents: ["model"],
    policies: ["model", "system", "sessions"],
    channels: ["model", "system"],
    jsonc: ["model"],
    "own-files": ["model", "system"],
  },
  { outbox: ["model", "system", "sessions", "policies"], "wing-settings": ["model", "system", "channels"] },
  { answers: ["model", "system", "agents", "policies", "own-files", "outbox"] },
  { overview: ["model", "system", "sessions", "agents", "policies", "outbox", "answers"] },
  {
    rules: ["model", "system", "sessions", "agents", "answers", "policies", "channels", "jsonc", "wing-settings"],
    install: ["model", "system", "agents", "jsonc", "own-files", "outbox"],
    intake: ["model", "system", "agents", "outbox"],
    "http-server": ["model", "system", "agents", "answers"],
  },
  {
    pipeline: ["model", "system", "sessions", "agents", "policies", "channels", "outbox", "answers", "rules"],
  },
  {
    daemon: ["model", "system", "sessions", "agents", "policies", "channels", "outbox", "answers", "rules", "pipeline"],
  },
  {
    console: [
      "model",
      "system",
      "sessions",
      "agents",
      "jsonc",
      "outbox",
      "answers",
      "rules",
      "intake",
      "http-server",
      "pipeline",
      "daemon",
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
      "own-files",
      "outbox",
      "answers",
      "overview",
      "rules",
      "install",
      "intake",
      "http-server",
      "pipeline",
      "daemon",
      "console",
    ],
  },
  {
    wings: [
      "model",
      "system",
      "sessions",
      "agents",
      "policies",
      "channels",
      "jsonc",
      "own-files",
      "outbox",
      "wing-settings",
      "answers",
      "overview",
      "rules",
      "install",
      "http-server",
      "pipeline",
      "daemon",
      "console",
      "commands",
    ],
  },
  {
    cli: [
      "model",
      "system",
      "sessions",
      "agents",
      "channels",
      "outbox",
      "answers",
      "rules",
      "intake",
      "pipeline",
      "console",
      "commands",
      "wings",
    ],
  },
  { bin: ["system", "intake", "cli"] },
];

/** The rank of each folder, 0 for the lowest. */
export const rankOf = new Map(ranks.flatMap((row, rank) => Object.keys(row).map((folder) => [folder, rank])));

/** What each folder may import besides itself. */
export const mayImport = new Map(ranks.flatMap((row) => Object.entries(row)));
