import { writeStarterRules } from "../../rules/edit/starter-rules.ts";
import { statIfThere } from "../../system/files/files.ts";
import type { Ask } from "../console/ask.ts";
import type { CommandIo } from "../console/command-io.ts";

/** Writes a rules file to start from where there is none and it is wanted; its path when it did. */
export async function offerRules(
  { places: { configDir, rulesFile } }: Pick<CommandIo, "places">,
  isWanted: boolean,
  ask: Pick<Ask, "confirm"> | undefined,
): Promise<string | undefined> {
  if (statIfThere(rulesFile) !== undefined) return undefined;
  const question = `Write a rules file to start from (${rulesFile})? Without it the built-in rules apply.`;
  const isYes = isWanted || (await ask?.confirm(question, false)) === true;
  return isYes && writeStarterRules(configDir, rulesFile) ? rulesFile : undefined;
}
