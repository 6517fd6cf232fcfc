import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { ensureLayout, layoutOf, type Layout } from "../../../src/outbox/layout.ts";

/** An empty folder, gone after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "hookbell-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  return folder;
}

/** An empty state folder. */
export function temporaryState(): Layout {
  const layout = layoutOf(join(temporaryFolder(), "state"));
  ensureLayout(layout);
  return layout;
}
