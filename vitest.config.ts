import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";

const setupFiles = ["test/support/guard-home.ts"];

const report = process.env.HOOKBELL_TEST_REPORT;

export default defineConfig({
  test: {
    globalSetup: ["test/support/scratch-homes.ts"],
    // .ci/run counts the tests of its runs by such a report.
    ...(report === undefined ? {} : { reporters: ["default", "json"], outputFile: { json: report } }),
    // Most tests wait for processes that they have started, so more of them run at once than there are cores.
    maxWorkers: Math.max(3, availableParallelism() - 1),
    projects: [
      {
        test: {
          name: "unit",
          include: ["test/**/*.test.ts"],
          exclude: ["test/{contract,integration,e2e,live-agents}/**"],
          setupFiles,
          testTimeout: 30_000,
        },
      },
      { test: { name: "contract", include: ["test/contract/**/*.test.ts"], setupFiles, testTimeout: 30_000 } },
      {
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          setupFiles,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          setupFiles,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
