// Runs the tests of the packed package, and of the compile cache, with each newer Node that users have, at the same time. Called
// by .ci/run.
import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";
import { fetchNode } from "../node-versions.mjs";

const majors = ["22", "24", "26"];
const root = fileURLToPath(new URL("../..", import.meta.url));
/** The limit for each version: daemons that stay behind must not keep the run from ending. */
const limitMs = 300_000;
/** Debian's Node trusts the system's certificates; others know only their own list, and may not reach the registry. */
const certificates = "/etc/ssl/certs/ca-certificates.crt";

const results = await Promise.all(majors.map(tryVersion));
const failed = majors.filter((_, index) => !results[index]);

/** Prints what the tests print when they have ended. */
async function tryVersion(major) {
  const node = fetchNode(major);
  if ("missing" in node) {
    const isOffline = spawnSync("npm ping", { shell: true, stdio: "ignore" }).status !== 0;
    console.log(`\n--- Node ${major}: ${isOffline ? "skipped, npm's registry cannot be reached" : node.missing}`);
    return isOffline;
  }
  const env = {
    ...(existsSync(certificates) ? { NODE_EXTRA_CA_CERTS: certificates } : {}),
    ...process.env,
    // What the tests start by name, npm and the installed `hookbell`, runs with this Node as well.
    PATH: `${node.bin}${delimiter}${process.env.PATH}`,
  };
  const runs = [
    ["--config", "vitest.endurance.config.ts", "test/endurance/package/package.test.ts", ...process.argv.slice(2)],
    // Each version of V8 has its own compiled code.
    ["test/system/process/compile-cache.test.ts"],
  ];
  const printed = [];
  let isSound = true;
  for (const args of runs) {
    const { code, output } = await runTests(node.path, args, env);
    printed.push(output);
    isSound &&= code === 0;
  }
  console.log(`\n--- Node ${node.version}\n${printed.join("")}`);
  return isSound;
}

function runTests(node, args, env) {
  const options = { cwd: root, env, timeout: limitMs, maxBuffer: 64 * 1024 * 1024 };
  return new Promise((resolve) => {
    execFile(node, ["node_modules/vitest/vitest.mjs", "run", ...args], options, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : (error.code ?? 1), output: stdout + stderr }),
    );
  });
}

console.log(failed.length === 0 ? "\nall well" : `\nfailed with Node ${failed.join(", ")}`);
process.exitCode = failed.length === 0 ? 0 : 1;
