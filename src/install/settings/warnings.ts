import type { Wiring } from "../../agents/wiring.ts";
import { hookContainers } from "./find-hooks.ts";
import { isSwitchedOff, type InspectedFile } from "./inspect.ts";
import { entriesOf } from "../../jsonc/nodes.ts";

/** What keeps hooks from running or runs them twice, and is the person's to decide. */
export function findWarnings(files: readonly InspectedFile[], wiring: Wiring): string[] {
  return files.flatMap((inspected) => {
    const { file, document, hooks } = inspected;
    const warnings: string[] = [];
    if (isSwitchedOff(inspected)) {
      warnings.push(
        `${document.path}: "${file.offSwitch?.join(".")}" is ${file.offValue ?? true}: the agent runs no hooks until you take it out`,
      );
    }
    const ignored = hookContainers(document.root, file.shape)
      .filter(({ isSeen }) => !isSeen)
      .flatMap(({ container }) => entriesOf(container).map(({ name }) => name))
      // What is ours there goes without a word.
      .filter((name) => !hooks.some((hook) => !hook.isSeen && hook.event === name && hook.owner === "own"));
    if (ignored.length > 0) {
      warnings.push(
        `${document.path}: the agent ignores what stands below "hooks" in this file (${ignored.join(", ")}); events belong at the top of it`,
      );
    }
    const byHand = hooks.filter(
      (hook) => hook.owner === "mixed" && hook.isSeen && Object.hasOwn(wiring.events, hook.event),
    );
    for (const event of new Set(byHand.map((hook) => hook.event))) {
      warnings.push(
        `${document.path}: a command of yours for ${event} calls hookbell as well; it is left alone, so you may hear of ${event} twice`,
      );
    }
    return warnings;
  });
}
