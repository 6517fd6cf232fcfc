// The folder of an event whose payload names none: rules, mutes and project files go by it.
import { originalOf } from "../../model/privacy/originals.ts";
import type { Layout } from "../../outbox/layout.ts";
import { readSession } from "../../outbox/sessions.ts";
import { folderOfProcess } from "../../system/process/facts.ts";
import type { ValidReading } from "./reading.ts";

/** The session's folder, else that of the processes from which the hook came, nearest first. */
export function withFolder(reading: ValidReading, layout: Layout, pids: readonly number[]): ValidReading {
  const { agentId, facts, usual } = reading;
  if (facts.cwd !== "") return reading;
  const { folder } = readSession(layout, agentId, facts.session);
  const cwd = folder === undefined ? firstFolder(pids) : originalOf(folder);
  return cwd === undefined ? reading : { ...reading, facts: { ...facts, cwd }, usual: { ...usual, cwd } };
}

function firstFolder(pids: readonly number[]): string | undefined {
  for (const pid of pids) {
    const folder = folderOfProcess(pid);
    if (folder !== undefined) return folder;
  }
  return undefined;
}
