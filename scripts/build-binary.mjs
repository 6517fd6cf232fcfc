// Builds the single executable: Node with hookbell's package in it. Called by `npm run build:binary`, after a build of dist/:
// node scripts/build-binary.mjs [FILE]. Prints the path of the executable.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { fetchNode } from "./node-versions.mjs";

/** The first one whose `--build-sea` needs no other tool, and which starts fastest. */
const nodeVersion = "26";
const { platform, arch } = process;
const root = fileURLToPath(new URL("..", import.meta.url));
const name = `hookbell-${platform === "win32" ? "windows" : platform === "darwin" ? "macos" : platform}-${arch}`;
const output = resolve(process.argv[2] ?? join(root, "dist.binary", platform === "win32" ? `${name}.exe` : name));

const node = process.version.startsWith(`v${nodeVersion}.`)
  ? { version: process.version, path: process.execPath }
  : fetchNode(nodeVersion);
if ("missing" in node) throw new Error(node.missing);
const scratch = mkdtempSync(join(tmpdir(), "hookbell-binary-"));
try {
  await buildBinary();
  console.log(output);
} finally {
  rmSync(scratch, { recursive: true, force: true, maxRetries: 5 });
}

async function buildBinary() {
  const main = join(scratch, "main.cjs");
  await build({
    cwd: root,
    platform: "node",
    transform: { target: "node26" },
    input: "src/bin/binary.ts",
    output: { file: main, format: "cjs", minify: true, codeSplitting: false },
  });
  const assets = { ...filesOfPackage(), "NODE-LICENSE.txt": licenceOfNode() };
  const digest = createHash("sha256").update(node.version);
  for (const [path, file] of Object.entries(assets)) digest.update(`\0${path}\0`).update(readFileSync(file));
  assets.digest = join(scratch, "digest");
  writeFileSync(assets.digest, digest.digest("hex"));
  const config = join(scratch, "config.json");
  mkdirSync(dirname(output), { recursive: true });
  const settings = { main, output, executable: strippedNode(), assets, disableExperimentalSEAWarning: true };
  writeFileSync(config, JSON.stringify({ ...settings, useCodeCache: true }));
  run(node.path, ["--build-sea", config]);
  // macOS runs no program whose signature is of other bytes.
  if (platform === "darwin") run("codesign", ["--force", "--sign", "-", output]);
}

/** Beside the program on Windows, above its folder elsewhere. */
function licenceOfNode() {
  const folder = dirname(node.path);
  const path = [join(folder, "LICENSE"), join(folder, "..", "LICENSE")].find(existsSync);
  if (path === undefined) throw new Error(`${node.path} has no LICENSE: take the Node of nodejs.org`);
  return path;
}

/** Node's own names of functions are a fifth of it. */
function strippedNode() {
  if (platform !== "linux") return node.path;
  const path = join(scratch, "node");
  copyFileSync(node.path, path);
  const { error } = spawnSync("strip", [path]);
  if (error !== undefined) console.error(`there is no strip here, so the executable is larger: ${error.message}`);
  return path;
}

/** The files by their paths in the package: what `npm pack` takes, and what it needs of node_modules. */
function filesOfPackage() {
  const [{ files }] = JSON.parse(npm("pack --dry-run --json --ignore-scripts"));
  const { dependencies } = JSON.parse(npm("ls --omit=dev --all --json --long"));
  // Its programs are for macOS and Windows, and hookbell calls it on no other system.
  if (platform !== "darwin" && platform !== "win32") delete dependencies["node-notifier"];
  const needed = [...new Set(foldersIn(dependencies))].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  const paths = [...files.map(({ path }) => path), ...needed];
  return Object.fromEntries(paths.map((path) => [path.replaceAll("\\", "/"), join(root, path)]));
}

function foldersIn(dependencies = {}) {
  return Object.values(dependencies).flatMap(({ path, dependencies: theirs }) => [path, ...foldersIn(theirs)]);
}

function npm(line) {
  // One line, since on Windows npm is a script of the shell's.
  return execFileSync(`npm ${line}`, { cwd: root, shell: true, encoding: "utf8", maxBuffer: 64 * 1024 * 1024 });
}

function run(program, args) {
  execFileSync(program, args, { stdio: ["ignore", "ignore", "inherit"] });
}
