// Used by scripts/tests/mutants.mjs.
export default {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner", "./scripts/tests/mutants-part.mjs"],
  ignorers: ["part"],
  // With related tests only, it passes over a test file that imports what is not copied, without a word.
  vitest: { configFile: "vitest.mutants.config.ts", related: false },
  // TypeScript 7 has none of the functions by which Stryker would read one.
  tsconfigFile: "no-tsconfig.json",
  // A change that runs once, when its file is loaded, would need a new process for each.
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  concurrency: 2,
  // More than test/support/longest-wait.ts lets a test wait. A loop that does not end is found by the number of its rounds.
  timeoutMS: 15_000,
  dryRunTimeoutMinutes: 20,
  reporters: ["clear-text", "json"],
  clearTextReporter: { logTests: false },
  thresholds: { high: 95, low: 92, break: 92 },
  ignorePatterns: ["dist"],
  // It would write into the hook scripts, which are known by their digests. vitest checks no types.
  disableTypeChecks: false,
};
