// Finds what `init` has written for agents to call, and another program has changed since: the hook scripts, and the agents' files that are hookbell's alone.
import { join } from "node:path";
import { type ChangedFile, findChangedFile, findChangedScripts, type StateFolder } from "../own-files/changed-files.ts";
import { tryToStat } from "../system/files/files.ts";
import { readIfThere } from "../system/files/read.ts";
import { isMarkedOwn, isUntouchedOwn } from "./command/owner.ts";
import type { AgentTarget } from "./target/agent-target.ts";

type Target = Pick<AgentTarget, "id" | "folder" | "hookSetup">;

/** Reads only files that have changed since the last call with this layout. Permissions are no change, and a missing file is none. */
export function findChangedOwnFiles(
  state: StateFolder,
  targets: readonly Target[],
  platform: NodeJS.Platform,
): ChangedFile[] {
  return [...findChangedScripts(state), ...targets.flatMap((target) => findChangedFilesOf(state, target, platform))];
}

/** Looks at an agent's files that are hookbell's alone. A manifest has no code in it. */
export function findChangedFilesOf(
  state: StateFolder,
  { id, folder, hookSetup: { ownFiles = [] } }: Target,
  platform: NodeJS.Platform,
): ChangedFile[] {
  return ownFiles
    .filter(({ comment }) => comment !== undefined)
    .flatMap((file) => {
      const path = join(folder, file.name(platform));
      const what = `hookbell's ${file.event === undefined ? "plug-in" : "hook"} for ${id}`;
      return findChangedFile(state, path, what) ?? findByMark(path, what);
    });
}

/** Without a record, the digest in its mark tells. */
function findByMark(path: string, what: string): ChangedFile[] {
  const stats = tryToStat(path);
  if (stats?.isFile !== true) return [];
  try {
    const text = readIfThere(path) ?? "";
    return isMarkedOwn(text) && !isUntouchedOwn(text) ? [{ path, what, changedAtMs: stats.mtimeMs }] : [];
  } catch {
    return [];
  }
}
