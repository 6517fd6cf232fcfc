// Finds settings with which the agent itself notifies or plays sounds, so that the user would hear of things twice.
import { join } from "node:path";
import type { AgentTarget } from "./agent-target.ts";
import { readAnySettings } from "./managed-settings.ts";
import { memberAt } from "../../jsonc/nodes.ts";

export function findOwnNotifications({ wiring, folder }: Pick<AgentTarget, "wiring" | "folder">): string[] {
  return (wiring.ownNotifications ?? []).flatMap(({ file, olderFiles = [], member, isOnByDefault, quiet, text }) => {
    const values = [file, ...olderFiles].map((name) => memberAt(readAnySettings(join(folder, name)), member));
    const value = values.find((each) => each !== undefined);
    const isOn = value === undefined ? isOnByDefault : !quiet.includes(value);
    return isOn ? [text] : [];
  });
}
