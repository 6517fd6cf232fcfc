// What init did to each settings file, so that uninstall can restore the exact bytes.
import * as z from "zod/mini";
import { parseJson } from "../../model/json.ts";

const fileRecordSchema = z.object({
  path: z.string(),
  /** The agent's id; absent in records of earlier releases. */
  agent: z.optional(z.string()),
  /** SHA-256 of the file before hookbell; null for no file; absent when that is lost. */
  originalHash: z.optional(z.nullable(z.string())),
  /** No file before hookbell, and edited since: `originalHash` is lost. */
  wasMissing: z.optional(z.boolean()),
  originalBackup: z.optional(z.string()),
  /** SHA-256 of the file after the last write. */
  writtenHash: z.string(),
  addedEvents: z.array(z.string()),
  /** Required by the agent and added by init. */
  addedMembers: z.optional(z.array(z.string())),
  hasAddedHooksKey: z.boolean(),
  /** Releases before 0.2 wrote the file's own folder. */
  hasMadeFolder: z.boolean(),
  /** The innermost first. */
  madeFolders: z.optional(z.array(z.string())),
});

const installRecordSchema = z.object({
  /** A moved installation finds its old entries by these. */
  hookPaths: z.array(z.string()),
  files: z.array(fileRecordSchema),
});

export type FileRecord = z.infer<typeof fileRecordSchema>;
export type InstallRecord = z.infer<typeof installRecordSchema>;

export const emptyRecord: InstallRecord = { hookPaths: [], files: [] };

/** Empty when missing or damaged: uninstall then removes what it recognises. */
export function parseRecord(text: string | undefined): InstallRecord {
  return installRecordSchema.safeParse(parseJson(text ?? "")).data ?? emptyRecord;
}

export function fileRecordOf(record: InstallRecord, path: string): FileRecord | undefined {
  return record.files.find((file) => file.path === path);
}

export function isMadeByUs(record: FileRecord | undefined): boolean {
  return record?.originalHash === null || record?.wasMissing === true;
}

export function withFileRecord(record: InstallRecord, path: string, file: FileRecord | undefined): InstallRecord {
  const others = record.files.filter((other) => other.path !== path);
  return { ...record, files: file === undefined ? others : [...others, file] };
}

export function withHookPath(record: InstallRecord, hookPath: string): InstallRecord {
  return record.hookPaths.includes(hookPath) ? record : { ...record, hookPaths: [...record.hookPaths, hookPath] };
}
