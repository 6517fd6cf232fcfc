// A file of one line, written over in place: one call of the system, of which the file keeps what it got when the process is killed.
import { closeSync, openSync, writeSync } from "node:fs";
import { removeTree } from "./files.ts";
import { privateFileMode } from "./write.ts";

export interface OverwrittenLine {
  /** A disk that takes nothing keeps the line of before. */
  write(line: string): void;
  close(): void;
}

/** Makes the file anew, whatever is in its place. Undefined if the disk takes no file. */
export function openOverwrittenLine(path: string): OverwrittenLine | undefined {
  let descriptor: number;
  try {
    removeTree(path);
    descriptor = openSync(path, "wx", privateFileMode);
  } catch {
    return undefined;
  }
  let length = 0;
  return {
    write(line) {
      const text = `${line}\n`;
      // A shorter line leaves nothing of a longer one behind it.
      const padded = text.padEnd(length, " ");
      try {
        writeSync(descriptor, padded, 0);
        length = text.length;
      } catch {
        // Then the note is not true, and whoever reads it sees by its time that it is old.
      }
    },
    close: () => closeSync(descriptor),
  };
}
