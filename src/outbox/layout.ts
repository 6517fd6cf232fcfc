// The folders of the state: states are folders, transitions are renames.
import { join } from "node:path";
import { codeOf } from "../model/errors.ts";
import { ensurePrivateDir } from "../system/files/files.ts";

export interface Layout {
  root: string;
  incoming: string;
  rejected: string;
  outbox: string;
  dead: string;
  journal: string;
  sessions: string;
  endpoints: string;
  lease: string;
}

export function layoutOf(stateDir: string): Layout {
  const at = (name: string): string => join(stateDir, name);
  return {
    root: stateDir,
    incoming: at("incoming"),
    rejected: at("rejected"),
    outbox: at("outbox"),
    dead: at("dead"),
    journal: at("journal"),
    sessions: at("sessions"),
    endpoints: at("endpoints"),
    lease: at("lease"),
  };
}

export function ensureLayout(layout: Layout): void {
  ensurePrivateDir(layout.root);
  for (const dir of [
    layout.incoming,
    layout.rejected,
    layout.outbox,
    layout.dead,
    layout.journal,
    layout.sessions,
    layout.endpoints,
  ]) {
    ensurePrivateDir(dir);
  }
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
