// Bundles web/, the page of `hookbell serve`, into dist/web/. With --watch, it does so again after each change.
import { copyFileSync, existsSync, readFileSync, watch, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { transform } from "esbuild";
import { build } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Returns what rolldown says of the bundle. */
export async function buildWeb(dir) {
  const bundleOf = (input, file) =>
    build({
      cwd: root,
      platform: "browser",
      input,
      transform: { target: "es2022" },
      // A tab that few open is a file of its own.
      output: { dir, format: "esm", minify: true, entryFileNames: file, chunkFileNames: "[name].js" },
    });
  const bundle = await bundleOf("web/main.tsx", "page.js");
  // Service workers are scripts of their own.
  await bundleOf("web/worker.ts", "worker.js");
  await bundleOf("web/trust/remover.ts", "remover.js");
  for (const file of ["index.html", "manifest.webmanifest"]) copyFileSync(`${root}web/${file}`, `${dir}/${file}`);
  for (const [source, file] of [
    ["page.css", "page.css"],
    ["usage/usage.css", "usage.css"],
  ].filter(([source]) => existsSync(`${root}web/${source}`))) {
    const styles = await transform(readFileSync(`${root}web/${source}`, "utf8"), { loader: "css", minify: true });
    writeFileSync(`${dir}/${file}`, styles.code);
  }
  return bundle;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv.includes("--watch")) {
  const rebuild = () => buildWeb(`${root}dist/web`).catch((error) => console.error(error));
  await rebuild();
  let soon;
  watch(`${root}web`, { recursive: true }, () => {
    clearTimeout(soon);
    soon = setTimeout(() => void rebuild(), 100);
  });
}
