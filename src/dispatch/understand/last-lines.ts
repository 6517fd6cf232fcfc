// The last lines of a transcript.
import { statIfThere } from "../../system/files/files.ts";
import { readLinesFrom } from "../../system/files/read-lines.ts";

/** Oldest first; none where the file cannot be read. */
export function* lastLines(path: string, tailBytes: number): Generator<string> {
  try {
    let offset = Math.max(0, (statIfThere(path)?.bytes ?? 0) - tailBytes);
    for (let hasMore = true; hasMore;) {
      const read = readLinesFrom(path, offset, { chunkBytes: tailBytes, maxLineBytes: tailBytes });
      if (read === undefined) return;
      yield* read.lines;
      ({ offset, hasMore } = read);
    }
  } catch {
    // The agent named the path: it may lead to what is no file, or to one that only others may read.
  }
}
