import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/home/guard-home.ts"];

const report = process.env.HOOKBELL_TEST_REPORT;

export default defineConfig({
  test: {
    globalSetup: ["test/support/home/scratch-homes.ts"],
    // .ci/run counts the tests of its runs by such a report.
    ...(report === undefined ? {} : { reporters: ["default", "json"], outputFile: { json: report } }),
    // Most tests wait for processes that they have started, so more of them run at once than there are cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    include: ["test/**/*.test.ts"],
    exclude: ["test/live-agents/**"],
    setupFiles,
    // Loading the sources anew for each file took a third of the time.
    isolate: false,
    // Only a bound for what hangs: machines are slow and noisy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
