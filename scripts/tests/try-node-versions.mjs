// Runs the tests of the packed package, and of the compile cache, with each newer Node that users have. Called by .ci/run.
import { spawnSync } from "node:child_process";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchNode } from "../node-versions.mjs";

const majors = ["22", "24", "26"];
const root = fileURLToPath(new URL("../..", import.meta.url));
/** The limit for each version: daemons that stay behind must not keep the run from ending. */
const limitMs = 180_000;

const failed = majors.filter((major) => {
  const node = fetchNode(major);
  if ("missing" in node) {
    const isOffline = spawnSync("npm ping", { shell: true, stdio: "ignore" }).status !== 0;
    console.log(`\n--- Node ${major}: ${isOffline ? "skipped, npm's registry cannot be reached" : node.missing}`);
    return !isOffline;
  }
  console.log(`\n--- Node ${node.version}`);
  // What the tests start by name, npm and the installed `hookbell`, runs with this Node as well.
  const env = { ...process.env, PATH: `${node.bin}${delimiter}${process.env.PATH}` };
  const runs = [
    ["--config", "vitest.endurance.config.ts", "test/endurance/package/package.test.ts", ...process.argv.slice(2)],
    // Each version of V8 has its own compiled code.
    ["test/system/process/compile-cache.test.ts"],
  ];
  return runs.some((args) => {
    const argv = ["node_modules/vitest/vitest.mjs", "run", ...args];
    return spawnSync(node.path, argv, { cwd: root, env, stdio: "inherit", timeout: limitMs }).status !== 0;
  });
});
console.log(failed.length === 0 ? "\nall well" : `\nfailed with Node ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
