// Has Node keep what V8 compiled of hookbell's chunks, which a quarter of the start time goes into.
import { join } from "node:path";
import { isOurs } from "../files/files.ts";

/** Node 20 has no such cache: https://nodejs.org/api/module.html#moduleenablecompilecacheoptions */
type WithCompileCache = { enableCompileCache?: (directory: string) => unknown };

/** Applies to the chunks that load after this call. Makes no state folder. */
export function keepCompiled(stateDir: string): void {
  if (!isOurs(stateDir)) return;
  const { enableCompileCache } = process.getBuiltinModule("node:module") as WithCompileCache;
  enableCompileCache?.(join(stateDir, "compile-cache"));
}
