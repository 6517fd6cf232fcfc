import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** Tests that are long by nature: kills at every step, full disks, days of work, the packed package, and the package on Windows. */
export default defineConfig({
  test: {
    ...shared,
    globalSetup: [...shared.globalSetup, "test/windows/machine/set-up.ts"],
    // Only for what hangs: on a busy machine, the longest took more than ten minutes.
    testTimeout: 1_800_000,
    name: "endurance",
    include: ["test/{endurance,windows}/**/*.test.ts"],
    exclude: [],
  },
});
