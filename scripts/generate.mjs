// Writes the files that are made from others: config/rules.schema.json from the schemas, src/rules/default-rules.ts from
// config/rules.default.jsonc, and the plug-in manifests from the agents' wirings. With --check it writes nothing, and
// fails when one of them is out of date.
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path) => readFileSync(join(root, path), "utf8");

// Inside the project, so that the bundle finds its libraries.
const folder = mkdtempSync(join(root, "node_modules/.hookbell-generate-"));
try {
  await build({
    absWorkingDir: root,
    entryPoints: ["src/rules/json-schema.ts", "src/install/plug-in-files.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outbase: "src",
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    logLevel: "warning",
  });
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const { rulesJsonSchemaText } = await load("rules/json-schema.mjs");
  const literal = read("config/rules.default.jsonc").replace(/[\\`]|\$\{/g, "\\$&");
  const comment =
    "// Made from config/rules.default.jsonc by `npm run generate`, so that no damaged installation is without rules.";
  const { plugInFiles } = await load("install/plug-in-files.mjs");
  const files = {
    "config/rules.schema.json": rulesJsonSchemaText(),
    "src/rules/default-rules.ts": `${comment}\nexport const defaultRulesText = \`${literal}\`;\n`,
    ...plugInFiles(JSON.parse(read("package.json")), read("hooks/hookbell-plugin.sh")),
  };
  if (process.argv.includes("--check")) assertCurrent(files);
  else for (const [path, text] of Object.entries(files)) write(path, text);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function assertCurrent(files) {
  const old = Object.entries(files).filter(([path, text]) => !existsSync(join(root, path)) || read(path) !== text);
  for (const [path] of old) console.error(`${path} is out of date: run npm run generate`);
  if (old.length > 0) process.exitCode = 1;
}

function write(path, text) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
  if (path.endsWith(".sh")) chmodSync(join(root, path), 0o755);
}
