// What the linter is configured to refuse is refused, and nothing else.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mayImport } from "../../scripts/ranks.mjs";
import { everyRow } from "../support/rows.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const folders = [...mayImport.keys()].map((folder) => `src/${folder}`);
const places = [...folders, "demo", "bench"];
const effectFree = folders.filter((place) => place !== "src/system");

function isAllowed(from: string, to: string): boolean {
  if (from === to) return true;
  if (!to.startsWith("src/")) return false;
  if (!from.startsWith("src/")) return to !== "src/bin";
  return (mayImport.get(from.slice(4)) ?? []).includes(to.slice(4));
}

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-lint-"));
  let found = new Map<string, string[]>();
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Source that breaks one rule, by the rule; each lies in a folder of its own rank's. */
  const violations: [rule: string, path: string, source: string][] = [
    [
      "import(no-cycle)",
      "src/rules/cycle-a.ts",
      `import { b } from "./cycle-b.ts";\nexport const a = (): number => b();`,
    ],
    [
      "import(no-cycle)",
      "src/rules/cycle-b.ts",
      `import { a } from "./cycle-a.ts";\nexport const b = (): number => a();`,
    ],
    ["import(no-cycle)", "src/rules/loop-a.ts", `import type { B } from "./loop-b.ts";\nexport type A = B[];`],
    ["import(no-cycle)", "src/rules/loop-b.ts", `import type { A } from "./loop-a.ts";\nexport type B = A | 1;`],
    ["import(no-default-export)", "src/rules/default.ts", `export default 1;`],
    [
      "eslint(no-restricted-imports)",
      "src/rules/scan.ts",
      `import { createScanner } from "jsonc-parser";\nexport const scan = createScanner;`,
    ],
    ["eslint(no-restricted-imports)", "src/agents/lazy.ts", `export const late = import("../rules/word.ts");`],
    ["eslint(no-restricted-imports)", "src/agents/typed.ts", `export type { Word } from "../rules/word.ts";`],
    ["eslint(no-restricted-imports)", "src/agents/all.ts", `export * from "../rules/word.ts";`],
    ["eslint(no-restricted-imports)", "src/agents/detour.ts", `export { word } from "./../model/../rules/word.ts";`],
    ["eslint(no-restricted-imports)", "src/agents/testing.ts", `export { word } from "../../test/support/word.ts";`],
    [
      "typescript(consistent-type-imports)",
      "src/rules/inline.ts",
      `export type Late = import("../model/word.ts").Word;`,
    ],
    [
      "typescript(no-require-imports)",
      "src/rules/require.ts",
      `export const late: unknown = require("../model/word.ts");`,
    ],
    ["typescript(no-explicit-any)", "src/rules/any.ts", `export const anything: any = 1;`],
    [
      "typescript(no-non-null-assertion)",
      "src/rules/assert.ts",
      `export const first = (of: { a?: number }): number => of.a!;`,
    ],
    [
      "typescript(no-floating-promises)",
      "src/rules/floating.ts",
      `export const go = (p: () => Promise<void>): void => {\n  p();\n};`,
    ],
    [
      "typescript(no-misused-promises)",
      "src/rules/misused.ts",
      `export const go = (p: Promise<void>): number => (p ? 1 : 2);`,
    ],
    [
      "typescript(await-thenable)",
      "src/rules/await.ts",
      `export const go = async (n: number): Promise<number> => await n;`,
    ],
    [
      "typescript(switch-exhaustiveness-check)",
      "src/rules/switch.ts",
      `export function go(way: "up" | "down"): void {\n  switch (way) {\n    case "up":\n      break;\n  }\n}`,
    ],
    ["vitest(no-focused-tests)", "test/rules/only.test.ts", `it.only("one", () => {\n  expect(1).toBe(1);\n});`],
    ["vitest(no-disabled-tests)", "test/rules/skip.test.ts", `it.skip("one", () => {\n  expect(1).toBe(1);\n});`],
    ["vitest(warn-todo)", "test/rules/todo.test.ts", `it.todo("one");`],
    ["vitest(expect-expect)", "test/rules/empty.test.ts", `it("one", () => {\n  String(1);\n});`],
    ["vitest(no-restricted-vi-methods)", "test/rules/mock.test.ts", `vi.mock("../../src/model/word.ts");`],
    ["eslint(no-unused-vars)", "src/rules/unused.ts", `import { word } from "../model/word.ts";\nexport const a = 1;`],
    ["eslint(eqeqeq)", "src/rules/equal.ts", `export const isOne = (n: unknown): boolean => n == "1";`],
    [
      "typescript(only-throw-error)",
      "src/rules/throw.ts",
      `export const go = (): never => {\n  throw { code: 1 };\n};`,
    ],
    ["typescript(no-misused-spread)", "src/rules/spread.ts", `export const go = (m: Map<1, 2>): object => ({ ...m });`],
    ["unicorn(prefer-node-protocol)", "src/system/bare.ts", `import fs from "fs";\nexport const read = fs;`],
    ["vitest(valid-expect)", "test/rules/loose.test.ts", `it("one", () => {\n  expect(1);\n});`],
    [
      "vitest(valid-expect-in-promise)",
      "test/rules/late.test.ts",
      `it("one", () => {\n  Promise.resolve(1).then((n) => expect(n).toBe(1)).catch(String);\n});`,
    ],
    [
      "vitest(no-identical-title)",
      "test/rules/twice.test.ts",
      `it("one", () => {\n  expect(1).toBe(1);\n});\nit("one", () => {\n  expect(2).toBe(2);\n});`,
    ],
    ["eslint(no-restricted-properties)", "src/system/ends.ts", `process.exit(1);`],
    ["eslint(no-restricted-properties)", "src/system/ending.ts", `process.exitCode = 1;`],
    ["eslint(no-restricted-properties)", "src/bin/reads.ts", `export const path = process.env.PATH;`],
    ...effectFree.flatMap((place) => [
      ...["fs", "fs/promises", "child_process", "net", "http", "https", "os", "process"].map(
        (name): [string, string, string] => [
          "import(no-nodejs-modules)",
          `${place}/node-${name.replace("/", "-")}.ts`,
          `export * from "node:${name}";`,
        ],
      ),
      ...[
        "process.env",
        "Date.now()",
        "Math.random()",
        ...(place === "src/bin" ? [] : ["process.exit(1)", "process.exitCode"]),
      ].map((what, index): [string, string, string] => [
        "eslint(no-restricted-properties)",
        `${place}/effect-${index}.ts`,
        `export const effect: unknown = ${what};`,
      ]),
      ...["performance.now()", "crypto.randomUUID()", "globalThis.crypto", "fetch"].map(
        (what, index): [string, string, string] => [
          "eslint(no-restricted-globals)",
          `${place}/global-${index}.ts`,
          `export const effect: unknown = ${what};`,
        ],
      ),
    ]),
  ];

  const innocents: [path: string, source: string][] = [
    [
      "src/system/effects.ts",
      `export * from "node:fs";\nexport const effects = [process.env, Date.now(), Math.random()];`,
    ],
    [
      "src/rules/pure.ts",
      `export * from "node:path";\nexport { createHash } from "node:crypto";\nexport const at = new Date(0);`,
    ],
    ["src/bin/cli.ts", `process.exitCode = 1;`],
    ["src/bin/hook.ts", `process.exit(1);`],
    ["test/rules/sound.test.ts", `it("adds", () => {\n  expect(1 + 1).toBe(2);\n});`],
  ];

  const crossings = places.flatMap((from) =>
    places.map((to) => ({
      path: `${from}/imports-${to.replace("/", "-")}.ts`,
      source: `export * from "${to === from ? "." : relative(from, to).replaceAll("\\", "/")}/word.ts";`,
      isAllowed: isAllowed(from, to),
    })),
  );

  beforeAll(() => {
    function write(path: string, source: string): void {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${source}\n`);
    }
    for (const [, path, source] of violations) write(path, source);
    for (const [path, source] of innocents) write(path, source);
    for (const { path, source } of crossings) write(path, source);
    for (const place of [...places, "test/support"]) {
      write(`${place}/word.ts`, `export type Word = string;\nexport const word: Word = "word";`);
    }
    const compilerOptions = { strict: true, module: "nodenext", target: "es2023", types: [], noEmit: true };
    write("tsconfig.json", JSON.stringify({ compilerOptions }));
    write("package.json", JSON.stringify({ type: "module" }));
    for (const file of ["oxlint.config.mjs", "scripts/ranks.mjs"]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      copyFileSync(join(root, file), join(folder, file));
    }
    found = lint(folder);
  });

  it("lets imports go strictly downward, and nowhere else", () => {
    const refused = crossings.filter(({ path }) => found.get(path)?.includes("eslint(no-restricted-imports)"));
    expect(refused.map(({ path }) => path)).toEqual(
      crossings.filter(({ isAllowed }) => !isAllowed).map(({ path }) => path),
    );
  });

  it("refuses each violation by its one rule", () =>
    everyRow(
      violations,
      ([rule, path]) => {
        expect(found.get(path)).toEqual([rule]);
      },
      ([rule, path]) => `${rule} in ${path}`,
    ));

  it("finds nothing in what keeps the rules", () =>
    everyRow(innocents, ([path]) => {
      expect(found.get(path) ?? []).toEqual([]);
    }));
});

/** The rules that each file of a folder breaks, by its path. */
function lint(folder: string): Map<string, string[]> {
  const oxlint = join(dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin/oxlint");
  let output: string;
  try {
    output = execFileSync(
      process.execPath,
      [oxlint, "-c", "oxlint.config.mjs", "--type-aware", "--deny-warnings", "--format=json"],
      {
        cwd: folder,
        // It finds its own part for types there, as it does when npm starts it.
        env: { ...process.env, PATH: `${join(root, "node_modules/.bin")}${delimiter}${process.env.PATH}` },
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
        maxBuffer: 64 * 1024 * 1024,
      },
    );
  } catch (error) {
    // It ends with 1 when it found something.
    output = (error as { stdout: string }).stdout;
  }
  const found = new Map<string, string[]>();
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  for (const { code, filename } of diagnostics) {
    found.set(filename, [...new Set([...(found.get(filename) ?? []), code])]);
  }
  return found;
}
