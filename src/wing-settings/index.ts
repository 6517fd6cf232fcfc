// The parts of the rules file that wings bring, one line each.
import { fleetPart } from "./fleet.ts";
import { platformPart } from "./platform.ts";
import type { SettingsPart } from "./part.ts";

export const settingsParts = {
  platform: platformPart,
  fleet: fleetPart,
} as const satisfies Readonly<Record<string, SettingsPart>>;
