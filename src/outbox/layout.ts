// The folders of the state: states are folders, transitions are renames.
import { join } from "node:path";
import { codeOf } from "../model/errors.ts";
import { ensurePrivateDir } from "../system/files/files.ts";

const folders = ["incoming", "rejected", "outbox", "dead", "journal", "sessions", "endpoints"] as const;

/** Paths of the state folder, its folders, and the lease. */
export type Layout = Record<"root" | "lease" | (typeof folders)[number], string>;

export function layoutOf(stateDir: string): Layout {
  const at = (name: string): string => join(stateDir, name);
  const paths = Object.fromEntries(folders.map((name) => [name, at(name)])) as Omit<Layout, "root" | "lease">;
  return { root: stateDir, lease: at("lease"), ...paths };
}

export function ensureLayout(layout: Layout): void {
  for (const dir of [layout.root, ...folders.map((name) => layout[name])]) ensurePrivateDir(dir);
}

/** Makes the folders only where the write fails. */
export function withLayout<T>(layout: Layout, write: () => T): T {
  try {
    return write();
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    ensureLayout(layout);
    return write();
  }
}
