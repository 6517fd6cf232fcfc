import { defineConfig } from "vitest/config";
import { shared } from "./vitest.config.ts";

/** The tests that find a wrong decision in milliseconds, with no process of their own. */
const folders = ["answers", "attention", "dispatch", "outbox", "rules", "sessions"];

export default defineConfig({
  test: { ...shared, include: folders.map((folder) => `test/${folder}/**/*.test.ts`) },
});
