// Reads and writes the record of what init wrote, in the state folder.
import { join } from "node:path";
import { ensurePrivateDir } from "../../system/files/files.ts";
import { readIfThere } from "../../system/files/read.ts";
import { writeWhole } from "../../system/files/write.ts";
import { parseRecord, type InstallRecord } from "./record.ts";

export interface RecordStore {
  stateDir: string;
  read(): InstallRecord;
  write(record: InstallRecord): void;
}

const fileName = "installed.json";

/** A record that cannot be read counts as empty. */
export function recordStore(stateDir: string): RecordStore {
  const path = join(stateDir, fileName);
  return {
    stateDir,
    read() {
      try {
        return parseRecord(readIfThere(path));
      } catch {
        return parseRecord(undefined);
      }
    },
    write(record) {
      ensurePrivateDir(stateDir);
      writeWhole(path, `${JSON.stringify(record, undefined, 2)}\n`);
    },
  };
}
