// The linter's rules. The ranks of src/ come from scripts/ranks.mjs.
import { mayImport } from "./scripts/ranks.mjs";

const outside = ["demo", "bench", "test", "scripts"];

/** Outside text is parsed in one place each, which bounds what it takes. */
const outsideParsers = [
  {
    name: "jsonc-parser",
    importNames: ["createScanner", "parse", "parseTree", "visit", "modify", "format", "applyEdits"],
    message: "Use tokensOf or parseJsonc of src/jsonc/, which end for every text.",
  },
];

/** Imports go strictly downward: a folder imports itself and what its row of the table names. */
const rankOverrides = [...mayImport].map(([folder, allowed]) => {
  const forbidden = [...mayImport.keys(), ...outside].filter((name) => name !== folder && !allowed.includes(name));
  return restrictImports(
    `src/${folder}/**`,
    `^\\..*/(${forbidden.join("|")})/`,
    `src/${folder} may import ${allowed.length === 0 ? "itself only" : `${allowed.join(", ")} and itself`} (scripts/ranks.mjs).`,
  );
});
rankOverrides.push(
  restrictImports("demo/**", "^\\..*/src/bin/|^\\..*/(bench|test|scripts)/", "demo/ may import src/ except src/bin/."),
  restrictImports(
    "bench/**",
    "^\\..*/src/bin/|^\\..*/demo/",
    "bench/ may import src/ except src/bin/, scripts/, and test/.",
  ),
);

function restrictImports(files, regex, message) {
  const patterns = [{ regex, message }];
  const paths = files === "src/jsonc/**" ? [] : outsideParsers;
  return { files: [files], rules: { "no-restricted-imports": ["error", { patterns, paths }] } };
}

export default {
  plugins: ["eslint", "typescript", "unicorn", "oxc", "import", "promise"],
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: "error" },
  ignorePatterns: [
    "node_modules/**",
    "dist/**",
    "test/agents/known/*/payloads/**",
    "test/agents/known/*/documented/**",
  ],
  categories: { correctness: "error", suspicious: "error", perf: "error" },
  rules: {
    eqeqeq: "error",
    "no-unused-vars": ["error", { argsIgnorePattern: "^_", ignoreRestSiblings: true }],
    "import/no-cycle": ["error", { ignoreTypes: false }],
    "typescript/await-thenable": "error",
    "typescript/consistent-type-imports": "error",
    "typescript/no-explicit-any": "error",
    "typescript/no-floating-promises": "error",
    "typescript/no-misused-promises": "error",
    "typescript/no-require-imports": "error",
    "typescript/only-throw-error": "error",
    "typescript/switch-exhaustiveness-check": ["error", { considerDefaultExhaustiveForUnions: true }],
    "unicorn/prefer-node-protocol": "error",

    // Untrusted text is cleaned of control characters, so patterns name them.
    "no-control-regex": "off",
    // Deliveries, lines and retries are taken in their order.
    "no-await-in-loop": "off",
    // Spreading a text into code points is how vendors count it.
    "typescript/no-misused-spread": ["error", { allow: ["string"] }],
    // Interfaces are plain functions in method notation, which never read `this`.
    "typescript/unbound-method": "off",
    // tsc already asks for a value on every path that needs one.
    "typescript/consistent-return": "off",
    // Parsed once at the border and trusted then; what zod gave is narrowed by hand in places.
    "typescript/no-unsafe-type-assertion": "off",
    // It calls assertions unnecessary that tsc asks for.
    "typescript/no-unnecessary-type-assertion": "off",
    // A function lives where it is read.
    "unicorn/consistent-function-scoping": "off",
    // Sorting a list that was just made needs no copy.
    "unicorn/no-array-sort": "off",
    "unicorn/no-array-reverse": "off",
    // A list of five words is no slower than a set.
    "unicorn/prefer-set-has": "off",
    // A last `then` that sets the exit code has nothing to return.
    "promise/always-return": "off",
    // A channel's `settings` schema and the settings it is handed are one word on purpose.
    "no-shadow": "off",
    "no-underscore-dangle": "off",
    // Fixtures and set-up files are imported for what they do.
    "import/no-unassigned-import": "off",
    // fast-check is used by its own documented name, `fc`.
    "import/no-named-as-default-member": "off",
    // A changed copy in a `map` reads best; these lists are short.
    "oxc/no-map-spread": "off",
  },
  overrides: [
    {
      files: ["src/**"],
      rules: { "import/no-default-export": "error", "typescript/no-non-null-assertion": "error" },
    },
    {
      // Node starts fastest with a program in this form.
      files: ["hooks/*.cjs"],
      rules: { "typescript/no-require-imports": "off" },
    },
    {
      // pi calls the default export.
      files: ["src/agents/known/pi/plug-in.js"],
      rules: { "import/no-default-export": "off" },
    },
    {
      // Effects, time and chance live in src/system; everybody else is handed them, so that tests turn the clock.
      files: ["src/**"],
      // The plug-ins run in their agents.
      excludeFiles: ["src/system/**", "src/agents/known/*/plug-in.js"],
      rules: {
        // These four decide nothing by the machine they run on. Do not lengthen the list: move the effect to src/system.
        "import/no-nodejs-modules": ["error", { allow: ["node:crypto", "node:path", "node:url", "node:util"] }],
        "no-restricted-globals": [
          "error",
          {
            checkGlobalObject: true,
            globals: [
              { name: "crypto", message: "Chance is handed in; src/system makes it." },
              { name: "fetch", message: "Requests go through the SendHttp that is handed in." },
              { name: "performance", message: "Time is handed in: take a Clock." },
            ],
          },
        ],
        "no-restricted-properties": [
          "error",
          { object: "process", property: "env", message: "The environment is handed in; src/system reads it." },
          { object: "Date", property: "now", message: "Time is handed in: take a Clock." },
          { object: "Math", property: "random", message: "Chance is handed in: take a Random." },
          { object: "process", property: "exit", message: "Only src/bin/ ends the process." },
          { object: "process", property: "exitCode", message: "Only src/bin/ ends the process." },
        ],
      },
    },
    {
      files: ["src/system/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          { object: "process", property: "exit", message: "Only src/bin/ ends the process." },
          { object: "process", property: "exitCode", message: "Only src/bin/ ends the process." },
        ],
      },
    },
    {
      files: ["src/bin/**"],
      rules: {
        "no-restricted-properties": [
          "error",
          { object: "process", property: "env", message: "The environment is handed in; src/system reads it." },
          { object: "Date", property: "now", message: "Time is handed in: take a Clock." },
          { object: "Math", property: "random", message: "Chance is handed in: take a Random." },
        ],
      },
    },
    {
      files: ["test/**/*.test.ts"],
      plugins: ["vitest"],
      rules: {
        "vitest/no-focused-tests": "error",
        "vitest/no-disabled-tests": "error",
        "vitest/warn-todo": "error",
        "vitest/no-identical-title": "error",
        "vitest/valid-expect": ["error", { maxArgs: 2 }],
        "vitest/expect-expect": ["error", { assertFunctionNames: ["expect", "expect*", "assert*", "fc.assert"] }],
        // A table's row says which of two things to expect.
        "vitest/no-conditional-expect": "off",
        "vitest/valid-expect-in-promise": "error",
        "vitest/no-restricted-vi-methods": [
          "error",
          { mock: "Real parts, not mocks.", doMock: "Real parts, not mocks.", hoisted: "Real parts, not mocks." },
        ],
      },
    },

    ...rankOverrides,
  ],
};
