// The file of an agent's repository, where the user's rules allow one.
import { type ProjectFileReading, readProjectFile } from "../../rules/project-file.ts";
import { findWorkTree } from "../../system/files/git.ts";
import type { Dispatcher } from "../dispatcher.ts";

/** The file of a folder's repository, as far as the user's rules allow one. */
export function projectFileOf(
  { rules, tools }: Pick<Dispatcher, "rules" | "tools">,
  cwd: string,
): ProjectFileReading | undefined {
  if (rules().rules.projectFiles === false) return undefined;
  return readProjectFile(cwd, findWorkTree(cwd, tools.home)?.root);
}
