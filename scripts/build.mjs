// Bundles src/ into dist/: the hook as one small CommonJS file (Node starts it fastest), everything else as ES modules.
import { chmodSync, existsSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const common = { absWorkingDir: root, bundle: true, platform: "node", target: "node20.19", logLevel: "warning" };

// Built aside and put in place at the end: agents may be calling the hook in dist/ at this moment.
const aside = `dist.new-${process.pid}`;
const old = `dist.old-${process.pid}`;

await build({ ...common, entryPoints: ["src/hook.ts"], outfile: `${aside}/hook.cjs`, format: "cjs", minify: true });

const entries = ["src/cli.ts", "demo/demo.ts", "bench/bench.ts"].filter((entry) => existsSync(`${root}${entry}`));
await build({
  ...common,
  entryPoints: Object.fromEntries(entries.map((entry) => [entry.replace(/^.*\/|\.ts$/g, ""), entry])),
  outdir: aside,
  format: "esm",
  packages: "external",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
});
chmodSync(`${root}${aside}/cli.js`, 0o755);
chmodSync(`${root}${aside}/hook.cjs`, 0o755);

if (existsSync(`${root}dist`)) renameSync(`${root}dist`, `${root}${old}`);
renameSync(`${root}${aside}`, `${root}dist`);
rmSync(`${root}${old}`, { recursive: true, force: true });
