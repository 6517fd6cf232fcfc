// A file of one line, written over in place and without a sync, which keeps what it got when the process is killed.
import { closeSync, openSync, writeSync } from "node:fs";
import { removeTree } from "./files.ts";
import { privateFileMode } from "./write.ts";

export interface OverwrittenLine {
  /** A disk that takes nothing keeps the line of before. */
  write(line: string): void;
  /** Until the next line, nothing is open: a disk with a file open for writing cannot be made read-only. */
  rest(): void;
}

/** Makes the file anew, whatever is in its place. Undefined if the disk takes no file. */
export function openOverwrittenLine(path: string): OverwrittenLine | undefined {
  let descriptor: number | undefined;
  let length = 0;
  try {
    removeTree(path);
    descriptor = openSync(path, "wx", privateFileMode);
  } catch {
    return undefined;
  }
  return {
    write(line) {
      const text = `${line}\n`;
      try {
        descriptor ??= openSync(path, "r+");
        // A shorter line leaves nothing of a longer one behind it.
        writeSync(descriptor, text.padEnd(length, " "), 0);
        length = text.length;
      } catch {
        // A reader of the line of before sees by its time that it is old.
      }
    },
    rest() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
    },
  };
}
