// Says when something in a folder changes, or in any of several.
import { type FSWatcher, type Stats, watch } from "node:fs";
import { basename, dirname, join, sep } from "node:path";
import { tryToStat } from "./files.ts";
import { pathsOnTheWay } from "./inspect-path.ts";

/** Some network folders cannot be watched, and inotify handles may run out; then the folder is polled. */
const pollEveryMs = 1000;

/** The callback may be called without a change, and without a name. The returned function ends it. */
export function watchFolder(
  dir: string,
  onChange: (name: string | undefined) => void,
  { isKeepingAlive = false } = {},
): () => void {
  let poll: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  const startPolling = (): void => {
    watcher?.close();
    watcher = undefined;
    poll ??= setInterval(() => onChange(undefined), pollEveryMs);
    if (!isKeepingAlive) poll.unref();
  };
  try {
    watcher = watch(dir, { persistent: isKeepingAlive }, (_event, name) => onChange(name ?? undefined));
    watcher.on("error", startPolling);
  } catch {
    startPolling();
  }
  return () => {
    watcher?.close();
    clearInterval(poll);
  };
}

/** Folders, each with the names in it that matter; where the names are undefined, all do. */
export class FolderNames {
  readonly folders = new Map<string, Set<string> | undefined>();

  add(folder: string, name?: string): void {
    if (name === undefined) this.folders.set(folder, undefined);
    else if (this.folders.has(folder)) this.folders.get(folder)?.add(name);
    else this.folders.set(folder, new Set([name]));
  }

  addSome(folder: string, names: ReadonlySet<string> | undefined): void {
    if (names === undefined) this.add(folder);
    else for (const name of names) this.add(folder, name);
  }

  /**
   * The same with all on the way to each folder and to these files, which may be moved, replaced, made or led elsewhere. Each folder
   * is under its real path.
   */
  withWays(files: readonly string[]): FolderNames {
    const known = new Map<string, Stats | undefined>();
    const all = new FolderNames();
    const addWay = (path: string): string => {
      const way = pathsOnTheWay(path, known);
      for (const each of way) all.add(dirname(each), basename(each));
      return way.at(-1) ?? path;
    };
    for (const path of files) addWay(path);
    for (const [folder, names] of this.folders) {
      all.addSome(addWay(folder), names);
    }
    return all;
  }
}

/** Watches a set of folders that changes; those that are not there are left out. */
export class FolderWatches {
  readonly #onChange: () => void;
  readonly #watched = new Map<string, { names: ReadonlySet<string> | undefined; unwatch: () => void }>();

  /** `onChange` may be called without a change. */
  constructor(onChange: () => void) {
    this.#onChange = onChange;
  }

  /** False if some were not watched before: what happened in these until now is not told. */
  set({ folders }: FolderNames): boolean {
    for (const folder of this.#watched.keys()) if (!folders.has(folder)) this.#end(folder);
    let areAllOld = true;
    for (const [folder, names] of folders) {
      const known = this.#watched.get(folder);
      if (known !== undefined) known.names = names;
      else if (tryToStat(folder)?.isFolder === true) {
        areAllOld = false;
        this.#watched.set(folder, { names, unwatch: watchFolder(folder, (name) => this.#see(folder, name)) });
      }
    }
    return areAllOld;
  }

  close(): void {
    for (const folder of this.#watched.keys()) this.#end(folder);
  }

  #see(folder: string, name: string | undefined): void {
    if (name !== undefined) {
      if (this.#watched.get(folder)?.names?.has(name) === false) return;
      // The system watches what was at a path, and not the path: something else may be there now.
      const path = join(folder, name);
      for (const each of this.#watched.keys()) if (each === path || each.startsWith(`${path}${sep}`)) this.#end(each);
    }
    this.#onChange();
  }

  #end(folder: string): void {
    this.#watched.get(folder)?.unwatch();
    this.#watched.delete(folder);
  }
}
