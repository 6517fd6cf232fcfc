import { parse } from "jsonc-parser";
import { join } from "node:path";
import type { Wiring } from "../agents/define-wiring.ts";
import { listNames, readIfThere } from "../system/files.ts";
import type { AgentTarget } from "./agent-target.ts";
import { readToml } from "./edit-toml.ts";
import { memberAt } from "./member-at.ts";

/** Says so when an administrator lets no hooks but their own run. */
export function managedWarnings({ managed }: Pick<Wiring, "managed">, platform: NodeJS.Platform): string[] {
  const place = managed?.files[platform];
  if (managed === undefined || place === undefined) return [];
  return filesAt(place).flatMap((path) => {
    const settings = readAnySettings(path);
    const found = managed.switches.filter(({ member, value }) => memberAt(settings, member) === value);
    return found.map(
      ({ member, value }) =>
        `${path}: your administrator set "${member.join(".")}" to ${value}: the agent will not run these hooks`,
    );
  });
}

/** Says so when the person's other settings switch all hooks off. */
export function switchWarnings({ wiring, folder }: Pick<AgentTarget, "wiring" | "folder">): string[] {
  return (wiring.switches ?? []).flatMap(({ file, member, value }) => {
    const path = join(folder, file);
    return memberAt(readAnySettings(path), member) === value
      ? [`${path}: "${member.join(".")}" is ${value}: the agent runs no hooks until you take it out`]
      : [];
  });
}

function filesAt(place: string): string[] {
  if (!/[\\/]$/.test(place)) return [place];
  try {
    return listNames(place)
      .filter((name) => name.endsWith(".json"))
      .map((name) => join(place, name));
  } catch {
    return [];
  }
}

/** What a settings file says, as far as it can be read: JSON with comments, or TOML by its name. */
export function readAnySettings(path: string): unknown {
  try {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    if (!path.endsWith(".toml")) return parse(text);
    const reading = readToml(path, text);
    return "document" in reading ? reading.document.values : undefined;
  } catch {
    // Not for our eyes; the agent will know.
    return undefined;
  }
}
