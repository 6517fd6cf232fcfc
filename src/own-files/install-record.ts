// installed.json of the state folder: what init did to each settings file, so that uninstall can restore the exact bytes; and the
// paths that it wrote, by which hookbell knows its own files again.
import { join } from "node:path";
import * as z from "zod";
import { parseJson } from "../model/json.ts";

const fileRecordSchema = z.lazy(() =>
  z.object({
    path: z.string(),
    /** The agent's id; absent in records of earlier releases. */
    agent: z.string().optional(),
    /** SHA-256 of the file before hookbell; null for no file; absent when that is lost. */
    originalHash: z.string().nullable().optional(),
    /** No file before hookbell, and edited since: `originalHash` is lost. */
    wasMissing: z.boolean().optional(),
    originalBackup: z.string().optional(),
    /** SHA-256 of the file after the last write. */
    writtenHash: z.string(),
    addedEvents: z.array(z.string()),
    /** Members that the agent requires and init added. */
    addedMembers: z.array(z.string()).optional(),
    hasAddedHooksKey: z.boolean(),
    /** Releases before 0.2 wrote the file's own folder. */
    hasMadeFolder: z.boolean(),
    /** The innermost first. */
    madeFolders: z.array(z.string()).optional(),
  }),
);

const installRecordSchema = z.lazy(() =>
  z.object({
    /** A moved installation finds its old entries by these paths. */
    hookPaths: z.array(z.string()),
    /** Node's, as the hook scripts have had them. Not in version 1.0.0-rc.1. */
    nodePaths: z.array(z.string()).optional(),
    files: z.array(fileRecordSchema),
  }),
);

export type FileRecord = z.infer<typeof fileRecordSchema>;
export type InstallRecord = z.infer<typeof installRecordSchema>;

export const emptyRecord: InstallRecord = { hookPaths: [], files: [] };

/** Returns an empty record if it is missing or damaged: uninstall then removes what it recognises. */
export function parseRecord(text: string | undefined): InstallRecord {
  return installRecordSchema.safeParse(parseJson(text ?? "")).data ?? emptyRecord;
}

export function recordPath(stateDir: string): string {
  return join(stateDir, "installed.json");
}
