import { join } from "node:path";
import { asidePrefix, listAside, removeIfThere, renameIfThere, statIfThere } from "../system/files/files.ts";
import type { Layout } from "./layout.ts";

/** How `hooks/hookbell-hook.sh` names what it is writing; without the prefix it is the payload's own name. */
const shellPrefix = `${asidePrefix}sh-`;

/** Whether a name in `incoming/` is that of a payload which a hook of the shell is reading. */
export function isShellAside(name: string): boolean {
  return name.startsWith(shellPrefix);
}

/** Names of payloads that hooks of the shell are reading, or were when they were killed. */
export function listShellAside(layout: Layout): string[] {
  return listAside(layout.incoming).filter(isShellAside);
}

/** Makes a payload of what a killed hook had read; nothing is nothing. */
export function takeUpShellAside(layout: Layout, name: string): void {
  const aside = join(layout.incoming, name);
  if (statIfThere(aside)?.bytes === 0) removeIfThere(aside);
  else renameIfThere(aside, join(layout.incoming, name.slice(asidePrefix.length)));
}
