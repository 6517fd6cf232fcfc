// The house keeps its own rules: what the linter is configured to refuse is refused, and what it cannot see is read here.
import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { agents } from "../../src/agents/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Lowest first; a place may import from lines above its own and from itself. */
const ranks = [
  ["src/model"],
  ["src/system"],
  ["src/agents", "src/channels"],
  ["src/outbox"],
  ["src/rules", "src/attention", "src/install", "src/platform"],
  ["src/dispatch"],
  ["src/commands"],
  ["src", "demo", "bench"],
];
const rankOf = new Map(ranks.flatMap((row, rank) => row.map((place) => [place, rank] as const)));
const places = [...rankOf.keys()];
const effectFree = places.filter((place) => /^src./.test(place) && place !== "src/system");

/** Names of the modules that stand for a place; cli.ts and hook.ts are what `src` itself holds. */
const modulesOf = (place: string): string[] => (place === "src" ? ["cli", "hook"] : ["word"]);

function files(folder: string): string[] {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).replaceAll("\\", "/"));
}
const sources = files("src").filter((path) => path.endsWith(".ts"));
const read = (path: string): string => readFileSync(join(root, path), "utf8");

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
    ["vitest(no-focused-tests)", "test/unit/only.test.ts", `it.only("one", () => {\n  expect(1).toBe(1);\n});`],
    ["vitest(no-disabled-tests)", "test/unit/skip.test.ts", `it.skip("one", () => {\n  expect(1).toBe(1);\n});`],
    ["vitest(warn-todo)", "test/unit/todo.test.ts", `it.todo("one");`],
    ["vitest(expect-expect)", "test/unit/empty.test.ts", `it("one", () => {\n  String(1);\n});`],
    ["vitest(no-restricted-vi-methods)", "test/unit/mock.test.ts", `vi.mock("../../src/model/word.ts");`],
    ["eslint(no-unused-vars)", "src/rules/unused.ts", `import { word } from "../model/word.ts";\nexport const a = 1;`],
    ["eslint(eqeqeq)", "src/rules/equal.ts", `export const isOne = (n: unknown): boolean => n == "1";`],
    [
      "typescript(only-throw-error)",
      "src/rules/throw.ts",
      `export const go = (): never => {\n  throw { code: 1 };\n};`,
    ],
    ["typescript(no-misused-spread)", "src/rules/spread.ts", `export const go = (m: Map<1, 2>): object => ({ ...m });`],
    ["unicorn(prefer-node-protocol)", "src/system/bare.ts", `import fs from "fs";\nexport const read = fs;`],
    ["vitest(valid-expect)", "test/unit/loose.test.ts", `it("one", () => {\n  expect(1);\n});`],
    [
      "vitest(valid-expect-in-promise)",
      "test/unit/late.test.ts",
      `it("one", () => {\n  Promise.resolve(1).then((n) => expect(n).toBe(1)).catch(String);\n});`,
    ],
    [
      "vitest(no-identical-title)",
      "test/unit/twice.test.ts",
      `it("one", () => {\n  expect(1).toBe(1);\n});\nit("one", () => {\n  expect(2).toBe(2);\n});`,
    ],
    ["eslint(no-restricted-properties)", "src/system/ends.ts", `process.exit(1);`],
    ["eslint(no-restricted-properties)", "src/system/ending.ts", `process.exitCode = 1;`],
    ["eslint(no-restricted-properties)", "src/reads.ts", `export const path = process.env.PATH;`],
    ...effectFree.flatMap((place) => [
      ...["fs", "fs/promises", "child_process", "net", "http", "https", "os", "process"].map(
        (name): [string, string, string] => [
          "import(no-nodejs-modules)",
          `${place}/node-${name.replace("/", "-")}.ts`,
          `export * from "node:${name}";`,
        ],
      ),
      ...["process.env", "Date.now()", "Math.random()", "process.exit(1)", "process.exitCode"].map(
        (what, index): [string, string, string] => [
          "eslint(no-restricted-properties)",
          `${place}/effect-${index}.ts`,
          `export const effect: unknown = ${what};`,
        ],
      ),
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
    ["src/cli.ts", `process.exitCode = 1;`],
    ["src/hook.ts", `process.exit(1);`],
    ["test/unit/sound.test.ts", `it("adds", () => {\n  expect(1 + 1).toBe(2);\n});`],
  ];

  const crossings = places.flatMap((from) =>
    places.flatMap((to) =>
      modulesOf(to).map((module) => ({
        path: `${from}/imports-${to.replace("/", "-")}-${module}.ts`,
        source: `export * from "${to === from ? "." : relative(from, to).replaceAll("\\", "/")}/${module}.ts";`,
        // What stands above is not seen from below; `src` holds two siblings and never imports itself.
        isAllowed: to === from ? to !== "src" : (rankOf.get(to) ?? 0) < (rankOf.get(from) ?? 0),
      })),
    ),
  );

  beforeAll(() => {
    function write(path: string, source: string): void {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), `${source}\n`);
    }
    for (const [, path, source] of violations) write(path, source);
    for (const [path, source] of innocents) write(path, source);
    for (const { path, source } of crossings) write(path, source);
    for (const place of [...places.filter((each) => each !== "src"), "test/support"]) {
      write(`${place}/word.ts`, `export type Word = string;\nexport const word: Word = "word";`);
    }
    const compilerOptions = { strict: true, module: "nodenext", target: "es2023", types: [], noEmit: true };
    write("tsconfig.json", JSON.stringify({ compilerOptions }));
    write("package.json", JSON.stringify({ type: "module" }));
    copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"));
    found = lint(folder);
  }, 60_000);

  it("lets imports go strictly downward, and nowhere else", () => {
    const refused = crossings.filter(({ path }) => found.get(path)?.includes("eslint(no-restricted-imports)"));
    expect(refused.map(({ path }) => path)).toEqual(
      crossings.filter(({ isAllowed }) => !isAllowed).map(({ path }) => path),
    );
  });

  it.each(violations)("%s refuses %s", (rule, path) => {
    expect(found.get(path)).toEqual([rule]);
  });

  it.each(innocents)("finds nothing in %s", (path) => {
    expect(found.get(path) ?? []).toEqual([]);
  });
});

/** The rules that each file of a folder breaks, by its path. */
function lint(folder: string): Map<string, string[]> {
  const oxlint = join(dirname(createRequire(import.meta.url).resolve("oxlint/package.json")), "bin/oxlint");
  let output: string;
  try {
    output = execFileSync(process.execPath, [oxlint, "--type-aware", "--deny-warnings", "--format=json"], {
      cwd: folder,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
      maxBuffer: 64 * 1024 * 1024,
    });
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

/** What the linter has no rule for; read from the source without its comments and types. */
const sourceRules: {
  name: string;
  pattern: RegExp;
  isExempt: (path: string) => boolean;
  breaks: string[];
  keeps: string[];
}[] = [
  {
    name: "takes the time from a clock",
    pattern: /\bnew Date(?:\(\)|(?!\())|(?<!new )\bDate\(/,
    isExempt: isSystem,
    breaks: ["export const at = new Date();", "export const at = new Date;", "export const at = Date();"],
    keeps: ["export const at = (ms: number) => new Date(ms);", "// new Date()", "export type At = Date;"],
  },
  {
    name: "is handed chance",
    pattern: /\b(?:random(?:Bytes|UUID|Int|Fill(?:Sync)?)|getRandomValues|webcrypto)\b/,
    isExempt: isSystem,
    breaks: [
      `import { randomBytes } from "node:crypto";\nrandomBytes(4);`,
      `import * as chance from "node:crypto";\nchance.randomUUID();`,
    ],
    keeps: [
      `import { createHash } from "node:crypto";\ncreateHash("sha256");`,
      "/* randomBytes */ export const a = 1;",
    ],
  },
  {
    name: "imports by names that the linter can read",
    pattern: /\bimport\((?!")/,
    isExempt: isSystem,
    breaks: ["export const late = (name: string) => import(`../rules/${name}.ts`);"],
    keeps: [`export const late = () => import("./late.ts");`],
  },
  {
    name: "has classes for errors and secrets alone",
    pattern: /\bclass(?:\s+\w+)?(?:\s+extends\s+(?!Error\b)[\w.]+)?\s*\{/,
    isExempt: (path) => path === "src/model/secret.ts",
    breaks: ["export class Outbox {}", "class A extends Map {}", "export const a = class {};"],
    keeps: [
      `// export class Outbox {}`,
      "export class BusError extends Error {}",
      `export const classes = { class: "a" };`,
    ],
  },
];

function isSystem(path: string): boolean {
  return path.startsWith("src/system/");
}

function withoutComments(source: string): string {
  return transformSync(source, {
    loader: "ts",
    minifyWhitespace: true,
    legalComments: "none",
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  }).code;
}

describe.each(sourceRules)("every source $name", ({ pattern, isExempt, breaks, keeps }) => {
  it("in src", () => {
    expect(sources.filter((path) => !isExempt(path) && pattern.test(withoutComments(read(path))))).toEqual([]);
  });
  it.each(breaks)("and not as in: %s", (source) => {
    expect(withoutComments(source)).toMatch(pattern);
  });
  it.each(keeps)("but may be: %s", (source) => {
    expect(withoutComments(source)).not.toMatch(pattern);
  });
});

describe("the folders of src", () => {
  it("each have a rank", () => {
    const entries = readdirSync(join(root, "src"), { withFileTypes: true }).map(({ name }) => name);
    expect(entries.filter((name) => !rankOf.has(`src/${name}`) && !/^(?:cli|hook)\.ts$|\.md$/.test(name))).toEqual([]);
  });

  it("have files of one concept, most under 120 lines and none over 250", () => {
    const lengths = sources.map((path) => ({ path, lines: read(path).split("\n").length - 1 }));
    expect(lengths.filter(({ lines }) => lines > 250)).toEqual([]);
    expect(lengths.filter(({ lines }) => lines < 120).length / lengths.length).toBeGreaterThan(0.8);
  });

  it("name files in kebab-case after what they hold", () => {
    const banned = /^(?:(?:util|helper|manager|service|handler)s?|data)$/;
    const isNamedWell = (path: string): boolean =>
      /^[a-z0-9]+(?:-[a-z0-9]+)*\.ts$/.test(basename(path)) &&
      !basename(path, ".ts")
        .split("-")
        .some((word) => banned.test(word));
    expect(["src/a/http-utils.ts", "src/a/data.ts", "src/a/Thing.ts"].filter(isNamedWell)).toEqual([]);
    expect(sources.filter((path) => !path.endsWith(".d.ts") && !isNamedWell(path))).toEqual([]);
  });
});

describe("every agent's file", () => {
  it("is in the registry, and named after the agent", async () => {
    const names = files("src/agents").map((path) => basename(path, ".ts"));
    const modules = await Promise.all(
      names.map(async (name) => ({
        name,
        exported: (await import(`../../src/agents/${name}.ts`)) as Record<string, unknown>,
      })),
    );
    const defined = modules.flatMap(({ name, exported }) =>
      Object.values(exported)
        .filter((value) => typeof value === "object" && value !== null && "isCalling" in value && "facts" in value)
        .map((agent) => ({ name, agent })),
    );
    expect(defined.length).toBeGreaterThan(0);
    expect(defined.filter(({ agent }) => !agents.some((registered) => registered === agent))).toEqual([]);
    expect(defined.map(({ name }) => name).toSorted()).toEqual(agents.map(({ id }) => id).toSorted());
  });
});

describe("every text of the project", () => {
  const texts = [
    ...["src", "test", "scripts", "demo", "bench", "hooks", "config", ".ci"].flatMap((folder) => files(folder)),
    ...readdirSync(root).filter((name) => /\.(?:md|jsonc?|ts)$/.test(name)),
  ].filter((path) => !path.startsWith("test/fixtures/") && /\.(?:ts|mjs|js|jsonc?|md|sh|ya?ml)$|run$/.test(path));

  it.each([
    // In brackets, so that this file does not find itself.
    { what: "a thing left to do", pattern: /\b(?:TO[D]O|FIX[M]E)\b/, example: ["TO", "DO"].join("") },
    {
      what: "a path of the machine it was written on",
      pattern: /(?<![\w.~$}-])\/(?:root|work\/(?:main|shared))\b/,
      example: ["", "root", "x"].join("/"),
    },
  ])("holds no $what", ({ pattern, example }) => {
    expect(example).toMatch(pattern);
    expect(texts.length).toBeGreaterThan(sources.length);
    expect(texts.filter((path) => pattern.test(read(path)))).toEqual([]);
  });

  it("names no registry in the lock file", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
    const resolved = Object.values(packages).flatMap((entry) => entry.resolved ?? []);
    expect(resolved.filter((url) => !url.startsWith("https://registry.npmjs.org/"))).toEqual([]);
  });
});
