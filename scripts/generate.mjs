// Writes the files that are made from others: config/rules.schema.json from the schemas, and
// src/rules/default-rules.ts from config/rules.default.jsonc. test/contract fails when they are out of date.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));
// Inside the project, so that the bundle finds its libraries.
const folder = mkdtempSync(join(root, "node_modules/.hookbell-generate-"));
try {
  const outfile = join(folder, "generated.mjs");
  await build({
    absWorkingDir: root,
    entryPoints: ["src/rules/json-schema.ts"],
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
    outfile,
    logLevel: "warning",
  });
  const { rulesJsonSchemaText } = await import(pathToFileURL(outfile).href);
  writeFileSync(join(root, "config/rules.schema.json"), rulesJsonSchemaText());
  const defaultRules = readFileSync(join(root, "config/rules.default.jsonc"), "utf8");
  const literal = defaultRules.replace(/[\\`]|\$\{/g, "\\$&");
  const comment =
    "// Made from config/rules.default.jsonc by `npm run generate`, so that no damaged installation is without rules.";
  writeFileSync(
    join(root, "src/rules/default-rules.ts"),
    `${comment}\nexport const defaultRulesText = \`${literal}\`;\n`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
