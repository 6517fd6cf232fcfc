import { closeSync, openSync, readSync } from "node:fs";
import { codeOf } from "../../model/errors.ts";

/** The file's first bytes, at most so many, or undefined when there is no such file. */
export function readStartIfThere(path: string, maxBytes: number): Buffer | undefined {
  let descriptor: number;
  try {
    descriptor = openSync(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
  try {
    const chunks: Buffer[] = [];
    for (let left = maxBytes; left > 0;) {
      const chunk = Buffer.alloc(Math.min(left, chunkBytes));
      const count = readSync(descriptor, chunk);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      left -= count;
    }
    return Buffer.concat(chunks);
  } finally {
    closeSync(descriptor);
  }
}

const chunkBytes = 64 * 1024;
