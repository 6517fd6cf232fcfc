// Finds the git work tree of a folder by reading .git: git itself does not run.
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import { isSameFolder, lastPart } from "../../model/places/folder.ts";
import { statIfThere } from "./files.ts";
import { readStartIfThere } from "./read.ts";

export interface WorkTree {
  /** The repository's name, which all of its work trees share. */
  repository: string;
  /** Absent between branches. */
  branch?: string;
  /** The folder of a linked work tree. */
  worktree?: string;
  /** The top folder of the work tree. */
  root: string;
  /** The folder of git's own files, which all work trees of a repository share. */
  shared: string;
}

const maxDepth = 64;
/** `HEAD`, `commondir` and a file named `.git` are one line each. */
const maxBytes = 4096;

/** A home folder under git does not count for the projects in it. */
export function findWorkTree(folder: string, home: string): WorkTree | undefined {
  if (!isAbsolute(folder)) return undefined;
  let root = folder;
  for (let depth = 0; depth < maxDepth; depth += 1) {
    if (!isSameFolder(root, home) || isSameFolder(folder, home)) {
      const tree = readWorkTree(root);
      if (tree !== undefined) return tree;
    }
    const parent = dirname(root);
    if (parent === root) return undefined;
    root = parent;
  }
  return undefined;
}

function readWorkTree(root: string): WorkTree | undefined {
  try {
    const git = join(root, ".git");
    if (statIfThere(git) === undefined) return undefined;
    const head = firstLine(join(git, "HEAD"));
    if (head !== undefined) return { repository: lastPart(root), ...branchOf(head), root, shared: git };
    // A linked work tree or a submodule: `.git` is a file that names the folder.
    const target = /^gitdir: (.+)$/.exec(firstLine(git) ?? "")?.[1];
    if (target === undefined) return undefined;
    const folder = resolve(root, target);
    const branch = branchOf(firstLine(join(folder, "HEAD")) ?? "");
    const common = firstLine(join(folder, "commondir"));
    if (common === undefined) return { repository: lastPart(root), ...branch, root, shared: folder };
    const shared = resolve(folder, common);
    // `.git`, or `.bare` beside its work trees.
    const isInside = basename(shared).startsWith(".");
    const repository = isInside ? lastPart(dirname(shared)) : lastPart(shared).replace(/\.git$/, "");
    return { repository, ...branch, worktree: lastPart(root), root, shared };
  } catch {
    // The file is not readable.
    return undefined;
  }
}

function branchOf(head: string): Pick<WorkTree, "branch"> {
  const branch = /^ref: refs\/heads\/(.+)$/.exec(head)?.[1];
  return branch === undefined ? {} : { branch };
}

function firstLine(path: string): string | undefined {
  const line = readStartIfThere(path, maxBytes)?.toString("utf8").split(/\r?\n/)[0]?.trim();
  return line === "" ? undefined : line;
}
