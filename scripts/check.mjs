// Everything that can be said of the sources without running them: what .ci/run asks before its tests.
// All of it is run, so that one run shows every mistake.
import { spawnSync } from "node:child_process";

const scripts = ["format:check", "lint", "check:expressions", "typecheck", "generate:check"];

/** What the linter cannot say of comments, folders and documents is said by tests that read the sources. */
const commands = [
  ...scripts.map((script) => `npm run --silent ${script}`),
  "npx --no-install vitest run test/contract/house.test.ts test/contract/documents.test.ts",
];

const failed = commands.filter((command) => {
  console.log(`\n--- ${command}`);
  // One line, since on Windows npm is a script of the shell's.
  return spawnSync(command, { shell: true, stdio: "inherit" }).status !== 0;
});
console.log(failed.length === 0 ? "\nall well" : `\nfailed: ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
