// Everything that can be said of the sources without running them, in half a minute: what .ci/run asks before its tests.
// All of it is run, so that one run shows every mistake.
import { spawnSync } from "node:child_process";

const scripts = ["format:check", "lint", "check:expressions", "typecheck", "generate:check"];

const failed = scripts.filter((script) => {
  console.log(`\n--- npm run ${script}`);
  // One line, since on Windows npm is a script of the shell's.
  return spawnSync(`npm run --silent ${script}`, { shell: true, stdio: "inherit" }).status !== 0;
});
console.log(failed.length === 0 ? "\nall well" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
