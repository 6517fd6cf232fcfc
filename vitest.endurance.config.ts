import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** Tests that are long by nature: kills at every step, full disks, days of work, the packed package. */
export default defineConfig({
  test: { ...shared, testTimeout: 600_000, name: "endurance", include: ["test/endurance/**/*.test.ts"], exclude: [] },
});
