import { dirname } from "node:path";
import { isLink, repositoryAbove } from "../../system/files/inspect-path.ts";
import type { PreparedAgent } from "./apply.ts";
import type { FileChange } from "../settings/file-change.ts";

/** Where a settings file really lies; undefined when no link below the home, such as one into dotfiles, leads there. */
export function linkedFile({ reading, target }: PreparedAgent, { source }: FileChange): string | undefined {
  const realPath = reading.files.find((file) => file.source.path === source.path)?.opened.realPath;
  return realPath !== source.path && isLinkedBelow(source.path, target.placeOf({ path: "" })) ? realPath : undefined;
}

/** What to know before a change that goes through a link. */
export function linkNotes(prepared: PreparedAgent, change: FileChange): string[] {
  const realPath = linkedFile(prepared, change);
  if (realPath === undefined) return [];
  const repository = repositoryAbove(realPath);
  const isWritten = change.after?.includes(prepared.target.placeOf({ path: "" })) === true;
  return [
    `${change.source.path} is a link to ${realPath}`,
    ...(repository !== undefined && isWritten
      ? [`that lies in the git repository ${repository}, and an absolute path of this home stands in it then`]
      : []),
  ];
}

function isLinkedBelow(path: string, home: string): boolean {
  if (isLink(path)) return true;
  const folder = dirname(path);
  return folder !== home && folder !== path && isLinkedBelow(folder, home);
}
