import { watch, type FSWatcher } from "node:fs";

/** Where the system cannot watch (some network folders, no inotify handles left), looking this often must do. */
const pollEveryMs = 1000;

/**
 * Calls back after something in the folder changed, with its name where the system says it; the returned function ends
 * it. May call without a change.
 * `isKeepingAlive`: the process does not end while this is the only thing it waits for.
 */
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
