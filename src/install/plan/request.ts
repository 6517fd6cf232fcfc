import type { Wiring } from "../../agents/wiring.ts";
import type { SettingsSource } from "../settings/file-change.ts";
import type { OwnerOfHook } from "../settings/find-hooks.ts";
import type { HookEntry } from "../command/hook-command.ts";

/** What there is to know for planning how an agent is wired. */
export interface InstallRequest {
  wiring: Wiring;
  /** The agent's files in the order of the wiring. */
  sources: readonly SettingsSource[];
  /** Where the sources are looked for. */
  folder: string;
  platform: NodeJS.Platform;
  /** Whether this event of the agent's is to be wired; one that is wired already stays in any case. */
  isWanted(event: string): boolean;
  /** The agent's release knows no hooks but the one program. */
  isOlder: boolean;
  argvFor(event: string | undefined): string[];
  entryFor(event: string): HookEntry;
  ownerOf: OwnerOfHook;
}
