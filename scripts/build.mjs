// Bundles src/ into dist/: the hook as one small CommonJS file (Node starts it fastest), everything else as ES modules.
import { chmodSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const { dependencies } = JSON.parse(readFileSync(`${root}package.json`, "utf8"));
const common = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node20.19",
  // jsonc-parser's "main" cannot be bundled, its "module" can.
  mainFields: ["module", "main"],
  logLevel: "warning",
  metafile: true,
};

// Built aside and put in place at the end: agents may be calling the hook in dist/ at this moment.
const aside = `dist.new-${process.pid}`;
const old = `dist.old-${process.pid}`;
process.on("exit", () => {
  for (const folder of [aside, old]) rmSync(`${root}${folder}`, { recursive: true, force: true });
});

const hook = await build({
  ...common,
  entryPoints: ["src/hook.ts"],
  outfile: `${aside}/hook.cjs`,
  format: "cjs",
  minify: true,
});

const entries = ["src/cli.ts", "demo/demo.ts", "bench/bench.ts"].filter((entry) => existsSync(`${root}${entry}`));
const rest = await build({
  ...common,
  entryPoints: Object.fromEntries(entries.map((entry) => [entry.replace(/^.*\/|\.ts$/g, ""), entry])),
  outdir: aside,
  format: "esm",
  // The demo alone needs smtp-server, and runs in a working copy.
  external: [...Object.keys(dependencies), "smtp-server"],
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
});
chmodSync(`${root}${aside}/cli.js`, 0o755);
chmodSync(`${root}${aside}/hook.cjs`, 0o755);

writeFileSync(`${root}${aside}/THIRD-PARTY-LICENSES.txt`, licencesOf([hook, rest]));

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, `${root}${old}`);
renameSync(`${root}${aside}`, `${root}dist`);

/** The licences of what the bundles carry: pure JavaScript libraries start a dispatcher in half the time when bundled. */
function licencesOf(results) {
  const inputs = results.flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((input) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0] ?? []);
  const texts = [...new Set(folders)]
    .sort((a, b) => a.localeCompare(b, "en"))
    .map((folder) => {
      const { name, version, license } = JSON.parse(readFileSync(`${root}${folder}/package.json`, "utf8"));
      const file = readdirSync(`${root}${folder}`).find((entry) => /^licen[cs]e/i.test(entry));
      if (file === undefined) throw new Error(`${name} has no licence text`);
      return `${name} ${version} (${license})\n\n${readFileSync(`${root}${folder}/${file}`, "utf8").trim()}\n`;
    });
  return texts.join(`\n${"-".repeat(80)}\n\n`);
}
