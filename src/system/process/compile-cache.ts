// Loads hookbell's chunks with what V8 compiled of them in earlier starts. Node's own cache leaves out most functions.
import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { Script } from "node:vm";
import { ensurePrivateDir, isOurs } from "../files/files.ts";
import { readBytesIfThere } from "../files/read.ts";
import { writeWholeSoon } from "../files/write.ts";

const checksumBytes = 4;
/** Later, V8 forgets functions that have not run for long, and a dispatcher changes V8's flags (`startedMs`). */
const keepingMs = 500;
const opening = "(function (exports, require, module, __filename, __dirname) {";

type Require = (id: string) => unknown;

/** Returns what the chunk exports. Makes no state folder: without one, Node loads the chunks. */
export function loadChunk(path: string, stateDir: string): unknown {
  const { createRequire } = process.getBuiltinModule("node:module");
  const usual = createRequire(path);
  return isOurs(stateDir) ? new Chunks(usual, join(stateDir, "compile-cache")).load(path) : usual(path);
}

/** Modules as CommonJS has them, circular imports too. Without `import()`, which only Node's own loader supports. */
class Chunks {
  private readonly modules = new Map<string, { exports: unknown }>();
  /** Those to keep: V8 has not compiled them in an earlier start, or with other flags. */
  private readonly added = new Map<string, Script>();
  private isKeeping = true;
  private readonly usual: Require;
  private readonly folder: string;
  private readonly tag = compilerTag();

  constructor(usual: Require, folder: string) {
    this.usual = usual;
    this.folder = folder;
    const keep = (): void => this.keepAdded();
    process.on("exit", keep);
    // By then, what is called is compiled too.
    setTimeout(keep, keepingMs).unref();
  }

  load(path: string): unknown {
    const loaded = this.modules.get(path);
    if (loaded !== undefined) return loaded.exports;
    const module = { exports: {} };
    this.modules.set(path, module);
    const folder = dirname(path);
    const require: Require = (id) => (id.startsWith("./") ? this.load(join(folder, id)) : this.usual(id));
    try {
      const run = this.compile(path).runInThisContext() as (...values: unknown[]) => void;
      run(module.exports, require, module, path, folder);
    } catch (error) {
      this.modules.delete(path);
      throw error;
    }
    return module.exports;
  }

  private compile(path: string): Script {
    // The module loads here, because `hook` and `--version` do not need it.
    const { Script } = process.getBuiltinModule("node:vm");
    // A chunk's name has the digest of its text.
    const file = join(this.folder, `${basename(path)}.${this.tag}`);
    const script = new Script(`${opening}${readFileSync(path, "utf8")}\n})`, {
      filename: path,
      columnOffset: -opening.length,
      cachedData: readCompiled(file),
    });
    if (this.isKeeping && script.cachedDataRejected !== false) this.added.set(file, script);
    return script;
  }

  private keepAdded(): void {
    this.isKeeping = false;
    for (const [file, script] of this.added) writeCompiled(file, script.createCachedData());
    this.added.clear();
  }
}

/**
 * Names what decides whether V8 takes compiled code, and the command: each keeps its own, since V8 compiles only the functions that
 * are called. `cachedDataVersionTag()` of `node:v8` names the former, too, but that module loads all streams.
 */
function compilerTag(): string {
  const { arch, argv, env, execArgv, version } = process;
  const [, , command] = argv;
  return crc32(JSON.stringify([version, arch, execArgv, env.NODE_OPTIONS, command])).toString(16);
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
