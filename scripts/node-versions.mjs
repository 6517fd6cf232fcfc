// Fetches other versions of Node from npm, for the bench and try-node-versions.mjs. They stay in a folder that git ignores,
// and in npm's cache.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../node_modules/.cache/node-versions/", import.meta.url));
const fetchLimitMs = 120_000;

/** The newest Node that npm has, or why there is none. */
export function newestNode() {
  return fetchNode("latest");
}

const ownSystem = process.platform === "win32" ? "win" : process.platform;

/** The newest Node of this major version, or of this tag. npm's packages hold the programs of nodejs.org. */
export function fetchNode(version, system = ownSystem) {
  const name = `node-${system}-${process.arch}`;
  const prefix = join(folder, version);
  const packageFolder = join(prefix, "node_modules", name);
  if (!existsSync(packageFolder)) {
    mkdirSync(prefix, { recursive: true });
    writeFileSync(join(prefix, "package.json"), '{ "private": true }\n');
    // npm refuses a program of another system unless it is told to go on.
    const force = system === ownSystem ? "" : " --force";
    const command = `npm install --prefer-offline --no-audit --no-fund --ignore-scripts${force} ${name}@${version}`;
    // One line, since on Windows npm is a script of the shell's.
    const { status, stderr, error } = spawnSync(command, {
      cwd: prefix,
      shell: true,
      encoding: "utf8",
      timeout: fetchLimitMs,
    });
    if (status !== 0) return { missing: `${command}: ${error?.message ?? stderr.trim().split("\n").at(-1)}` };
  }
  const { version: found } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const bin = join(packageFolder, "bin");
  const path = join(bin, system === "win" ? "node.exe" : "node");
  return { version: `v${found}`, path, bin };
}
