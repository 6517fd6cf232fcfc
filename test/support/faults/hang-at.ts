// Makes dispatchers hang at a file: a real process in a loop that does not end.
const preload = new URL("hang.mjs", import.meta.url).href;

/** What to add to the environment of hooks, or of a dispatcher, so that a dispatcher hangs when it reads such a file. */
export function hangingAt(path: RegExp): Record<string, string> {
  return { NODE_OPTIONS: `--import=${preload}`, TEST_HANG_AT: path.source };
}
