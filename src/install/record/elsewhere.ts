// Finds agents that init wired in another folder than today's.
import { normalize, sep } from "node:path";
import type { AgentTarget } from "../target/agent-target.ts";
import type { InstallRecord } from "./record.ts";

/** A variable such as `CODEX_HOME` has changed since. */
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

function folderOf(path: string, { wiring }: AgentTarget, platform: NodeJS.Platform): string | undefined {
  const { files, ownFiles = [], formerNotifyFile } = wiring;
  const names = [
    ...files.map(({ name }) => name),
    ...ownFiles.map((file) => file.name(platform)),
    ...(formerNotifyFile === undefined ? [] : [formerNotifyFile]),
  ];
  // Longest first, since `hooks/hooks.json` ends with `hooks.json`.
  const ends = names.map((name) => sep + normalize(name)).sort((a, b) => b.length - a.length);
  const end = ends.find((each) => path.endsWith(each));
  return end === undefined ? undefined : path.slice(0, -end.length);
}
