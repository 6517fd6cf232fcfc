// The parts of the rules file that wings bring: their schemas, their types, and what is said of a part whose wing is missing.
import * as z from "zod";
import { optionalSetting } from "../../channels/settings.ts";
import type { SettingsPart } from "../../wing-settings/part.ts";
import { settingsParts } from "../../wing-settings/index.ts";

type Parts = typeof settingsParts;
export type PartsOfRules = { [Name in keyof Parts]?: z.infer<Parts[Name]["schema"]> | undefined };

/** Every name that a wing of hookbell has had for its part, so that a file of another installation is read. */
const partNames = ["platform", "fleet"] as const;
const parts: Readonly<Record<string, SettingsPart>> = settingsParts;

export const missingParts: readonly string[] = partNames.filter((name) => !Object.hasOwn(parts, name));

export const partsOfFile = {
  ...(Object.fromEntries(missingParts.map((name) => [name, z.unknown().optional()])) as object),
  ...(Object.fromEntries(
    Object.entries(parts).map(([name, { schema, meaning }]) => [name, optionalSetting(() => schema.describe(meaning))]),
  ) as { [Name in keyof Parts]: z.ZodOptional<z.ZodLazy<Parts[Name]["schema"]>> }),
};

/** The parts that a file has, with what is known of each. */
export function partsIn(rules: object): { name: string; part: SettingsPart; value: unknown }[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const value = (rules as Readonly<Record<string, unknown>>)[name];
    return value === undefined ? [] : [{ name, part, value }];
  });
}

/** Whether another machine may show the questions that no channel here takes answers to. */
export function asksElsewhere(rules: object): boolean {
  return partsIn(rules).some(({ part }) => part.asksElsewhere === true);
}
