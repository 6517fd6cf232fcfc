import { join } from "node:path";
import type { AgentTarget } from "./agent-target.ts";
import { readAnySettings } from "./managed-settings.ts";
import { memberAt } from "./member-at.ts";

/** What the agent's own settings say that it rings or pops up by itself, so that the person hears of things twice. */
export function findOwnNoises({ wiring, folder }: Pick<AgentTarget, "wiring" | "folder">): string[] {
  return (wiring.ownNoises ?? []).flatMap(({ file, member, isOnByDefault, quiet, text }) => {
    const value = memberAt(readAnySettings(join(folder, file)), member);
    const isOn = value === undefined ? isOnByDefault : !quiet.includes(value);
    return isOn ? [text] : [];
  });
}
