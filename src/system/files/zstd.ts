// Decompresses zstd where this Node can: since 22.15.
import * as zlib from "node:zlib";

/** Undefined on an older Node. The types of the oldest supported Node lack it. Throws ERR_BUFFER_TOO_LARGE beyond the limit. */
export const { zstdDecompressSync } = zlib as {
  zstdDecompressSync?: (bytes: Uint8Array, options: { maxOutputLength: number }) => Buffer;
};
