// Which text of the rules file a command of hookbell wrote last, so that it is told apart from another program's.
import { join } from "node:path";
import { sha256 } from "../../system/crypto.ts";
import { isOurs } from "../../system/files/files.ts";
import { readStartIfThere } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";

const pathIn = (stateDir: string): string => join(stateDir, "rules-written");

/** Without a state folder there is no one to tell. */
export function noteWrittenRules(stateDir: string, text: string): void {
  if (isOurs(stateDir)) writeWhole(pathIn(stateDir), sha256(text));
}

export function wroteRules(stateDir: string, text: string): boolean {
  return readStartIfThere(pathIn(stateDir), 100)?.toString("latin1") === sha256(text);
}
