import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** Tests that are long by nature: kills at every step, full disks, days of work, the packed package, and the package on Windows. */
export default defineConfig({
  test: {
    ...shared,
    globalSetup: [...shared.globalSetup, "test/windows/machine/set-up.ts"],
    testTimeout: 600_000,
    name: "endurance",
    include: ["test/{endurance,windows}/**/*.test.ts"],
    exclude: [],
  },
});
