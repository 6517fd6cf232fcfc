// Warnings about settings that keep hooks from running or run them twice.
import type { Wiring } from "../../agents/wiring.ts";
import { hookContainers } from "./find-hooks.ts";
import { isSwitchedOff, type InspectedFile } from "./inspect.ts";
import { entriesOf } from "../../jsonc/nodes.ts";

export function findWarnings(files: readonly InspectedFile[], wiring: Wiring): string[] {
  return files.flatMap((inspected) => {
    const { file, document, hooks } = inspected;
    const warnings: string[] = [];
    if (isSwitchedOff(inspected)) {
      warnings.push(
        `${document.path}: "${file.offSwitch?.join(".")}" is ${file.offValue ?? true}: the agent runs no hooks until you remove it`,
      );
    }
    const ignored = hookContainers(document.root, file.shape)
      .filter(({ isSeen }) => !isSeen)
      .flatMap(({ container }) => entriesOf(container).map(({ name }) => name))
      // hookbell's own hooks there are moved without a warning.
      .filter((name) => !hooks.some((hook) => !hook.isSeen && hook.event === name && hook.owner === "own"));
    if (ignored.length > 0) {
      warnings.push(
        `${document.path}: the agent ignores "hooks" in this file (${ignored.join(", ")}); events belong at the top`,
      );
    }
    const byHand = hooks.filter(
      (hook) => hook.owner === "mixed" && hook.isSeen && Object.hasOwn(wiring.events, hook.event),
    );
    for (const event of new Set(byHand.map((hook) => hook.event))) {
      warnings.push(
        `${document.path}: a command of your own for ${event} also calls hookbell; it stays, so you may be notified twice`,
      );
    }
    return warnings;
  });
}
