import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import { longestWaitMs } from "./test/support/longest-wait.ts";

const report = process.env.HOOKBELL_TEST_REPORT;

/** What the tests of vitest.endurance.config.ts have as well. */
export const shared = {
  globalSetup: ["test/support/home/scratch-homes.ts"],
  setupFiles: ["test/support/home/guard-home.ts", "test/support/random/fixed-seed.ts"],
  // .ci/run counts the tests of its runs by such a report.
  ...(report === undefined ? {} : { reporters: ["default", "json"], outputFile: { json: report } }),
  // Most tests wait for processes that they have started, so more of them run at once than there are cores.
  maxWorkers: Math.max(3, availableParallelism()),
  // Loading the sources anew for each file took a third of the time.
  isolate: false,
  // These are bounds for tests that hang; machines are slow and noisy.
  testTimeout: 2 * longestWaitMs,
  hookTimeout: 2 * longestWaitMs,
  // A test that asserts nothing passes whatever the code does.
  expect: { requireAssertions: true, poll: { timeout: longestWaitMs } },
};

export default defineConfig({
  test: {
    ...shared,
    include: ["test/**/*.test.ts"],
    exclude: ["test/live-agents/**", "test/endurance/**", "test/windows/**"],
  },
});
