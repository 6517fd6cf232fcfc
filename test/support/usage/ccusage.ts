// The program ccusage, which counts tokens beside hookbell.
import { chmodSync } from "node:fs";
import { createRequire } from "node:module";

/** The program itself; the package's script only finds it, makes it executable and starts it. */
export function findCcusage(): string {
  const script = createRequire(import.meta.url).resolve("ccusage/package.json");
  const program = createRequire(script).resolve(`@ccusage/ccusage-${process.platform}-${process.arch}/bin/ccusage`);
  chmodSync(program, 0o755);
  return program;
}
