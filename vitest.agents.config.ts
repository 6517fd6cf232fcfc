import { defineConfig } from "vitest/config";

/** Real agents, hundreds of megabytes of them: a run of its own, see docs/reference/AGENTS.md. */
export default defineConfig({
  test: {
    name: "agents",
    include: ["test/live-agents/**/*.test.ts"],
    globalSetup: ["test/support/home/scratch-homes.ts", "test/support/agents/agent-table.ts"],
    setupFiles: ["test/support/home/guard-home.ts"],
    testTimeout: 180_000,
    hookTimeout: 300_000,
  },
});
