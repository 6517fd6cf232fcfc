import { parse } from "jsonc-parser";
import type { Wiring } from "../agents/define-wiring.ts";
import { readIfThere } from "../system/files.ts";

/** Says so when an administrator lets no hooks but their own run. */
export function managedWarnings({ managedFiles }: Pick<Wiring, "managedFiles">, platform: NodeJS.Platform): string[] {
  const path = managedFiles[platform];
  if (path === undefined) return [];
  let settings: unknown;
  try {
    settings = parse(readIfThere(path) ?? "{}");
  } catch {
    // Not for our eyes; the agent will know.
    return [];
  }
  const isManagedOnly =
    typeof settings === "object" &&
    settings !== null &&
    "allowManagedHooksOnly" in settings &&
    settings.allowManagedHooksOnly === true;
  return isManagedOnly
    ? [`${path}: your administrator set "allowManagedHooksOnly": the agent will not run these hooks`]
    : [];
}
