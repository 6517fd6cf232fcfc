// Says when something in a folder changes.
import { watch, type FSWatcher } from "node:fs";

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
