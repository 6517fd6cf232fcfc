// Bundles src/ into dist/: the hook as one small CommonJS file (Node starts it fastest), everything else as ES modules.
import { chmodSync, existsSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const common = { absWorkingDir: root, bundle: true, platform: "node", target: "node20.19", logLevel: "warning" };

rmSync(`${root}dist`, { recursive: true, force: true });

await build({ ...common, entryPoints: ["src/hook.ts"], outfile: "dist/hook.cjs", format: "cjs", minify: true });

const entries = ["src/cli.ts", "demo/demo.ts", "bench/bench.ts"].filter((entry) => existsSync(`${root}${entry}`));
await build({
  ...common,
  entryPoints: Object.fromEntries(entries.map((entry) => [entry.replace(/^.*\/|\.ts$/g, ""), entry])),
  outdir: "dist",
  format: "esm",
  packages: "external",
  splitting: true,
  chunkNames: "chunks/[name]-[hash]",
});
chmodSync(`${root}dist/cli.js`, 0o755);
chmodSync(`${root}dist/hook.cjs`, 0o755);
