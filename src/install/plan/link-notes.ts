// Notes about settings files that are links, for example into a dotfiles repository.
import { dirname } from "node:path";
import { isLink, repositoryAbove } from "../../system/files/inspect-path.ts";
import type { PreparedAgent } from "./apply.ts";
import type { FileChange } from "../settings/file-change.ts";

/** Undefined when there is no such link. */
export function linkedFile({ reading, target }: PreparedAgent, { source }: FileChange): string | undefined {
  const realPath = reading.files.find((file) => file.source.path === source.path)?.opened.realPath;
  return realPath !== source.path && isLinkedBelow(source.path, target.placeOf({ path: "" })) ? realPath : undefined;
}

export function linkNotes(prepared: PreparedAgent, change: FileChange): string[] {
  const realPath = linkedFile(prepared, change);
  if (realPath === undefined) return [];
  const repository = repositoryAbove(realPath);
  const isWritten = change.after?.includes(prepared.target.placeOf({ path: "" })) === true;
  return [
    `${change.source.path} is a link to ${realPath}`,
    ...(repository !== undefined && isWritten
      ? [`it is in the git repository ${repository}, and will contain an absolute path of this home folder`]
      : []),
  ];
}

function isLinkedBelow(path: string, home: string): boolean {
  if (isLink(path)) return true;
  const folder = dirname(path);
  return folder !== home && folder !== path && isLinkedBelow(folder, home);
}
