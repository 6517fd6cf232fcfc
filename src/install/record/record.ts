import * as z from "zod/mini";

/**
 * What init did to one settings file, kept in the state folder: with it uninstall gives back the very bytes, and knows
 * which empty containers were there before.
 */
const fileRecordSchema = z.object({
  path: z.string(),
  /** The id of the agent whose settings it holds; absent where an earlier release wrote it. */
  agent: z.optional(z.string()),
  /** SHA-256 of the file before hookbell first touched it; null when there was none; absent when that is lost. */
  originalHash: z.optional(z.nullable(z.string())),
  /** There was none before hookbell, and a person has edited ours since, so that `originalHash` is lost. */
  wasMissing: z.optional(z.boolean()),
  /** Path of the backup that holds those bytes. */
  originalBackup: z.optional(z.string()),
  /** SHA-256 of the file after our last write. */
  writtenHash: z.string(),
  addedEvents: z.array(z.string()),
  /** Members at the top that the agent asks for and the file had not. */
  addedMembers: z.optional(z.array(z.string())),
  hasAddedHooksKey: z.boolean(),
  /** As releases before 0.2 noted it: the file's own folder. */
  hasMadeFolder: z.boolean(),
  /** Every folder that was made for the file, the innermost first. */
  madeFolders: z.optional(z.array(z.string())),
});

const installRecordSchema = z.object({
  /** Paths of every `hook.cjs` that was ever written, so that a moved installation finds its old entries. */
  hookPaths: z.array(z.string()),
  files: z.array(fileRecordSchema),
});

export type FileRecord = z.infer<typeof fileRecordSchema>;
export type InstallRecord = z.infer<typeof installRecordSchema>;

export const emptyRecord: InstallRecord = { hookPaths: [], files: [] };

/** The record, or an empty one when it is missing or damaged: then uninstall takes out what it recognises. */
export function parseRecord(text: string | undefined): InstallRecord {
  if (text === undefined) return emptyRecord;
  try {
    const result = installRecordSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : emptyRecord;
  } catch {
    return emptyRecord;
  }
}

export function fileRecordOf(record: InstallRecord, path: string): FileRecord | undefined {
  return record.files.find((file) => file.path === path);
}

/** Whether the file is there because of hookbell alone. */
export function isMadeByUs(record: FileRecord | undefined): boolean {
  return record?.originalHash === null || record?.wasMissing === true;
}

/** The record with this file's part replaced, or taken out. */
export function withFileRecord(record: InstallRecord, path: string, file: FileRecord | undefined): InstallRecord {
  const others = record.files.filter((other) => other.path !== path);
  return { ...record, files: file === undefined ? others : [...others, file] };
}

export function withHookPath(record: InstallRecord, hookPath: string): InstallRecord {
  return record.hookPaths.includes(hookPath) ? record : { ...record, hookPaths: [...record.hookPaths, hookPath] };
}
