// Finds settings that keep the agent from running hooks, or let it notify by itself.
import { parse } from "jsonc-parser";
import { join } from "node:path";
import { memberAt } from "../../jsonc/nodes.ts";
import { exitCodes } from "../../model/errors.ts";
import { listNames } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import type { InstallProblem } from "../problem.ts";
import type { AgentTarget } from "./agent-target.ts";
import { getStaticTOMLValue, parseTOML } from "toml-eslint-parser";

export function managedProblems({
  wiring: { managed },
  managedPlaces: places,
}: Pick<AgentTarget, "wiring" | "managedPlaces">): InstallProblem[] {
  if (managed === undefined) return [];
  return places.flatMap(filesAt).flatMap((path) => {
    const settings = readAnySettings(path);
    const found = managed.switches.filter(({ member, value }) => memberAt(settings, member) === value);
    return found.map(({ member, value }) => ({
      path,
      message: `your administrator set "${member.join(".")}" to ${value}: the agent does not run your hooks`,
      hint: "ask the administrator to allow hooks, then run this again",
      exitCode: exitCodes.failed,
    }));
  });
}

export function switchWarnings({ wiring, folder }: Pick<AgentTarget, "wiring" | "folder">): string[] {
  return (wiring.switches ?? []).flatMap(({ file, member, value }) => {
    const path = join(folder, file);
    return memberAt(readAnySettings(path), member) === value
      ? [`${path}: "${member.join(".")}" is ${value}: the agent runs no hooks until you remove it`]
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

/** JSON with comments or TOML; undefined when unreadable. */
function readAnySettings(path: string): unknown {
  try {
    const text = readIfThere(path);
    if (text === undefined) return undefined;
    return path.endsWith(".toml") ? getStaticTOMLValue(parseTOML(text.replace(/^\uFEFF/, ""))) : parse(text);
  } catch {
    // A file that cannot be read forbids nothing.
    return undefined;
  }
}

export function findOwnNotifications({ wiring, folder }: Pick<AgentTarget, "wiring" | "folder">): string[] {
  return (wiring.ownNotifications ?? []).flatMap(({ file, olderFiles = [], member, isOnByDefault, quiet, text }) => {
    const values = [file, ...olderFiles].map((name) => memberAt(readAnySettings(join(folder, name)), member));
    const value = values.find((each) => each !== undefined);
    const isOn = value === undefined ? isOnByDefault : !quiet.includes(value);
    return isOn ? [text] : [];
  });
}
