// Which files a pattern of the table of places means at this moment.
import { join } from "node:path";
import { listEveryFolder, listEveryName, stampOf, tryToStat } from "../../../system/files/files.ts";
import { FolderNames } from "../../../system/files/watch.ts";

/** Folders in each other. An agent has no bound, so this one is far beyond what anyone has, and keeps only from endless work. */
const maxFolders = 1000;

/** The names in each folder are listed once. */
export class FileNames {
  readonly #platform: NodeJS.Platform;
  readonly #names = new Map<string, readonly string[] | undefined>();
  /** What was asked for in each folder. */
  readonly asked = new FolderNames();

  constructor(platform: NodeJS.Platform) {
    this.#platform = platform;
  }

  /** Only what is there: most of these files are not, and asking for each would cost more than one look at the folder above. */
  matching(root: string, pattern: string): string[] {
    let found = [root];
    for (const part of pattern.split(/[\\/]/).filter((each) => each !== "")) {
      if (part === "**") found = found.flatMap((folder) => this.#allBelow(folder));
      else
        found = found.flatMap((folder) => {
          const names = this.#namesIn(folder);
          this.asked.add(folder, isPattern(part) ? undefined : part);
          if (!isPattern(part)) {
            // A folder that may not be listed may still be entered.
            if (names === undefined) return tryToStat(join(folder, part)) === undefined ? [] : [join(folder, part)];
            return names.filter((name) => this.#isSame(name, part)).map((name) => join(folder, name));
          }
          if (names === undefined) return [];
          const expression = expressionOf(part);
          return names
            .filter((name) => expression.test(name) && !ownBackup.test(name))
            .map((name) => join(folder, name));
        });
    }
    return found;
  }

  /** The folder itself and those in it, each once, wherever links lead. */
  #allBelow(folder: string): string[] {
    const found = [folder];
    const stamps = new Set([stampOf(folder)?.text]);
    // A list goes on to what is added to it meanwhile.
    for (const above of found) {
      this.asked.add(above);
      if (this.#namesIn(above) === undefined) continue;
      for (const name of listEveryFolder(above)) {
        const path = join(above, name);
        const stamp = stampOf(path)?.text;
        if (found.length >= maxFolders || stamps.has(stamp)) continue;
        stamps.add(stamp);
        found.push(path);
      }
    }
    return found;
  }

  /** These systems take a name in other letters for the same. */
  #isSame(name: string, part: string): boolean {
    const platform = this.#platform;
    if (platform !== "win32" && platform !== "darwin") return name === part;
    return name.toLowerCase() === part.toLowerCase();
  }

  /** The folders that were listed, and those that were not there. */
  folders(): string[] {
    return [...this.#names.keys()];
  }

  #namesIn(folder: string): readonly string[] | undefined {
    if (!this.#names.has(folder)) this.#names.set(folder, namesIn(folder));
    return this.#names.get(folder);
  }
}

function isPattern(part: string): boolean {
  return /[*?]/.test(part);
}

function expressionOf(part: string): RegExp {
  const escaped = part.replace(/[.+^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`^${escaped.replaceAll("*", ".*").replaceAll("?", ".")}$`, "s");
}

/** No agent looks for a file of such a name. */
const ownBackup = /\.hookbell-backup-[\dT.Z-]+$/;

/** Undefined where it may not be listed. */
export function namesIn(folder: string): readonly string[] | undefined {
  try {
    return listEveryName(folder);
  } catch {
    return undefined;
  }
}
