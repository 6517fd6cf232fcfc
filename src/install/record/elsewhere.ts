import { normalize, sep } from "node:path";
import type { AgentTarget } from "../target/agent-target.ts";
import type { InstallRecord } from "./record.ts";

/**
 * The same agents in other folders: init wrote there while a variable of theirs (`CODEX_HOME`) named that folder, and now
 * it names another or none.
 */
export function targetsElsewhere(
  targets: readonly AgentTarget[],
  record: InstallRecord,
  platform: NodeJS.Platform,
): AgentTarget[] {
  return targets.flatMap((target) => {
    if (target.wiring.folders.every(({ moved }) => moved === undefined)) return [];
    const noted = record.files.filter(({ agent }) => agent === target.id);
    const folders = new Set(noted.flatMap(({ path }) => folderOf(path, target, platform) ?? []));
    folders.delete(target.folder);
    return [...folders].map((folder) => ({ ...target, folder, sign: folder }));
  });
}

/** The agent's folder, from the path of a file of its. */
function folderOf(path: string, { wiring }: AgentTarget, platform: NodeJS.Platform): string | undefined {
  const { files, ownFiles = [], notify } = wiring;
  const names = [
    ...files.map(({ name }) => name),
    ...ownFiles.map((file) => file.name(platform)),
    ...(notify === undefined ? [] : [notify.file]),
  ];
  // `hooks/hooks.json` ends as `hooks.json` does.
  const ends = names.map((name) => sep + normalize(name)).sort((a, b) => b.length - a.length);
  const end = ends.find((each) => path.endsWith(each));
  return end === undefined ? undefined : path.slice(0, -end.length);
}
