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
  let cwd = folder && originalOf(folder);
  for (const pid of pids) cwd ??= folderOfProcess(pid);
  return cwd === undefined ? reading : { ...reading, facts: { ...facts, cwd }, usual: { ...usual, cwd } };
}
