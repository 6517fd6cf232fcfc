// Keeps what V8 compiled of hookbell's chunks. Node's own cache leaves out most functions.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { ensurePrivateDir, isOurs } from "../files/files.ts";
import { readBytesIfThere } from "../files/read.ts";
import { writeWholeSoon } from "../files/write.ts";
import { prefersSmallHeap } from "./small-heap.ts";

const checksumBytes = 4;
/** Later, V8 forgets what it has not run for long, and its flags may be other ones. */
const longestWaitMs = 500;
const commonJsNames = "exports, require, module, __filename, __dirname";

/** Applies to the chunks that load after this call. Makes no state folder. */
export function keepCompiled(stateDir: string): void {
  if (!isOurs(stateDir)) return;
  // The module loads here, because `hook` and `--version` do not need it.
  const { Script } = process.getBuiltinModule("node:vm");
  // A chunk's name has the digest of its text.
  const fileOf = (path: string): string => join(stateDir, "compile-cache", `${basename(path)}.${compilerTag()}`);
  const added: { path: string; file: string; script: Script }[] = [];
  const writeAdded = (): void => {
    for (const { path, file, script } of added.splice(0)) {
      if (fileOf(path) === file) writeCompiled(file, script.createCachedData());
    }
  };
  process.on("exit", writeAdded);
  const { extensions } = process.getBuiltinModule("node:module").createRequire(join(stateDir, "/"));
  const loadUsual = extensions[".js"];
  extensions[".js"] = (module, path) => {
    if (basename(dirname(path)) !== "chunks") return loadUsual(module, path);
    const text = readFileSync(path, "utf8");
    // Only Node's own loader supports import().
    if (text.includes("import(")) return loadUsual(module, path);
    const file = fileOf(path);
    const cachedData = readCompiled(file);
    const script = new Script(`(function (${commonJsNames}) {${text}\n})`, { filename: path, cachedData });
    if (script.cachedDataRejected !== false) {
      // By then, what is called is compiled too.
      if (added.length === 0) setTimeout(writeAdded, longestWaitMs).unref();
      added.push({ path, file, script });
    }
    const run = script.runInThisContext() as (...values: unknown[]) => void;
    run(module.exports, module.require.bind(module), module, path, dirname(path));
  };
}

/** Names what decides whether V8 takes compiled code. `cachedDataVersionTag()` of `node:v8` does, too, but that module loads all streams. */
function compilerTag(): string {
  const { arch, env, execArgv, version } = process;
  return crc32(JSON.stringify([version, arch, execArgv, env.NODE_OPTIONS, prefersSmallHeap()])).toString(16);
}

/** V8 itself does not notice a damaged file. */
function readCompiled(file: string): Buffer | undefined {
  try {
    const bytes = readBytesIfThere(file);
    const compiled = bytes?.subarray(checksumBytes);
    return compiled !== undefined && bytes?.readUInt32LE() === crc32(compiled) ? compiled : undefined;
  } catch {
    return undefined;
  }
}

function crc32(bytes: Buffer | string): number {
  return process.getBuiltinModule("node:zlib").crc32(bytes);
}

function writeCompiled(file: string, compiled: Buffer): void {
  const checksum = Buffer.alloc(checksumBytes);
  checksum.writeUInt32LE(crc32(compiled));
  try {
    ensurePrivateDir(dirname(file));
    writeWholeSoon(file, Buffer.concat([checksum, compiled]));
  } catch {
    // Without the file, the next start is only slower.
  }
}
