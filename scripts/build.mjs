// Bundles src/ into dist/: the hook as one file, the command line as chunks that load when they are needed. CommonJS,
// which Node starts faster than ES modules, and which opens one file at a time.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";
import { buildWeb } from "./build-web.mjs";
import { chunkLayers } from "./chunk-layers.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));

// Built aside and put in place at the end: agents may be calling the hook in dist/ at this moment.
const aside = `${root}dist.new-${process.pid}`;
const old = `${root}dist.old-${process.pid}`;
process.on("exit", () => {
  for (const folder of [aside, old]) rmSync(folder, { recursive: true, force: true });
});

const common = {
  cwd: root,
  platform: "node",
  transform: { target: "node20.19" },
  // The demo alone needs smtp-server and the bench playwright-core; both run in a working copy.
  external: [...Object.keys(dependencies), "smtp-server", "playwright-core"],
  // jsonc-parser's "main" cannot be bundled, its "module" can.
  resolve: { mainFields: ["module", "main"] },
};
const { plugin, groups } = chunkLayers(root);
/** Parts of libraries that hookbell never calls, and that would be most of their size. */
const unusedParts = new RegExp(
  `/node_modules/(?:${[
    // X extensions other than the screen saver's, a server and names of keys.
    "x11/lib/(?:ext/(?!screen-saver)|xserver/|keysyms|fdpass-bun)",
    // The XML reader for D-Bus introspection, and streams for buses behind a program.
    "xml2js/|event-stream/",
    // Fetch, websockets, caches, interceptors, mocks, HTTP/2, SOCKS and the choice among several servers.
    "undici/lib/(?:web|cache|interceptor|mock)/",
    "undici/lib/dispatcher/(?:client-h2|h2c-client|socks5-proxy-agent|balanced-pool|round-robin-pool)",
  ].join("|")})`.replaceAll("/", "[\\\\/]"),
);
const withoutUnusedParts = {
  name: "without-unused-parts",
  // undici makes its `CacheStorage` when it loads.
  load: { filter: { id: unusedParts }, handler: () => "exports.CacheStorage = class {};" },
};
/** Native helpers of ws, which it does without where they cannot be loaded. */
const nativeHelpers = /^(?:bufferutil|utf-8-validate)$/;
const withoutNativeHelpers = {
  name: "without-native-helpers",
  resolveId: { filter: { id: nativeHelpers }, handler: (id) => `\0${id}` },
  load: { filter: { id: /^\0(?:bufferutil|utf-8-validate)$/ }, handler: () => 'throw new Error("not bundled");' },
};
const packaged = { dir: aside, format: "cjs", minify: true };
const chunkFileNames = "chunks/[name]-[hash].js";
const commandLine = await build({
  ...common,
  input: { start: "src/cli/command-line.ts" },
  preserveEntrySignatures: "allow-extension",
  plugins: [plugin, withoutUnusedParts, withoutNativeHelpers],
  // Only Node's own loader supports import().
  output: {
    ...packaged,
    entryFileNames: chunkFileNames,
    chunkFileNames,
    codeSplitting: { groups },
    dynamicImportInCjs: false,
  },
});
const { fileName } = commandLine.output.find(({ isEntry }) => isEntry);

const bundles = await Promise.all([
  build({ ...common, input: "src/bin/hook.ts", output: { ...packaged, entryFileNames: "hook.cjs" } }),
  // It runs the others by a loader of its own, which it therefore carries.
  build({
    ...common,
    input: "src/bin/cli.ts",
    transform: { ...common.transform, define: { commandLineChunk: JSON.stringify(fileName) } },
    output: { ...packaged, entryFileNames: "cli.js", codeSplitting: false },
  }),
  // Without the wing of the page, there is no web/.
  ...(existsSync(`${root}web`) ? [buildWeb(`${aside}/web`)] : []),
  // These two exist only in a working copy; `files` in package.json leaves them out.
  ...["demo/demo.ts", "bench/bench.ts"]
    .filter((input) => existsSync(`${root}${input}`))
    .map((input) =>
      build({ ...common, input, output: { dir: aside, entryFileNames: "[name].mjs", codeSplitting: false } }),
    ),
]);
// The package's own package.json says "module".
writeFileSync(`${aside}/package.json`, '{ "type": "commonjs" }\n');
for (const program of ["cli.js", "hook.cjs"]) chmodSync(`${aside}/${program}`, 0o755);
writeFileSync(`${aside}/THIRD-PARTY-LICENSES.txt`, licencesOf([commandLine, ...bundles.slice(0, 3)]));

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, old);
renameSync(aside, `${root}dist`);

/** The licences of what the bundles carry, libraries and data: pure JavaScript libraries start a dispatcher in half the time when bundled. */
function licencesOf(results) {
  const inputs = results
    .flatMap(({ output }) => output.flatMap(({ moduleIds = [] }) => moduleIds))
    .filter((id) => !unusedParts.test(id));
  const folders = inputs.flatMap(
    (input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input.replaceAll("\\", "/"))?.[0] ?? [],
  );
  const texts = [...new Set(folders)]
    .sort((a, b) => a.localeCompare(b, "en"))
    .map((folder) => {
      const { name, version, license, licenses } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
      // x11 lists its licence as older packages do.
      const id = license ?? licenses.map(({ type }) => type).join(" OR ");
      const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} has no licence text`);
      return `${name} ${version} (${id})\n\n${readFileSync(`${folder}/${file}`, "utf8").trim()}\n`;
    });
  const tables = `${root}scripts/tables`;
  const { name, version, licence } = JSON.parse(readFileSync(`${tables}/secret-detectors.json`, "utf8"));
  texts.push(
    `${name} ${version} (${licence}): shapes of credentials\n\n${readFileSync(`${tables}/secret-detectors.LICENSE`, "utf8")}`,
    `Unicode (Unicode-3.0): confusable characters\n\n${readFileSync(`${tables}/confusables.LICENSE`, "utf8")}`,
  );
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
