import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";

/** An empty folder, gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-test-"));
  onTestFinished(() => {
    try {
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    } catch (error) {
      // On Windows, a process that is being ended keeps it for a while; on-windows.mjs removes all of them at its end.
      if (process.platform !== "win32") throw error;
    }
  });
  return folder;
}

/** An empty state folder. */
export function temporaryState(): Layout {
  const layout = layoutOf(join(temporaryFolder(), "state"));
  ensureLayout(layout);
  return layout;
}
