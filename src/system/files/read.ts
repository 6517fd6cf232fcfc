// The one reader of files. It reads regular files only, since a pipe or a device would make it wait, and each reading has a
// limit, since a repository, an agent or another user can put a link to anything in a file's place. Each of its errors has a code and
// names the file, so that a command can show it as a message for a person.
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats } from "node:fs";
import { codeOf } from "../../model/errors.ts";

export const notRegular = "ENOTREG";

/** Windows lacks some of these flags. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0);
const noLinks: number | undefined = constants.O_NOFOLLOW;

const chunkBytes = 64 * 1024;
/** No file that hookbell writes or reads as a whole is larger. */
const maxFileBytes = 64 * 1024 * 1024;
/** Files below /proc say that they are empty, and some of them never end. */
const maxUnsizedBytes = 4 * 1024 * 1024;

/** What this process tells of each file that it is about to read, and which files it leaves out. */
export interface ReadingWatch {
  /** `grows`: other programs append to the file, so that a change of it means nothing. */
  onOpened(path: string, grows: boolean): void;
  leavesOut(path: string, state: FileState): boolean;
}

/** Tells whether a file has changed; the time is in milliseconds since the epoch. */
export interface FileState {
  mtimeMs: number;
  bytes: number;
}

/** Why a file is left out. */
const leftOut = "ELEFTOUT";

/** One for the whole process: what it reads is one thing after the other. */
let watch: Partial<ReadingWatch> = {};

/** The parts that are given replace those of before. */
export function watchReading(parts: Partial<ReadingWatch>): void {
  watch = { ...watch, ...parts };
}

/** Undefined if there is no such file, here and below. */
export function openRegular(
  path: string,
  { followsLinks = true, grows = false } = {},
): { descriptor: number; size: number } | undefined {
  let descriptor: number;
  let named: Stats | undefined;
  try {
    if (!followsLinks && noLinks === undefined) named = lstatSync(path);
    descriptor = openSync(path, flags | (followsLinks ? 0 : (noLinks ?? 0)));
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    const isIrregular = codeOf(error) === "ENXIO" || (!followsLinks && codeOf(error) === "ELOOP");
    throw isIrregular ? irregular(path) : readError(error, path);
  }
  const stats = fstatSync(descriptor);
  // Windows has no flag against links: what was opened must be what has the name.
  if (named !== undefined && (named.isSymbolicLink() || named.ino !== stats.ino || named.dev !== stats.dev)) {
    closeSync(descriptor);
    throw irregular(path);
  }
  const isLeftOut = watch.leavesOut?.(path, { mtimeMs: stats.mtimeMs, bytes: stats.size }) === true;
  if (stats.isFile() && !isLeftOut) {
    watch.onOpened?.(path, grows);
    return { descriptor, size: stats.size };
  }
  closeSync(descriptor);
  if (!isLeftOut) throw irregular(path);
  throw Object.assign(new Error("hookbell got stuck in it, and leaves it out"), { code: leftOut, path });
}

function readPart(
  path: string,
  offset: number,
  maxBytes: number,
  { followsLinks = true, isWhole = false } = {},
): { bytes: Buffer; size: number } | undefined {
  const open = openRegular(path, { followsLinks });
  if (open === undefined) return undefined;
  const { descriptor, size } = open;
  try {
    if (isWhole && size > maxBytes) throw tooLarge(path);
    const chunks: Buffer[] = [];
    let left = Math.min(maxBytes, size > 0 ? Math.max(0, size - offset) : maxUnsizedBytes);
    for (let at = offset; left > 0;) {
      const chunk = Buffer.allocUnsafe(Math.min(left, size > 0 ? left : chunkBytes));
      const count = readSync(descriptor, chunk, 0, chunk.length, at);
      if (count === 0) break;
      chunks.push(chunk.subarray(0, count));
      at += count;
      left -= count;
    }
    return {
      bytes: chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks),
      size,
    };
  } catch (error) {
    // A file below /proc that has nothing to say yet.
    throw codeOf(error) === "EAGAIN" ? irregular(path) : readError(error, path);
  } finally {
    closeSync(descriptor);
  }
}

function irregular(path: string): Error {
  return readError(Object.assign(new Error(`${path} is not a regular file`), { code: notRegular }), path);
}

function tooLarge(path: string): Error {
  return Object.assign(new Error(`${path} is too large to read`), { code: "EFBIG" });
}

/** Node names the call that failed, `open` or `read`, and after `read` it leaves the path out. */
function readError(error: unknown, path: string): Error {
  return Object.assign(error as Error, { path, syscall: "read" });
}

export function readIfThere(path: string): string | undefined {
  return readBytesIfThere(path)?.toString("utf8");
}

/** Throws `EFBIG` for a file over 64 MiB, of which a part would be misleading. */
export function readBytesIfThere(path: string): Buffer | undefined {
  const part = readPart(path, 0, maxFileBytes, { isWhole: true });
  if (part?.size === 0 && part.bytes.length >= maxUnsizedBytes) throw readError(tooLarge(path), path);
  return part?.bytes;
}

export function readStartIfThere(path: string, maxBytes: number): Buffer | undefined {
  return readPart(path, 0, maxBytes)?.bytes;
}

/** The file is untrusted: a link may lead to a secret. */
export function readStartWithoutLinks(path: string, maxBytes: number): Buffer | undefined {
  return readPart(path, 0, maxBytes, { followsLinks: false })?.bytes;
}

/** The part begins at a byte offset; `size` is the whole file's. The file is untrusted, as above. */
export function readPartWithoutLinks(
  path: string,
  offset: number,
  maxBytes: number,
): { bytes: Buffer; size: number } | undefined {
  return readPart(path, offset, maxBytes, { followsLinks: false });
}

/** Undefined also for a file that cannot be read, or that has another form. */
export function readJson<T>(path: string, schema: { safeParse(value: unknown): { data?: T } }): T | undefined {
  try {
    return schema.safeParse(JSON.parse(readIfThere(path) ?? "null")).data;
  } catch {
    return undefined;
  }
}

/** From a byte offset on, up to 64 MiB; `bytes` is the offset behind them. */
export function readFrom(path: string, offset: number): { text: string; bytes: number } {
  const { bytes, size } = readPart(path, offset, maxFileBytes) ?? { bytes: Buffer.alloc(0), size: 0 };
  return { text: bytes.toString("utf8"), bytes: Math.min(size, offset + bytes.length) };
}
