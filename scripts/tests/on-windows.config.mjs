// How vitest runs on Windows in on-windows.mjs.
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { shared } from "../../vitest.config.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

// Wine sets these itself.
process.env.TEMP = process.env.TMP = process.env.HOOKBELL_TEST_TEMPORARY;

/** Vitest's compiler finds no files by the paths of Windows where it runs as WebAssembly. */
const findFiles = {
  name: "find-files",
  enforce: "pre",
  resolveId(source, importer) {
    const [path, query = ""] = source.split(/(?=\?)/);
    const found = pathOf(path, importer);
    return found !== undefined && existsSync(found) ? found.replaceAll("\\", "/") + query : null;
  },
};

/** Vitest writes the path of what a test imports by an address as one below the project. */
function pathOf(source, importer = "") {
  if (source.startsWith("file:")) return fileURLToPath(source);
  if (source.startsWith("/")) return join(root, source);
  if (!/^\.\.?\//.test(source) || importer === "") return undefined;
  return resolve(dirname(importer.replace(/[?#].*$/, "").replace(/^file:\/\/\//, "")), source);
}

export default defineConfig({
  root,
  plugins: [findFiles],
  test: {
    ...shared,
    // Loading the sources takes each worker a third of its time.
    maxWorkers: 3,
    include: ["test/**/*.test.ts"],
    exclude: [
      "test/{endurance,live-agents,windows,integration/posix-hook}/**",
      // What these run, esbuild, the linter and ccusage, npm has installed for Linux.
      "test/contract/house.test.ts",
      "test/contract/linter.test.ts",
      "test/wings/platform/server/sources/ccusage.test.ts",
      // Its work trees are made by git, which Wine has not.
      "test/pipeline/understand/locate.test.ts",
    ],
  },
});
