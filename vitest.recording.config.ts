import { defineConfig } from "vitest/config";

/** Records what real agents do, into test/recorded-runs/. */
export default defineConfig({
  test: {
    name: "recording",
    include: ["test/recorded-runs/record/**/*.record.ts"],
    globalSetup: ["test/support/home/scratch-homes.ts"],
    setupFiles: ["test/support/home/guard-home.ts"],
    testTimeout: 240_000,
    hookTimeout: 300_000,
    fileParallelism: false,
  },
});
