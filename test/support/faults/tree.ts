// What lies in a folder, to compare it with what lay there before.
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../../src/system/crypto.ts";
import { readIfThere } from "../../../src/system/files/read.ts";

/** Every file and folder below, with its mode and content. A process that still runs there may remove its own meanwhile. */
export function tree(folder: string): Record<string, string> {
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .sort()
      .flatMap((name) => {
        const stats = lstatSync(join(folder, name), { throwIfNoEntry: false });
        if (stats === undefined) return [];
        const content = stats.isFile() ? sha256(readIfThere(join(folder, name)) ?? "") : "";
        return [[name, `${stats.mode.toString(8)} ${content}`]];
      }),
  );
}
