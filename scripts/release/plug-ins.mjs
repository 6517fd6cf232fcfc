// Writes the plug-ins of all agents, each with the whole of hookbell in it: node scripts/release/plug-ins.mjs [FOLDER]. They are made from
// dist/, so build first. A release publishes the folder as a repository of its own, see docs/reference/PLUGINS.md.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("../..", import.meta.url));
const target = resolve(process.argv[2] ?? join(root, "dist/plug-ins"));
const facts = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** A plug-in has everything but the page and the database of `serve`. */
const parts = [
  "dist/chunks",
  "dist/cli.js",
  "dist/hook.cjs",
  "dist/package.json",
  "dist/THIRD-PARTY-LICENSES.txt",
  "hooks/hookbell-hook.cjs",
  "hooks/hookbell-hook.cmd",
  "hooks/hookbell-hook.sh",
  "hooks/hookbell-remote.sh",
  "hooks/hookbell-spool.sh",
  "icons",
  "sounds",
  "LICENSE",
];
/** Windows needs only one of node-notifier's programs. */
const leftOut = [
  /node-notifier[\\/]vendor[\\/](?:notifu|snoreToast[\\/]snoretoast-x86\.exe)/,
  /\.d\.ts$|\.map$|[\\/](?:README|CHANGELOG|HISTORY|CONTRIBUTING)\.md$|node_modules[\\/]\.bin/,
];
const dependencies = Object.keys(facts.dependencies).filter((name) => name !== "node-sqlite3-wasm");

const { plugInAgents, plugInFiles } = await loadPlugInFiles();
rmSync(target, { recursive: true, force: true });
for (const agent of plugInAgents) writeHookbell(join(target, agent));
for (const [path, text] of Object.entries(plugInFiles(facts))) {
  mkdirSync(dirname(join(target, path)), { recursive: true });
  writeFileSync(join(target, path), text);
  if (text.startsWith("#!")) chmodSync(join(target, path), 0o755);
}
copy("hooks/claude-code-mod.mjs", join(target, "claude-code/hooks/claude-code-mod.mjs"));
copy("icons/app.png", join(target, "claude-code/.claude-plugin/icon.png"));

function writeHookbell(folder) {
  for (const path of parts) copy(path, join(folder, path));
  copy("hooks/hookbell-hook.sh", join(folder, "bin/hookbell"));
  chmodSync(join(folder, "bin/hookbell"), 0o755);
  for (const name of dependencies) copyDependency(name, createRequire(join(root, "package.json")), folder);
}

/** Libraries that are not bundled, and what they need themselves. */
function copyDependency(name, require, folder) {
  const path = packageFolder(name, require);
  if (existsSync(join(folder, "node_modules", name))) return;
  copy(path.slice(root.length), join(folder, "node_modules", name));
  const { dependencies: needed = {} } = JSON.parse(readFileSync(join(path, "package.json"), "utf8"));
  for (const each of Object.keys(needed)) copyDependency(each, createRequire(join(path, "package.json")), folder);
}

function packageFolder(name, require) {
  const found = require.resolve.paths(name).find((folder) => existsSync(join(folder, name, "package.json")));
  if (found === undefined) throw new Error(`${name} is not installed`);
  return join(found, name);
}

function copy(path, to) {
  mkdirSync(dirname(to), { recursive: true });
  const filter = (each) => !leftOut.some((pattern) => pattern.test(each.slice(root.length)));
  cpSync(join(root, path), to, { recursive: true, filter });
}

async function loadPlugInFiles() {
  // Inside the project, so that the bundle finds its libraries.
  const folder = mkdtempSync(join(root, "node_modules/.hookbell-plug-ins-"));
  try {
    const outfile = join(folder, "plug-in-files.mjs");
    await build({
      absWorkingDir: root,
      entryPoints: ["src/install/plug-in-files.ts"],
      bundle: true,
      platform: "node",
      format: "esm",
      packages: "external",
      outfile,
      logLevel: "warning",
    });
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
