// Imports the library that asks at a terminal.

/** Pasted text would otherwise move through the options, since these are keys of vi. */
const viKeys = ["h", "j", "k", "l"];

export async function importPrompts() {
  const prompts = await import("@clack/prompts");
  for (const key of viKeys) prompts.settings.aliases.delete(key);
  return prompts;
}
