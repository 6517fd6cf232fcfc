// What planning the hooks of an agent needs to know.
import type { Wiring } from "../../agents/wiring.ts";
import type { SettingsSource } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import type { HookEntry } from "../command/hook-command.ts";

export interface InstallRequest {
  wiring: Wiring;
  /** The agent's files in the order of the wiring. */
  sources: readonly SettingsSource[];
  folder: string;
  platform: NodeJS.Platform;
  /** One that is wired already stays in any case. */
  isWanted(event: string): boolean;
  argvFor(event: string | undefined): string[];
  entryFor(event: string): HookEntry;
  ownerOf: OwnerOfHook;
}
